"""What sound evidence may do on fair logs, with error budgets at risk 1e-9 a check.

The budgets hold for any dependence between hypotheses, for each line of
evidence is checked alone over independent logs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from audit.stats.binomial import log_lower, log_upper

RISK = 1e-9
THRESHOLDS = (5, 20, 100, 1000)
CAP = 20


@lru_cache(maxsize=256)
def budget(trials: int, chance: Fraction, risk: float = RISK) -> int:
    """Return the most alarms in *trials* logs of a test that errs with *chance* at most."""
    return next(k for k in range(trials + 1) if log_upper(trials, k + 1, chance) < math.log(risk))


def band(trials: int, chance: float, risk: float = RISK) -> tuple[int, int]:
    """Return the least and the most hits in *trials*, each side erring at most *risk*."""
    low = next(k for k in range(trials + 1) if log_lower(trials, k, chance) >= math.log(risk))
    high = next(k for k in range(trials, -1, -1) if log_upper(trials, k, chance) >= math.log(risk))
    return low, high


def mean_limit(trials: int, cap: int = CAP, risk: float = RISK) -> float:
    """Return what the mean of min(E, cap) over *trials* logs may reach where E has mean <= 1.

    Source: Hoeffding (1963), theorem 1: for values in [0, cap] with mean at most 1 the chance
    of a sample mean m is at most exp(-trials KL(m/cap || 1/cap)).
    """
    p, aim = 1 / cap, -math.log(risk) / trials
    if aim >= -math.log(p):
        return float(cap)
    low, high = p, 1.0
    for _ in range(60):
        q = (low + high) / 2
        rest = (1 - q) * math.log((1 - q) / (1 - p)) if q < 1 else 0.0
        low, high = (q, high) if q * math.log(q / p) + rest < aim else (low, q)
    return cap * high


def alarms(highest: Sequence[float], level: int) -> int:
    """Return how many of the largest ln E reach ln *level*."""
    return int((np.asarray(highest) >= math.log(level)).sum())


def excesses(highest: Sequence[float]) -> list[str]:
    """Return each threshold that the largest ln E of the logs cross more often than allowed."""
    trials = len(highest)
    return [
        f"{alarms(highest, level)} of {trials} reach {level}"
        for level in THRESHOLDS
        if alarms(highest, level) > budget(trials, Fraction(1, level))
    ]


def mean_of(finals: Sequence[float], cap: int = CAP) -> float:
    """Return the mean of min(E, cap) for the given ln E."""
    return float(np.exp(np.minimum(np.asarray(finals), math.log(cap))).mean())
