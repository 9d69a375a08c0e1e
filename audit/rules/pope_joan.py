"""Rules of Pope Joan (household book, section 109), and its chances."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Literal

from audit.rules import Rules

#: Ranks of the four cards that have a compartment, and its name.
HONOURS = {12: "ace", 11: "king", 10: "queen", 9: "knave"}
JACK, QUEEN, KING, ACE = 9, 10, 11, 12
#: The nine of diamonds; the eight is not in the pack.
POPE = 33


@dataclass(frozen=True, kw_only=True)
class PopeJoan(Rules):
    """What the board is dressed with, and who dresses it.

    *dress*: "dealer" alone, which is the default because only it gives the stakes named;
    in "shared" every other player gives the dealer two ("usually ... two stakes each").
    King and queen have to be of one hand as queen and knave do: the book says "in the same
    hand" of intrigue alone, but else nobody would own matrimony.  Honours are those of the
    trump suit.
    """

    family: ClassVar[str] = "pope_joan"
    dressing: Mapping[str, int] = field(
        default_factory=lambda: {
            "ace": 1,
            "king": 1,
            "queen": 1,
            "knave": 1,
            "game": 1,
            "matrimony": 2,
            "intrigue": 2,
            "pope": 6,
        }
    )
    dress: Literal["dealer", "shared"] = "dealer"
    share: int = 2


def step(card: int) -> int:
    """Return the place of *card* in the sequence of its suit: ace 0, king 12."""
    return (card % 13 + 1) % 13


def next_up(card: int) -> int:
    """Return the card above *card* in its suit, -1 above a king."""
    return -1 if card % 13 == KING else card // 13 * 13 + (card % 13 + 1) % 13


def stock_of(pack: int, players: int, hand: int) -> int:
    """Return how many cards are left after hands and the card turned."""
    return pack - players * hand - 1


def turned(pack: Collection[int], cards: Collection[int]) -> Fraction:
    """Return the chance that the card turned is one of *cards*."""
    return Fraction(len(set(pack) & set(cards)), len(pack))


def paying(pack: Sequence[int]) -> list[int]:
    """Return the cards that pay the dealer when turned: Pope, aces, kings, queens, knaves."""
    return [c for c in pack if c == POPE or c % 13 in HONOURS]


def in_stock(pack: int, stock: int) -> Fraction:
    """Return the chance that one named card lies in the stock."""
    return Fraction(stock, pack)
