"""Neighbours that stayed together: how many labels still directly follow the one before.

Labels 0 .. n-1 stand for the order before.  A succession is a place where label i + 1
lies directly behind label i.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb, factorial

import numpy as np
import numpy.typing as npt

from audit.stats.binomial import log_fraction
from audit.stats.orders import rows
from audit.stats.tilt import hit_and_miss

Ints = npt.NDArray[np.int64]

#: The odds bet on "the next card is the one that followed before", mixed evenly.
ODDS = (4, 16, 64, 256)


@lru_cache(maxsize=64)
def law(size: int) -> tuple[int, ...]:
    """Return how many orders of *size* labels have 0, 1, ... size - 1 successions, exactly.

    Raises:
        ValueError: size is less than 1.

    Source: Riordan, A recurrence for permutations without rising or falling successions (1965).
    """
    if size < 1:
        raise ValueError(f"successions: size: at least 1 wanted, got {size}")
    # Orders of n labels without any: derangements of n and of n - 1 together.
    derangements = [1, 0]
    for n in range(2, size + 1):
        derangements.append((n - 1) * (derangements[-1] + derangements[-2]))
    none = [1, *(derangements[n] + derangements[n - 1] for n in range(1, size + 1))]
    return tuple(comb(size - 1, s) * none[size - s] for s in range(size))


def log_upper(count: int, *, size: int) -> float:
    """ln P(at least *count* successions) for a fair order; -inf where impossible."""
    return log_fraction(Fraction(sum(law(size)[max(count, 0) :]), factorial(size)))


def log_lower(count: int, *, size: int) -> float:
    """ln P(at most *count* successions) for a fair order; -inf where impossible."""
    return log_fraction(Fraction(sum(law(size)[: max(count + 1, 0)]), factorial(size)))


def successions(orders: npt.ArrayLike) -> Ints:
    """Return the number of successions of each order, in 0 .. n-1, shape (deals,)."""
    table = rows(orders, "successions")
    return np.asarray((np.diff(table, axis=1) == 1).sum(axis=1), dtype=np.int64)


def ratio(order: npt.ArrayLike, *, odds: int) -> Fraction:
    """Return the product of the bets on each next label of one order, shape (n,), exactly.

    Where the label that followed before is still to come, it is bet on at *odds* against
    each other one left.  The mean under a fair deal is exactly 1.
    """
    (row,) = rows(np.asarray(order)[None], "successions").tolist()
    out, left = Fraction(1), set(row)
    for before, now in pairwise(row):
        left.remove(before)
        if before + 1 in left:
            chance = Fraction(1, len(left))
            out *= (odds if now == before + 1 else 1) / (1 - chance + chance * odds)
    return out


@lru_cache(maxsize=64)
def _logs(size: int) -> Ints:
    table = np.zeros((size, 2, len(ODDS)), dtype=np.int64)
    for place in range(1, size):
        for j, odds in enumerate(ODDS):
            table[place, :, j] = hit_and_miss(Fraction(1, size - place), odds)[::-1]
    table.setflags(write=False)
    return table


def log_ratios(orders: npt.ArrayLike) -> Ints:
    """Return the fixed-point ln ratio for each of `ODDS`, shape (deals, odds), rounded down."""
    table = rows(orders, "successions")
    deals, size = table.shape
    out = np.zeros((deals, len(ODDS)), dtype=np.int64)
    where = np.argsort(table, axis=1)
    for place in range(1, size):
        before = table[:, place - 1]
        follower = np.minimum(before + 1, size - 1)
        open_ = (before + 1 < size) & (where[np.arange(deals), follower] >= place)
        hit = (table[:, place] == before + 1).astype(np.intp)
        out += _logs(size)[place][hit] * open_[:, None]
    return out


def shares() -> tuple[Fraction, ...]:
    """Return the share of each of `ODDS` in the bet."""
    return (Fraction(1, len(ODDS)),) * len(ODDS)
