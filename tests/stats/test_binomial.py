"""Binomial tails against sums of fractions."""

import math
from fractions import Fraction
from itertools import product

import pytest

from audit.stats import binomial


def exact_upper(n: int, k: int, p: Fraction) -> Fraction:
    return sum(
        (math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(max(k, 0), n + 1)), Fraction(0)
    )


@pytest.mark.parametrize("p", [Fraction(1, 13), Fraction(1, 2), Fraction(9, 10)])
def test_both_tails_agree_with_sums_of_fractions(p: Fraction) -> None:
    for n in (1, 7, 30):
        for k in range(n + 1):
            upper = exact_upper(n, k, p)
            assert math.exp(binomial.log_upper(n, k, p)) == pytest.approx(float(upper), rel=1e-12)
            lower = 1 - exact_upper(n, k + 1, p)
            assert math.exp(binomial.log_lower(n, k, p)) == pytest.approx(float(lower), rel=1e-12)


def test_tail_below_ten_to_minus_1000_keeps_nine_digits() -> None:
    found = binomial.log_upper(1500, 1200, Fraction(1, 13))
    truth = binomial.log_fraction(exact_upper(1500, 1200, Fraction(1, 13)))
    assert truth < -1000 * math.log(10)
    assert abs(found - truth) < 1e-9


def test_impossible_and_certain_tails() -> None:
    assert binomial.log_upper(5, 6, Fraction(1, 2)) == -math.inf
    assert binomial.log_upper(5, 0, Fraction(1, 2)) == 0.0
    assert binomial.log_upper(5, 5, 1) == 0.0
    assert binomial.log_upper(5, 1, 0) == -math.inf


def test_poisson_binomial_agrees_with_enumeration() -> None:
    rates = [0.05, 0.5, 0.9, 0.25, 1.0, 0.0, 0.125]
    for k in range(9):
        truth = math.fsum(
            math.prod(r if hit else 1 - r for r, hit in zip(rates, hits, strict=True))
            for hits in product((0, 1), repeat=7)
            if sum(hits) >= k
        )
        assert math.exp(binomial.poisson_binomial_log_upper(rates, k)) == pytest.approx(
            truth, rel=1e-12
        )
        below = binomial.poisson_binomial_log_lower(rates, k - 1)
        assert math.exp(below) == pytest.approx(1 - truth, abs=1e-14)


@pytest.mark.parametrize("k", [150, 231, 300, 1000, 2999])
def test_poisson_binomial_of_equal_rates_is_binomial_far_out(k: int) -> None:
    rate = 1 / 13
    found = binomial.poisson_binomial_log_upper([rate] * 3000, k)
    assert found == pytest.approx(binomial.log_upper(3000, k, rate), rel=1e-12, abs=1e-9)


@pytest.mark.parametrize(
    ("k", "low", "high"), [(0, 0.0, 0.308497), (3, 0.066739, 0.652453), (10, 0.691503, 1.0)]
)
def test_clopper_pearson_gives_the_tabled_interval_for_ten_trials(
    k: int, low: float, high: float
) -> None:
    assert binomial.clopper_pearson(10, k) == pytest.approx((low, high), abs=1e-6)


def test_rate_outside_the_unit_interval_is_refused() -> None:
    with pytest.raises(ValueError, match="rate in"):
        binomial.log_pmf(3, 1, 1.5)
