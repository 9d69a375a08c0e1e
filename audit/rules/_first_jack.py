"""Who deals first where cards are dealt face up until one decides.

The first Jack does (Foster, Spoil Five), or the first ace or knave (household book, 113).
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from math import comb

JACK, ACE = 9, 12


def first_of(pack: Collection[int], players: int, ranks: Collection[int]) -> tuple[Fraction, ...]:
    """Return the chance of each seat, first served first, that the first card of *ranks* is its.

    The pack lies in any order alike; that card is card k when the others of *ranks* lie below it.
    """
    size, marked = len(pack), sum(card % 13 in ranks for card in pack)
    falls = [Fraction(0)] * players
    for k in range(1, size - marked + 2):
        falls[(k - 1) % players] += Fraction(comb(size - k, marked - 1), comb(size, marked))
    return tuple(falls)


def first_jack(pack: Collection[int], players: int) -> tuple[Fraction, ...]:
    """Return the chance of each seat, first served first, that the first Jack falls to it."""
    return first_of(pack, players, (JACK,))
