"""Where one of several exchangeable scores is the one asked about, its share is an e-value.

Under the null the observation stands among the others in any order with equal chance: seats
of a fair deal given its hands, redraws of what nobody who decided had seen, deals of a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def share_e(observed: int, others: Sequence[int]) -> Fraction:
    """Return (n + 1) observed / (observed + sum of n others); its mean is exactly 1.

    1 where all are 0: nothing was at stake.

    Raises:
        ValueError: a worth is negative.
    """
    whole = observed + sum(others)
    if min(observed, *others, 0) < 0:
        raise ValueError(f"conformal: worths >= 0 wanted, got {observed} and {list(others)}")
    return Fraction((len(others) + 1) * observed, whole) if whole else Fraction(1)


def tilt_e(observed: int, others: Sequence[int], *, odds: Fraction) -> Fraction:
    """Return (n + 1) odds^observed over the sum of odds^score of all, for integer scores.

    With odds above 1 it bets on a large observation, below 1 on a small one; its mean is
    exactly 1.  The odds must be fixed before the scores are seen.

    Raises:
        ValueError: odds is not positive.
    """
    if odds <= 0:
        raise ValueError(f"conformal: odds: above 0 wanted, got {odds}")
    whole = sum((odds ** (s - observed) for s in others), Fraction(1))
    return (len(others) + 1) / whole


def rank_p(observed: int, others: Sequence[int]) -> Fraction:
    """Return the share of all scores, the observation included, that reach the observation.

    A p-value against large observations; ties count against it, so it is never too small.
    """
    return Fraction(1 + sum(s >= observed for s in others), 1 + len(others))
