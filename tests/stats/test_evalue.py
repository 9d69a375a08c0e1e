"""E-processes: the mean is at most 1 by enumeration, and the power is what the recursion says."""

import math
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from audit.stats import evalue, prior

JACK = Fraction(1, 13)
ATOMS = evalue.rate_atoms(JACK, prior.rate_grid(JACK))


def exact_exp(fixed: int) -> Decimal:
    return (Decimal(fixed) / evalue.SCALE).exp()


@pytest.mark.parametrize(
    ("top", "bottom", "fixed"), [(2, 1, 726817), (1, 2, -726818), (7, 7, 0), (12, 13, -83931)]
)
def test_log_fixed_is_the_floor(top: int, bottom: int, fixed: int) -> None:
    assert evalue.log_fixed(top, bottom) == fixed
    assert exact_exp(fixed) <= Decimal(top) / bottom < exact_exp(fixed + 1)


def test_log_fixed_of_a_hair_above_and_below_one() -> None:
    assert evalue.log_fixed(10**60 + 1, 10**60) == 0
    assert evalue.log_fixed(10**60 - 1, 10**60) == -1


def test_ratio_without_logarithm_is_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        evalue.log_fixed(0, 1)


def test_rate_mixture_has_mean_exactly_one_in_fractions() -> None:
    n, rates = 9, prior.rate_grid(JACK)
    mean = Fraction(0)
    for k in range(n + 1):
        chance = math.comb(n, k) * JACK**k * (1 - JACK) ** (n - k)
        ratios = [(r / JACK) ** k * ((1 - r) / (1 - JACK)) ** (n - k) for r in rates]
        mean += chance * sum(
            (w * x for w, x in zip(prior.WEIGHTS, ratios, strict=True)), Fraction(0)
        )
    assert mean == 1


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(101, 100)])
def test_fixed_point_mixture_has_mean_at_most_one_and_no_slack_for_a_hundredth(
    factor: Fraction,
) -> None:
    n = 12
    counts = np.arange(n + 1)
    logs = np.array([[k * h + (n - k) * m for h, m in ATOMS] for k in counts.tolist()])
    e = evalue.log_mean_exp(logs, prior.WEIGHTS)
    mean = sum(
        (
            math.comb(n, k) * JACK**k * (1 - JACK) ** (n - k) * Fraction(math.exp(e[k]))
            for k in range(n + 1)
        ),
        Fraction(0),
    )
    assert (factor * mean <= 1) == (factor == 1)


def test_mixture_weights_above_one_are_refused() -> None:
    with pytest.raises(ValueError, match="sum at most 1"):
        evalue.log_mean_exp(np.zeros((2, 2)), [Fraction(1, 2), Fraction(2, 3)])


def test_dirichlet_mixture_has_mean_one_over_every_sequence() -> None:
    table = np.array([np.bincount(s, minlength=3) for s in product(range(3), repeat=7)])
    e = np.exp(evalue.dirichlet_uniform(table, concentrations=(2, 24)))
    assert 1 - 1e-9 < e.mean() <= 1 < 1.01 * e.mean()


def test_dirichlet_of_one_concentration_agrees_with_the_product_of_predictions() -> None:
    counts, total = [3, 1, 0, 2], 24
    value, seen = Fraction(1), 0
    for c in counts:
        for i in range(c):
            value *= (Fraction(total, 4) + i) / (total + seen) * 4
            seen += 1
    assert evalue.dirichlet_uniform(counts, concentrations=(total,)) == pytest.approx(
        math.log(value), abs=1e-12
    )


def test_dirichlet_looks_along_the_leading_axis() -> None:
    looks = np.cumsum(np.eye(13, dtype=np.int64)[[0, 5, 0, 0, 2]], axis=0)
    assert evalue.dirichlet_uniform(looks).shape == (5,)
    assert evalue.dirichlet_uniform(np.zeros(13, dtype=np.int64)) == pytest.approx(0.0, abs=1e-12)


def closed_by_trying(e: list[Fraction], alpha: Fraction) -> int:
    total, best = len(e), 0
    subsets = [set(s) for k in range(1, total + 1) for s in combinations(range(total), k)]
    for r in subsets:
        if all(sum(e[i] for i in s) * alpha * len(r) >= len(s & r) * len(s) for s in subsets):
            best = max(best, len(r))
    return best


def test_closed_ebh_finds_the_largest_set_that_passes_every_subset() -> None:
    rng = np.random.default_rng(5)
    found_sizes = set()
    for _ in range(60):
        e = [Fraction(int(v), 7) for v in rng.integers(0, 120, size=5)]
        logs = [math.log(v) if v else -math.inf for v in e]
        found = evalue.closed_ebh(logs, alpha=Fraction(19, 100))
        found_sizes.add(len(found))
        assert len(found) == closed_by_trying(e, Fraction(19, 100))
    assert len(found_sizes) > 2


def test_closed_ebh_survives_huge_and_zero_evidence() -> None:
    assert evalue.closed_ebh([5000.0, -math.inf, -3.0], alpha=Fraction(1, 100)) == (0,)
    assert evalue.closed_ebh([], alpha=Fraction(1, 100)) == ()


def test_holm_adjusts_step_by_step() -> None:
    found = evalue.holm([math.log(p) for p in (0.01, 0.04, 0.03, 0.005)])
    assert [math.exp(x) for x in found] == pytest.approx([0.03, 0.06, 0.06, 0.02])
