"""Kill the appending process at random moments, and look for what it had acknowledged.

    python -m tests.ledger.crash --rounds N [--early]
    python -m tests.ledger.crash --rounds N --postgres own|ADDRESS [--early]

A child appends from several threads and writes a line for each acknowledged entry: index,
hash, checkpoint. It is killed (with PostgreSQL in turn: the child, one of its backends, the
server, the last only with `own`); then every line must still be true of the opened ledger,
and the next index must follow. `--early` is the control: it acknowledges before the commit,
and the run must find it out. Exit code 1 when something was lost.

A killed process leaves its pages with the kernel, so this says nothing of power cuts; those
are in `tests.ledger.powercut`.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from audit.checkpoint import check_checkpoint
from audit.errors import FairdealError
from audit.ledger.refusal import StoreFailed
from audit.ledger.store import Batch, Store
from tests.ledger.kit import Place, file_place, health, server_place, signer
from tests.ledger.server import Server

THREADS = 6


@dataclass(frozen=True, kw_only=True)
class Acknowledged:
    """What the child was told: it may rely on this for ever."""

    index: int
    hash: str
    checkpoint: bytes


def told(output: int, index: int, entry: bytes, checkpoint: bytes) -> None:
    """Write one acknowledgement in one call, so that a kill leaves whole lines."""
    note = base64.b64encode(checkpoint).decode()
    os.write(output, f"{index} {hashlib.sha256(entry).hexdigest()} {note}\n".encode())


def read_told(raw: bytes) -> list[Acknowledged]:
    """Return the whole lines of what the child wrote."""
    found: list[Acknowledged] = []
    for line in raw[: raw.rfind(b"\n") + 1].decode().splitlines():
        index, digest, note = line.split(" ")
        found.append(Acknowledged(index=int(index), hash=digest, checkpoint=base64.b64decode(note)))
    return found


def acknowledge_early(store: Store, output: int) -> None:
    """The control: tell of each entry a moment before it is committed."""
    commit = store.commit

    def early(batch: Batch) -> None:
        for i, entry in enumerate(batch.entries):
            told(output, batch.first + i, entry, batch.checkpoint or b"")
        time.sleep(0.005)
        commit(batch)

    store.commit = early  # type: ignore[method-assign]


def child(place: Place, output: int, number: int, *, early: bool) -> NoReturn:
    """Append from several threads until killed."""
    from audit.ledger.log import Ledger

    store = place.store()
    if early:
        acknowledge_early(store, output)
    ledger = Ledger(store, signer())

    def work(thread: int) -> None:
        for k in range(10**9):
            entry = f"{number}/{thread}/{k}".encode() + bytes(k % 300)
            try:
                answer = ledger.append([entry, b"+"], {f"t{thread}": entry})
            except StoreFailed as err:
                if err.final:
                    os._exit(3)
                # The server is gone or the outcome unknown: nothing was acknowledged.
                time.sleep(0.02)
                continue
            if not early:
                told(output, answer.first, entry, answer.checkpoint)

    for thread in range(THREADS):
        threading.Thread(target=work, args=(thread,)).start()
    while True:
        time.sleep(1)


def lost(place: Place, kept: list[Acknowledged], *, full: bool) -> list[str]:
    """Return what is no longer true of the ledger, opened again."""
    found: list[str] = []
    with place.ledger() as ledger:
        before = ledger.size
        # A server may still end the commit of a client that is dead; our turn comes after it.
        size = ledger.append([b"next"]).first
        if size < before or (size > before and not place.address.startswith("postgres")):
            found.append(f"the next index is {size}, not {before}")
        first = min((one.index for one in kept), default=size)
        bodies = ledger.entries(min(first, size), size)
        for one in kept:
            if one.index >= size:
                found.append(f"entry {one.index} of {size} is lost")
            elif hashlib.sha256(bodies[one.index - first]).hexdigest() != one.hash:
                found.append(f"entry {one.index} is another")
        for note in {one.checkpoint for one in kept}:
            at = check_checkpoint(note, signer().key, where="kept").checkpoint
            if at.size > size or ledger.root(at.size) != at.root:
                found.append(f"checkpoint {at.size} is of another history")
    if full:
        found += health(place).defects
    return found


def one_round(
    place: Place, number: int, wait: float, harm: Callable[[], None] | None, *, early: bool
) -> list[Acknowledged]:
    """Run one child, harm it after *wait* seconds of appending, and return what it was told."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        try:
            child(place, write, number, early=early)
        finally:
            os._exit(4)
    os.close(write)
    raw = os.read(read, 1 << 16)
    threading.Event().wait(wait)
    if harm is not None:
        drain = bytearray()
        os.set_blocking(read, False)
        harm()
        until = time.monotonic() + 0.3
        while time.monotonic() < until:
            with suppress(BlockingIOError):
                drain += os.read(read, 1 << 20)
            time.sleep(0.01)
        os.set_blocking(read, True)
        raw += bytes(drain)
    os.kill(pid, signal.SIGKILL)
    while part := os.read(read, 1 << 20):
        raw += part
    os.close(read)
    os.waitpid(pid, 0)
    return read_told(raw)


