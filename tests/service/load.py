"""Complete packs a second on loopback, with clients that check everything.

    python -m tests.service.load --packs 200 --tables 4 --witnesses 0

Service, clients and witness are processes of their own; each process of clients sits all
seats of some tables, a thread a seat.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from audit.client import api as api_module
from audit.client.api import Api
from audit.client.journal import Journal
from audit.client.player import Auto
from audit.client.seat import Seat
from audit.client.witness import Witness
from audit.keyfile import make_key, read_private
from audit.note import COSIGNATURE, Signer, read_key
from audit.wire import Health, NewTable, Tokens
from tests.service.rig import free_port

ORIGIN = "house.example/load"


def _cpu(pid: int, *, thread: bool = False) -> float:
    """Return the processor seconds of a process so far."""
    fields = (
        Path(f"/proc/{pid}/task/{pid}/stat" if thread else f"/proc/{pid}/stat")
        .read_text()
        .rsplit(")", 1)[1]
        .split()
    )
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _at(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def clients(url: str, tables: int, packs: int, game: str, players: int) -> None:
    """Sit every seat of *tables* tables and print what was measured."""
    requests: list[float] = []
    plain = Api._call

    def timed(self: Api, method: str, path: str, body: bytes | None) -> bytes:
        start = time.perf_counter()
        found = plain(self, method, path, body)
        waits = "wait=" in path or path.endswith("/cards")
        if not waits:
            requests.append(time.perf_counter() - start)
        else:
            requests.append(-1.0)
        return found

    api_module.Api._call = timed  # type: ignore[method-assign]
    api = Api(url)
    folder = Path(tempfile.mkdtemp(prefix="load-"))
    seats: list[Seat] = []
    for number in range(tables):
        made = api.post("/api/tables", NewTable(game=game, players=players, packs=packs), Tokens)
        for at, token in enumerate(made.tokens):
            journal = Journal(folder / f"{number}-{at}" / "seat.jsonl")
            seats.append(Seat(Api(url), made.table, at, token, journal, Auto()))
    laps: list[float] = []

    def one(seat: Seat) -> None:
        seat.sit()
        done, since = 0, time.perf_counter()
        while not seat.closed:
            seat.step(20)
            if len(seat.verified) > done:
                done, now = len(seat.verified), time.perf_counter()
                laps.append(now - since)
                since = now

    # Starting a process is no part of a pack.
    start, used = time.perf_counter(), time.process_time()
    threads = [threading.Thread(target=one, args=(seat,)) for seat in seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wall = time.perf_counter() - start
    plainly = [r for r in requests if r >= 0]
    told = {
        "packs": sum(len(seat.verified) for seat in seats) // players,
        "wall": wall,
        "cpu": time.process_time() - used,
        "requests": len(requests),
        "pack_p50": _at(laps, 0.5),
        "pack_p99": _at(laps, 0.99),
        "request_p50": _at(plainly, 0.5),
        "request_p99": _at(plainly, 0.99),
    }
    print(json.dumps(told))


def witness(url: str, folder: Path, ledger: str) -> None:
    """Cosign until told to stop."""
    signer = Signer("witness.example", read_private(folder / "witness.key"), COSIGNATURE)
    one = Witness(Api(url), signer, read_key(ledger), Journal(folder / "heads.jsonl"))
    while True:
        one.step(20)


def main() -> None:
    """Parse, start everything, and print one table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--packs", type=int, default=100, help="in all")
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--processes", type=int, default=2, help="of clients")
    parser.add_argument("--witnesses", type=int, choices=(0, 1), default=0)
    parser.add_argument("--game", default="seven_up_4")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--postgres", default="")
    parser.add_argument("--profile", default="")
    parser.add_argument("--as-clients", default="")
    parser.add_argument("--as-witness", default="")
    parser.add_argument("--ledger", default="")
    args = parser.parse_args()
    if args.as_clients:
        clients(args.as_clients, args.tables, args.packs, args.game, args.players)
        return
    if args.as_witness:
        url, folder = args.as_witness.split(",")
        witness(url, Path(folder), args.ledger)
        return
    _measure(args)


