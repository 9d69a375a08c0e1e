"""The strength of one hand: the exact law of a sum of points drawn without replacement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.stats import sums
from audit.stats.bets import TAILS
from audit.stats.binomial import log_fraction
from audit.stats.tail import Tail


@lru_cache(maxsize=64)
def _law(points: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return how many hands of *size* have each total."""
    ways = [[0] * (sum(points) + 1) for _ in range(size + 1)]
    ways[0][0] = 1
    for value in points:
        for k in range(size, 0, -1):
            for total in range(sum(points), value - 1, -1):
                ways[k][total] += ways[k - 1][total - value]
    return tuple(ways[size])


def law(points: Sequence[int] | NDArray[np.int64], size: int) -> tuple[int, ...]:
    """Return, for each total from 0, the number of hands of *size* cards with it.

    The counts are exact and sum to C(len(points), size).
    """
    return _law(tuple(int(p) for p in points), size)


def at_least(
    points: Sequence[int] | NDArray[np.int64], size: int, aim: Fraction
) -> tuple[int, Fraction]:
    """Return the least total whose upper tail is at most *aim*, and that exact tail."""
    counts = law(points, size)
    hands, tail = math.comb(len(points), size), 0
    for total in range(len(counts) - 1, -1, -1):
        if Fraction(tail + counts[total], hands) > aim:
            return total + 1, Fraction(tail, hands)
        tail += counts[total]
    return 0, Fraction(1)


def far_tails(
    points: Sequence[int] | NDArray[np.int64], size: int, places: int
) -> list[tuple[int, Fraction]]:
    """Return for each of `bets.TAILS` the least total of it and a bound on its chance.

    The union bound over *places* hands on the chance that the best of them has that total.
    """
    found = [at_least(points, size, aim / places) for aim in TAILS]
    return [(least, min(Fraction(1), places * tail)) for least, tail in found]


def tilt_drop(
    points: Sequence[int] | NDArray[np.int64], size: int, places: int, tilt: float
) -> float:
    """Return a bound on how far one deal can lower a tilted bet, in nats and at most 0.

    At worst the place's hand is as far behind all the others as two hands of the pack can be.
    *tilt* is in deviations of a hand.
    """
    order = sorted(int(p) for p in points)
    reach = abs(tilt) / spread(points, size) * (sum(order[-size:]) - sum(order[:size]))
    return -reach - math.log((places - 1 + math.exp(-reach)) / places) - 2.0**-19


def spread(points: Sequence[int] | NDArray[np.int64], size: int) -> float:
    """Return the standard deviation of the total of one hand of *size* cards."""
    counts, hands = law(points, size), math.comb(len(points), size)
    mean = Fraction(sum(t * c for t, c in enumerate(counts)), hands)
    square = Fraction(sum(t * t * c for t, c in enumerate(counts)), hands)
    return math.sqrt(square - mean * mean)


def log_upper(points: Sequence[int] | NDArray[np.int64], size: int, total: int) -> float:
    """ln P(a hand has at least *total*), summed in whole numbers; -inf where impossible."""
    counts = law(points, size)
    return log_fraction(Fraction(sum(counts[max(total, 0) :]), math.comb(len(points), size)))


def log_lower(points: Sequence[int] | NDArray[np.int64], size: int, total: int) -> float:
    """ln P(a hand has at most *total*), summed in whole numbers; -inf where impossible."""
    counts = law(points, size)
    return log_fraction(Fraction(sum(counts[: max(total + 1, 0)]), math.comb(len(points), size)))


def deals_upper(
    points: Sequence[int] | NDArray[np.int64], size: int, *, deals: int, total: int
) -> Tail:
    """P(hands of so many independent fair deals have at least *total* together)."""
    return sums.upper(_table(points, size, deals), total)


def deals_lower(
    points: Sequence[int] | NDArray[np.int64], size: int, *, deals: int, total: int
) -> Tail:
    """P(hands of so many independent fair deals have at most *total* together)."""
    return sums.lower(_table(points, size, deals), total)


def _table(points: Sequence[int] | NDArray[np.int64], size: int, deals: int) -> NDArray[np.float64]:
    counts = np.array(law(points, size), dtype=np.float64)
    most = int(np.flatnonzero(counts)[-1]) + 1
    return np.tile(counts[:most], (deals, 1))
