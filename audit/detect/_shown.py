"""What a finding says of trials with known odds: what would be seen, explain it, and is ruled out.

`cleared` is evidence *against* a named effect, the likelihood ratio turned round.  It is read
after the last deal, so that who was fair once and no longer is is not cleared, and holds
however the log was ended: of all who have that effect or a larger one in every trial, at most
one in ten, or in a thousand, is cleared of it at those odds.  Ten to one is what a test that
finds nine cheats in ten owes the honest (Wald's sequential test with errors .001 and .1 takes
87 deals for twice the Jacks), a thousand to one as much as the flag (257 deals).  Deals that do
not show their card count as the worst.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from audit.finding import THRESHOLD
from audit.stats.odds import (
    Odds,
    Trials,
    log_against,
    refuted,
    rounded_up,
    smallest_multiple,
)

#: To one, against a named effect.
CLEARED = (10, THRESHOLD)
#: No multiple beyond this is asked for.
MOST = 1e6


@lru_cache(maxsize=64)
def _smallest(
    key: tuple[tuple[float, ...], tuple[float, ...], tuple[int, ...]],
    sums: tuple[float, float] | None,
    odds: tuple[int | Fraction | None, ...],
    weights: tuple[Fraction, ...],
    bar: float,
) -> float | None:
    """Return `smallest_multiple` of trials, once for subjects that had the same trials."""
    low, high, number = key
    of = Trials(
        low=np.array(low), high=np.array(high), number=np.array(number, np.int64), sums=sums
    )
    return smallest_multiple(of, odds, weights, bar)


def seen(of: Trials, odds: Odds, weights: Sequence[Fraction], bar: float, what: str) -> str | None:
    """Return the smallest multiple of the fair odds that these trials would have flagged.

    *what* names the trials, as "turn-ups after a run".
    """
    if not of.total:
        return None
    key = (*map(tuple, (of.low.tolist(), of.high.tolist(), of.number.tolist())),)
    x = _smallest(key, of.sums, tuple(odds), tuple(weights), bar)
    these = f"these {of.total:,} {what}"
    if x is None:
        return f"no odds, however long, would have been flagged by {these}"
    if math.isinf(x):
        return f"nothing short of a hit every time would have been flagged by {these}"
    return (
        f"odds of {x:,.10g} times the fair ones would have been flagged with probability 0.9"
        f" by {these}"
    )


def against(
    name: str, log_e: Callable[[float], float], low: float, high: float
) -> dict[str, Any] | None:
    """Return the least effects in (low, high) that *log_e* refutes, as the report shows them.

    *log_e* as `stats.odds.refuted` has it; *name* says what the effect is a multiple of.
    """
    at = []
    for to_one in CLEARED:
        least = refuted(log_e, low, high, math.log(to_one))
        shown = None if least is None else rounded_up(least)
        at.append({"odds": to_one, "value": shown if shown is None or shown <= high else None})
    return {"name": name, "at": at} if any(row["value"] is not None for row in at) else None


def against_odds(of: Trials, hits: int, name: str) -> dict[str, Any] | None:
    """Return the least multiples of the fair odds that *hits* of these trials refute."""
    return against(name, log_against(of, hits), 1.0, MOST) if of.total else None


def against_rate(hits: int, deals: int, fair: Fraction, name: str) -> dict[str, Any] | None:
    """Return the least multiples m of the rate *fair* that *hits* of *deals* refute.

    Under a rate of m times the fair one or more at every deal, the likelihood ratio of fair
    over m is a supermartingale: a hit multiplies it by less than a miss does.
    """
    p = float(fair)

    def log_e(m: float) -> float:
        miss = (deals - hits) * math.log((1 - p) / (1 - m * p)) if hits < deals else 0.0
        return miss - hits * math.log(m)

    return against(name, log_e, 1.0, (1 - 1e-9) / p)


def best_multiple(groups: Sequence[tuple[Fraction, int, int]]) -> float | None:
    """Return the multiple of the fair odds that (chance, hits, deals) make likeliest.

    None where every trial was a hit.
    """
    hits, deals = sum(k for _, k, _ in groups), sum(n for _, _, n in groups)
    if not hits:
        return 0.0
    if hits == deals:
        return None

    def mean(x: float) -> float:
        return sum(n * float(p) / (float(p) + (1 - float(p)) * math.exp(-x)) for p, _, n in groups)

    return math.exp(_root(mean, hits))


def _root(rising: Callable[[float], float], value: float) -> float:
    low, high = -40.0, 40.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < value else (low, middle)
    return (low + high) / 2
