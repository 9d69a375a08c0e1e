"""Rules of Put (the household book, sections 101-104)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from audit.ranks import Ranks
from audit.rules import Rules

#: The trois is best, then the deuce, the ace and so on down to the four.
PUT = Ranks(plain={"": "32AKQJT987654"})


@dataclass(frozen=True, kw_only=True)
class Put(Rules):
    """Five points, three cards, and who scores when nobody puts.

    *sides*: four play, and one of each pair gives his best card to the other.
    *unput*: whether two tricks won without an accepted put score a point.  The book
    gives points for a challenge not taken up alone, so the default is no.
    *point_and_cards*: whether the point for a dealer's extra cards goes with either
    choice, the fresh deal or the drawing of the extra cards (section 104, v); the
    sentence may also be read as a point with the fresh deal alone.
    """

    family: ClassVar[str] = "put"
    ranks: Ranks = PUT
    game: int = 5
    sides: bool = False
    unput: bool = False
    point_and_cards: bool = True
