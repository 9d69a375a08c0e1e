"""A share of deals with its intervals, as the report shows an effect."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from audit.stats.binomial import clopper_pearson
from audit.stats.sequence import confidence_sequence

COVERAGE = Fraction(95, 100)


def share(name: str, hits: int, deals: int, fair: float, *, of: int = 1) -> dict[str, Any]:
    """Return the effect *name*: *hits* of *deals* deals.

    low and high (Clopper-Pearson) cover the true share with chance 0.95 where
    the number of deals was fixed beforehand; anytime_low and anytime_high
    (confidence sequence) cover it however the log was ended.  Where the share
    was chosen after looking among *of* shares, all of them are covered at once.
    Assumes deals independent with one share.
    """
    level = 1 - (1 - COVERAGE) / of
    low, high = clopper_pearson(deals, hits, level=level)
    at_low, at_high = confidence_sequence(hits, deals, level=level)
    return {
        "name": name,
        "value": hits / deals,
        "low": low,
        "high": high,
        "coverage": float(COVERAGE),
        "anytime_low": at_low,
        "anytime_high": at_high,
        "at_once": of,
        "fair": fair,
    }
