"""Power and error of the rate mixture, by recursion."""

import math
from fractions import Fraction

import numpy as np
import pytest

from audit.stats import evalue, prior, recursion, sequence

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


@pytest.mark.parametrize("rate", [Fraction(1, 13), Fraction(1, 2)])
def test_confidence_sequence_covers_the_rate_at_all_of_forty_looks(rate: Fraction) -> None:
    alive = {0: Fraction(1)}
    for n in range(1, 41):
        moved: dict[int, Fraction] = {}
        for k, mass in alive.items():
            for more, chance in ((0, 1 - rate), (1, rate)):
                moved[k + more] = moved.get(k + more, Fraction(0)) + mass * chance
        ends = {k: sequence.confidence_sequence(k, n, level=Fraction(8, 10)) for k in moved}
        alive = {k: m for k, m in moved.items() if ends[k][0] <= rate <= ends[k][1]}
    assert Fraction(8, 10) <= sum(alive.values()) < 1


def test_confidence_sequence_before_any_deal_is_everything() -> None:
    assert sequence.confidence_sequence(0, 0) == (0.0, 1.0)
    low, high = sequence.confidence_sequence(77, 1000)
    assert 0 < low < 0.077 < high < 0.15
