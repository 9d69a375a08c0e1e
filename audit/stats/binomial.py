"""Binomial tails keep their relative accuracy down to 10^-1000 and below.

Everything is a natural logarithm.  A tail is one point chance times a series of
positive ratios, so nothing cancels.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from audit.stats.tail import two_sided

_EXACT_UP_TO = 5_000
Rate = Fraction | float


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
    if n > _EXACT_UP_TO and 0 < k < n and 0 < p < 1:
        return _log_pmf_long(n, k, p)
    hit = k * log_fraction(p) if k else 0.0
    miss = (n - k) * log_fraction(1 - p) if n - k else 0.0
    return log_comb(n, k) + hit + miss


def _log_pmf_long(n: int, k: int, p: Fraction) -> float:
    """The same without sums of large logarithms that cancel: its error is a few roundings.

    Source: Loader, Fast and accurate computation of binomial probabilities (2000).
    """
    far = -_deviance(k, n * p) - _deviance(n - k, n * (1 - p))
    near = _stirling(n) - _stirling(k) - _stirling(n - k)
    return far + near + 0.5 * math.log(n / (2 * math.pi * k * (n - k)))


def _deviance(x: int, mean: Fraction) -> float:
    """x ln(x / mean) + mean - x, by a series of positive terms where both are close."""
    gap = float(x - mean)
    v = float((x - mean) / (x + mean))
    if abs(v) >= 0.1:
        return x * log_fraction(x / mean) - gap
    total, power, j = gap * v, 2 * x * v, 1
    while True:
        power *= v * v
        more = total + power / (2 * j + 1)
        if more == total:
            return total
        total, j = more, j + 1


@lru_cache(maxsize=4096)
def _stirling(n: int) -> float:
    """ln n! less Stirling's (n + 1/2) ln n - n + ln(2 pi) / 2."""
    if n <= 15:
        return math.log(math.factorial(n)) - (
            (n + 0.5) * math.log(n) - n + 0.5 * math.log(2 * math.pi)
        )
    square = 1.0 / (n * n)
    inner = 1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - square * (691 / 360360)))
    return (1 / 12 - square * (1 / 360 - square * inner)) / n


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


def log_two_sided(n: int, k: int, rate: Rate) -> float:
    """ln of twice the smaller of P(X <= k) and P(X >= k), at most 0."""
    return two_sided(log_lower(n, k, rate), log_upper(n, k, rate))


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
