"""Power, explanation and refutation for trials of different chances, against enumeration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from audit.stats import odds, sequence
from audit.stats.chances import BINS
from audit.stats.evalue import SCALE
from audit.stats.recursion import boundary, crossing, mean_time
from audit.stats.tilt import NEVER, hit_and_miss

CHANCES = [Fraction(1, 4), Fraction(1, 4), Fraction(1, 4), Fraction(2, 5), Fraction(2, 5)]
TRIALS = odds.trials([(Fraction(1, 4), 3), (Fraction(2, 5), 2)])
ODDS = (2, 8, None)
WEIGHTS = [Fraction(1, 3)] * 3


def outcomes() -> list[tuple[int, ...]]:
    return list(product((0, 1), repeat=len(CHANCES)))


def chance(row: tuple[int, ...], multiple: Fraction) -> Fraction:
    out = Fraction(1)
    for hit, p in zip(row, CHANCES, strict=True):
        q = p * multiple / (1 - p + p * multiple)
        out *= q if hit else 1 - q
    return out


def test_the_evidence_is_that_of_the_bets_laid_one_by_one() -> None:
    for row in outcomes():
        total = 0.0
        for t, w in zip(ODDS, WEIGHTS, strict=True):
            log = 0.0
            for hit, p in zip(row, CHANCES, strict=True):
                pair = (float(-math.log(p)) * SCALE, NEVER) if t is None else hit_and_miss(p, t)
                log += pair[0 if hit else 1] / SCALE
            total += float(w) * math.exp(log)
        got = odds.log_evidence(TRIALS, sum(row), ODDS, WEIGHTS)
        assert got <= math.log(total)
        assert got == pytest.approx(math.log(total), abs=1e-4)


@pytest.mark.parametrize("multiple", [Fraction(1), Fraction(3), Fraction(1, 2), Fraction(40)])
def test_the_law_of_hits_is_that_of_all_outcomes(multiple: Fraction) -> None:
    for least in range(7):
        want = sum((chance(r, multiple) for r in outcomes() if sum(r) >= least), Fraction(0))
        assert odds.reaches(TRIALS, float(multiple), least) == pytest.approx(float(want), abs=1e-12)


def test_the_law_of_many_hits_agrees_with_scipy() -> None:
    for n, p, hits in ((5000, 0.03, 170), (200_000, 0.9, 180_100), (90, 0.5, 60)):
        got = odds.reaches(odds.trials([(p, n)]), 1.0, hits)
        assert got == pytest.approx(float(binom(n, p).sf(hits - 1)), abs=1e-9)


def test_the_smallest_multiple_is_seen_with_nine_tenths_and_a_smaller_one_is_not() -> None:
    many, bar = odds.trials([(Fraction(1, 10), 60), (Fraction(1, 17), 300)]), math.log(4000)
    got = odds.smallest_multiple(many, (2, 4, 8), WEIGHTS, bar)
    assert got is not None
    least = odds.needed(many, (2, 4, 8), WEIGHTS, bar)
    assert odds.log_evidence(many, least, (2, 4, 8), WEIGHTS) >= bar
    assert odds.log_evidence(many, least - 1, (2, 4, 8), WEIGHTS) < bar
    assert odds.reaches(many, got, least) >= 0.9
    assert odds.reaches(many, got / odds.FACTOR - 0.011, least) < 0.9
    few = odds.trials([(Fraction(1, 10), 4)])
    assert odds.smallest_multiple(few, (2,), [Fraction(1)], bar) is None
    sure = [Fraction(1)]
    assert odds.smallest_multiple(few, (None,), sure, math.log(9_000)) is not None
    nearly = odds.trials([(Fraction(1, 10**13), 3)])
    assert odds.smallest_multiple(nearly, (None,), sure, 80.0) == math.inf


def test_chances_that_are_known_within_bounds_never_promise_too_much() -> None:
    n = np.array([200])
    wide = odds.Trials(low=np.array([0.1]), high=np.array([0.11]), number=n)
    bar = math.log(1000)
    found = [
        odds.smallest_multiple(t, (2, 4), [Fraction(1, 2)] * 2, bar)
        for t in (wide, odds.trials([(0.1, 200)]), odds.trials([(0.11, 200)]))
    ]
    assert all(x is not None for x in found)
    assert found[0] is not None
    assert found[0] > max(x for x in found[1:] if x is not None)


def binned(chances: Sequence[float]) -> odds.Trials:
    """Return *chances* known by the step at or above each, and by their sum."""
    which, number = np.unique(np.searchsorted(BINS, chances), return_counts=True)
    low, whole = np.append(BINS[0] / 2, BINS[:-1]), math.fsum(chances)
    return odds.Trials(low=low[which], high=BINS[which], number=number, sums=(whole, whole))


@pytest.mark.parametrize("seed", range(12))
def test_the_sum_of_the_chances_promises_no_more_than_the_chances(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chances = rng.choice([0.02, 0.1, 0.31, 0.5, 0.52, 0.9], 30, p=rng.dirichlet([1] * 6)).tolist()
    known, told = odds.trials([(p, 1) for p in chances]), binned(chances)
    for hits in (0, 5, 15, 29, 30):
        args = hits, (2, 4, 16, None), [Fraction(1, 4)] * 4
        assert odds.log_evidence(told, *args) <= odds.log_evidence(known, *args) + 1e-9
        for multiple in (1.5, 4.0, 50.0):
            exact = odds.reaches(known, multiple, hits)
            assert odds.reaches(told, multiple, hits) <= exact + 2e-9


def test_chances_that_are_one_are_as_good_as_known() -> None:
    # Forty even chances, told as between .481 and .505, once took 23.4 times the odds.
    args = (2, 4, 16, None), [Fraction(1, 4)] * 4, math.log(1000 * 512)
    known = odds.smallest_multiple(odds.trials([(0.5, 40)]), *args)
    told = odds.smallest_multiple(binned([0.5] * 40), *args)
    assert known == told == 15.4


def test_left_out_misses_are_the_fewest_that_explain() -> None:
    hit, miss = hit_and_miss(Fraction(1, 10), 4)
    logs = np.array([[6 * hit], [9 * hit + miss]])
    bar = math.log(1000)
    m = odds.least_left_out(logs, [miss], [Fraction(1)], bar)
    assert m is not None
    assert m > 0
    assert (logs / SCALE + m * miss / SCALE < bar).all()
    assert not (logs / SCALE + (m - 1) * miss / SCALE < bar).all()
    assert odds.least_left_out(logs, [0.0], [Fraction(1)], bar) is None


def test_the_bet_against_a_multiple_has_mean_one_there_and_less_above() -> None:
    for t in (Fraction(3, 2), Fraction(2), Fraction(5)):
        means = []
        for truth in (t, t + 1, 2 * t):
            mean = 0.0
            for row in outcomes():
                value = math.exp(odds.log_against(TRIALS, sum(row))(float(t)))
                mean += float(chance(row, truth)) * value
            means.append(mean)
        assert means[0] == pytest.approx(1.0, abs=1e-12)
        assert means[2] < means[1] < 1


def test_what_is_refuted_is_refuted_all_above() -> None:
    many = odds.trials([(Fraction(1, 13), 200)])
    log_e = odds.log_against(many, 14)
    got = odds.refuted(log_e, 1.0, 1e6, math.log(1000))
    assert got is not None
    grid = np.exp(np.linspace(0, 13, 400))
    assert all((log_e(x) >= math.log(1000)) == (x >= got) for x in grid if abs(x - got) > 1e-4)
    assert odds.refuted(odds.log_against(many, 200), 1.0, 1e6, math.log(1000)) is None


@pytest.mark.parametrize(("to_one", "deals"), [(10, 87.3), (1000, 257.5)])
def test_an_honest_dealer_is_cleared_of_twice_the_jacks_in_so_many_deals(
    to_one: int, deals: float
) -> None:
    """Wald's test of two known rates, by recursion: the misses are what raises the evidence."""
    fair = 1 / 13

    def log_e(misses: NDArray[np.int64], seen: NDArray[np.int64]) -> NDArray[np.float64]:
        miss, hit = math.log((1 - fair) / (1 - 2 * fair)), -math.log(2)
        return np.asarray(misses * miss + (seen - misses) * hit)

    bounds = boundary(log_e, 3000, math.log(to_one))
    assert mean_time(rate=1 - fair, bounds=bounds) == pytest.approx(deals, abs=0.05)
    assert crossing(rate=1 - 2 * fair, bounds=bounds)[-1] < 1 / to_one


