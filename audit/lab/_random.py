"""Seeded words, and orders of a pack that are exactly uniform in them.

Only the raw words of PCG64 are used, so that a seed means the same for ever.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

CHUNK = 1 << 14


class Words:
    """The stream of 64-bit words of one seed."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def words(self, n: int) -> NDArray[np.uint64]:
        """Return the next *n* words."""
        return np.asarray(self._bits.random_raw(n), np.uint64)

    def halves(self, n: int) -> NDArray[np.uint32]:
        """Return *n* numbers of 32 bits: of each word the low half, then the high."""
        words = self.words((n + 1) // 2)
        out = np.empty((len(words), 2), np.uint32)
        out[:, 0] = words & np.uint64(0xFFFFFFFF)
        out[:, 1] = words >> np.uint64(32)
        return out.reshape(-1)[:n]


def fisher_yates(
    draws: NDArray[np.uint32], bits: int = 32
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return the orders that *draws* (size - 1, deals) of *bits* bits make, and which stand.

    A column with a draw in the biased remainder does not stand and is to be
    drawn anew whole; among those that stand, every order is equally frequent.
    """
    steps, deals = draws.shape
    size = steps + 1
    orders = np.repeat(np.arange(size, dtype=np.uint8)[:, None], deals, axis=1)
    stands = np.ones(deals, np.bool_)
    flat, column = orders.reshape(-1), np.arange(deals)
    low_mask = np.uint64((1 << bits) - 1)
    for step in range(steps):
        last = size - 1 - step
        product = draws[step].astype(np.uint64) * np.uint64(last + 1)
        stands &= (product & low_mask) >= np.uint64((1 << bits) % (last + 1))
        at = (product >> np.uint64(bits)).astype(np.intp) * deals + column
        taken = flat[at]
        flat[at] = orders[last]
        orders[last] = taken
    return orders.T, stands


def uniform_orders(words: Words, deals: int, size: int = 52) -> NDArray[np.uint8]:
    """Return *deals* orders of the numbers below *size*, one a row."""
    out = np.empty((deals, size), np.uint8)
    for start in range(0, deals, CHUNK):
        rows = np.arange(start, min(start + CHUNK, deals))
        while len(rows):
            draws = words.halves(len(rows) * (size - 1)).reshape(size - 1, len(rows))
            orders, stands = fisher_yates(draws)
            out[rows[stands]] = orders[stands]
            rows = rows[~stands]
    return out


def threshold(share: Fraction) -> int:
    """Return how many of the 2**64 words fall in *share*."""
    if not 0 <= share <= 1:
        raise ValueError(f"a share lies between 0 and 1, not {share}")
    return (share.numerator << 64) // share.denominator


def falls_below(words: NDArray[np.uint64], numerator: int) -> NDArray[np.bool_]:
    """Return which *words* are less than *numerator*, which may be 2**64."""
    if numerator <= 0:
        return np.zeros(words.shape, np.bool_)
    return np.asarray(words <= np.uint64(numerator - 1))
