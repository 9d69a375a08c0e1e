"""Whatever is lost on its way is said again, and no table waits for it for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from audit.client.api import Api
from audit.client.journal import Journal
from audit.client.refusal import NotStored, Unreachable
from audit.client.seat import Seat
from audit.client.witness import Witness
from audit.shuffle.entries import Limits
from audit.wire import Head
from tests.service.rig import House, Losing, Watch, house, play, seats_at, together

#: Longer than any test: nothing here may be saved by a deadline.
NEVER = Limits(commit=600, open=600, choice=600, decide=600)
SEAT = {"seats", "signatures", "commit", "open", "listen", "line"}


def _nothing() -> None:
    """Let the loss be all."""


def _restarting(made: House) -> Callable[[], None]:
    gate = threading.Lock()

    def between() -> None:
        with gate:
            made.restart()

    return between


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("answer", [False, True])
def test_every_message_of_a_seat_may_be_lost_once(
    tmp_path: Path, *, answer: bool, restart: bool
) -> None:
    with house(tmp_path / "house") as made:
        lost: list[set[str]] = [set(), set()]
        between = _restarting(made) if restart else _nothing
        connections = iter(lost)

        def connect(url: str) -> Api:
            return Losing(url, answer=answer, lost=next(connections), between=between)

        table = made.table("ecarte_foster", 2, limits=NEVER)
        seats = seats_at(made.url, table, tmp_path, connect=connect, wait=1)
        play(seats)
    assert [seat.ended for seat in seats] == [["opened"], ["opened"]]
    assert [seat.verified for seat in seats] == [[1], [1]]
    assert lost[0] >= SEAT
    assert lost[1] >= SEAT
    assert {"decide", "chosen"} <= lost[0] | lost[1]


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("answer", [False, True])
def test_every_message_of_witness_and_relay_may_be_lost_once(
    tmp_path: Path, *, answer: bool, restart: bool
) -> None:
    lost: set[str] = set()
    between: list[Callable[[], None]] = [_nothing]

    def connect(url: str) -> Api:
        return Losing(url, answer=answer, lost=lost, between=lambda: between[0]())

    watch = Watch(tmp_path / "witness", relay=True, connect=connect, again=True)
    with house(tmp_path / "house", witnesses=(watch.key,), quorum=1) as made:
        if restart:
            between[0] = _restarting(made)
        watch.start(made)
        try:
            table = made.table("seven_up_2", 2, relay=0, limits=NEVER)
            seats = seats_at(made.url, table, tmp_path, relay=watch.url, wait=1)
            play(seats)
        finally:
            watch.stop()
        assert watch.failure is None
    assert [seat.verified for seat in seats] == [[1], [1]]
    assert lost == {"cosignatures", "held", "chosen"}


def test_an_opening_on_its_way_to_the_relay_may_be_lost(tmp_path: Path) -> None:
    watch = Watch(tmp_path / "witness", relay=True)
    with house(tmp_path / "house", witnesses=(watch.key,), quorum=1) as made:
        watch.start(made)
        for number, answer in enumerate((False, True)):
            lost: set[str] = set()
            connect = partial(Losing, answer=answer, lost=lost, between=_nothing)
            table = made.table("seven_up_2", 2, relay=0, limits=NEVER)
            folder = tmp_path / str(number)
            play(seats_at(made.url, table, folder, relay=watch.url, wait=1, connect=connect))
            assert "open" in lost
            assert (folder / "seat-1" / "pack-1.json").exists()
        watch.stop()
        assert watch.failure is None


@pytest.mark.parametrize("answer", [False, True])
@pytest.mark.parametrize("again", [False, True])
def test_a_lost_cosignature_is_made_again_without_a_newer_checkpoint(
    tmp_path: Path, *, answer: bool, again: bool
) -> None:
    watch = Watch(tmp_path / "witness")
    with house(tmp_path / "house", witnesses=(watch.key,), quorum=1) as made:
        table = made.table("ecarte_foster", 2)
        seats = seats_at(made.url, table, tmp_path, wait=0)
        journal = Journal(tmp_path / "heads.jsonl")
        api = Losing(made.url, answer=answer, lost=set(), between=_nothing)
        witness = Witness(api, watch.signer, made.key, journal)
        together([seat.sit for seat in seats])
        with pytest.raises(Unreachable):
            witness.step(5)
        head = witness.head
        assert head[0] == 1
        if again:
            journal.close()
            journal = Journal(tmp_path / "heads.jsonl")
            witness = Witness(api, watch.signer, made.key, journal)
        assert witness.step(0)
        assert made.hall.ledger.cosigned(1) is not None
        # The table went on from the entry that had waited.
        assert api.get("/api/checkpoint", Head, above=head[0], wait=20).size > head[0]
        api.close()
        journal.close()
        for seat in seats:
            seat.close()


def go_on(seat: Seat) -> None:
    """Let a seat do all that it can do alone."""
    while seat.step(1):
        pass


def test_a_seat_and_a_witness_that_cannot_store_say_nothing(tmp_path: Path) -> None:
    """A journal that has failed is shut; trying again brings nothing out that is not in it."""
    watch = Watch(tmp_path / "witness")
    with house(tmp_path / "house", witnesses=(watch.key,), quorum=0) as made:
        table = made.table("seven_up_2", 2, limits=NEVER)
        seats = seats_at(made.url, table, tmp_path, wait=0)
        together([seat.sit for seat in seats])
        seats[0]._journal.close()
        for _ in range(2):
            with pytest.raises(NotStored):
                go_on(seats[0])
        seats[1].step(1)
        room = made.hall.rooms[table.table]
        assert room.house.pack is not None
        assert list(room.house.pack.commits) == [1]

        journal, api = Journal(tmp_path / "heads.jsonl"), Api(made.url)
        witness = Witness(api, watch.signer, made.key, journal)
        journal.close()
        for _ in range(2):
            with pytest.raises(NotStored):
                witness.step(0)
        assert made.hall.ledger.cosigned(1) is None
        api.close()
        for seat in seats:
            seat.close()
