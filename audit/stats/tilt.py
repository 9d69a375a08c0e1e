"""Bets on a hit at larger odds, as fixed-point logarithms that are rounded down.

A bet kept as floor(2^20 ln LR) only lowers its e-value, and sums of integers
are the same in any order and on any engine.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from audit.stats.evalue import SCALE, log_fixed

__all__ = ["NEVER", "SCALE", "hit_and_miss"]

#: Stands for ln 0, as -16384: small enough that 2^29 of them add up in 64 bits,
#: and e^-16384 is far less than what flooring takes off the bet's other outcome,
#: so that the mean of a bet stays below 1.
NEVER = -(1 << 34)


@lru_cache(maxsize=1 << 16)
def hit_and_miss(chance: Fraction, odds: int | Fraction) -> tuple[int, int]:
    """Return the fixed-point ln LR of a hit and of a miss when the odds are times *odds*.

    With *odds* above 1, the mean under any chance at most *chance* is at most 1:
    a bound serves as well as the chance itself.
    """
    mass = 1 - chance + chance * odds
    hit, miss = Fraction(odds) / mass, 1 / mass
    return (
        log_fixed(hit.numerator, hit.denominator),
        log_fixed(miss.numerator, miss.denominator),
    )
