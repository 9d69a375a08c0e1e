"""Bets on orders known up to a cut: every order of five cards, in fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from audit.stats import riffles
from audit.stats.cut_orders import (
    KEPT,
    RIFFLES,
    SOMETIMES,
    circular_descents,
    kept_ratio,
    log_kept,
    log_riffles,
    log_sometimes,
    turned,
)
from audit.stats.evalue import SCALE
from audit.stats.tilt import NEVER

ORDERS = np.array(list(permutations(range(5))))


def test_a_cut_changes_nothing() -> None:
    for depth in range(1, 5):
        cut = np.roll(ORDERS, depth, axis=1)
        assert np.array_equal(log_riffles(cut), log_riffles(ORDERS))
        assert np.array_equal(log_kept(cut), log_kept(ORDERS))
        assert np.array_equal(turned(cut), turned(ORDERS))
        for a, b in zip(circular_descents(cut), circular_descents(ORDERS), strict=True):
            assert np.array_equal(a, b)


def test_descents_of_the_circle_count_rising_sequences_of_every_cut() -> None:
    falls, gap = circular_descents(ORDERS)
    for order, low, high in zip(ORDERS, falls, gap, strict=True):
        rising = riffles.rising_sequences([np.roll(order, d) for d in range(5)]).tolist()
        assert sorted(rising) == [low] * (5 - high) + [low + 1] * high


@pytest.mark.parametrize("k", RIFFLES)
def test_riffles_and_a_cut_are_the_mean_over_every_cut(k: int) -> None:
    logs = log_riffles(ORDERS)[:, k].tolist()
    exact = [riffles.cut_ratio(order, riffles=k) for order in ORDERS]
    assert sum(exact) == len(ORDERS)
    assert sum(exact) * Fraction(101, 100) > len(ORDERS)
    for one, kept in zip(exact, logs, strict=True):
        if one:
            assert 0 <= math.floor(SCALE * math.log(one)) - kept <= 2
        else:
            assert kept == NEVER


@pytest.mark.parametrize("bet", range(len(KEPT)))
def test_bets_on_neighbours_have_mean_exactly_one(bet: int) -> None:
    exact = [kept_ratio(order, *KEPT[bet]) for order in ORDERS]
    assert sum(exact) == len(ORDERS)
    assert sum(exact) * Fraction(101, 100) > len(ORDERS)
    for one, kept in zip(exact, log_kept(ORDERS)[:, bet].tolist(), strict=True):
        assert 0 <= math.floor(SCALE * math.log(one)) - kept <= 1


def test_kept_logarithms_have_mean_at_most_one_and_no_slack_for_a_hundredth() -> None:
    kept = log_kept(ORDERS)
    for logs in (log_riffles(ORDERS), kept, log_sometimes(kept)):
        for column in logs.T.tolist():
            mean = math.fsum(math.exp(v / SCALE) for v in column) / len(ORDERS)
            assert 1 / 1.01 < mean <= 1


def test_bets_that_hold_sometimes_are_the_mean_of_all_and_nothing() -> None:
    kept = log_kept(ORDERS)
    for j, share in enumerate(SOMETIMES):
        for order, found in zip(ORDERS, log_sometimes(kept)[:, j].tolist(), strict=True):
            ratios = [kept_ratio(order, *pair) for pair in KEPT]
            exact = 1 - share + share * sum(ratios, Fraction(0)) / len(KEPT)
            assert -8 <= found - SCALE * math.log(exact) <= 0


def test_a_slug_of_nine_cards_is_worth_a_million_in_one_deal() -> None:
    order = np.random.Generator(np.random.PCG64(1)).permutation(52)
    rest = [c for c in order.tolist() if not 20 <= c < 29]
    slug = [[*rest[:17], *range(20, 29), *rest[17:]]]
    assert log_kept(slug).max() / SCALE > math.log(10**6)
    assert log_kept([order]).max() / SCALE < math.log(20)
