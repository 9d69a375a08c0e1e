"""Quantiles of a sample with limits that hold whatever the law."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from audit.stats.binomial import log_lower, log_upper

LEVEL = Fraction(99, 100)


def ranks(trials: int, share: Fraction, level: Fraction = LEVEL) -> tuple[int, int]:
    """Return the order statistics (from 1; trials + 1 for none) that enclose a quantile.

    Each end errs with chance at most (1 - level) / 2, whatever the law.
    """
    side = math.log((1 - level) / 2)
    low = max(
        (k for k in range(1, trials + 1) if log_lower(trials, k - 1, share) <= side), default=0
    )
    high = min(
        (k for k in range(1, trials + 1) if log_upper(trials, k, share) <= side),
        default=trials + 1,
    )
    return low, high


def quantile(firsts: Sequence[int], share: Fraction, never: int) -> tuple[int, int, int]:
    """Return the value that *share* of *firsts* do not exceed, and its limits at 99 %.

    *never* stands for what did not happen, and for a limit that the sample does not give.
    """
    ordered = [0, *sorted(firsts), never]
    low, high = ranks(len(firsts), share)
    return ordered[math.ceil(share * len(firsts))], ordered[low], ordered[high]
