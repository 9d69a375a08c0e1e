"""A confidence sequence holds a rate at all looks at once, however often one looks."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, expm1, fsum, inf, lgamma, log, log1p, sqrt

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
    # Long logs lose digits in lgamma; what they may lose widens the interval.
    slack = 1e-9 + 1e-15 * deals * log(deals + 2)
    floor = log_mixture(hits, deals, prior=prior) + log_fraction(1 - level) - slack
    if deals == 0:
        return 0.0, 1.0
    peak = hits / deals

    def likely(rate: float) -> float:
        return _log_likelihood(rate, hits, deals)

    low = 0.0 if likely(0.0) >= floor else _bisected(likely, 0.0, peak, floor)
    high = 1.0 if likely(1.0) >= floor else _bisected(likely, 1.0, peak, floor)
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


def odds_sequence(
    groups: Sequence[tuple[Fraction, int, int]], *, level: Fraction = Fraction(95, 100)
) -> tuple[float, float]:
    """The multiples of the fair odds that a bet has not yet refuted at ``level``.

    For hits whose fair chance p differs from deal to deal and is known before each: under the
    multiple t a hit has chance p t / (1 - p + p t).  With chance at least ``level`` the true
    multiple lies inside at every look (Ville).  The bet is mixed over ln t normal with mean 0
    and deviation 1; where its integral is cut off the interval only widens.
    0 and inf are ends that nothing refutes.

    Args:
        groups: (fair chance in (0, 1), hits, deals), one for each fair chance that occurred.

    Raises:
        ValueError: a chance, a count or the level lies outside its range.
    """
    for p, hits, deals in groups:
        if not 0 < p < 1 or not 0 <= hits <= deals:
            raise ValueError(
                f"odds_sequence: chance in (0, 1), hits in [0, deals] wanted, got {p, hits, deals}"
            )
    if not 0 < level < 1:
        raise ValueError(f"odds_sequence: level in (0, 1) wanted, got {level}")
    rows = [(float(p), deals) for p, _, deals in groups if deals]
    hits, deals = sum(k for _, k, _ in groups), sum(n for _, n in rows)

    def log_lr(x: float) -> float:
        return hits * x - fsum(n * log1p(p * expm1(x)) for p, n in rows)

    slack = 1e-6 + 1e-14 * deals
    floor = _log_normal_mean(log_lr, rows) + log_fraction(1 - level) - slack
    peak = _peak(log_lr, -_FAR, _FAR)
    low = 0.0 if log_lr(-_FAR) >= floor else exp(_bisected(log_lr, -_FAR, peak, floor))
    high = inf if log_lr(_FAR) >= floor else exp(_bisected(log_lr, _FAR, peak, floor))
    return low, high


def share_sequence(
    groups: Sequence[tuple[Fraction, int, int]], *, level: Fraction = Fraction(95, 100)
) -> tuple[float, float]:
    """The shares r of the fair chances that a bet has not yet refuted at ``level``.

    For hits whose fair chance p differs from deal to deal and is known before each: under r, in
    [0, 1], a hit has chance r p.  With chance at least ``level`` the true share lies inside at
    every look (Ville).  The bet is an equal mixture over r = 1/400, 3/400 ... 399/400 and, with
    half the weight, r = 1, which a fair deal has.

    Args:
        groups: (fair chance in (0, 1), hits, deals), one for each fair chance that occurred.

    Raises:
        ValueError: a chance, a count or the level lies outside its range.
    """
    for p, hits, deals in groups:
        if not 0 < p < 1 or not 0 <= hits <= deals:
            raise ValueError(
                f"share_sequence: chance in (0, 1), hits in [0, deals] wanted, got {p, hits, deals}"
            )
    if not 0 < level < 1:
        raise ValueError(f"share_sequence: level in (0, 1) wanted, got {level}")
    rows = [(float(p), n - k) for p, k, n in groups if n - k]
    hits, deals = sum(k for _, k, _ in groups), sum(n for _, _, n in groups)

    def log_l(r: float) -> float:
        if r <= 0.0 and hits:
            return -inf
        return (hits * log(r) if hits else 0.0) + fsum(m * log1p(-r * p) for p, m in rows)

    atoms = [(log_l((2 * j + 1) / (2 * _SHARES)), 0.5 / _SHARES) for j in range(_SHARES)]
    atoms.append((log_l(1.0), 0.5))
    top = max(x for x, _ in atoms)
    mixed = top + log(fsum(w * exp(x - top) for x, w in atoms))
    floor = mixed + log_fraction(1 - level) - 1e-9 - 1e-14 * deals
    peak = _peak(log_l, 0.0, 1.0)
    low = 0.0 if log_l(0.0) >= floor else _bisected(log_l, 0.0, peak, floor)
    high = 1.0 if log_l(1.0) >= floor else _bisected(log_l, 1.0, peak, floor)
    return low, high


_SHARES = 200
# Odds beyond e^40 and below e^-40 are not told from none.
_FAR = 40.0
_NODES = 600


def _log_normal_mean(log_lr: Callable[[float], float], rows: Sequence[tuple[float, int]]) -> float:
    """Return ln of the mean of exp(log_lr) over a standard normal, by the trapezoid rule."""

    def log_part(x: float) -> float:
        return log_lr(x) - x * x / 2

    peak = _peak(log_part, -_FAR, _FAR)
    curve = 1.0
    for p, n in rows:
        q = p / (p + (1 - p) * exp(-peak))
        curve += n * q * (1 - q)
    step = 24 / sqrt(curve) / _NODES
    top = log_part(peak)
    whole = fsum(exp(log_part(peak + step * j) - top) for j in range(-_NODES // 2, _NODES // 2 + 1))
    return top + log(whole * step) - log(6.283185307179586) / 2


def _peak(concave: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(200):
        third = (high - low) / 3
        if concave(low + third) < concave(high - third):
            low += third
        else:
            high -= third
    return (low + high) / 2


def _bisected(f: Callable[[float], float], out: float, inside: float, floor: float) -> float:
    """Return a point just outside of where f reaches *floor*."""
    for _ in range(60):
        middle = (out + inside) / 2
        out, inside = (out, middle) if f(middle) >= floor else (middle, inside)
    return out
