"""The service is killed while seats play; nothing that was answered is lost."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

from audit.client.api import Api
from audit.client.refusal import Unreachable
from audit.ledger.fsck import examine
from audit.ledger.place import open_to_read
from audit.wire import Health, NewTable, Tokens
from tests.service.rig import free_port, play, seats_at

RUN = "from audit.cli.main import run; run()"
KILLS = 4
PACKS = 50


def serve(folder: Path, port: int, *more: str) -> subprocess.Popen[bytes]:
    """Start a service of its own process in *folder*, and wait until it answers."""
    files = [x for name in ("db", "key", "vault") for x in (f"--{name}", str(folder / name))]
    rest = ["--origin", "house.example", "--port", str(port), "--rate", "100000", "--quiet"]
    started = subprocess.Popen(
        [sys.executable, "-c", RUN, "serve", *files, *rest, *more], stderr=subprocess.DEVNULL
    )
    api = Api(f"http://127.0.0.1:{port}")
    for _ in range(600):
        try:
            api.get("/health", Health)
            break
        except Unreachable:
            time.sleep(0.02)
    api.close()
    return started


def test_seats_go_on_when_the_service_is_killed_and_started_again(tmp_path: Path) -> None:
    port = free_port()
    running = [serve(tmp_path, port, "--create")]
    url = f"http://127.0.0.1:{port}"
    api = Api(url)
    asked = NewTable(game="ecarte_foster", players=2, packs=PACKS)
    made = api.post("/api/tables", asked, Tokens)
    api.close()
    over = threading.Event()

    def killing() -> None:
        for number in range(KILLS):
            if over.wait(0.1 + 0.05 * number):
                return
            running[-1].kill()
            running[-1].wait()
            running.append(serve(tmp_path, port))

    killer = threading.Thread(target=killing)
    killer.start()
    seats = seats_at(url, made, tmp_path, wait=2)
    try:
        play(seats)
    finally:
        over.set()
        killer.join()
        running[-1].terminate()
        running[-1].wait()
    assert len(running) == KILLS + 1
    assert [seat.verified for seat in seats] == [list(range(1, PACKS + 1))] * 2
    store = open_to_read(str(tmp_path / "db"))
    health = examine(store)
    store.close()
    assert health.defects == ()
