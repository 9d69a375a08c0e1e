"""Simulated power cuts, and file calls that fail, on the real store (needs strace).

    python -m tests.ledger.powercut cuts --cuts N [--normal]
    python -m tests.ledger.powercut faults

`cuts`: a child appends and acknowledges under strace, which records every write, truncation
and sync of the ledger's files and every acknowledgement, in order. The power is then cut at
points of that record: of each file only what was synced is kept, and of the later writes a
random half of their 512-byte sectors (or none, or all). Whatever had been acknowledged by
then must stand in the ledger opened from those files. `--normal` is the control: with
`synchronous=NORMAL` entries must be lost.

`faults`: while a child appends, the n-th write or sync of the ledger's files fails with EIO
or ENOSPC, or the child is killed in it, for every n. Nothing acknowledged may be lost, and
after a failure nothing more may be appended.

Covered: the calls that SQLite makes for appending. Not covered: failing calls while a ledger
is created or opened, the shared-memory index (which does not outlive a power cut), disks
that acknowledge a sync and lose it.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from audit.ledger.log import Ledger
from audit.ledger.refusal import StoreFailed
from audit.ledger.sqlite import SqliteStore
from tests.ledger.crash import Acknowledged, lost, read_told, told
from tests.ledger.kit import Place, signer

SECTOR = 512
CALLS = "pwrite64,ftruncate,fsync,fdatasync"
_CALL = re.compile(r"^(?:\d+ +)?(\w+)\((\d+)<([^>]*)>(?:, (.*))?\) = (-?\d+)")


def usable() -> bool:
    """Tell whether strace is there and may trace."""
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", "/dev/null", "true"], check=False).returncode == 0


def child(address: str, appends: int, *, normal: bool) -> int:
    """Append one entry after the other, telling of each; wait for a line when ready."""
    store = SqliteStore.open_to_append(Path(address))
    if normal:
        assert store._writer is not None
        store._writer.execute("PRAGMA synchronous=NORMAL")
    ledger = Ledger(store, signer())
    print("ready", flush=True)
    sys.stdin.readline()
    failed = False
    for number in range(appends):
        entry = f"entry {number}".encode() + bytes(number % 700)
        try:
            answer = ledger.append([entry], {f"k{number % 5}": entry})
        except StoreFailed:
            failed = True
        else:
            if failed:
                print("appended after a failure", flush=True)
                os._exit(5)
            told(1, answer.first, entry, answer.checkpoint)
    # No closing: the end is a cut as well.
    os._exit(3 if failed else 0)


def command(address: str, appends: int, *, normal: bool) -> list[str]:
    """Return the command line of a child."""
    parts = [sys.executable, "-m", "tests.ledger.powercut", "child", "--address", address]
    return [*parts, "--appends", str(appends), *(["--normal"] if normal else [])]


def new_place(folder: Path) -> Place:
    """Return a new ledger in an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    place = Place(address=str(folder / "a.ledger"))
    place.create()
    return place


