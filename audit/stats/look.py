"""How many deals a test with one look needs, fixed beforehand: exact, never approximate.

The chance of reaching the critical count goes up and down with the number of deals, so
the first number that will do and the number from which all will do are different.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from audit.stats.binomial import log_fraction, log_upper


@dataclass(frozen=True, kw_only=True)
class Fixed:
    """The first number of deals that will do, its critical count, and from when on all will."""

    first: int
    critical: int
    always: int


def deals_needed(
    *, fair: Fraction, other: Fraction, level: Fraction, power: Fraction, horizon: int
) -> Fixed:
    """Return how many deals find the rate *other* with chance *power*, flagged at *level*.

    One-sided upwards; deals independent with one rate.  ``always`` is meant up to the
    *horizon*, every number of which is tried.

    Raises:
        ValueError: the rates do not rise, or the last number of the horizon does not do.
    """
    if not 0 < fair < other < 1:
        raise ValueError(f"look: rates: 0 < fair < other < 1 wanted, got {fair} and {other}")
    wrong, right = log_fraction(level), log_fraction(power)
    count, does = 0, []
    for deals in range(1, horizon + 1):
        # The critical count never falls as deals are added.
        while log_upper(deals, count, fair) > wrong:
            count += 1
        does.append((deals, count, log_upper(deals, count, other) >= right))
    if not does or not does[-1][2]:
        raise ValueError(f"look: horizon: {horizon} deals are too few for a chance of {power}")
    first, critical, _ = next(d for d in does if d[2])
    always = 1 + max((deals for deals, _, enough in does if not enough), default=0)
    return Fixed(first=first, critical=critical, always=always)
