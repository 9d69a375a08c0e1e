"""Fixed-point logarithms of likelihood ratios, rounded down.

A bet kept as floor(2^20 ln LR) only lowers its e-value, and sums of integers
are the same in any order and on any engine.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

SCALE = 1 << 20
#: Stands for ln 0, as -16384: small enough that 2^29 of them add up in 64 bits,
#: and e^-16384 is far less than what flooring takes off the bet's other outcome,
#: so that the mean of a bet stays below 1.
NEVER = -(1 << 34)


def fixed_log(ratio: Fraction) -> int:
    """Return an integer at most 2^20 ln *ratio* and at least that less 1 + 2^-20.

    A double holds the logarithm with an error below 2^-40; the margin taken off
    before the floor is larger, so that the result never lies above the truth.
    """
    if ratio <= 0:
        return NEVER
    value = math.log(ratio.numerator) - math.log(ratio.denominator)
    return math.floor(value * SCALE - 2.0**-20)


@lru_cache(maxsize=1 << 16)
def hit_and_miss(chance: Fraction, odds: int | Fraction) -> tuple[int, int]:
    """Return the fixed-point ln LR of a hit and of a miss when the odds are times *odds*.

    With *odds* above 1, the mean under any chance at most *chance* is at most 1:
    a bound serves as well as the chance itself.
    """
    mass = 1 - chance + chance * odds
    return fixed_log(Fraction(odds) / mass), fixed_log(1 / mass)
