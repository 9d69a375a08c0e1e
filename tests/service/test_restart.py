"""Between any two steps the service, and every seat, may be stopped and started again."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.client.api import Api
from audit.client.seat import Seat
from audit.wire import TableState, Tokens
from tests.service.rig import House, Watch, house, seats_at, together


def _sit(made: House, table: Tokens, folder: Path, relay: str | None = None) -> list[Seat]:
    seats = seats_at(made.url, table, folder, wait=0, relay=relay)
    together([seat.sit for seat in seats])
    return seats


def _state(made: House, table: Tokens) -> TableState:
    api = Api(made.url)
    found = api.get(f"/api/tables/{table.table}", TableState)
    api.close()
    return found


@pytest.mark.parametrize(
    ("game", "opening"),
    [("ecarte_foster", "pack"), ("ecarte_foster", "session"), ("seven_up_2", "pack")],
)
def test_a_table_goes_on_after_a_restart_at_every_step(
    game: str, opening: str, tmp_path: Path
) -> None:
    with house(tmp_path / "house") as made:
        table = made.table(game, 2, packs=2, opening=opening)
        seats = _sit(made, table, tmp_path)
        verified: set[tuple[int, int]] = set()
        for _ in range(200):
            over = True
            for at, seat in enumerate(seats):
                seat.step(0)
                over = over and seat.closed
                verified |= {(at, number) for number in seat.verified}
                before = _state(made, table)
                made.restart()
                assert _state(made, table) == before
                seat.close()
            if over:
                break
            # The seats too sit down again, from their own files alone.
            seats = seats_at(made.url, table, tmp_path, wait=0)
    assert verified == {(0, 1), (0, 2), (1, 1), (1, 2)}


def test_what_waits_for_a_witness_waits_after_a_restart(tmp_path: Path) -> None:
    watch = Watch(tmp_path / "witness", relay=True)
    with house(tmp_path / "house", witnesses=(watch.key,), quorum=1) as made:
        watch.start(made)
        try:
            table = made.table("seven_up_2", 2, relay=0)
            seats = _sit(made, table, tmp_path, watch.url)
            for _ in range(60):
                for seat in seats:
                    seat.step(1)
                made.restart()
                if all(seat.closed for seat in seats):
                    break
            for seat in seats:
                seat.close()
        finally:
            watch.stop()
        assert watch.failure is None
    assert [seat.verified for seat in seats] == [[1], [1]]
