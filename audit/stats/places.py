"""A shuffle that favours ways from place to place is bet on card by card, from a known order.

An order is an array of the places that its cards came from: ``order[t]`` is the place,
in the order before, of what now lies at t.  The bettor goes through the places and says
how likely each card not yet placed is to come next; the product of what he said over
1 / (cards left) is a likelihood ratio of a proper model, whatever his numbers are.
Valid where the order before is known and settled before the shuffle, and nobody cut.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from audit.stats import transitions
from audit.stats.evalue import SCALE
from audit.stats.orders import rows

Ints = npt.NDArray[np.int64]

_UNIT = 1 << 40
_CHUNK = 1 << 12
# More than 52 sums of logarithms can err, in nats; what is rounded down stays down.
_GUARD = 1e-9

#: The shuffles bet on, and what each of them gets of the whole bet.
FAULTS: dict[str, tuple[Callable[[int], transitions.Matrix], Fraction]] = {
    "swap any place": (transitions.swap_any, Fraction(2, 5)),
    "swap any place, downward": (transitions.swap_any_downward, Fraction(1, 5)),
    "insertion sort by coins": (transitions.insertion_sort, Fraction(1, 5)),
    "run sort by coins": (transitions.run_sort, Fraction(1, 5)),
}


def weights(matrix: npt.NDArray[np.float64]) -> Ints:
    """Return what each card is worth at each place, integers from 1 to 2^40, shape (n, n).

    The chance of a way is divided by its mean over this place and those to come: a card
    that hardly ever comes later is due now.  Any positive numbers make a valid bet.
    """
    size = len(matrix)
    later = np.cumsum(matrix[:, ::-1], axis=1)[:, ::-1] / np.arange(size, 0, -1)
    due = np.divide(matrix, later, out=np.zeros_like(matrix), where=later > 0)
    return np.asarray(np.maximum(1, np.rint(due * (_UNIT / due.max()))), dtype=np.int64)


@lru_cache(maxsize=64)
def fault_weights(name: str, size: int) -> Ints:
    """Return the weights of one of `FAULTS` for a pack of *size*, read only."""
    worth = weights(FAULTS[name][0](size))
    worth.setflags(write=False)
    return worth


def ratio(order: npt.ArrayLike, worth: Ints) -> Fraction:
    """Return the likelihood ratio of one order, shape (n,), exactly; its mean is exactly 1."""
    (row,) = rows(np.asarray(order)[None], "places").tolist()
    out = Fraction(1)
    for t in range(len(row)):
        left = [int(worth[c, t]) for c in row[t:]]
        out *= Fraction(left[0] * len(left), sum(left))
    return out


def log_ratios(orders: npt.ArrayLike, worth: Ints) -> Ints:
    """Return floor(2^20 ln ratio) of each order, shape (deals,), one lower where in doubt.

    Args:
        orders: integers, shape (deals, n), each row an order of the numbers below n.
        worth: positive integers up to 2^40, shape (n, n), as from `weights`.

    Raises:
        ValueError: a row is not an order of the numbers below n, or n is another.
    """
    size = len(worth)
    table = rows(orders, "places")
    if table.shape[1] != size:
        raise ValueError(f"places: orders: orders of {size} wanted, got {table.shape[1]}")
    logs = np.empty(len(table))
    for start in range(0, len(table), _CHUNK):
        some = table[start : start + _CHUNK]
        total = np.zeros(len(some))
        for t in range(size):
            left = worth[:, t][some[:, t:]]
            total += np.log(left[:, 0] * (size - t) / left.sum(axis=1))
        logs[start : start + _CHUNK] = total
    return np.floor((logs - _GUARD) * SCALE).astype(np.int64)


def log_faults(orders: npt.ArrayLike) -> Ints:
    """Return the fixed-point ln ratio of each of `FAULTS`, shape (deals, faults), in its order.

    Sums over deals are mixed by `evalue.log_mean_exp` with the shares of `FAULTS`.
    """
    table = rows(orders, "places")
    return np.stack([log_ratios(table, fault_weights(f, table.shape[1])) for f in FAULTS], axis=1)


def shares() -> tuple[Fraction, ...]:
    """Return the share of each of `FAULTS` in the bet."""
    return tuple(share for _, share in FAULTS.values())
