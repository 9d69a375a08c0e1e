"""Rules of Matrimony (household book, section 108), and its chances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import ClassVar, Literal

from audit.rules import Rules

#: The chances of the board, and the two ranks that win three of them.
CHANCES = ("best", "confederacy", "intrigue", "matrimony", "pairs")
JACK, QUEEN, KING = 9, 10, 11
UNIONS = {
    "confederacy": (KING, JACK),
    "intrigue": (QUEEN, JACK),
    "matrimony": (KING, QUEEN),
}
DIAMOND_ACE = 38


@dataclass(frozen=True, kw_only=True)
class Matrimony(Rules):
    """*cards*: whether the card turned up counts with the two of the hand.

    It does by default, because each player "shows his hand" after it was dealt to him.
    Suits are not asked for: the book names ranks alone.
    """

    family: ClassVar[str] = "matrimony"
    cards: Literal["three", "two"] = "three"


def holds(cards: Sequence[int], chance: str) -> bool:
    """Whether *cards* hold the two ranks of *chance*, in any suits."""
    ranks = {c % 13 for c in cards}
    return ranks.issuperset(UNIONS[chance])


def pair(cards: Sequence[int]) -> int:
    """Return the highest rank that stands twice or more in *cards*, -1 for none."""
    ranks = [c % 13 for c in cards]
    return max((r for r in ranks if ranks.count(r) > 1), default=-1)


def ace_turned(pack: int, players: int) -> Fraction:
    """Return the chance that the ace of diamonds is among the cards turned up."""
    return Fraction(players, pack)


def in_three(pack: Sequence[int], holds: Callable[[Sequence[int]], bool]) -> Fraction:
    """Return the chance that three cards are such as *holds* says, by counting all hands."""
    hands = list(combinations(pack, 3))
    return Fraction(sum(map(holds, hands)), len(hands))
