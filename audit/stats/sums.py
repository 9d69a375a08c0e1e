"""A sum of independent scores has tails that keep their digits below 10^-1000.

Scores are integers from 0; row i of a table of laws holds the weights of 0, 1, ... for
score i.  The laws are tilted, s made t^s times as likely, so that the sum asked for is
an ordinary one; then only positive numbers of ordinary size are multiplied and added.
The bound on the relative error counts every rounding: each entry of a product of two
laws of length m is a sum of at most m products and errs by at most m + 1 roundings more
than both factors together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from audit.stats.tail import ROUNDING, Tail

Floats = npt.NDArray[np.float64]

_STEEPEST = 700.0
# Every operation may lose what lies below the smallest float; sums of these stay below.
_LOST = 1e-300
_LOOPED = 32


def upper(laws: npt.ArrayLike, total: int) -> Tail:
    """P(sum of the scores >= total), with a proved bound on its relative error.

    Args:
        laws: weights, none negative, shape (scores, m); each row is divided by its sum.
        total: the sum reached.

    Raises:
        ValueError: the table has another shape, a negative or infinite weight, or a row of zeros.
    """
    table = np.asarray(laws, dtype=np.float64)
    if table.ndim != 2 or not table.shape[1] or not np.all(np.isfinite(table)):
        raise ValueError(f"sums: laws: finite weights (scores, m) wanted, got {table.shape}")
    if np.any(table < 0) or np.any(table.sum(axis=1) <= 0):
        raise ValueError("sums: laws: weights >= 0 and in each row one above 0 wanted")
    return _upper(table / table.sum(axis=1)[:, None], total, roundings=table.shape[1] + 2)


def lower(laws: npt.ArrayLike, total: int) -> Tail:
    """P(sum of the scores <= total), as `upper`."""
    table = np.asarray(laws, dtype=np.float64)
    most = table.shape[0] * (table.shape[-1] - 1)
    return upper(table[:, ::-1] if table.ndim == 2 else table, most - total)


def poisson_binomial_upper(rates: Sequence[float], hits: int) -> Tail:
    """P(X >= hits) for independent hits with the given chances, each in [0, 1].

    Raises:
        ValueError: a rate lies outside [0, 1].
    """
    return _upper(_hits(rates), hits, roundings=1)


def poisson_binomial_lower(rates: Sequence[float], hits: int) -> Tail:
    """P(X <= hits) for independent hits with the given chances, each in [0, 1]."""
    return _upper(_hits(rates)[:, ::-1], len(rates) - hits, roundings=1)


def _hits(rates: Sequence[float]) -> Floats:
    p = np.asarray(rates, dtype=np.float64)
    if p.size and not (np.all(p >= 0) and np.all(p <= 1)):
        raise ValueError("poisson_binomial: every rate in [0, 1] wanted")
    return np.stack([1.0 - p, p], axis=-1).reshape(-1, 2)


def _upper(table: Floats, total: int, *, roundings: int) -> Tail:
    """Return the tail; each entry of *table* errs by *roundings* and each row sums to 1."""
    scores, width = table.shape
    some = table > 0
    least = np.argmax(some, axis=1)
    most = width - 1 - np.argmax(some[:, ::-1], axis=1)
    if total <= int(least.sum()):
        return Tail(log_p=0.0, error=0.0)
    if total > int(most.sum()):
        return Tail(log_p=-math.inf, error=0.0)
    found = _direct(table, most, total, roundings)
    if found.log_p <= -0.7:
        return found
    # Near 1 it is the other tail that has the digits.
    flipped = table[:, ::-1]
    other = _direct(flipped, width - 1 - least, scores * (width - 1) - total + 1, roundings)
    chance = math.exp(other.log_p)
    if chance >= 0.5:
        return found
    error = (chance * other.error + 2 * ROUNDING) / (1.0 - chance)
    return Tail(log_p=math.log1p(-chance), error=error)


def _direct(table: Floats, most: npt.NDArray[np.intp], total: int, roundings: int) -> Tail:
    scores, width = table.shape
    log_t = _tilt(table, total)
    t = math.exp(log_t)
    # Powers count down from each row's own largest score, so that none overflows.
    fall = np.arange(width)[None, :] - most[:, None]
    tilted = table * np.power(t, np.minimum(fall, 0), dtype=np.float64)
    norm = tilted.sum(axis=1)
    law, steps = _product(tilted / norm[:, None])
    above = law[total:] * np.power(t, -np.arange(len(law) - total, dtype=np.float64))
    sum_above = math.fsum(above.tolist())
    if sum_above <= 0.0:
        raise ValueError("sums: total: a tail within the range of tilts wanted, got one beyond")
    logs = np.log(norm)
    shift = (int(most.sum()) - total) * math.log(t)
    log_p = math.fsum([*logs.tolist(), shift, math.log(sum_above)])
    # A row's entry: its own roundings, the power (2), the product and the quotient.
    relative = scores * (roundings + 4) + steps + 4
    absolute = 2 * float(np.abs(logs).sum()) + 3 * abs(shift) + 2 * abs(math.log(sum_above)) + 4
    lost = (len(law) + scores * width) * _LOST / sum_above
    return Tail(
        log_p=min(0.0, log_p), error=math.expm1(1.01 * ROUNDING * (relative + absolute)) + lost
    )


def _tilt(table: Floats, total: int) -> float:
    """The log of a tilt that puts the sum asked for within half a deviation of the mean.

    0 where the mean is no lower as it is; any tilt gives the right tail, only with less room.
    """
    score = np.arange(table.shape[1], dtype=np.float64)
    squares = score * score
    with np.errstate(divide="ignore"):
        logs = np.log(table)
    log_t, low, high = 0.0, 0.0, _STEEPEST
    for _ in range(60):
        moved = logs + log_t * score
        law = np.exp(moved - moved.max(axis=1)[:, None])
        norm = law.sum(axis=1)
        mean = (law @ score) / norm
        spread = float(((law @ squares) / norm - mean * mean).sum())
        short = total - float(mean.sum())
        if abs(short) <= 0.5 * math.sqrt(max(spread, 1.0)) or (log_t == 0.0 and short < 0):
            break
        low, high = (log_t, high) if short > 0 else (low, log_t)
        step = log_t + short / spread if spread > 0 else math.inf
        log_t = step if low < step < high else (low + high) / 2
    return log_t


def _product(rows: Floats) -> tuple[Floats, int]:
    """Return the law of the sum, and how many roundings its entries may have gone through."""
    steps = 0
    if not len(rows):
        return np.ones(1), 0
    while len(rows) > 1:
        if len(rows) % 2:
            sure = np.zeros((1, rows.shape[1]))
            sure[0, 0] = 1.0
            rows = np.concatenate([rows, sure])
        left, right = rows[::2], rows[1::2]
        pairs, width = left.shape
        steps += pairs * (width + 1)
        if width <= _LOOPED:
            out = np.zeros((pairs, 2 * width - 1))
            for s in range(width):
                out[:, s : s + width] += left[:, s : s + 1] * right
        else:
            out = np.stack([np.convolve(a, b) for a, b in zip(left, right, strict=True)])
        rows = out
    return np.asarray(rows[0], dtype=np.float64), steps
