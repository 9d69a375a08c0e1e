"""Rules of the All Fours family (Foster, "All Fours family"; games.md B14-B18)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from audit.ranks import AS_USUAL, Ranks
from audit.rules import Rules


@dataclass(frozen=True, kw_only=True)
class SevenUp(Rules):
    """Points of the deal, what they go to, and how the trump is found.

    *trump* says whether a card is turned, the first card led makes its suit
    trumps, or the trump was fixed before the deal.  *beg* is whether the eldest
    may beg.  *low_to* is who scores High and Low: who was dealt the card, or who
    takes it.  *tie* is who scores a tied Game (Foster: the non-dealer with two,
    neither of two tied non-dealers with three).
    """

    family: ClassVar[str] = "seven_up"
    ranks: Ranks = AS_USUAL
    game: int = 7
    trump: Literal["turned", "led", "fixed"] = "turned"
    beg: bool = True
    sides: bool = False
    low_to: Literal["dealt", "taken"] = "dealt"
    tie: Literal["non-dealer", "nobody"] = "non-dealer"
