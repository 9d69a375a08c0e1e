"""What a computed tail is worth: its logarithm and a proved bound on its relative error."""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Half the distance from 1 to the next float: the relative error of one rounding.
ROUNDING = 2.0**-53


@dataclass(frozen=True, kw_only=True)
class Tail:
    """ln of a chance, with ``|exp(log_p) / truth - 1| <= error`` for the true chance.

    The numbers that define the law are taken as given exactly.
    """

    log_p: float
    error: float

    @property
    def log10_p(self) -> float:
        """The decimal logarithm, for printing; the chance itself may be far below any float."""
        return self.log_p / math.log(10)


def two_sided(log_lower: float, log_upper: float) -> float:
    """ln of twice the smaller of both tails, at most 0: what "two-sided" means everywhere here.

    Both tails hold the observation.  Valid at every level, for either tail alone is.
    """
    return min(0.0, math.log(2) + min(log_lower, log_upper))


def log_add(logs: list[float]) -> float:
    """ln of the sum of exp(logs), -inf for nothing; all terms are positive, so none cancel."""
    top = max(logs, default=-math.inf)
    if top == -math.inf:
        return -math.inf
    return top + math.log(math.fsum(math.exp(x - top) for x in logs))