def _measure(args: argparse.Namespace) -> None:
    folder = Path(tempfile.mkdtemp(prefix="load-"))
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    more: list[str] = []
    if args.witnesses:
        make_key(folder / "witness.key")
        private = read_private(folder / "witness.key")
        key = Signer("witness.example", private, COSIGNATURE).key
        more = ["--witness", key.text, "--quorum", "1"]
    run = "from audit.cli.main import run; run()"
    if args.profile:
        # Processor time of the event loop's thread, not time on the wall.
        run = (
            "import cProfile, time; from audit.cli.main import outcome; import sys\n"
            "one = cProfile.Profile(time.thread_time)\n"
            "one.runcall(outcome, sys.argv[1:])\n"
            f"one.dump_stats({args.profile!r})"
        )
    start = [sys.executable, "-c", run]
    service = subprocess.Popen(
        [
            *start,
            "serve",
            "--db",
            args.postgres or str(folder / "ledger.db"),
            "--key",
            str(folder / "house.key"),
            "--vault",
            str(folder / "vault.key"),
            "--origin",
            ORIGIN,
            "--port",
            str(port),
            "--rate",
            "1000000",
            "--create",
            "--quiet",
            *more,
        ]
    )
    api = Api(url)
    for _ in range(200):
        try:
            api.get("/health", Health)
            break
        except Exception:
            time.sleep(0.05)
    own = [sys.executable, "-m", "tests.service.load"]
    watch = None
    if args.witnesses:
        ledger = Signer(ORIGIN, read_private(folder / "house.key")).key.text
        watch = subprocess.Popen([*own, "--as-witness", f"{url},{folder}", "--ledger", ledger])
    before = _cpu(service.pid)
    each = max(1, args.tables // args.processes)
    packs = max(1, args.packs // (each * args.processes))
    began = time.perf_counter()
    running = [
        subprocess.Popen(
            [
                *own,
                "--as-clients",
                url,
                "--tables",
                str(each),
                "--packs",
                str(packs),
                "--game",
                args.game,
                "--players",
                str(args.players),
            ],
            stdout=subprocess.PIPE,
        )
        for _ in range(args.processes)
    ]
    told = [json.loads(one.communicate()[0]) for one in running]
    wall = max(one["wall"] for one in told)
    spent = _cpu(service.pid) - before
    threads = {
        one.name: _cpu(int(one.name), thread=True)
        for one in Path(f"/proc/{service.pid}/task").iterdir()
    }
    size = api.get("/health", Health).size
    lines = api.raw("/metrics").decode().splitlines()
    counts = [line for line in lines if line.startswith("fairdeal_requests_total")]
    extra = _cpu(watch.pid) if watch is not None else 0.0
    for process in [watch, service]:
        if process is not None:
            process.terminate()
            process.wait()
    done = sum(one["packs"] for one in told)
    print(f"packs {done}  wall {wall:.2f} s (with start {time.perf_counter() - began:.2f})")
    print(f"packs/s {done / wall:.1f}")
    print(f"service CPU {1000 * spent / done:.2f} ms a pack")
    for cpu in sorted(threads.values(), reverse=True)[:3]:
        print(f"  one thread {1000 * cpu / done:.2f} ms a pack")
    print(f"clients CPU {1000 * sum(one['cpu'] for one in told) / done:.2f} ms a pack")
    print(f"witness CPU {1000 * extra / done:.2f} ms a pack")
    print(f"requests {sum(one['requests'] for one in told) / done:.1f} a pack")
    print(f"entries {size / done:.2f} a pack")
    for line in counts:
        labels, count = line.rsplit(" ", 1)
        print(f"{int(count) / done:8.2f} a pack {labels}")
    for name in ("pack_p50", "pack_p99", "request_p50", "request_p99"):
        print(f"{name} {1000 * max(one[name] for one in told):.1f} ms")


if __name__ == "__main__":
    main()
