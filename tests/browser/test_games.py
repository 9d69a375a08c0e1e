"""A sealed pack of every game of the books: dealt, opened, and verified by both verifiers."""

from __future__ import annotations

import pytest

from audit.games import GAMES
from audit.shuffle.local import Room
from tests.browser.agree import Pack, disagreements
from tests.browser.second import second
from tests.shuffle.make_table_vectors import chooser, seeded

PLAYED = [name for name in GAMES.names if GAMES[name].status != "named"]


def sealed(name: str, players: int) -> Pack:
    """Deal one sealed pack to *players*, all decisions by lot, and open it."""
    law = GAMES[name]
    room = Room(law, players, options={"trump": "H"}, draw=seeded(f"games {name} {players}"))
    room.contribute(10)
    room.play(chooser(f"games {name}"))
    room.finish()
    raw = room.transcript(1)
    size, root = room.ledger.head()
    changed = raw[:-40] + bytes([raw[-40] ^ 1]) + raw[-39:]
    return Pack(
        game=f"{name}, {players}",
        raw=raw,
        size=size,
        root=root,
        changed=changed,
        place=len(raw) - 40,
    )


@pytest.mark.parametrize("most", [False, True], ids=["fewest", "most"])
def test_a_sealed_pack_of_every_game_is_verified_twice(most: bool) -> None:  # noqa: FBT001
    given = [sealed(name, max(2, GAMES[name].tables[-1 if most else 0])) for name in PLAYED]
    with second() as verify:
        assert disagreements(verify, given) == []
