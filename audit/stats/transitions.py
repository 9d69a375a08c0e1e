"""Where a known order's cards go under shuffles that are written wrongly, as exact chances.

A matrix has shape (n, n); entry [a, b] is the chance that what lay at place a ends at
place b.  Rows and columns sum to 1.  Every matrix is computed by following one card
through the steps, which are independent of each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[Any]


def _start(size: int, *, exact: bool) -> Matrix:
    if size < 2:
        raise ValueError(f"transitions: size: at least 2 places wanted, got {size}")
    start = np.eye(size)
    return start.astype(np.int64).astype(object) * Fraction(1) if exact else start


def swaps(size: int, steps: Iterable[tuple[int, Matrix]]) -> Matrix:
    """Follow swaps of place i with a place drawn from the chances q, one (i, q) a step.

    Args:
        size: number of places.
        steps: q has shape (size,), floats, or fractions for an exact matrix.
    """
    steps = list(steps)
    now = _start(size, exact=any(q.dtype == object for _, q in steps))
    for i, q in steps:
        here = now[:, i].copy()
        arrive = now @ q
        now = now * (1 - q) + np.outer(here, q)
        now[:, i] = arrive
    return now


def _evenly(size: int, *, exact: bool) -> Matrix:
    one = Fraction(1, size) if exact else 1.0 / size
    return np.array([one] * size, dtype=object if exact else np.float64)


def swap_any(size: int, *, exact: bool = False) -> Matrix:
    """Each place in turn is swapped with any place at all, instead of with one not yet settled."""
    q = _evenly(size, exact=exact)
    return swaps(size, ((i, q) for i in range(size)))


def swap_any_downward(size: int, *, exact: bool = False) -> Matrix:
    """The same from the last place to the first."""
    q = _evenly(size, exact=exact)
    return swaps(size, ((i, q) for i in reversed(range(size))))


def _insert(now: Matrix, i: int, slots: Matrix) -> Matrix:
    """Take what lies at place i out and put it into slot 0 .. i with the chances *slots*."""
    out = now.copy()
    upto = np.cumsum(slots)[:i]  # the chance that the slot is at most x, for x < i
    out[:, : i + 1] = np.outer(now[:, i], slots)
    out[:, :i] += now[:, :i] * (1 - upto)
    out[:, 1 : i + 1] += now[:, :i] * upto
    return out


def _halves(i: int, *, exact: bool) -> Matrix:
    """The chances of the slots 0 .. i where each look of a binary search is a fair coin."""
    slots = np.array([Fraction(0)] * (i + 1), dtype=object)
    open_ = [(0, i, Fraction(1))]
    while open_:
        low, high, chance = open_.pop()
        if low == high:
            slots[low] += chance
            continue
        middle = (low + high) // 2
        open_ += [(low, middle, chance / 2), (middle + 1, high, chance / 2)]
    return slots if exact else slots.astype(np.float64)


def insertion_sort(size: int, *, exact: bool = False) -> Matrix:
    """An insertion sort whose comparisons are fair coins."""
    now = _start(size, exact=exact)
    for i in range(1, size):
        slots = [Fraction(1, 2**i), *(Fraction(1, 2 ** (i - s + 1)) for s in range(1, i + 1))]
        q = np.array(slots, dtype=object)
        now = _insert(now, i, q if exact else q.astype(np.float64))
    return now


def run_sort(size: int, *, exact: bool = False) -> Matrix:
    """A sort by binary insertion after the first run, as Timsort sorts up to 63 items, on coins.

    Two items or more make the first run: a coin says whether it falls, each further coin
    whether it goes on; a falling run is turned round.
    """
    start = _start(size, exact=exact)
    now = start * 0
    for run in range(2, size + 1):
        chance = Fraction(1, 2 ** (run - 1 if run < size else run - 2))
        turned = start.copy()
        turned[:, :run] = turned[:, :run][:, ::-1]
        half = chance / 2 if exact else float(chance / 2)
        now = now + (start + turned) * half
        if run < size:
            now = _insert(now, run, _halves(run, exact=exact))
    return now
