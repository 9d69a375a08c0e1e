"""How many riffles an order is from a known one is read from its rising sequences.

Labels 0 .. n-1 stand for the order before.  A rising sequence is a longest run of
consecutive labels that stand in rising order; k riffles leave at most 2^k of them, and
an order with r of them has chance C(2^k + n - r, n) / 2^(kn) after k riffles.

Source: Bayer and Diaconis, Trailing the dovetail shuffle to its lair (1992), theorem 1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, factorial

import numpy as np
import numpy.typing as npt

from audit.stats.binomial import log_fraction
from audit.stats.evalue import SCALE, log_fixed
from audit.stats.orders import rows
from audit.stats.tilt import NEVER

Ints = npt.NDArray[np.int64]

#: The share of the bet on 1, 2, ... 10 riffles: seven is what people are told to do.
SHARES = tuple(Fraction(s, 100) for s in (2, 2, 3, 5, 8, 15, 30, 20, 10, 5))


def rising_sequences(orders: npt.ArrayLike) -> Ints:
    """Return the number of rising sequences of each order, in 1 .. n, shape (deals,).

    Args:
        orders: shape (deals, n); each row holds the labels 0 .. n-1 as they lie.

    Raises:
        ValueError: a row is not an order of the numbers below n.
    """
    table = rows(orders, "rising")
    where = np.argsort(table, axis=1)
    return 1 + np.asarray((np.diff(where, axis=1) < 0).sum(axis=1), dtype=np.int64)


@lru_cache(maxsize=64)
def eulerian(size: int) -> tuple[int, ...]:
    """Return how many orders of *size* labels have 1, 2, ... *size* rising sequences.

    The counts are exact and sum to size!.
    """
    if size < 1:
        raise ValueError(f"eulerian: size: at least 1 wanted, got {size}")
    row = [1]
    for n in range(2, size + 1):
        row = [
            (k + 1) * (row[k] if k < len(row) else 0) + (n - k) * (row[k - 1] if k else 0)
            for k in range(n)
        ]
    return tuple(row)


def log_lower(rising: int, *, size: int) -> float:
    """ln P(at most *rising* rising sequences) for a fair order; -inf where impossible."""
    return log_fraction(Fraction(sum(eulerian(size)[: max(rising, 0)]), factorial(size)))


def log_upper(rising: int, *, size: int) -> float:
    """ln P(at least *rising* rising sequences) for a fair order; -inf where impossible."""
    return log_fraction(Fraction(sum(eulerian(size)[max(rising - 1, 0) :]), factorial(size)))


def ratio(rising: int, *, size: int, riffles: int) -> Fraction:
    """Return the exact likelihood ratio of k riffles against a fair order; 0 past 2^k.

    Its mean under a fair deal is exactly 1.

    Raises:
        ValueError: rising lies outside [1, size], or riffles is negative.
    """
    if not 1 <= rising <= size or riffles < 0:
        raise ValueError(
            f"riffles: rising in [1, {size}] and riffles >= 0 wanted, got {rising} and {riffles}"
        )
    packets = 1 << riffles
    ways = comb(packets + size - rising, size) if rising <= packets else 0
    return Fraction(factorial(size) * ways, packets**size)


@lru_cache(maxsize=64)
def _logs(size: int) -> Ints:
    table = np.full((size + 1, len(SHARES)), NEVER, dtype=np.int64)
    for rising in range(1, size + 1):
        for k in range(len(SHARES)):
            lr = ratio(rising, size=size, riffles=k + 1)
            if lr:
                table[rising, k] = log_fixed(lr.numerator, lr.denominator)
    table.setflags(write=False)
    return table


def log_ratios(orders: npt.ArrayLike) -> Ints:
    """Return floor(2^20 ln ratio) for 1 .. 10 riffles, shape (deals, 10).

    `tilt.NEVER` where so few riffles cannot make the order.  Sums over deals are mixed by
    `evalue.log_mean_exp` with `SHARES`.  Valid where each order before is known and
    settled before its shuffle, and nobody cut after it.
    """
    table = rows(orders, "rising")
    return np.asarray(_logs(table.shape[1])[rising_sequences(table)], dtype=np.int64)


def cut_ratio(order: npt.ArrayLike, *, riffles: int) -> Fraction:
    """Return the likelihood ratio of k riffles and then a cut at any place, of one order.

    All depths, none included, are equally likely under the alternative; the ratio is the
    mean over the orders before the cut, and its mean under a fair deal is exactly 1.
    """
    row = np.asarray(order, dtype=np.int64)
    turned = np.stack([np.roll(row, depth) for depth in range(len(row))])
    parts = [ratio(int(r), size=len(row), riffles=riffles) for r in rising_sequences(turned)]
    return sum(parts, Fraction(0)) / len(row)


def log_cut_ratios(orders: npt.ArrayLike) -> Ints:
    """Return floor(2^20 ln ratio) for 1 .. 10 riffles and then a cut at any place, as `log_ratios`.

    The least that a cut hides: its depth need not be known, and it may have been honest.
    Undoing a cut card by card makes one rising sequence more where label 0 goes below and
    one less where the last label does, so the depths fall into two kinds.  One lower than
    the floor where in doubt.
    """
    table = rows(orders, "rising")
    size = table.shape[1]
    rising, where = rising_sequences(table), np.argsort(table, axis=1)
    gap = where[:, -1] - where[:, 0]
    other = np.clip(rising + np.sign(gap), 1, size)
    share = np.abs(gap)[:, None] / size
    one, two = _logs(size)[rising] / SCALE, _logs(size)[other] / SCALE
    with np.errstate(divide="ignore"):
        mean = np.logaddexp(one + np.log1p(-share), two + np.log(share))
    return np.asarray(np.maximum(np.floor((mean - 1e-9) * SCALE), NEVER), dtype=np.int64)
