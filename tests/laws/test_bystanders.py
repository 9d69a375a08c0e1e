"""Who only keeps his turn, or plays a card that he was dealt, is not blamed for another's error."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace

from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee
from audit.referee.simulate import deals

#: Nobody plays a card of his hand in these, or the book only names them.
NO_PLAY = {"bridge", "holdem", "matrimony", "quadrille", "vingt_un"}
BLAME = ("not in the hand", "not of his hand", "played before")


def played(name: str) -> Iterator[Deal]:
    """Yield simulated deals of a game that have at least one card played."""
    by_lot = PLAY["by_lot"].choose
    assert by_lot is not None
    law = GAMES[name]
    players = min(law.players[1], max(law.players[0], 4))
    for deal in deals(law, players=players, choose=by_lot, count=8, seed=7):
        if any(e.kind == "play" for e in deal.events):
            yield deal


def borrowed(deal: Deal) -> Iterator[tuple[Deal, int]]:
    """Yield the deal with a card played by a seat that does not hold it, and where its owner does.

    The owner is the next other seat to play, and plays the card that he was dealt.
    """
    plays = [(k, e) for k, e in enumerate(deal.events) if e.kind == "play" and e.cards]
    for (at, event), (later, owner) in pairwise(plays):
        if event.seat != owner.seat and owner.cards[0] in deal.hands[owner.seat - 1]:
            taken = replace(event, cards=owner.cards[:1] + event.cards[1:])
            yield replace(deal, events=(*deal.events[:at], taken, *deal.events[at + 1 :])), later


@pytest.mark.parametrize("name", sorted(set(GAMES.names) - NO_PLAY))
def test_the_owner_of_a_card_is_not_blamed_for_another_who_played_it_first(name: str) -> None:
    tried = 0
    for deal in played(name):
        for wrong, later in borrowed(deal):
            tried += 1
            owner = wrong.events[later].seat
            found = [r for r in referee(GAMES[name], wrong)[0] if r.event == later]
            blamed = [r for r in found if r.seat == owner and any(b in r.what for b in BLAME)]
            assert not blamed, (blamed, wrong)
    assert tried >= 5
