"""Rules of Spoil Five and Forty-Five, and the chances that they turn on.

Source: Foster, "Spoil Five" and "Forty-Five, or Five and Ten".  The printed
trump rows name the five both at the head and in its old place; each card stands
once here, at the head.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from audit.ranks import Ranks
from audit.rules import Rules

HAND = 5
#: Highest in red, lowest in black; the ace of hearts is a trump whatever is turned.
RANKS = Ranks(
    plain={
        "H": "KQJT98765432",
        "D": "KQJT98765432A",
        "C": "KQJA23456789T",
        "S": "KQJA23456789T",
    },
    trumps={
        "H": "5H JH AH KH QH TH 9H 8H 7H 6H 4H 3H 2H",
        "D": "5D JD AH AD KD QD TD 9D 8D 7D 6D 4D 3D 2D",
        "C": "5C JC AH AC KC QC 2C 3C 4C 6C 7C 8C 9C TC",
        "S": "5S JS AH AS KS QS 2S 3S 4S 6S 7S 8S 9S TS",
    },
)


@dataclass(frozen=True, kw_only=True)
class SpoilFive(Rules):
    """What is played for, and what the book leaves to the table.

    *count* is a pool for three tricks, the odd trick, or five points a trick.
    *first_dealer_adds*: whether the dealer of the first deal of a pool puts up a
    counter beyond the one that all put up; no, for the book has "each
    successive dealer" add to what was deposited "before play begins".
    *dealer_stakes_all*: the dealer of each deal puts up for everybody, whether the
    pool was won or not ("in some places").
    *misdealer_keeps*: he deals again for two counters ("in some places").
    *king_robs*: the King's holder may rob where the ace of trumps is in no hand
    and was not turned; *honour_pays*: an ace or King turned counts five for the dealer's
    side (both "sometimes", so no).
    """

    family: ClassVar[str] = "spoil_five"
    ranks: Ranks = RANKS
    count: Literal["pool", "odd trick", "per trick"] = "pool"
    game: int = 45
    first_dealer_adds: bool = False
    dealer_stakes_all: bool = False
    misdealer_keeps: bool = False
    king_robs: bool = False
    honour_pays: bool = False


def turned(pack: tuple[int, ...], ranks: frozenset[int]) -> Fraction:
    """Return the chance that the card turned is of *ranks* (0 the deuce): each card alike."""
    return Fraction(sum(card % 13 in ranks for card in pack), len(pack))


def ace_held(pack: tuple[int, ...], players: int) -> Fraction:
    """Return the chance that somebody holds the ace of trumps, given that no ace was turned.

    The ace lies with the same chance in each place but that of the turn-up.
    """
    return Fraction(HAND * players, len(pack) - 1)
