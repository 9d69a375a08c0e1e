"""Binomial tails against sums of fractions."""

import math
from decimal import Context, Decimal, localcontext
from fractions import Fraction

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


@pytest.mark.parametrize(("n", "p"), [(6_000, Fraction(1, 13)), (60_000, Fraction(1, 2))])
def test_chances_of_long_logs_lose_no_digit(n: int, p: Fraction) -> None:
    for k in (1, n // 40, n // 13, n // 2, n - 1):
        ways = Decimal(math.comb(n, k) * p.numerator**k * (p.denominator - p.numerator) ** (n - k))
        with localcontext(Context(prec=50)):
            truth = ways.ln() - n * Decimal(p.denominator).ln()
        assert binomial.log_pmf(n, k, p) == pytest.approx(float(truth), rel=1e-14)


def test_tails_agree_with_scipy_where_that_is_safe() -> None:
    from scipy import stats

    for n, k, p in (
        (50, 30, 0.25),
        (3_000, 300, 1 / 13),
        (100_000, 50_700, 0.5),
        (9_000, 640, 0.08),
    ):
        law = stats.binom(n, p)
        assert binomial.log_upper(n, k, p) == pytest.approx(law.logsf(k - 1), rel=1e-9)
        assert binomial.log_lower(n, k, p) == pytest.approx(law.logcdf(k), rel=1e-9)


def test_two_sided_is_twice_the_smaller_tail_and_at_most_one() -> None:
    p = Fraction(1, 4)
    for k in range(9):
        smaller = min(exact_upper(8, k, p), 1 - exact_upper(8, k + 1, p))
        found = math.exp(binomial.log_two_sided(8, k, p))
        assert found == pytest.approx(float(min(Fraction(1), 2 * smaller)), rel=1e-12)


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
