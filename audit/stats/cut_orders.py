"""Orders that are known up to a cut: what riffles and kept neighbours leave, wherever it was cut.

Labels 0 .. n-1 stand for the order before.  All that is counted here belongs to the circle
in which the labels lie, so a cut, at any place and by anybody, changes nothing of it.
Under a fair deal the circle is uniform over its (n-1)! forms.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb, factorial

import numpy as np
import numpy.typing as npt

from audit.stats import riffles
from audit.stats.evalue import SCALE, log_fixed
from audit.stats.orders import rows
from audit.stats.tilt import NEVER

Ints = npt.NDArray[np.int64]

#: So many riffles are told apart: none at all, and those of `riffles.SHARES`.
RIFFLES = tuple(range(1 + len(riffles.SHARES)))
# A sum of at most 53 logarithms can err by less, in nats; what is rounded down stays down.
_GUARD = 1e-9

#: Bets on the label that followed before: its chance beyond an even one, where the label
#: before stood beside its own neighbour (second) and where it did not (first).
KEPT = tuple(
    (Fraction(first), Fraction(second))
    for first, second in (
        ("1/50", "1/50"),
        ("1/10", "1/10"),
        ("1/3", "1/3"),
        ("9/10", "9/10"),
        ("1/50", "4/5"),
        ("1/10", "4/5"),
    )
)
#: The share of deals in which something was kept, where it was not in all of them.
SOMETIMES = (Fraction(1, 4), Fraction(1, 40))


def _places(orders: npt.ArrayLike) -> Ints:
    """Return the place of each label, shape (deals, n)."""
    return np.argsort(rows(orders, "cut_orders"), axis=1)


def circular_descents(orders: npt.ArrayLike) -> tuple[Ints, Ints]:
    """Return how many labels lie before the one below them on the circle, and the last gap.

    Both have shape (deals,).  A cut apart, an order has so many rising sequences or one more.
    The gap is the way down the pack from label 0 to label n-1, in 1 .. n-1, on the circle:
    of the n ways to cut it, n - gap have the lower number.
    """
    where = _places(orders)
    size = where.shape[1]
    gap = where[:, -1] - where[:, 0]
    falls = (where[:, 1:] < where[:, :-1]).sum(axis=1) + (gap > 0)
    return np.asarray(falls, np.int64), gap % size


@lru_cache(maxsize=64)
def kept_law(size: int) -> tuple[int, ...]:
    """Return how many circles of *size* labels have 0, 1, ... *size* labels after the one before.

    Of all (size - 1)! circles; label 0 comes after the last.  By inclusion and exclusion: with j
    such neighbours fixed the rest are (size - j - 1)! circles, and all of them are one.
    """
    ways = [factorial(max(size - j - 1, 0)) * comb(size, j) for j in range(size + 1)]
    return tuple(
        sum((-1) ** (j - k) * comb(j, k) * ways[j] for j in range(k, size + 1))
        for k in range(size + 1)
    )


def log_riffles(orders: npt.ArrayLike) -> Ints:
    """Return the fixed-point ln ratio of 0 .. 10 riffles and then any cut, shape (deals, 11).

    `tilt.NEVER` where so few riffles cannot make the circle.  See `riffles.log_cut_ratios`;
    no riffle at all makes one circle of the (n-1)!.
    """
    falls, _ = circular_descents(orders)
    size = np.asarray(orders).shape[1]
    none = np.where(falls == 1, log_fixed(factorial(size - 1), 1), NEVER)
    return np.concatenate([none[:, None], riffles.log_cut_ratios(orders)], axis=1)


def turned(orders: npt.ArrayLike) -> Ints:
    """Return the orders cut so that label 0 lies on top, shape (deals, n)."""
    table = rows(orders, "cut_orders")
    deals, size = table.shape
    top = (table == 0).argmax(axis=1)
    at = (top[:, None] + np.arange(size)) % size
    return np.asarray(table[np.arange(deals)[:, None], at])


def kept_ratio(order: npt.ArrayLike, first: Fraction, second: Fraction) -> Fraction:
    """Return the exact likelihood ratio of one circle, shape (n,), under one of `KEPT`.

    From label 0 on, the label that followed before is bet on as long as it is to come.  Its
    mean under a fair deal is exactly 1.
    """
    (row,) = turned(np.asarray(order)[None]).tolist()
    out, left, beside = Fraction(1), set(row[1:]), False
    for before, now in pairwise(row):
        more, hit = second if beside else first, now == before + 1
        if before + 1 in left:
            out *= more * len(left) + 1 - more if hit else 1 - more
        beside = hit
        left.remove(now)
    return out


def log_kept(orders: npt.ArrayLike) -> Ints:
    """Return floor(2^20 ln ratio) for each bet of `KEPT`, shape (deals, 6), rounded down."""
    table = turned(orders)
    deals, size = table.shape
    hit = table[:, 1:] == table[:, :-1] + 1
    beside = np.zeros_like(hit)
    beside[:, 1:] = hit[:, :-1]
    where = np.argsort(table, axis=1)
    follower = np.minimum(table[:, :-1] + 1, size - 1)
    later = np.take_along_axis(where, follower, axis=1) > np.arange(size - 1)
    missed = later & ~hit & (table[:, :-1] + 1 < size)
    apart, near = (missed & ~beside).sum(axis=1), (missed & beside).sum(axis=1)
    row, place = np.nonzero(hit)
    state, left = beside[row, place].astype(np.intp), size - 1 - place
    out = np.empty((deals, len(KEPT)), np.int64)
    for j, pair in enumerate(KEPT):
        more = np.array([float(p) for p in pair])
        gains = np.log1p(more[state] * (left - 1))
        logs = np.bincount(row, weights=gains, minlength=deals).astype(np.float64)
        logs += apart * np.log1p(-more[0]) + near * np.log1p(-more[1])
        out[:, j] = np.floor((logs - _GUARD) * SCALE).astype(np.int64)
    return out


def log_sometimes(kept: Ints) -> Ints:
    """Return the fixed-point ln ratio for each of `SOMETIMES` from (deals, bets) of `log_kept`.

    In that share of deals one of the bets holds, each as likely, and the others are fair.
    """
    logs = kept / SCALE
    top = logs.max(axis=1)
    mean = top + np.log(np.exp(logs - top[:, None]).mean(axis=1))
    shares = np.array([float(s) for s in SOMETIMES])
    both = np.logaddexp(mean[:, None] + np.log(shares), np.log1p(-shares))
    return np.asarray(np.floor((both - _GUARD) * SCALE), np.int64)
