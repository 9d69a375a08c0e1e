"""The draws behind a swap shuffle can be read off its result, so a wrong bound has an exact ratio.

A right shuffle swaps place i, from the last to the second, with a place drawn from
0 .. i.  Each order comes from one row of draws only; under a fair deal the draws are
independent and uniform.  A fault in the bound or in the reduction of a random word is
a law of each draw, and its likelihood ratio is a product over the draws.
Valid where the order before is known and settled before the shuffle, and nobody cut.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from audit.stats.evalue import log_fixed
from audit.stats.orders import rows
from audit.stats.tilt import NEVER

Ints = npt.NDArray[np.int64]


def drawn(orders: npt.ArrayLike, *, upward: bool = False) -> Ints:
    """Return the draw at each place, shape (deals, n); column i lies in 0 .. i, column 0 is 0.

    Args:
        orders: shape (deals, n); ``orders[d, t]`` is the place that what lies at t came from.
        upward: the shuffle settles the places from the first on; places and draws are then
            counted from the far end.

    Raises:
        ValueError: a row is not an order of the numbers below n.
    """
    table = rows(orders, "drawn")
    deals, size = table.shape
    if upward:
        table = size - 1 - table[:, ::-1]
    lies = np.tile(np.arange(size), (deals, 1))
    where = lies.copy()
    row = np.arange(deals)
    out = np.zeros((deals, size), dtype=np.int64)
    for i in range(size - 1, 0, -1):
        at = where[row, table[:, i]]
        moved = lies[:, i].copy()
        lies[row, at] = moved
        where[row, moved] = at
        out[:, i] = at
    return out


def _right(i: int, size: int) -> list[int]:
    return [1] * (i + 1)


def _exclusive(i: int, size: int) -> list[int]:
    return [1] * i + [0]


def _late(i: int, size: int) -> list[int]:
    return [0] * i + [1] if i == size - 1 else _right(i, size)


def _early(i: int, size: int) -> list[int]:
    return [0, 1] if i == 1 else _right(i, size)


def _rounded(i: int, size: int) -> list[int]:
    return [1] + [2] * (i - 1) + [1]


def _modulo(bits: int) -> Callable[[int, int], list[int]]:
    def law(i: int, size: int) -> list[int]:
        whole, rest = divmod(1 << bits, i + 1)
        return [whole + (j < rest) for j in range(i + 1)]

    return law


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A wrong shuffle: *law(i, n)* gives the weights of the draws 0 .. i at place i."""

    law: Callable[[int, int], list[int]]
    upward: bool


_LAWS: Mapping[str, Callable[[int, int], list[int]]] = {
    "bound left out": _exclusive,
    "first step left out": _late,
    "last step left out": _early,
    "rounded to the nearest": _rounded,
    "byte modulo": _modulo(8),
    "15 bits modulo": _modulo(15),
}
#: The shuffles bet on, each with an equal share.  With the bound left out every single cycle
#: comes equally often whichever way the places are gone through, so one way stands for both.
FAULTS: Mapping[str, Fault] = {
    f"{name}, {'upward' if upward else 'downward'}": Fault(law=law, upward=upward)
    for name, law in _LAWS.items()
    for upward in (False, True)
    if not (upward and law is _exclusive)
}


@lru_cache(maxsize=64)
def _logs(name: str, size: int) -> Ints:
    table = np.zeros((size, size), dtype=np.int64)
    for i in range(1, size):
        law = FAULTS[name].law(i, size)
        whole = sum(law)
        for j, w in enumerate(law):
            table[i, j] = log_fixed(w * (i + 1), whole) if w else NEVER
    table.setflags(write=False)
    return table


def ratio(order: npt.ArrayLike, name: str) -> Fraction:
    """Return the exact likelihood ratio of one order, shape (n,), under one of `FAULTS`.

    Its mean under a fair deal is exactly 1; 0 where the fault cannot make the order.
    """
    fault = FAULTS[name]
    (row,) = drawn(np.asarray(order)[None], upward=fault.upward).tolist()
    out = Fraction(1)
    for i in range(1, len(row)):
        law = fault.law(i, len(row))
        out *= Fraction(law[row[i]] * (i + 1), sum(law))
    return out


def log_faults(orders: npt.ArrayLike) -> Ints:
    """Return the fixed-point ln ratio of each of `FAULTS`, shape (deals, faults), in its order.

    Rounded down draw by draw; `tilt.NEVER` where the fault cannot make the order.
    """
    table = rows(orders, "drawn")
    size = table.shape[1]
    seen = {upward: drawn(table, upward=upward) for upward in (False, True)}
    place = np.arange(size)
    columns = [
        np.maximum(_logs(name, size)[place, seen[fault.upward]].sum(axis=1), NEVER)
        for name, fault in FAULTS.items()
    ]
    return np.stack(columns, axis=1)


def shares() -> tuple[Fraction, ...]:
    """Return the share of each of `FAULTS` in the bet."""
    return (Fraction(1, len(FAULTS)),) * len(FAULTS)
