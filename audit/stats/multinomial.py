"""The largest of several counts is judged by its own exact law, not cell by cell."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from audit.stats.binomial import log_upper

Floats = npt.NDArray[np.float64]

_LARGEST_EXACT_WORK = 30_000_000


@dataclass(frozen=True, kw_only=True)
class MaxTail:
    """ln of the chance that some cell reaches the count.

    ``exact`` is False where ``log_p`` is the sum of the cells' own tails, an upper bound.
    """

    log_p: float
    exact: bool


def max_count(largest: int, *, trials: int, cells: int) -> MaxTail:
    """The chance that the fullest of equally likely cells holds at least ``largest``.

    Cells are opened one at a time; every term added is positive, so the relative
    error is about trials * 2^-50.  Past thirty million terms the union bound is given.

    Raises:
        ValueError: trials is negative or cells is less than 1.
    """
    if trials < 0 or cells < 1:
        raise ValueError(f"max_count: trials >= 0 and cells >= 1 wanted, got {trials} and {cells}")
    if largest <= -(-trials // cells):
        return MaxTail(log_p=0.0, exact=True)
    if largest > trials:
        return MaxTail(log_p=-math.inf, exact=True)
    bound = math.log(cells) + log_upper(trials, largest, Fraction(1, cells))
    if 2 * largest > trials:
        return MaxTail(log_p=min(0.0, bound), exact=True)
    if cells * trials * trials > _LARGEST_EXACT_WORK or bound < -650.0:
        return MaxTail(log_p=min(0.0, bound), exact=False)
    return MaxTail(log_p=min(0.0, math.log(_some_cell(largest, trials, cells))), exact=True)


def _some_cell(largest: int, trials: int, cells: int) -> float:
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, trials + 1)))))
    full = np.where(np.arange(trials + 1) >= largest, 1.0, 0.0)
    for cell in range(2, cells + 1):
        full = np.array([_open(full, n, cell, largest, logs) for n in range(trials + 1)])
    return float(full[trials])


def _open(full: Floats, n: int, cell: int, largest: int, logs: Floats) -> float:
    """P(some of ``cell`` cells is full | n trials), from the same for one cell fewer."""
    if n < largest:
        return 0.0
    k = np.arange(n + 1)
    law = np.exp(
        logs[n] - logs[k] - logs[n - k] - k * math.log(cell) + (n - k) * math.log1p(-1.0 / cell)
    )
    return float(law[largest:].sum() + (law[:largest] * full[n - k[:largest]]).sum())
