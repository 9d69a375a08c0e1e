"""Confidence sequences cover the truth at every look, by recursion."""

import math
from fractions import Fraction

import pytest

from audit.stats import sequence


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


@pytest.mark.parametrize("times", [Fraction(1), Fraction(3), Fraction(1, 3)])
def test_sequence_of_odds_covers_them_at_all_of_twenty_looks(times: Fraction) -> None:
    fair = (Fraction(1, 13), Fraction(1, 3))
    level = Fraction(8, 10)
    alive = {(0, 0): 1.0}
    for n in range(20):
        which = n % 2
        p = fair[which]
        hit = float(p * times / (1 - p + p * times))
        moved: dict[tuple[int, int], float] = {}
        for counts, mass in alive.items():
            for more, chance in ((0, 1 - hit), (1, hit)):
                after = (
                    (counts[0] + more, counts[1]) if not which else (counts[0], counts[1] + more)
                )
                moved[after] = moved.get(after, 0.0) + mass * chance
        done = (n // 2 + 1, (n + 1) // 2)
        alive = {}
        for counts, mass in moved.items():
            if mass > 1e-12:
                low, high = sequence.odds_sequence(
                    [(f, k, d) for f, k, d in zip(fair, counts, done, strict=True)], level=level
                )
                if low <= times <= high:
                    alive[counts] = mass
    assert 0.8 <= math.fsum(alive.values()) < 0.999


def test_sequence_of_odds_with_one_fair_chance_is_a_sequence_of_the_rate() -> None:
    p = Fraction(1, 13)
    low, high = sequence.odds_sequence([(p, 154, 1000)])
    rates = [float(p) * t / (1 - float(p) + float(p) * t) for t in (low, high)]
    assert rates == pytest.approx(sequence.confidence_sequence(154, 1000), abs=0.004)
    assert low > 1.5


def test_sequence_of_odds_of_a_million_deals_is_narrow() -> None:
    low, high = sequence.odds_sequence([(Fraction(1, 13), 76_923, 1_000_000)])
    assert 0.98 < low < 1 < high < 1.02


def test_mixture_of_odds_agrees_with_a_fine_sum() -> None:
    rows = [(1 / 13, 40), (1 / 3, 5)]

    def log_lr(x: float) -> float:
        return 9 * x - sum(n * math.log1p(p * math.expm1(x)) for p, n in rows)

    fine = math.fsum(
        math.exp(log_lr(x / 1000) - (x / 1000) ** 2 / 2) for x in range(-12_000, 12_001)
    )
    truth = math.log(fine / 1000 / math.sqrt(2 * math.pi))
    assert sequence._log_normal_mean(log_lr, rows) == pytest.approx(truth, abs=1e-9)


def test_odds_that_nothing_refutes_are_open_ended() -> None:
    assert sequence.odds_sequence([]) == (0.0, math.inf)
    assert sequence.odds_sequence([(Fraction(1, 2), 0, 30)])[0] == 0.0
    assert sequence.odds_sequence([(Fraction(1, 2), 30, 30)])[1] == math.inf
    with pytest.raises(ValueError, match="chance in"):
        sequence.odds_sequence([(Fraction(1), 1, 1)])
