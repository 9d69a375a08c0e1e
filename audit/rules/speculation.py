"""Rules of Speculation (household book, section 105), and its chances."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import ClassVar, Literal

from audit.rules import Rules


@dataclass(frozen=True, kw_only=True)
class Speculation(Rules):
    """Counters that the dealer and each of the others stake, and whose the card turned is.

    *turnup*: "dead" belongs to nobody, the default because the book carries the pool over
    "should it happen that not one trump be dealt"; "dealer" gives it to the dealer.
    """

    family: ClassVar[str] = "speculation"
    dealer_stake: int = 6
    other_stake: int = 4
    hand: int = 3
    turnup: Literal["dead", "dealer"] = "dead"


def no_trump(pack: int, suit: int, cards: int) -> Fraction:
    """Return the chance that none of *cards* dealt is of the *suit* cards of the suit turned."""
    return Fraction(comb(pack - suit, cards), comb(pack - 1, cards))


def highest_in(hands: int, pack: int, suit: int, size: int) -> Fraction:
    """Return the chance that one named hand holds the highest trump dealt, given there is one.

    By the place of the highest trump dealt: the card turned is one of the suit, and of the
    others the j-th best is the first dealt to anybody.
    """
    cards, left = hands * size, pack - 1
    mine = Fraction(0)
    for above in range(suit - 1):
        # The better ones lie in the stock, this one in the named hand.
        rest = left - above - 1
        mine += Fraction(comb(rest, cards - 1) * size, comb(left, cards) * cards)
    return mine / (1 - no_trump(pack, suit, cards))
