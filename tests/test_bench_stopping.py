"""The page on ways to look holds, where it can be worked out again in moments."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from audit.stats.recursion import crossing
from tests import bench_stopping as page

TEXT = page.REPORT.read_text(encoding="utf-8")
ROWS = {
    cells[0]: cells[1:]
    for line in TEXT.splitlines()
    if line.startswith("| ")
    for cells in [[cell.strip() for cell in line.strip("|").split("|")]]
}
TWICE = 2 * page.MULTIPLES.index(Fraction(2))


def _naive(rate: Fraction, level: Fraction, deals: int) -> float:
    """Return the chance that some prefix has an exact tail of at most *level*, in fractions."""
    alive, crossed = {0: Fraction(1)}, Fraction(0)
    for n in range(1, deals + 1):
        moved: dict[int, Fraction] = {}
        for hits, mass in alive.items():
            moved[hits] = moved.get(hits, Fraction(0)) + mass * (1 - rate)
            moved[hits + 1] = moved.get(hits + 1, Fraction(0)) + mass * rate
        tail = Fraction(0)
        over = n + 1
        for k in range(n, -1, -1):
            tail += math.comb(n, k) * page.FAIR**k * (1 - page.FAIR) ** (n - k)
            if tail > level:
                break
            over = k
        crossed += sum((m for h, m in moved.items() if h >= over), Fraction(0))
        alive = {h: m for h, m in moved.items() if h < over}
    return float(crossed)


def test_bounds_of_the_repeated_test_agree_with_sums_of_fractions() -> None:
    bounds = page.repeated_binomial(0.01, 40)
    for n in (10, 25, 40):
        wanted = _naive(page.FAIR, Fraction(1, 100), n)
        assert crossing(rate=1 / 13, bounds=bounds)[n] == pytest.approx(wanted, rel=1e-9)


def test_the_estimator_agrees_with_its_formula_deal_by_deal() -> None:
    hits = np.array([[True, False, False, True, True, False]])
    eta, c, d, fair = 0.3, 0.02, 7.0, 1 / 13
    log, total = 0.0, 0
    for j, hit in enumerate(hits[0], start=1):
        off = c / math.sqrt(d + j - 1)
        guess = min(max((d * eta + total) / (d + j - 1), fair + off), 1 - off)
        log += math.log(guess / fair if hit else (1 - guess) / (1 - fair))
        total += hit
    assert page.shrink_trunc(hits, eta, c, d)[0, -1] == pytest.approx(log, rel=1e-12)


@pytest.mark.parametrize("eta", [2 / 13, 0.9])
def test_the_estimator_has_mean_one_over_every_fair_log(eta: float) -> None:
    every = np.array(list(product([False, True], repeat=10)))
    chance = np.where(every, 1 / 13, 12 / 13).prod(axis=1)
    e = np.exp(page.shrink_trunc(every, eta, 1 / 26, 10))
    assert chance @ e == pytest.approx(np.ones(10), rel=1e-9)


def test_the_rows_that_are_exact_stand_as_published() -> None:
    twice = Fraction(2)
    mean, late = page.exact(page.known(twice), twice)
    assert ROWS["rate known"][TWICE : TWICE + 2] == [f"{mean:.1f}", str(late)]
    assert f"{mean:.1f}" == "217.2"
    for way in page.ways():
        if way.bounds is None:
            continue
        mean, late = page.figures(way, twice, 0)
        assert ROWS[way.name][TWICE : TWICE + 2] == [f"{mean:.1f}", str(late)], way.name
        assert ROWS[way.name][-3:] == [f"{share:.5f}" for share in page.alarms(way, 0)], way.name


def test_ours_is_near_the_best_at_every_rate_and_the_others_are_not() -> None:
    worst = {
        name: float(cells[-4].removeprefix("over "))
        for name, cells in ROWS.items()
        if name not in ("way", "rate known")
    }
    assert worst["fairdeal, alone"] <= 1.15
    assert worst["fairdeal, alone, calibrated"] <= 1.12
    assert all(r > 1.2 for name, r in worst.items() if name.startswith("shrink_trunc"))
    for name, cells in ROWS.items():
        if name.startswith("fairdeal"):
            assert float(cells[-1]) <= 1e-3
        elif name.startswith("naive"):
            assert float(cells[-1]) > 10 * float(name.split()[-1]) > 0


def test_a_small_simulation_lands_near_the_published_mean() -> None:
    way = next(w for w in page.ways() if w.name == "shrink_trunc, eta 2/13, d 10")
    assert way.tuned
    found = page.simulated(way.tuned, 2 * page.FAIR, 2000, 7, logs=600)
    assert (found <= 2000).all()
    published = float(ROWS[way.name][TWICE])
    # Seven standard errors of both: a budget below 1e-9.
    assert abs(found.mean() - published) < 7 * 125 * math.sqrt(1 / 600 + 1 / page.LOGS)
