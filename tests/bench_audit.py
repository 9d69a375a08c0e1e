"""How fast an audit and the readers are: `python -m tests.bench_audit [--data FOLDER] [DEALS ...]`.

Makes a Parquet log of fair Seven-Up with the laboratory, audits it by the
command and prints deals for each CPU second and the peak of memory; then reads
each PBN and PHH log of FOLDER beside `endplay` and `pokerkit`, both warm, best of five.
Logs of other kinds, as far as a log of counts, are timed by `tests.bench_battery`.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from timeit import Timer

import numpy as np

from audit.format import Reader
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.readers import READERS

_COMMAND = "import sys; from audit.cli.main import outcome; sys.exit(outcome(sys.argv[1:]))"


def make_log(path: Path, deals: int) -> None:
    """Write *deals* fair deals with order, dealer, place of the dealer and turn-ups."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    law, step, out = GAMES["seven_up_4"], 1 << 18, None
    for start in range(0, deals, step):
        size = min(step, deals - start)
        table = simulate(law, LAB["fair"], size, Fraction(0), start + 1, player=PLAY["sensible"])
        assert table.orders is not None
        order = np.ascontiguousarray(table.orders)
        turns = pa.py_buffer(table.turnups.tobytes())
        at = pa.py_buffer(table.turn_at.astype(np.int32).tobytes())
        columns = {
            "game": pa.array([law.id] * size).dictionary_encode(),
            "dealer": pa.array([f"P{s}" for s in table.dealer_seat]).dictionary_encode(),
            "dealer_seat": pa.array(table.dealer_seat),
            "players": pa.array(np.full(size, 4, np.int16)),
            "order_after_cut": pa.Array.from_buffers(
                pa.binary(52), size, [None, pa.py_buffer(order.tobytes())]
            ),
            "turnups": pa.Array.from_buffers(pa.binary(), size, [None, at, turns]),
        }
        batch = pa.record_batch(columns)
        out = out or pq.ParquetWriter(str(path), batch.schema)
        out.write_batch(batch, row_group_size=1 << 16)
    if out is not None:
        out.close()


def audit_log(path: Path, jobs: int) -> tuple[float, float, int]:
    """Return CPU seconds, seconds and peak bytes of one whole command, children included."""
    start = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-c", _COMMAND, "audit", str(path), "--jobs", str(jobs)],
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"the audit left with {child.returncode}")
    return used.ru_utime + used.ru_stime, time.perf_counter() - start, used.ru_maxrss * 1024


def best(work: Callable[[], object]) -> float:
    """Return the least CPU seconds of one run of *work* in five rows of runs.

    A row takes 10 ms or more, and others before have warmed up: the clock itself takes
    longer than some of the files.
    """
    timer, runs = Timer(work, gc.enable, time.process_time), 1
    while timer.timeit(runs) < 0.01:
        runs *= 2
    return min(timer.repeat(5, runs)) / runs


def _ours(reader: Reader, data: bytes, name: str) -> Callable[[], object]:
    return lambda: sum(1 for _ in reader.read(BytesIO(data), name))


def _endplay(path: Path) -> Callable[[], object]:
    from endplay.parsers import pbn

    text = path.read_text(encoding="latin-1")
    return lambda: pbn.loads(text)


def _pokerkit(path: Path) -> Callable[[], object]:
    from pokerkit import HandHistory

    raw = path.read_bytes()
    if path.suffix == ".phhs":
        return lambda: list(HandHistory.load_all(BytesIO(raw)))
    return lambda: HandHistory.load(BytesIO(raw))


def compare(folder: Path) -> None:
    """Print, for each file of *folder*, our time, theirs and how many times theirs is ours."""
    kinds = [
        ("bridge-pbn", "pbn", "endplay", _endplay),
        ("poker-phh", "phh", "pokerkit", _pokerkit),
    ]
    for place, reader, package, theirs in kinds:
        try:
            __import__(package)
        except ImportError:
            print(f"{package} is not installed: {reader} is not compared")
            continue
        for path in sorted((folder / place).iterdir()):
            ours = best(_ours(READERS[reader], path.read_bytes(), path.name))
            try:
                other = best(theirs(path))
            except Exception as err:
                print(f"{path.name:36} {ours * 1e3:9.3f} ms  {package}: {type(err).__name__}")
                continue
            ratio = other / max(ours, 1e-9)
            print(f"{path.name:36} {ours * 1e3:9.3f} ms {other * 1e3:9.3f} ms  x{ratio:.1f}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("deals", nargs="*", type=int, default=[1_000_000])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    for deals in asked.deals:
        with tempfile.TemporaryDirectory() as name:
            log = Path(name) / "log.parquet"
            # In a process of its own, for a child counts the peak of its parent as its own.
            maker = get_context("spawn").Process(target=make_log, args=(log, deals))
            maker.start()
            maker.join()
            cpu, wall, peak = audit_log(log, asked.jobs)
        print(
            f"{deals} deals, {asked.jobs} jobs: {cpu:.2f} CPU s, {wall:.2f} s,"
            f" {deals / cpu:,.0f} deals a CPU second, peak {peak / 2**20:.0f} MiB"
        )
    if asked.data.is_dir():
        compare(asked.data)
    limit = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"this program itself: peak {limit / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
