"""Complete packs a second on loopback, with clients that check everything.

    python -m tests.service.load --packs 200 --tables 4 --witnesses 0
    python -m tests.service.load --packs 200 --postgres own --workers 2

Service, clients, witness and database are processes of their own. Each process of clients sits
all seats of some tables, a thread a seat, and what one of its seats has found right no other
checks again; with `--apart` every seat is a process, which checks everything by itself.
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
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
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
from tests.ledger.kit import server_place
from tests.ledger.server import Server
from tests.service.rig import free_port

ORIGIN = "house.example/load"
#: Table, number and token of a seat.
Place = tuple[str, int, str]


def _cpu(pid: int, *, thread: bool = False) -> float:
    """Return the processor seconds of a process so far."""
    fields = (
        Path(f"/proc/{pid}/task/{pid}/stat" if thread else f"/proc/{pid}/stat")
        .read_text()
        .rsplit(")", 1)[1]
        .split()
    )
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _database_cpu(server: Server | None) -> float:
    """Return the processor seconds of all processes of a database so far."""
    if server is None:
        return 0.0
    return _family_cpu(int((server.folder / "data" / "postmaster.pid").read_text().split()[0]))


def _family_cpu(first: int) -> float:
    """Return the processor seconds of a process and of those that it has started, so far."""
    found = [first]
    for one in Path("/proc").iterdir():
        with suppress(OSError):
            if one.name.isdigit():
                parent = (one / "stat").read_text().rsplit(")", 1)[1].split()[1]
                found += [int(one.name)] if int(parent) == first else []
    return sum(map(_cpu, found))


def _at(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def make(api: Api, tables: int, packs: int, game: str, players: int) -> list[Place]:
    """Make *tables* tables; return table, number and token of every seat."""
    found: list[Place] = []
    for _ in range(tables):
        made = api.post("/api/tables", NewTable(game=game, players=players, packs=packs), Tokens)
        found += [(made.table, number, token) for number, token in enumerate(made.tokens)]
    return found


def clients(url: str, places: list[Place]) -> None:
    """Sit at *places* until their tables are closed, and print what was measured."""
    requests: list[float] = []
    plain = Api._call

    def timed(self: Api, method: str, path: str, body: bytes | None) -> bytes:
        start = time.perf_counter()
        found = plain(self, method, path, body)
        if "wait=" not in path:
            requests.append(time.perf_counter() - start)
        return found

    api_module.Api._call = timed  # type: ignore[method-assign]
    folder = Path(tempfile.mkdtemp(prefix="load-"))
    seats = [
        Seat(Api(url), table, number, token, Journal(folder / table / f"{number}.jsonl"), Auto())
        for table, number, token in places
    ]
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
    told = {
        "verified": sum(len(seat.verified) for seat in seats),
        "wall": wall,
        "cpu": time.process_time() - used,
        "pack_p50": _at(laps, 0.5),
        "pack_p99": _at(laps, 0.99),
        "request_p50": _at(requests, 0.5),
        "request_p99": _at(requests, 0.99),
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
    parser.add_argument("--postgres", metavar="own|ADDRESS", default="")
    parser.add_argument("--workers", type=int, default=1, help="of the service, with PostgreSQL")
    parser.add_argument("--apart", action="store_true", help="a process for every seat")
    parser.add_argument("--profile", default="")
    parser.add_argument("--as-clients", default="")
    parser.add_argument("--as-witness", default="")
    parser.add_argument("--ledger", default="")
    args = parser.parse_args()
    if args.as_clients:
        # All begin together, when each has been started.
        print("ready", flush=True)
        clients(args.as_clients, json.loads(sys.stdin.readline()))
        return
    if args.as_witness:
        url, folder = args.as_witness.split(",")
        witness(url, Path(folder), args.ledger)
        return
    _measure(args)


def _measure(args: argparse.Namespace) -> None:
    server = Server() if args.postgres == "own" else None
    try:
        _measure_over(args, server_place(server).address if server else args.postgres, server)
    finally:
        if server is not None:
            server.close()


def _measure_over(args: argparse.Namespace, address: str, server: Server | None) -> None:
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
            address or str(folder / "ledger.db"),
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
            "--workers",
            str(args.workers),
            "--create",
            "--quiet",
            *more,
        ]
    )
    api = Api(url)
    for _ in range(200):
        try:
            if api.get("/health", Health).ok:
                break
        except Exception:
            time.sleep(0.05)
    own = [sys.executable, "-m", "tests.service.load"]
    watch = None
    if args.witnesses:
        ledger = Signer(ORIGIN, read_private(folder / "house.key")).key.text
        watch = subprocess.Popen([*own, "--as-witness", f"{url},{folder}", "--ledger", ledger])
    packs = max(1, args.packs // args.tables)
    places = make(api, args.tables, packs, args.game, args.players)
    each = 1 if args.apart else args.players * max(1, args.tables // args.processes)
    running = [
        subprocess.Popen([*own, "--as-clients", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(0, len(places), each)
    ]
    for one in running:
        assert one.stdout is not None
        one.stdout.readline()
    before, stored = _family_cpu(service.pid), _database_cpu(server)
    watched = _cpu(watch.pid) if watch is not None else 0.0
    for number, one in enumerate(running):
        assert one.stdin is not None
        one.stdin.write(json.dumps(places[number * each : (number + 1) * each]).encode() + b"\n")
        one.stdin.flush()
    with ThreadPoolExecutor(len(running)) as pool:
        told = [json.loads(raw) for raw, _ in pool.map(subprocess.Popen.communicate, running)]
    wall = max(one["wall"] for one in told)
    spent, stored = _family_cpu(service.pid) - before, _database_cpu(server) - stored
    # The process's own thread is the first; since its start, so a little more than above.
    threads = {
        one.name: _cpu(int(one.name), thread=True)
        for one in Path(f"/proc/{service.pid}/task").iterdir()
    }
    size = api.get("/health", Health).size
    lines = api.raw("/metrics").decode().splitlines()
    counts = [line for line in lines if line.startswith("fairdeal_requests_total")]
    extra = _cpu(watch.pid) - watched if watch is not None else 0.0
    for process in [watch, service]:
        if process is not None:
            process.terminate()
            process.wait()
    done = sum(one["verified"] for one in told) // args.players
    print(f"packs {done}  wall {wall:.2f} s  load of the machine {os.getloadavg()[0]:.1f}")
    print(f"packs/s {done / wall:.1f}")
    print(f"service CPU {1000 * spent / done:.2f} ms a pack")
    for cpu in sorted(threads.values(), reverse=True)[:3]:
        print(f"  one thread {1000 * cpu / done:.2f} ms a pack")
    print(f"clients CPU {1000 * sum(one['cpu'] for one in told) / done:.2f} ms a pack")
    print(f"witness CPU {1000 * extra / done:.2f} ms a pack")
    print(f"database CPU {1000 * stored / done:.2f} ms a pack")
    asked = sum(int(line.rsplit(" ", 1)[1]) for line in counts)
    print(f"requests {asked / done:.1f} a pack")
    print(f"entries {size / done:.2f} a pack")
    for line in counts:
        labels, count = line.rsplit(" ", 1)
        print(f"{int(count) / done:8.2f} a pack {labels}")
    for name in ("pack_p50", "pack_p99", "request_p50", "request_p99"):
        print(f"{name} {1000 * max(one[name] for one in told):.1f} ms")


if __name__ == "__main__":
    main()
