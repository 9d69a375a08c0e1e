"""Tails of sums of equal laws, and of hits whose chances differ, against enumeration."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from audit.stats import cut_orders, repeated, riffles, sums

LAW = (3, 0, 2, 1)


def exact(times: int) -> dict[int, Fraction]:
    out: Counter[int] = Counter()
    for scores in itertools.product(range(len(LAW)), repeat=times):
        out[sum(scores)] += math.prod(LAW[s] for s in scores)
    return {total: Fraction(ways, sum(LAW) ** times) for total, ways in out.items()}


def test_tails_of_few_scores_are_exact() -> None:
    truth = exact(4)
    for total in range(-1, 14):
        up = sum((p for t, p in truth.items() if t >= total), Fraction(0))
        down = sum((p for t, p in truth.items() if t <= total), Fraction(0))
        for found, wanted in ((repeated.upper, up), (repeated.lower, down)):
            got = found(LAW, 4, total)
            assert got.exact
            assert math.exp(got.log_p) == pytest.approx(float(wanted), rel=1e-12)


def test_a_bound_for_many_scores_lies_above_the_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    truths = {total: repeated.upper(LAW, 100, total).log_p for total in range(90, 301, 15)}
    monkeypatch.setattr(repeated, "MOST_EXACT", 3)
    for total, truth in truths.items():
        got = repeated.upper(LAW, 100, total)
        assert not got.exact
        assert truth <= got.log_p + 1e-9
        # Chernoff's bound of a sum far out is short of the tail by its spread alone.
        assert got.log_p - truth < 6
    assert repeated.upper(LAW, 100, 301).log_p == -math.inf


@pytest.mark.parametrize("size", [3, 5, 6])
def test_laws_of_circles_are_counted(size: int) -> None:
    circles = np.array([(0, *rest) for rest in itertools.permutations(range(1, size))])
    falls = Counter(cut_orders.circular_descents(circles)[0].tolist())
    assert [falls[k] for k in range(1, size)] == list(riffles.eulerian(size - 1))
    steps = (np.roll(circles, -1, axis=1) - circles) % size
    for way in (1, size - 1):
        kept = Counter((steps == way).sum(axis=1).tolist())
        assert [kept[k] for k in range(size + 1)] == list(cut_orders.kept_law(size))


CHANCES = (Fraction(1, 13), Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(1, 50))


def law_of_hits(chances: tuple[Fraction, ...]) -> list[Fraction]:
    out = [Fraction(0)] * (len(chances) + 1)
    for hits in itertools.product((0, 1), repeat=len(chances)):
        out[sum(hits)] += math.prod(
            (p if hit else 1 - p for p, hit in zip(chances, hits, strict=True)), start=Fraction(1)
        )
    return out


@pytest.mark.parametrize("chances", [CHANCES, CHANCES[:1] * 6, CHANCES[:2] * 3])
def test_bounds_of_hits_lie_above_both_tails(chances: tuple[Fraction, ...]) -> None:
    law, n = law_of_hits(chances), len(chances)
    mean = sum(chances, Fraction(0)) / n
    high = [(min(1.0, float(p) * 1.05), 1) for p in chances]
    low = [(float(p) / 1.05, 1) for p in chances]
    for hits in range(n + 1):
        up, down = float(sum(law[hits:])), float(sum(law[: hits + 1]))
        assert up <= math.exp(repeated.hits_upper(n, hits, mean, high)) * (1 + 1e-12)
        assert down <= math.exp(repeated.hits_lower(n, hits, mean, low)) * (1 + 1e-12)
        if hits >= n * mean + 1 and len(set(chances)) == 1:
            assert repeated.hits_upper(n, hits, mean, high) == pytest.approx(math.log(up))


def test_bounds_of_hits_are_no_smaller_than_they_need_be() -> None:
    """A hundred trials of 1/13 and 1/12 with 30 hits: the bound is 3 times the tail at most."""
    chances = [1 / 13] * 50 + [1 / 12] * 50
    truth = sums.poisson_binomial_upper(chances, 30).log_p
    mean = Fraction(50, 13 * 100) + Fraction(50, 12 * 100)
    found = repeated.hits_upper(100, 30, mean, [(0.081, 50), (0.087, 50)])
    assert truth <= found < truth + math.log(3)


def test_what_is_no_law_is_refused() -> None:
    for law in ((), (0, 0), (-1, 2)):
        with pytest.raises(ValueError, match="repeated: law"):
            repeated.upper(law, 2, 1)
