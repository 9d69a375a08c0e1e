"""Tails of sums of independent scores against enumeration, with the proved error held to."""

import math
import subprocess
import sys
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from audit.stats import sums
from audit.stats.tail import Tail, log_add, two_sided

CONTEXT = Context(prec=60)


def log_of(value: Fraction) -> Decimal:
    with localcontext(CONTEXT):
        return Decimal(value.numerator).ln() - Decimal(value.denominator).ln()


def holds(found: Tail, truth: Fraction) -> bool:
    """Whether the proved error holds, with nothing taken off for the check's own arithmetic."""
    with localcontext(CONTEXT):
        off = (Decimal(found.log_p) - log_of(truth)).exp() - 1
    return abs(off) <= Decimal(found.error)


def law_of_sum(laws: list[list[Fraction]]) -> list[Fraction]:
    whole = [Fraction(1)]
    for law in laws:
        more = [Fraction(0)] * (len(whole) + len(law) - 1)
        for i, a in enumerate(whole):
            for j, b in enumerate(law):
                more[i + j] += a * b
        whole = more
    return whole


def test_hits_agree_with_every_outcome() -> None:
    rates = [0.05, 0.5, 0.9, 0.25, 1.0, 0.0, 0.125]
    exact = [Fraction(r) for r in rates]
    for k in range(-1, 9):
        truth = sum(
            (
                math.prod((r if hit else 1 - r for r, hit in zip(exact, hits, strict=True)))
                for hits in product((0, 1), repeat=7)
                if sum(hits) >= k
            ),
            Fraction(0),
        )
        found = sums.poisson_binomial_upper(rates, k)
        assert math.exp(found.log_p) == pytest.approx(float(truth), rel=1e-13)
        below = sums.poisson_binomial_lower(rates, k - 1)
        assert math.exp(below.log_p) == pytest.approx(float(1 - truth), rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("seed", range(4))
def test_proved_error_holds_for_unequal_laws_at_every_sum(seed: int) -> None:
    words = np.random.PCG64(seed).random_raw(40 * 4).reshape(40, 4)
    table = np.asarray((words >> np.uint64(44)).astype(np.float64))
    table[::5, seed] = 0.0
    table[1::7, 0] = 1e9
    laws = [[Fraction(x) / sum(map(Fraction, row)) for x in row] for row in table.tolist()]
    law = law_of_sum(laws)
    for total in range(0, 121, 7):
        up, down = sums.upper(table, total), sums.lower(table, total)
        above, below = sum(law[total:], Fraction(0)), sum(law[: total + 1], Fraction(0))
        for found, truth in ((up, above), (down, below)):
            assert found.error < 1e-11
            assert found.log_p == -math.inf if truth == 0 else holds(found, truth)


@pytest.mark.parametrize("k", [150, 231, 300, 1000, 2999])
def test_three_thousand_hits_keep_their_proved_digits_below_ten_to_minus_3000(k: int) -> None:
    ways = sum(math.comb(3000, i) * 15 ** (3000 - i) for i in range(k, 3001))
    found = sums.poisson_binomial_upper([1 / 16] * 3000, k)
    assert holds(found, Fraction(ways, 16**3000))
    assert found.error < 1e-11
    assert found.log_p > -math.inf


def test_rates_of_any_size_are_taken() -> None:
    rates = [1e-300, 1e-18, 0.5, 1.0 - 2.0**-53]
    exact = [Fraction(r) for r in rates]
    law = law_of_sum([[1 - p, p] for p in exact])
    for k in range(1, 5):
        assert holds(sums.poisson_binomial_upper(rates, k), sum(law[k:], Fraction(0)))
        assert holds(sums.poisson_binomial_lower(rates, k - 1), sum(law[:k], Fraction(0)))


def test_hits_agree_with_scipy_where_that_is_safe() -> None:
    from scipy import stats

    rates = ((np.random.PCG64(3).random_raw(400) >> np.uint64(12)) * 2.0**-54).tolist()
    law = stats.poisson_binom(rates)
    for k in (60, 100, 120, 150):
        found = math.exp(sums.poisson_binomial_upper(rates, k).log_p)
        assert found == pytest.approx(law.sf(k - 1), rel=1e-9, abs=1e-13)


def test_impossible_and_certain_sums() -> None:
    assert sums.upper([[1, 0, 3]], 3).log_p == -math.inf
    assert sums.upper([[0, 0, 3]], 2).log_p == 0.0
    assert sums.poisson_binomial_upper([], 0).log_p == 0.0
    assert sums.poisson_binomial_upper([], 1).log_p == -math.inf
    assert sums.poisson_binomial_lower([0.5], -1).log_p == -math.inf


@pytest.mark.parametrize("laws", [[[0, 0]], [[1, -1]], [[1, math.inf]], [1, 2]])
def test_what_is_no_law_is_refused(laws: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="wanted"):
        sums.upper(laws, 1)


def test_two_sided_is_capped_at_one() -> None:
    assert two_sided(math.log(0.7), math.log(0.6)) == 0.0
    assert two_sided(-3000.0, 0.0) == pytest.approx(math.log(2) - 3000.0, rel=1e-15)


def test_sums_of_logs_far_below_any_float() -> None:
    assert log_add([-3000.0, -3000.0]) == pytest.approx(math.log(2) - 3000.0, rel=1e-15)
    assert log_add([]) == log_add([-math.inf]) == -math.inf


def test_no_kernel_imports_scipy_at_start_up() -> None:
    program = (
        "import sys, pkgutil, importlib, audit.stats as s\n"
        "for m in pkgutil.iter_modules(s.__path__):\n"
        "    importlib.import_module('audit.stats.' + m.name)\n"
        "sys.exit(any(m.split('.')[0] == 'scipy' for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
