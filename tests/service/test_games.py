"""Whole games over HTTP, each seat checking everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.client.api import Api
from audit.wire import TableState
from tests.service.rig import Watch, house, play, seats_at, together

GAMES = [
    ("seven_up_4", 4),
    ("seven_up_2", 2),
    ("seven_up_3", 3),
    ("ecarte_foster", 2),
    ("euchre_4", 4),
]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_every_seat_verifies_every_pack(game: str, players: int, tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        table = made.table(game, players, packs=3)
        seats = seats_at(made.url, table, tmp_path)
        play(seats)
    assert [seat.verified for seat in seats] == [[1, 2, 3]] * players
    assert all(seat.closed for seat in seats)


def test_packs_of_a_session_are_opened_together(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        table = made.table("ecarte_foster", 2, packs=3, opening="session")
        seats = seats_at(made.url, table, tmp_path)
        play(seats)
    assert [seat.verified for seat in seats] == [[1, 2, 3]] * 2


@pytest.mark.parametrize("relay", [False, True])
def test_a_witness_cosigns_what_the_house_acts_on(tmp_path: Path, *, relay: bool) -> None:
    watch = Watch(tmp_path / "witness", relay=relay)
    with house(tmp_path / "house", witnesses=(watch.key,), quorum=1) as made:
        watch.start(made)
        try:
            table = made.table("seven_up_2", 2, packs=2, relay=0 if relay else "none")
            seats = seats_at(made.url, table, tmp_path, relay=watch.url)
            play(seats)
        finally:
            watch.stop()
        assert watch.failure is None
    assert [seat.verified for seat in seats] == [[1, 2]] * 2


@pytest.mark.parametrize("relay", [False, True])
def test_no_seat_is_told_to_be_late_with_what_goes_to_the_relay(
    tmp_path: Path, *, relay: bool
) -> None:
    watch = Watch(tmp_path / "witness", relay=True)
    with house(tmp_path / "house", witnesses=(watch.key,)) as made:
        table = made.table("seven_up_2", 2, relay=0 if relay else "none")
        seats = seats_at(made.url, table, tmp_path, wait=0, relay="http://127.0.0.1:9")
        together([seat.sit for seat in seats])
        for seat in seats:
            while seat.seat.pack is None:
                seat.sync(0)
            assert seat._commit(seat.seat.mine())
        api = Api(made.url)
        told = api.get(f"/api/tables/{table.table}", TableState)
        assert (told.stage, told.waiting) == ("open", () if relay else (0, 1))
        api.close()
        for seat in seats:
            seat.close()
