"""What stays in the store, who waits for it, and that one process writes it."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.ledger.log import Appended
from audit.service.room import Room
from audit.shuffle.entries import Limits
from tests.service.rig import Watch, free_port, house, play, seats_at
from tests.service.test_kill import RUN, serve

NEVER = Limits(commit=600, open=600, choice=600, decide=600)


@pytest.mark.parametrize("relayed", [False, True])
@pytest.mark.parametrize("opening", ["pack", "session"])
def test_no_opening_choice_or_secret_stays_in_the_store(
    tmp_path: Path, opening: str, *, relayed: bool
) -> None:
    """The last message of a step comes in the write of the entry that it makes due."""
    watch = Watch(tmp_path / "witness", relay=True)
    with house(tmp_path / "house", witnesses=(watch.key,), quorum=int(relayed)) as made:
        watch.start(made)
        try:
            more: dict[str, Any] = {"relay": 0} if relayed else {}
            table = made.table("ecarte_foster", 2, packs=4, opening=opening, limits=NEVER, **more)
            url = watch.url if relayed else None
            play(seats_at(made.url, table, tmp_path, relay=url, wait=2))
        finally:
            watch.stop()
        mh = made.hall.rooms[table.table].mh
        kept = [name for name, _ in made.hall.ledger.scan(f"msg/{mh}/")]
        secrets = made.hall.ledger.scan(f"secret/{mh}/")
    assert {name.split("/")[3] for name in kept} == {"commit", "decide"}
    assert secrets == []


class Slow:
    """A ledger whose writes are done when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[Future[Appended]] = []

    def submit(self, *_: object) -> Future[Appended]:
        self.waiting.append(Future())
        return self.waiting[-1]

    async def finish_one(self) -> None:
        self.waiting.pop(0).set_result(Appended(first=0, size=0, checkpoint=b""))
        for _ in range(5):
            await asyncio.sleep(0)


def room_over(ledger: Any) -> Room:
    table: Any = SimpleNamespace(manifest=SimpleNamespace(quorum=0))
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    sealed: Any = None
    return Room(ledger, key, sealed, table, "00" * 32, lambda: 0)


async def ended(*work: Any) -> Sequence[bool]:
    for _ in range(5):
        await asyncio.sleep(0)
    return [one.done() for one in work]


def test_a_seat_waits_for_its_own_write_and_no_later_one() -> None:
    async def story() -> None:
        ledger = Slow()
        room = room_over(ledger)
        room._submit((), {"first": b""})
        mine = asyncio.create_task(room.stored())
        assert await ended(mine) == [False]
        room._submit((), {"second": b""})
        told = asyncio.create_task(room.settled())
        await ledger.finish_one()
        # What is told may hold what the second write holds.
        assert await ended(mine, told) == [True, False]
        await ledger.finish_one()
        assert await ended(told) == [True]

    asyncio.run(story())


def test_evidence_against_a_seat_keeps_nobody_waiting_who_listens() -> None:
    async def story() -> None:
        ledger = Slow()
        room = room_over(ledger)
        room._submit((), {"message": b""})
        for number in range(3):
            room._submit((), {f"refused/{number}": b""}, telling=False)
        told = asyncio.create_task(room.settled())
        answered = asyncio.create_task(room.stored())
        assert await ended(told, answered) == [False, False]
        await ledger.finish_one()
        assert await ended(told, answered) == [True, False]
        for _ in range(3):
            await ledger.finish_one()
        assert await ended(answered) == [True]

    asyncio.run(story())


def test_a_second_service_on_one_folder_is_refused_and_a_killed_one_holds_nothing(
    tmp_path: Path,
) -> None:
    files = [x for name in ("db", "key", "vault") for x in (f"--{name}", str(tmp_path / name))]
    rest = ["--origin", "house.example", "--port", str(free_port())]
    second = [sys.executable, "-c", RUN, "serve", *files, *rest]
    for more in (["--create"], []):
        first = serve(tmp_path, free_port(), *more)
        try:
            done = subprocess.run(second, capture_output=True, timeout=30, check=False)
        finally:
            first.send_signal(signal.SIGKILL)
            first.wait()
        said = f"error: {tmp_path / 'db'}: ledger: another process appends to it\n"
        assert (done.returncode, done.stderr.decode()) == (2, said)
