"""Deals that ended, or could have, before they were played, and what had been dealt in them.

A misdeal may be found with more care after some cards than after others by people who mean
no harm: who is sorry for a Jack turned counts his cards.  So each chance here is a bound: a
misdeal is found at most three times as readily after such cards as after others.
"""

from __future__ import annotations

from fractions import Fraction

from audit.record import Deal
from audit.suspect._table import HAND, Placed, exactly, odds_times

#: So many times as readily, at most, a misdeal is found after cards of the kind looked for.
CARE = 3
#: Nobody in particular, or any place.
ANYBODY = frozenset(range(100))
#: Events that say that a deal is none.
ENDS = frozenset({"irregular", "redeal"})
#: Ace, King and Queen; a hand with none of them is called poor here.
COURT = 10
POOR = exactly(0, of=52, marked=12, drawn=HAND)


def with_care(chance: Fraction) -> Fraction:
    """Return the largest chance of the cards given a misdeal, *chance* being that of a deal."""
    return odds_times(CARE, chance)


def said(deal: Deal, words: frozenset[str], seats: frozenset[int]) -> bool:
    """Whether before the play one of *seats* declared an irregularity or a new deal for *words*.

    Seat 0 is nobody in particular, who also is meant by what the record says of the whole deal.
    """
    if not deal.events and deal.irregularity is None:
        return False
    told = (deal.irregularity or "").strip().lower()
    if told in words and 0 in seats:
        return True
    for event in deal.events:
        if event.kind == "play":
            break
        if event.kind in ENDS and event.word in words and event.seat in seats:
            return True
    return False


def poor(table: Placed) -> bool:
    """Whether the dealer's hand is shown and holds no ace, King or Queen."""
    hand = table.hand(table.dealer)
    return hand is not None and all(c % 13 < COURT for c in hand)
