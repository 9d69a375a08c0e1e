"""A score between bounds with a known fair mean is bet on without knowing its law.

Scores are integers 0 .. top.  A bet of the share f on "more than the mean m" turns 1 into
1 + f (x/m - 1), a bet on "less" into 1 + f (m - x)/(top - m); both stay positive for f < 1,
and have mean 1 whatever the law with that mean.  Several shares are mixed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from audit.stats.binomial import log_fraction
from audit.stats.tail import log_add

#: The shares of the wealth that are bet, mixed evenly.
SHARES = tuple(Fraction(1, 1 << k) for k in range(1, 9))


def factor(score: int, *, top: int, mean: Fraction, share: Fraction, less: bool) -> Fraction:
    """Return what a bet of *share* is worth after *score*, exactly; its mean is 1.

    With *less* False it is at most 1 in the mean also where the true mean is below *mean*,
    with *less* True where it is above.

    Raises:
        ValueError: the score or the mean lies outside its bounds, or the share outside (0, 1).
    """
    if not (0 <= score <= top and 0 < mean < top and 0 < share < 1):
        raise ValueError(
            f"bounded: score in [0, {top}], mean inside, share in (0, 1) wanted,"
            f" got {score}, {mean}, {share}"
        )
    gain = (mean - score) / (top - mean) if less else score / mean - 1
    return 1 + share * gain


def mean_sequence(
    counts: Sequence[int], *, level: Fraction = Fraction(95, 100)
) -> tuple[float, float]:
    """Return the means of a score that bets both ways have not yet refuted at *level*.

    With chance at least *level* the true mean lies inside at every deal, however often one
    looks.  Assumes that each score has the same mean given all before; no law is assumed.

    Args:
        counts: how often the scores 0, 1, ... top came, shape (top + 1,); top at least 1.

    Raises:
        ValueError: fewer than two scores, a negative count, or level outside (0, 1).
    """
    if len(counts) < 2 or min(counts) < 0 or not 0 < level < 1:
        raise ValueError(f"mean_sequence: counts >= 0 of scores 0, 1, ... wanted, got {counts}")
    # Each side errs with half of what is left; the slack covers the rounding of long sums.
    bar = log_fraction(2 / (1 - level)) + 1e-9 + sum(counts) * 1e-14
    top = len(counts) - 1
    came = [(x, n) for x, n in enumerate(counts) if n]
    missed = [(top - x, n) for x, n in came]
    low = _edge(lambda m: _worth(came, m) >= bar, top)
    high = top - _edge(lambda m: _worth(missed, m) >= bar, top)
    return low, high


def _worth(came: Sequence[tuple[int, int]], mean: float) -> float:
    """Return ln of the mixed bets that the score is more than *mean*; falls as the mean rises.

    *came* are scores and how often each came.
    """
    parts = []
    for share in SHARES:
        f = float(share)
        parts.append(math.fsum(n * math.log1p(f * (x / mean - 1)) for x, n in came))
    return log_add(parts) - math.log(len(SHARES))


def _edge(refuted: Callable[[float], bool], top: int) -> float:
    """Return a mean at or below all that are not refuted."""
    low, high = 0.0, float(top)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low