def kill_backend(address: str) -> None:
    """Kill a server process that serves a ledger, with SIGKILL where we may."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as db:
        rows = db.execute(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' "
            "AND pid <> pg_backend_pid() ORDER BY query LIKE 'COMMIT' DESC LIMIT 1"
        ).fetchall()
        for (pid,) in rows:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                db.execute("SELECT pg_terminate_backend(%s)", (pid,))


def settled(server: Server) -> None:
    """Wait until the server answers again."""
    import psycopg

    for _ in range(600):
        with suppress(psycopg.OperationalError), psycopg.connect(server.dsn()):
            return
        time.sleep(0.05)


def run(rounds: int, seed: int, postgres: str | None, *, early: bool) -> tuple[int, list[str]]:
    """Return how many entries were acknowledged, and what was lost of them."""
    words = np.random.PCG64(seed)
    folder = Path(tempfile.mkdtemp(prefix="fairdeal-crash-"))
    server = Server() if postgres == "own" else None
    if server is not None:
        place = server_place(server)
    else:
        place = file_place(folder) if postgres is None else Place(address=postgres)
    place.create()

    def restart() -> None:
        assert server is not None
        server.kill()
        server.start()

    harms: list[Callable[[], None] | None] = [None]
    if postgres is not None:
        harms.append(lambda: kill_backend(place.address))
    if server is not None:
        harms.append(restart)
    kept: list[Acknowledged] = []
    found: list[str] = []
    try:
        for number in range(rounds):
            wait = int(words.random_raw()) % 120 / 1000
            harm = harms[number % len(harms)]
            new = one_round(place, number, wait, harm, early=early)
            kept += new
            if server is not None:
                settled(server)
            full = number % max(10, rounds // 10) == 9 or number == rounds - 1
            # All of the last round, and now and then everything that was ever told.
            found += [f"round {number}: {x}" for x in lost(place, kept if full else new, full=full)]
            if found:
                break
    finally:
        if server is not None:
            server.close()
        shutil.rmtree(folder, ignore_errors=True)
    return len(kept), found


def main() -> int:
    """Run as the head of this file says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", metavar="own|ADDRESS")
    parser.add_argument("--early", action="store_true")
    asked = parser.parse_args()
    started = time.monotonic()
    try:
        told_of, found = run(asked.rounds, asked.seed, asked.postgres, early=asked.early)
    except FairdealError as err:
        told_of, found = 0, [str(err)]
    for line in found[:20]:
        print(line)
    took = time.monotonic() - started
    print(f"{asked.rounds} rounds, {told_of} acknowledged, {len(found)} faults, {took:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