@dataclass(kw_only=True)
class Disk:
    """One file: the bytes that would outlive a cut, and the calls since the last sync."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def after_cut(self, words: np.random.PCG64, keep: int) -> bytes:
        """Return the file after a cut; *keep* of 4 quarters of the unsynced is written."""
        data = bytearray(self.durable)
        for at, written in self.pending:
            if written is None:
                if int(words.random_raw()) % 4 < keep:
                    _resize(data, at)
                continue
            for start in range(0, len(written), SECTOR):
                if int(words.random_raw()) % 4 < keep:
                    _put(data, at + start, written[start : start + SECTOR])
        return bytes(data)

    def sync(self) -> None:
        """Make all pending calls durable, in their order."""
        for at, written in self.pending:
            if written is None:
                _resize(self.durable, at)
            else:
                _put(self.durable, at, written)
        self.pending.clear()


def _resize(data: bytearray, size: int) -> None:
    del data[size:]
    data.extend(bytes(size - len(data)))


def _put(data: bytearray, at: int, part: bytes) -> None:
    if len(data) < at + len(part):
        _resize(data, at + len(part))
    data[at : at + len(part)] = part


def record(folder: Path, appends: int, *, normal: bool) -> tuple[bytes, list[tuple[str, ...]]]:
    """Run a child under strace; return the first file, and the calls as strace wrote them."""
    place = new_place(folder)
    before = Path(place.address).read_bytes()
    trace = folder / "trace"
    tracer = ["strace", "-f", "-y", "-xx", "-s", "1000000", "-o", str(trace)]
    tracer += ["-e", f"trace={CALLS},write"]
    subprocess.run(
        [*tracer, *command(place.address, appends, normal=normal)],
        input=b"\n",
        stdout=subprocess.DEVNULL,
        check=True,
    )
    calls: list[tuple[str, ...]] = []
    for line in trace.read_text().splitlines():
        if "unfinished" in line or "resumed" in line:
            raise RuntimeError("two calls overlap, so their order is not known")
        found = _CALL.match(line)
        if found is not None:
            calls.append(found.groups(""))
    return before, calls


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text[1 : text.rindex('"')].replace("\\x", ""))


def cuts(folder: Path, wanted: int, appends: int, seed: int, *, normal: bool) -> tuple[int, int]:
    """Return the number of cuts tried, and of those that lost something acknowledged."""
    before, calls = record(folder / "run", appends, normal=normal)
    words = np.random.PCG64(seed)
    points = {int(words.random_raw()) % len(calls) for _ in range(wanted)}
    disks = {"a.ledger": Disk(durable=bytearray(before)), "a.ledger-wal": Disk()}
    said = bytearray()
    tried = bad = 0
    for number, (name, descriptor, path, rest, result) in enumerate(calls):
        disk = disks.get(Path(bytes.fromhex(path.replace("\\x", "")).decode()).name)
        if name == "write" and descriptor == "1":
            said += _bytes(rest.split(", ")[0])
        elif disk is not None and name == "pwrite64":
            data, _, at = rest.split(", ")
            disk.pending.append((int(at), _bytes(data)[: int(result)]))
        elif disk is not None and name == "ftruncate":
            disk.pending.append((int(rest), None))
        elif disk is not None and name in ("fsync", "fdatasync"):
            disk.sync()
        if number in points:
            kept = read_told(_only_told(bytes(said)))
            for keep in (0, 2, 4):
                place = Place(address=str(folder / "cut" / "a.ledger"))
                shutil.rmtree(folder / "cut", ignore_errors=True)
                (folder / "cut").mkdir()
                for file, state in disks.items():
                    (folder / "cut" / file).write_bytes(state.after_cut(words, keep))
                tried += 1
                bad += bool(survived(place, kept))
    return tried, bad


def survived(place: Place, kept: list[Acknowledged]) -> list[str]:
    """Return what was lost; a ledger that does not open has lost everything."""
    try:
        return lost(place, kept, full=True)
    except Exception as err:
        return [f"does not open: {err}"]


def faults(folder: Path, kinds: tuple[str, ...], calls: str, appends: int) -> tuple[int, list[str]]:
    """Fail each call of *calls* in turn; return the number of runs and what went wrong."""
    runs, found = 0, []
    for kind in kinds:
        for number in range(1, 1000):
            place = new_place(folder / "fault")
            hit, kept, code = one_fault(place, kind, calls, number, appends)
            if not hit:
                break
            runs += 1
            wrong = survived(place, kept)
            if code == 5:
                wrong.append("appended after a failure")
            if kind != "signal=KILL" and code != 3:
                wrong.append(f"the failure was not told: exit {code}")
            found += [f"{kind} at {number}: {line}" for line in wrong]
    return runs, found


def one_fault(
    place: Place, kind: str, calls: str, number: int, appends: int
) -> tuple[bool, list[Acknowledged], int]:
    """Run a child whose *number*-th call fails; return whether it came to that."""
    trace = Path(place.address).with_name("trace")
    with subprocess.Popen(
        command(place.address, appends, normal=False),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as run:
        assert run.stdout is not None
        assert run.stdin is not None
        assert run.stdout.readline() == b"ready\n"
        tracer = ["strace", "-f", "-y", "-o", str(trace), "-p", str(run.pid)]
        tracer += ["-P", place.address, "-P", place.address + "-wal"]
        tracer += ["-e", f"trace={calls}", "-e", f"inject={calls}:{kind}:when={number}"]
        with subprocess.Popen(tracer, stderr=subprocess.PIPE) as tracing:
            assert tracing.stderr is not None
            # strace says so when it has taken hold.
            assert b"attached" in tracing.stderr.readline()
            run.stdin.write(b"\n")
            run.stdin.close()
            raw = run.stdout.read()
            code = run.wait()
            tracing.stderr.read()
    text = trace.read_text()
    return "INJECTED" in text or "SIGKILL" in text, read_told(_only_told(raw)), code


def _only_told(raw: bytes) -> bytes:
    return b"".join(x for x in raw.splitlines(keepends=True) if x[:1].isdigit())


def main() -> int:
    """Run as the head of this file says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["cuts", "faults", "child"])
    parser.add_argument("--cuts", type=int, default=100)
    parser.add_argument("--appends", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--normal", action="store_true")
    parser.add_argument("--calls", default=CALLS)
    parser.add_argument("--address", default="")
    asked = parser.parse_args()
    if asked.what == "child":
        return child(asked.address, asked.appends, normal=asked.normal)
    folder = Path(tempfile.mkdtemp(prefix="fairdeal-cut-"))
    try:
        if asked.what == "cuts":
            tried, bad = cuts(
                folder, asked.cuts, asked.appends or 60, asked.seed, normal=asked.normal
            )
            print(f"{tried} cuts, {bad} lost something acknowledged")
            return 1 if bad else 0
        kinds = ("error=EIO", "error=ENOSPC", "signal=KILL")
        runs, found = faults(folder, kinds, asked.calls, asked.appends or 4)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for line in found[:20]:
        print(line)
    print(f"{runs} failing calls, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
