"""Binomial tails keep their relative accuracy down to 10^-1000 and below.

Everything is a natural logarithm.  A tail is one point chance times a series of
positive ratios, so nothing cancels; the Poisson-binomial tail is computed under a
tilted law that puts its mean at the count asked for.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

_EXACT_UP_TO = 5_000
Rate = Fraction | float
Floats = npt.NDArray[np.float64]


@lru_cache(maxsize=4096)
def log_comb(n: int, k: int) -> float:
    """ln C(n, k), from the exact integer up to n = 5,000 and from lgamma beyond."""
    if not 0 <= k <= n:
        return -math.inf
    if n <= _EXACT_UP_TO:
        return math.log(math.comb(n, k))
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def log_fraction(value: Fraction) -> float:
    """ln of a fraction of any size; accurate near 1 as well, -inf at 0."""
    if value == 0:
        return -math.inf
    if Fraction(1, 2) < value < 2:
        return math.log1p(float(value - 1))
    return math.log(value.numerator) - math.log(value.denominator)


def log_pmf(n: int, k: int, rate: Rate) -> float:
    """ln P(X = k) for X binomial(n, rate).

    Raises:
        ValueError: n is negative or rate lies outside [0, 1].
    """
    p = Fraction(rate)
    if n < 0 or not 0 <= p <= 1:
        raise ValueError(f"binomial: n at least 0 and rate in [0, 1] wanted, got {n} and {rate}")
    if not 0 <= k <= n:
        return -math.inf
    hit = k * log_fraction(p) if k else 0.0
    miss = (n - k) * log_fraction(1 - p) if n - k else 0.0
    return log_comb(n, k) + hit + miss


def log_upper(n: int, k: int, rate: Rate) -> float:
    """ln P(X >= k) for X binomial(n, rate)."""
    p = Fraction(rate)
    first = log_pmf(n, k, p)
    if k <= 0:
        return 0.0
    if first == -math.inf:
        return 0.0 if p == 1 and k <= n else -math.inf
    if k <= n * p:
        return log_complement(log_lower(n, k - 1, p))
    odds = float(p / (1 - p)) if p < 1 else 0.0
    return min(0.0, first + math.log(_series(n, k, odds)))


def log_lower(n: int, k: int, rate: Rate) -> float:
    """ln P(X <= k) for X binomial(n, rate)."""
    return log_upper(n, n - k, 1 - Fraction(rate))


def log_complement(log_p: float) -> float:
    """ln(1 - exp(log_p)) without loss when log_p is close to 0 or far below it."""
    if log_p >= 0.0:
        return -math.inf
    return math.log(-math.expm1(log_p)) if log_p > -0.693 else math.log1p(-math.exp(log_p))


def _series(n: int, k: int, odds: float) -> float:
    total = term = 1.0
    for i in range(k, n):
        term *= (n - i) / (i + 1) * odds
        total += term
        if term < total * 1e-18:
            break
    return total


def clopper_pearson(n: int, k: int, *, level: Fraction = Fraction(95, 100)) -> tuple[float, float]:
    """The exact two-sided interval for a rate, each side erring at most (1 - level) / 2.

    The ends are rounded outwards, so coverage is never below ``level``.
    """
    log_side = log_fraction((1 - level) / 2)
    low = 0.0 if k == 0 else _bisect(lambda p: log_upper(n, k, p) >= log_side)[0]
    high = 1.0 if k == n else _bisect(lambda p: log_lower(n, k, p) < log_side)[1]
    return low, high


def band(n: int, rate: Rate, *, share: Fraction = Fraction(95, 100)) -> tuple[int, int]:
    """The least and largest count of an equal-tailed range that holds X with chance >= *share*.

    X is binomial(n, rate); each of P(X < low) and P(X > high) is at most
    (1 - share) / 2, and low is the largest such count, high the least.
    """
    log_side = log_fraction((1 - share) / 2)
    low = _least(n, lambda k: log_lower(n, k, rate) > log_side)
    return low, _least(n, lambda k: k == n or log_upper(n, k + 1, rate) <= log_side)


def _least(n: int, true_from: Callable[[int], bool]) -> int:
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if true_from(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _bisect(turned: Callable[[float], bool]) -> tuple[float, float]:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if turned(middle):
            high = middle
        else:
            low = middle
    return low, high


def poisson_binomial_log_upper(rates: Sequence[float], k: int) -> float:
    """ln P(X >= k) for a sum of independent hits with the given chances, each in [0, 1].

    Relative error of the probability is below about 4 len(rates) 2^-53, however far the tail:
    after tilting only positive numbers of ordinary size are added and multiplied.
    """
    p = np.asarray(rates, dtype=np.float64)
    if p.size and not (np.all(p >= 0) and np.all(p <= 1)):
        raise ValueError("poisson_binomial: every rate in [0, 1] wanted")
    sure = int(np.count_nonzero(p == 1.0))
    p = p[(p > 0) & (p < 1)]
    k -= sure
    if k <= 0:
        return 0.0
    if k > p.size:
        return -math.inf
    if k == p.size:
        return float(np.log(p).sum())
    if k <= float(p.sum()):
        return log_complement(poisson_binomial_log_upper((1.0 - p).tolist(), p.size - k + 1))
    log_t = _tilt(p, k)
    odds = np.exp(np.log(p) - np.log1p(-p) + log_t)
    law = _convolve(odds / (1.0 + odds), 1.0 / (1.0 + odds))
    above = law[k:] * np.exp(-log_t * np.arange(p.size - k + 1))
    log_norm = float((np.log1p(-p) + np.log1p(odds)).sum())
    return min(0.0, log_norm - k * log_t + math.log(float(above.sum())))


def poisson_binomial_log_lower(rates: Sequence[float], k: int) -> float:
    """ln P(X <= k) for a sum of independent hits with the given chances."""
    return poisson_binomial_log_upper([1.0 - r for r in rates], len(rates) - k)


def _tilt(p: Floats, k: int) -> float:
    """The log odds multiplier under which the mean count is k."""
    logit = np.log(p) - np.log1p(-p)
    low, high = 0.0, 1.0
    while float((1.0 / (1.0 + np.exp(-(logit + high)))).sum()) < k and high < 600.0:
        high *= 2.0
    for _ in range(40):
        middle = (low + high) / 2
        mean = float((1.0 / (1.0 + np.exp(-(logit + middle)))).sum())
        low, high = (middle, high) if mean < k else (low, middle)
    return low


def _convolve(hit: Floats, miss: Floats) -> Floats:
    law = np.zeros(hit.size + 1)
    law[0] = 1.0
    for i, (h, m) in enumerate(zip(hit.tolist(), miss.tolist(), strict=True)):
        moved = law[: i + 1] * h
        law[: i + 1] *= m
        law[1 : i + 2] += moved
    return law