def test_the_share_of_the_fair_chances_is_covered_at_every_look() -> None:
    """All records of five deals: what Ville promises is never broken by more than its level."""
    p, level = Fraction(1, 2), Fraction(3, 4)
    for share in (Fraction(1), Fraction(1, 2), Fraction(1, 10)):
        missed = Fraction(0)
        for row in product((0, 1), repeat=5):
            out = False
            for n in range(1, 6):
                low, high = sequence.share_sequence([(p, sum(row[:n]), n)], level=level)
                out |= not low <= share <= high
            if out:
                k = sum(row)
                missed += (share * p) ** k * (1 - share * p) ** (5 - k)
        assert missed <= 1 - level


def test_shares_close_in_and_wrong_counts_are_refused() -> None:
    low, high = sequence.share_sequence([(Fraction(1, 4), 500, 4000), (Fraction(1, 2), 50, 200)])
    assert low < 0.5 < high
    assert high - low < 0.15
    assert sequence.share_sequence([(Fraction(1, 2), 0, 400)])[0] == 0.0
    assert sequence.share_sequence([(Fraction(1, 2), 0, 400)])[1] < 0.05
    assert sequence.share_sequence([(Fraction(1, 2), 0, 0)]) == (0.0, 1.0)
    with pytest.raises(ValueError, match="share_sequence"):
        sequence.share_sequence([(Fraction(1, 2), 2, 1)])
