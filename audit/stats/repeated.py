"""The tail of a sum of independent scores that all have one law, and of hits whose chances differ.

Both are p-values for whoever fixed the number of deals; where they are bounds they lie above
the truth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from audit.stats import binomial, sums

#: A sum of more scores costs too much to be exact: its tail is bounded instead.
MOST_EXACT = 128
#: So many trials of different chances are taken one by one.
MOST_TRIALS = 1 << 10
_STEEPEST = 60.0


@dataclass(frozen=True, kw_only=True)
class Bound:
    """ln of a chance; *exact* up to the rounding of floats, else no smaller than it is."""

    log_p: float
    exact: bool


def upper(law: Sequence[int], times: int, total: int) -> Bound:
    """P(sum of *times* independent scores >= total), exact for up to `MOST_EXACT` scores.

    Beyond, Chernoff's bound: E exp(t sum) / exp(t total) for the best t found.

    Args:
        law: whole weights of the scores 0, 1, ...

    Raises:
        ValueError: a weight is negative, or all are 0.
    """
    whole = sum(law)
    if min(law, default=-1) < 0 or not whole:
        raise ValueError(f"repeated: law: weights >= 0, one above 0, wanted, got {law}")
    shares = np.array([float(Fraction(w, whole)) for w in law])
    if total <= 0 or not times:
        return Bound(log_p=0.0 if total <= 0 else -math.inf, exact=True)
    if times <= MOST_EXACT:
        log_p = sums.upper(np.broadcast_to(shares, (times, len(law))), total).log_p
        return Bound(log_p=log_p, exact=True)
    return Bound(log_p=_chernoff(shares, times, total), exact=False)


def lower(law: Sequence[int], times: int, total: int) -> Bound:
    """P(sum of *times* independent scores <= total), as `upper`."""
    return upper(tuple(law)[::-1], times, (len(law) - 1) * times - total)


def _chernoff(shares: npt.NDArray[np.float64], times: int, total: int) -> float:
    scores = np.arange(len(shares), dtype=np.float64)
    some = shares > 0
    logs, scores = np.log(shares[some]), scores[some]
    if total > times * scores[-1]:
        return -math.inf

    if total <= times * float(shares[some] @ scores):
        return 0.0
    low, high, log_mass = 0.0, _STEEPEST, 0.0
    for _ in range(40):
        t = (low + high) / 2
        each = logs + t * scores
        top = float(each.max())
        tilted = np.exp(each - top)
        mass = float(tilted.sum())
        log_mass = top + math.log(mass)
        # The bound falls in t as long as the tilted mean lies below what is asked for.
        below = times * float(tilted @ scores) < total * mass
        low, high = (t, high) if below else (low, t)
    # Every t gives a bound; what its sums were rounded by is added.
    found = times * log_mass - t * total
    return min(0.0, found + 1e-12 * (abs(times * log_mass) + t * total))


def hits_upper(trials: int, hits: int, mean: Fraction, steps: Sequence[tuple[float, int]]) -> float:
    """ln of a bound of P(at least *hits* of independent *trials* hit).

    *mean* is the mean chance of the trials or a bound of it from above, *steps* (chance,
    number) bounds of them all from above.  The least of two bounds: the binomial tail with the
    mean chance, for hits above the mean by 1 or more, and the tail with the steps.

    Source: Hoeffding, On the distribution of the number of successes (1956), theorem 4.
    """
    out = 0.0
    if hits >= trials * mean + 1:
        out = min(out, binomial.log_upper(trials, hits, mean))
    if len(steps) == 1:
        step = Fraction(min(steps[0][0], 1.0))
        return min(out, binomial.log_upper(trials, hits, step))
    if trials <= MOST_TRIALS:
        rates = [min(p, 1.0) for p, number in steps for _ in range(number)]
        out = min(out, sums.poisson_binomial_upper(rates, hits).log_p)
    return out


def hits_lower(trials: int, hits: int, mean: Fraction, steps: Sequence[tuple[float, int]]) -> float:
    """ln of a bound of P(at most *hits*); *mean* and *steps* are bounds from below."""
    misses = [(1.0 - p, number) for p, number in steps]
    return hits_upper(trials, trials - hits, 1 - mean, misses)
