"""The same service over PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from tests.ledger.kit import server_place
from tests.ledger.server import Server
from tests.service.rig import house, play, seats_at


def test_packs_are_dealt_over_postgresql_and_a_restart_goes_on(
    server: Server, tmp_path: Path
) -> None:
    place = server_place(server).address
    with house(tmp_path / "house", db=str(place)) as made:
        table = made.table("ecarte_foster", 2, packs=4)
        seats = seats_at(made.url, table, tmp_path, wait=2)
        play(seats, 2)
        made.restart()
        again = seats_at(made.url, table, tmp_path, wait=2)
        play(again)
    assert all(seat.closed for seat in again)
    assert [seat.verified[-1] for seat in again] == [4, 4]
