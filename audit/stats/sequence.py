"""A confidence sequence holds a rate at all looks at once, however often one looks."""

from fractions import Fraction
from math import lgamma, log

from audit.stats.binomial import log_fraction


def confidence_sequence(
    hits: int,
    deals: int,
    *,
    level: Fraction = Fraction(95, 100),
    prior: tuple[float, float] = (0.5, 0.5),
) -> tuple[float, float]:
    """The rates that a bet mixed over Beta(prior) has not yet refuted at ``level``.

    With chance at least ``level`` the true rate lies inside at every n (Ville), and so the
    intersection over looks is valid too.  The ends are rounded outwards.  The prior must be
    fixed before the log is opened.  Assumes hits independent with one rate.

    Raises:
        ValueError: hits lies outside [0, deals], or level outside (0, 1).
    """
    if not 0 <= hits <= deals or not 0 < level < 1:
        raise ValueError(
            f"sequence: wanted hits in [0, {deals}] and level in (0, 1), got {hits}, {level}"
        )
    floor = log_mixture(hits, deals, prior=prior) + log_fraction(1 - level) - 1e-9
    if deals == 0:
        return 0.0, 1.0
    peak = hits / deals
    low = (
        0.0 if _log_likelihood(0.0, hits, deals) >= floor else _edge(0.0, peak, hits, deals, floor)
    )
    high = (
        1.0 if _log_likelihood(1.0, hits, deals) >= floor else _edge(1.0, peak, hits, deals, floor)
    )
    return low, high


def log_mixture(hits: int, deals: int, *, prior: tuple[float, float]) -> float:
    """ln of the chance of one record of hits and misses, averaged over Beta(prior)."""
    a, b = prior
    after = lgamma(a + hits) + lgamma(b + deals - hits) - lgamma(a + b + deals)
    return after - (lgamma(a) + lgamma(b) - lgamma(a + b))


def _log_likelihood(rate: float, hits: int, deals: int) -> float:
    misses = deals - hits
    if (rate <= 0.0 and hits) or (rate >= 1.0 and misses):
        return -float("inf")
    return (hits * log(rate) if hits else 0.0) + (misses * log(1.0 - rate) if misses else 0.0)


def _edge(out: float, inside: float, hits: int, deals: int, floor: float) -> float:
    for _ in range(60):
        middle = (out + inside) / 2
        if _log_likelihood(middle, hits, deals) >= floor:
            inside = middle
        else:
            out = middle
    return out
