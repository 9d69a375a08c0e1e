"""A card that is left out takes no trial away and makes no hit: else a log could choose them."""

from __future__ import annotations

import pytest

from audit.games import GAMES
from audit.law import Law
from audit.record import Deal
from audit.suspect import suspicions
from audit.suspicion import Suspicion
from tests.laws.test_hidden import PLAYED, honest, ways

#: What right deals have no trial of.
OF_MISDEALS = {"convenient_misdeals", "exposed_card"}


def finding(law: Law) -> list[Suspicion]:
    return [s for s in suspicions(law).values() if s.find and s.id not in OF_MISDEALS]


def told(one: Suspicion, deal: Deal, law: Law) -> tuple[int, int]:
    """Return how many trials *one* finds, and how many are hits."""
    assert one.find is not None
    found = [t for t in one.find(deal, law) if t.chance < 1]
    return len(found), sum(t.hit and t.shown for t in found)


@pytest.mark.parametrize("name", [n for n in PLAYED if finding(GAMES[n])])
def test_no_card_left_out_helps_a_suspicion(name: str) -> None:
    law = GAMES[name]
    known, seen = finding(law), 0
    for deal in honest(law, 12):
        for one in known:
            trials, hits = told(one, deal, law)
            seen += trials
            for torn in ways(deal):
                got, paid = told(one, torn, law)
                assert paid <= hits, (one.id, torn)
                assert got - paid >= trials - hits, (one.id, torn)
    assert seen
