"""Durable entries a second, beside what the disk can sync at all.

    python -m tests.ledger.bench [--threads 64] [--seconds 4]

Every thread waits for each of its entries. The bare rate (one write and fdatasync of one
page, by one thread) is taken before and after each run, because disks change within minutes.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

from audit.checkpoint import read_text
from audit.note import read_note
from tests.ledger.kit import Place, file_place, health, server_place
from tests.ledger.server import Server, binaries


def bare(folder: Path, seconds: float = 1.0) -> float:
    """Return how many times a second one page is written and synced."""
    done, started = 0, time.perf_counter()
    handle = os.open(folder / "bare", os.O_CREAT | os.O_WRONLY, 0o600)
    try:
        while time.perf_counter() - started < seconds:
            os.pwrite(handle, bytes([done % 256]) * 4096, 4096 * (done % 64))
            os.fdatasync(handle)
            done += 1
    finally:
        os.close(handle)
    return done / (time.perf_counter() - started)


def durable(place: Place, threads: int, seconds: float) -> tuple[float, float, float, float]:
    """Return entries a second, entries a commit, and p50 and p99 of the waiting in ms."""
    place.create()
    waits: list[float] = []
    sizes: set[int] = set()
    with place.ledger() as ledger:
        until = time.perf_counter() + seconds

        def work(thread: int) -> None:
            k = 0
            while (begun := time.perf_counter()) < until:
                entry = f"{thread}/{k}/".encode() + bytes(300)
                answer = ledger.append([entry], {f"s{thread}": entry[:100]})
                waits.append(time.perf_counter() - begun)
                sizes.add(read_text(read_note(answer.checkpoint, "t").text, "t").size)
                k += 1

        run = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
        for thread in run:
            thread.start()
        for thread in run:
            thread.join()
    if found := health(place).defects:
        raise RuntimeError(found[0])
    waits.sort()
    rate = len(waits) / seconds
    at = [1000 * waits[len(waits) * part // 100] for part in (50, 99)]
    return rate, len(waits) / len(sizes), at[0], at[1]


def main() -> int:
    """Run as the head of this file says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=4)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as name:
        folder = Path(name)
        places = [("sqlite", file_place(folder))]
        server = Server() if binaries() is not None else None
        if server is not None:
            places.append(("postgres", server_place(server)))
        try:
            for store, place in places:
                before = bare(folder)
                rate, group, p50, p99 = durable(place, asked.threads, asked.seconds)
                print(
                    f"{store}: {rate:.0f} durable entries/s at {asked.threads} threads, "
                    f"{group:.1f} a commit, p50 {p50:.1f} ms, p99 {p99:.1f} ms; "
                    f"bare fdatasync {before:.0f}/s before, {bare(folder):.0f}/s after"
                )
        finally:
            if server is not None:
                server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
