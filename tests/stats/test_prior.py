"""Power and error of the rate mixture, by recursion."""

import math
from fractions import Fraction

import numpy as np
import pytest

from audit.stats import evalue, look, prior, recursion

JACK = Fraction(1, 13)
ATOMS = evalue.rate_atoms(JACK, prior.rate_grid(JACK))
MIXTURE = recursion.mixture_log_e(ATOMS, prior.WEIGHTS, evalue.SCALE)
HORIZON = {
    1.25: 22_000,
    1.36: 14_000,
    1.5: 6_000,
    1.75: 4_000,
    2.0: 2_500,
    2.5: 1_500,
    3.0: 1_000,
    3.5: 800,
    3.78: 700,
    3.89: 700,
    4.0: 700,
}


def oracle(rate: Fraction) -> recursion.LogE:
    return recursion.mixture_log_e(evalue.rate_atoms(JACK, [rate]), [Fraction(1)], evalue.SCALE)


def test_weights_sum_to_one_and_rates_ascend() -> None:
    assert sum(prior.WEIGHTS) == 1
    rates = prior.rate_grid(JACK)
    assert rates[0] > JACK
    assert list(rates) == sorted(rates)
    assert all(Fraction(1, 3) < r < 1 for r in prior.rate_grid(Fraction(1, 3)))


def test_worst_ratio_to_the_known_rate_is_at_most_115_hundredths() -> None:
    worst = 0.0
    for times, horizon in HORIZON.items():
        rate = Fraction(str(times)) * JACK
        means = [
            recursion.mean_time(
                rate=float(rate), bounds=recursion.boundary(f, horizon, math.log(1000)), tail=1e-4
            )
            for f in (MIXTURE, oracle(rate))
        ]
        worst = max(worst, means[0] / means[1])
    assert 1.10 < worst <= 1.15


#: What the boundary may be lowered to: `recursion.calibrated` over 22,000 deals finds 787.5.
LOWERED = 788.0


def test_lowered_boundary_keeps_its_level_for_ever_and_little_is_left() -> None:
    def ever(threshold: float) -> float:
        return recursion.ever_crossing(
            fair=1 / 13,
            rates=prior.rate_grid(JACK),
            weights=prior.WEIGHTS,
            bounds=recursion.boundary(MIXTURE, 16_000, math.log(threshold)),
            log_threshold=math.log(threshold),
        )

    assert 0.000998 < ever(LOWERED) <= 0.001 < ever(0.995 * LOWERED)


def test_worst_ratio_at_the_lowered_boundary_is_at_most_112_hundredths() -> None:
    worst = 0.0
    for times in (1.25, 1.5, 2.0, 3.78, 3.89, 4.0):
        rate, horizon = Fraction(str(times)) * JACK, HORIZON[times]
        means = [
            recursion.mean_time(
                rate=float(rate), bounds=recursion.boundary(f, horizon, math.log(t)), tail=1e-4
            )
            for f, t in ((MIXTURE, LOWERED), (oracle(rate), 1000))
        ]
        worst = max(worst, means[0] / means[1])
    assert 1.10 < worst <= 1.12


@pytest.mark.parametrize("level", [0.1, 0.02])
def test_calibrated_boundary_is_lower_and_keeps_its_level(level: float) -> None:
    rates, weights = [Fraction(1, 2), Fraction(3, 4)], [Fraction(1, 3), Fraction(2, 3)]
    fair = Fraction(1, 4)
    mixture = recursion.mixture_log_e(evalue.rate_atoms(fair, rates), weights, evalue.SCALE)
    found = recursion.calibrated(
        mixture, fair=0.25, rates=rates, weights=weights, level=level, horizon=40
    )
    assert -math.log(level) - math.log(2) < found < -math.log(level)
    bounds = recursion.boundary(mixture, 40, found).tolist()
    exact = recursion.crossing_exact(rate=fair, bounds=bounds)
    alive = sum(
        (w * (1 - recursion.crossing_exact(rate=r, bounds=bounds)))
        for r, w in zip(rates, weights, strict=True)
    )
    assert exact + alive * Fraction(math.exp(-found)) <= Fraction(level)


def test_one_look_for_a_doubled_rate_needs_310_deals_and_324_to_be_safe() -> None:
    found = look.deals_needed(
        fair=JACK,
        other=2 * JACK,
        level=Fraction(1, 1000),
        power=Fraction(9, 10),
        horizon=600,
    )
    assert (found.first, found.critical, found.always) == (310, 40, 324)


def test_one_look_agrees_with_sums_of_fractions() -> None:
    fair, other = Fraction(1, 4), Fraction(3, 4)

    def tail(n: int, k: int, p: Fraction) -> Fraction:
        return sum(
            (math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1)), Fraction(0)
        )

    does = []
    for n in range(1, 31):
        k = next(k for k in range(n + 2) if tail(n, k, fair) <= Fraction(1, 20))
        does.append(tail(n, k, other) >= Fraction(9, 10))
    found = look.deals_needed(
        fair=fair, other=other, level=Fraction(1, 20), power=Fraction(9, 10), horizon=30
    )
    assert found.first == 1 + does.index(True)
    assert all(does[found.always - 1 :])
    assert not does[found.always - 2]


def test_too_short_a_horizon_is_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        look.deals_needed(
            fair=JACK,
            other=2 * JACK,
            level=Fraction(1, 1000),
            power=Fraction(9, 10),
            horizon=300,
        )


def test_known_doubled_rate_takes_217_deals() -> None:
    bounds = recursion.boundary(oracle(2 * JACK), 2500, math.log(1000))
    assert recursion.mean_time(rate=2 / 13, bounds=bounds) == pytest.approx(217.2, abs=0.1)


def test_doubled_rate_crosses_160_000_in_time() -> None:
    bounds = recursion.boundary(MIXTURE, 800, math.log(160_000))
    found = recursion.crossing(rate=2 / 13, bounds=bounds)
    assert found[400] >= 0.54
    assert found[800] >= 0.96


@pytest.mark.parametrize("threshold", [20, 1000])
def test_fair_rate_crosses_no_more_often_than_one_in_the_threshold(threshold: int) -> None:
    bounds = recursion.boundary(MIXTURE, 5000, math.log(threshold))
    found = recursion.crossing(rate=1 / 13, bounds=bounds)
    assert 0.2 / threshold < found[-1] <= 1 / threshold


def test_fair_crossing_in_fractions_keeps_within_ville_and_agrees_with_floats() -> None:
    bounds = recursion.boundary(MIXTURE, 60, math.log(20))
    exact = recursion.crossing_exact(rate=JACK, bounds=bounds.tolist())
    assert 0 < exact <= Fraction(1, 20)
    assert recursion.crossing(rate=1 / 13, bounds=bounds)[-1] == pytest.approx(
        float(exact), rel=1e-12
    )


def test_boundary_agrees_with_trying_every_count() -> None:
    bounds = recursion.boundary(MIXTURE, 40, math.log(50))
    for n in range(41):
        counts = np.arange(n + 1)
        over = np.flatnonzero(MIXTURE(counts, np.full(n + 1, n)) >= math.log(50))
        assert bounds[n] == (over[0] if len(over) else n + 1)


def test_short_horizon_is_refused() -> None:
    with pytest.raises(ValueError, match="uncrossed"):
        recursion.mean_time(rate=1 / 13, bounds=recursion.boundary(MIXTURE, 50, math.log(1000)))
