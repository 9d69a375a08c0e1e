"""What somebody does at the table beside dealing, or to the record of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from audit.event import Event, Seen, Want
from audit.record import Deal

#: The deal as placed with its whole order, what is wanted of him, what he may see, and what
#: he would do if that were all he saw -> what he does
Acts: TypeAlias = Callable[[Deal, Want, Seen, Event], Event]
#: The deal as placed, and his place -> the events that end it there, none where it goes on
Ends: TypeAlias = Callable[[Deal, int], tuple[Event, ...]]
#: The record of the deal as it was played, and his place -> the record as it is written
Writes: TypeAlias = Callable[[Deal, int], Deal]


@dataclass(frozen=True, kw_only=True)
class Habit:
    """What he does in a share of the deals: in those that he deals, with *as_dealer*.

    Each part that is None he leaves as it is.
    """

    as_dealer: bool = False
    acts: Acts | None = None
    ends: Ends | None = None
    writes: Writes | None = None


def eldest(deal: Deal) -> int:
    """Return the place on the dealer's left."""
    return (deal.dealer_seat or 0) % len(deal.hands) + 1


def trumps(hand: bytes, suit: int, above: int = -1) -> int:
    """Return how many cards of *hand* are of *suit* and of a rank above *above* (0 is the two)."""
    return sum(card // 13 == suit and card % 13 > above for card in hand)


def poor(hand: bytes) -> bool:
    """Whether a hand has no ace, King or Queen."""
    return all(card % 13 < QUEEN for card in hand)


def say(want: Want, word: str, honest: Event) -> Event:
    """Return the call of *word* where it may be made, else the honest event."""
    return Event(kind="call", seat=want.seat, word=word) if word in want.words else honest


NINE, TEN, JACK, QUEEN = 7, 8, 9, 10
