"""Who deals first where cards are dealt face up until a Jack falls (Foster, Spoil Five)."""

from __future__ import annotations

from fractions import Fraction
from math import comb

JACK = 9


def first_jack(pack: tuple[int, ...], players: int) -> tuple[Fraction, ...]:
    """Return the chance of each seat, first served first, that the first Jack falls to it.

    The pack lies in any order alike; the Jack is card k when the other Jacks lie below it.
    """
    size, jacks = len(pack), sum(card % 13 == JACK for card in pack)
    falls = [Fraction(0)] * players
    for k in range(1, size - jacks + 2):
        falls[(k - 1) % players] += Fraction(comb(size - k, jacks - 1), comb(size, jacks))
    return tuple(falls)
