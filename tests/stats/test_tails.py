"""Exact tails against every case of small ones, far tails against whole numbers."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest

from audit.lab._random import Words
from audit.stats import fisher, hand, hypergeometric, multinomial, ranks, successions
from audit.stats.evalue import SCALE
from audit.stats.tail import Tail
from tests._checks import budget
from tests.stats import _shuffles as shuffles
from tests.stats.test_sums import holds, law_of_sum

ORDERS = list(permutations(range(6)))


def same(found: float, truth: Fraction) -> bool:
    """Whether ln of a chance is right to twelve digits, minus infinity only where it is none."""
    if truth == 0:
        return found == -math.inf
    return math.exp(found) == pytest.approx(float(truth), rel=1e-12)


def within(found: Tail, truth: Fraction) -> bool:
    return found.log_p == -math.inf if truth == 0 else holds(found, truth)


@pytest.mark.parametrize(("trials", "cells"), [(6, 3), (7, 4), (8, 2), (5, 5)])
def test_fullest_cell_agrees_with_every_sequence(trials: int, cells: int) -> None:
    fullest = Counter(max(Counter(s).values()) for s in product(range(cells), repeat=trials))
    for m in range(trials + 2):
        above = Fraction(sum(v for k, v in fullest.items() if k >= m), cells**trials)
        assert within(multinomial.max_count(m, trials=trials, cells=cells), above)
        below = Fraction(sum(v for k, v in fullest.items() if k <= m), cells**trials)
        assert within(multinomial.max_at_most(m, trials=trials, cells=cells), below)


def sequences_at_most(most: int, trials: int, cells: int) -> Fraction:
    """The chance that no cell has more than *most*, from whole numbers: N! [x^N] (sum x^j/j!)^K."""
    unit = math.factorial(trials)
    one = [unit // math.factorial(j) if j <= most else 0 for j in range(trials + 1)]
    whole, scale = [1, *[0] * trials], 1
    for _ in range(cells):
        whole = [
            sum(whole[i] * one[n - i] for i in range(max(0, n - most), n + 1))
            for n in range(trials + 1)
        ]
        scale *= unit
    return Fraction(whole[trials] * unit, scale * cells**trials)


@pytest.mark.parametrize("most", [8, 9, 12, 15, 20, 30, 44])
def test_fullest_of_thirteen_cells_keeps_its_proved_digits(most: int) -> None:
    below = sequences_at_most(most, 100, 13)
    assert within(multinomial.max_at_most(most, trials=100, cells=13), below)
    found = multinomial.max_count(most + 1, trials=100, cells=13)
    assert within(found, 1 - below)
    assert found.error < 1e-9


@pytest.mark.parametrize("most", [15, 17, 20])
def test_the_sum_of_the_cells_tails_holds_its_proved_error(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(multinomial, "_MOST_TRIALS", 50)
    found = multinomial.max_count(most + 1, trials=100, cells=13)
    assert within(found, 1 - sequences_at_most(most, 100, 13))
    assert 1e-6 < found.error < 0.5


def test_fullest_cell_far_out_keeps_nine_digits_below_ten_to_minus_1000() -> None:
    found = multinomial.max_count(4_000, trials=10_000, cells=52)
    assert found.log_p < -1000 * math.log(10)
    assert found.error < 1e-9


def test_counts_too_even_are_told_far_out() -> None:
    found = multinomial.max_at_most(193, trials=10_000, cells=52)
    truth = math.lgamma(10_001) - 16 * math.lgamma(193) - 36 * math.lgamma(194)
    truth -= 10_000 * math.log(52)
    assert truth < found.log_p < -100
    assert found.error < 1e-8
    with pytest.raises(ValueError, match="at most 20000"):
        multinomial.max_at_most(400, trials=20_001, cells=52)


def test_one_trial_a_cell_is_a_permutation() -> None:
    found = multinomial.max_at_most(1, trials=52, cells=52)
    truth = math.lgamma(53) - 52 * math.log(52)
    assert found.log_p == pytest.approx(truth, rel=1e-12)


@pytest.mark.parametrize(("population", "marked", "drawn"), [(8, 3, 4), (7, 7, 3), (9, 6, 5)])
def test_hypergeometric_tails_count_every_hand(population: int, marked: int, drawn: int) -> None:
    hands = [sum(c < marked for c in h) for h in combinations(range(population), drawn)]
    size = {"population": population, "marked": marked, "drawn": drawn}
    for x in range(-1, drawn + 2):
        up = Fraction(sum(h >= x for h in hands), len(hands))
        down = Fraction(sum(h <= x for h in hands), len(hands))
        assert same(hypergeometric.log_upper(x, **size), up)
        assert same(hypergeometric.log_lower(x, **size), down)
        if x in hands:
            both = min(Fraction(1), 2 * min(up, down))
            assert same(hypergeometric.log_two_sided(x, **size), both)


def test_hypergeometric_agrees_with_scipy_and_goes_beyond_it() -> None:
    from scipy import stats

    size = {"population": 4_000, "marked": 1_300, "drawn": 900}
    law = stats.hypergeom(4_000, 1_300, 900)
    for x in (250, 293, 340):
        assert hypergeometric.log_upper(x, **size) == pytest.approx(law.logsf(x - 1), rel=1e-9)
    far = hypergeometric.log_upper(900, population=9_000, marked=900, drawn=900)
    assert far == pytest.approx(-math.log(math.comb(9_000, 900)), rel=1e-14)
    assert far < -1000 * math.log(10)


def test_joint_counts_and_fullest_kind_count_every_hand() -> None:
    kinds = (3, 2, 4)
    pack = [k for k, m in enumerate(kinds) for _ in range(m)]
    hands = Counter(tuple(Counter(h)[k] for k in range(3)) for h in combinations(pack, 4))
    every = math.comb(9, 4)
    for counts, ways in hands.items():
        assert hypergeometric.joint(counts, kinds=kinds) == Fraction(ways, every)
    for m in range(6):
        truth = Fraction(sum(v for c, v in hands.items() if max(c) >= m), every)
        assert same(hypergeometric.log_fullest(m, kinds=kinds, drawn=4), truth)
    assert hypergeometric.joint((4, 0, 0), kinds=kinds) == 0
    with pytest.raises(ValueError, match="each kind"):
        hypergeometric.joint((1, 1), kinds=kinds)


def matchings(table: list[list[int]]) -> Counter[tuple[tuple[int, ...], ...]]:
    """How often each table comes when row labels are dealt to fixed columns in every order."""
    rows = [i for i, row in enumerate(table) for _ in range(sum(row))]
    columns = [j for j, col in enumerate(zip(*table, strict=True)) for _ in range(sum(col))]
    seen: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for order in permutations(rows):
        cells = Counter(zip(order, columns, strict=True))
        seen[
            tuple(tuple(cells[i, j] for j in range(len(table[0]))) for i in range(len(table)))
        ] += 1
    return seen


def test_fisher_counts_every_matching_of_two_by_two() -> None:
    seen = matchings([[3, 1], [1, 3]])
    every = sum(seen.values())
    for (a, b), (c, d) in seen:
        up = Fraction(sum(v for t, v in seen.items() if t[0][0] >= a), every)
        down = Fraction(sum(v for t, v in seen.items() if t[0][0] <= a), every)
        table = ((a, b), (c, d))
        assert same(fisher.log_upper(table), up)
        assert same(fisher.log_lower(table), down)
        assert same(fisher.log_two_sided(table), min(Fraction(1), 2 * min(up, down)))


def test_fisher_agrees_with_scipy_where_that_is_safe() -> None:
    from scipy import stats

    table = ((30, 970), (60, 940))
    found = math.exp(fisher.log_lower(table))
    assert found == pytest.approx(stats.fisher_exact(np.array(table), "less").pvalue, rel=1e-9)


@pytest.mark.parametrize("size", [1, 2, 5, 7])
def test_successions_count_every_order(size: int) -> None:
    orders = list(permutations(range(size)))
    seen = Counter(successions.successions(orders).tolist())
    assert successions.law(size) == tuple(seen[s] for s in range(size))
    for s in range(-1, size + 1):
        up = Fraction(sum(v for k, v in seen.items() if k >= s), len(orders))
        down = Fraction(sum(v for k, v in seen.items() if k <= s), len(orders))
        assert same(successions.log_upper(s, size=size), up)
        assert same(successions.log_lower(s, size=size), down)


def test_eight_successions_in_a_pack_are_about_as_rare_as_poisson_with_mean_51_of_52() -> None:
    mean = 51 / 52
    poisson = math.exp(-mean) * math.fsum(mean**k / math.factorial(k) for k in range(8, 40))
    assert math.exp(successions.log_upper(8, size=52)) == pytest.approx(poisson, rel=0.1)
    assert successions.log_upper(51, size=52) == pytest.approx(-math.lgamma(53), rel=1e-14)


@pytest.mark.parametrize("odds", successions.ODDS)
def test_bets_on_the_next_label_have_mean_exactly_one(odds: int) -> None:
    mean = sum((successions.ratio(o, odds=odds) for o in ORDERS), Fraction(0)) / len(ORDERS)
    assert mean == 1 < mean * Fraction(101, 100)


def test_kept_bets_on_the_next_label_are_just_below_the_exact_ones() -> None:
    found = successions.log_ratios(ORDERS)
    for order, row in zip(ORDERS, found.tolist(), strict=True):
        for odds, kept in zip(successions.ODDS, row, strict=True):
            exact = math.log(successions.ratio(order, odds=odds)) * SCALE
            assert exact - 6 <= kept <= exact


def slugs(seed: int, deals: int, slug: int) -> shuffles.Ints:
    """Orders whose first labels stayed together, put back somewhere into a fair rest."""
    rest = shuffles.fair(seed, deals, 52 - slug) + slug
    cuts = shuffles.below(Words(seed + 1), deals, 53 - slug)
    return np.array(
        [[*r[:c], *range(slug), *r[c:]] for r, c in zip(rest.tolist(), cuts.tolist(), strict=True)]
    )


def test_a_slug_of_nine_is_found_in_two_deals_and_fair_orders_within_budget() -> None:
    found = shuffles.firsts(
        successions.log_ratios(slugs(5, 200, 9)), successions.shares(), 200, 1000
    )
    assert found.max() <= 2
    assert found.mean() < 1.2
    fair = shuffles.firsts(
        successions.log_ratios(shuffles.fair(6, 500 * 20)), successions.shares(), 500, 20
    )
    assert (fair <= 20).sum() <= budget(500, Fraction(1, 20))


@pytest.mark.parametrize(("size", "picked"), [(7, 3), (6, 1), (5, 5), (4, 0)])
def test_rank_sums_count_every_set_of_places(size: int, picked: int) -> None:
    seen = Counter(sum(s) for s in combinations(range(1, size + 1), picked))
    every = math.comb(size, picked)
    for total in range(-1, size * (size + 1) // 2 + 2):
        up = Fraction(sum(v for k, v in seen.items() if k >= total), every)
        down = Fraction(sum(v for k, v in seen.items() if k <= total), every)
        assert same(ranks.log_upper(total, size=size, picked=picked), up)
        assert same(ranks.log_lower(total, size=size, picked=picked), down)
        if total in seen:
            both = min(Fraction(1), 2 * min(up, down))
            assert same(ranks.log_two_sided(total, size=size, picked=picked), both)
    for odds in (Fraction(5, 4), Fraction(1, 2)):
        mean = (
            sum(
                (v * ranks.tilt(k, size=size, picked=picked, odds=odds) for k, v in seen.items()),
                Fraction(0),
            )
            / every
        )
        assert mean == 1 < mean * Fraction(101, 100)


def test_rank_sums_agree_with_scipy() -> None:
    from scipy import stats

    total, size, picked = 330, 40, 12
    u = total - picked * (picked + 1) // 2
    others = [x for x in range(1, 41) if x not in range(22, 34)]
    exact = stats.mannwhitneyu(list(range(22, 34)), others, alternative="greater", method="exact")
    assert sum(range(22, 34)) == total
    assert exact.statistic == u
    found = math.exp(ranks.log_upper(total, size=size, picked=picked))
    assert found == pytest.approx(exact.pvalue, rel=1e-9)


def test_strength_of_one_hand_and_of_many_count_every_deal() -> None:
    points = (0, 1, 1, 3, 4)
    hands = Counter(sum(h) for h in combinations(points, 2))
    law = [Fraction(hands[t], 10) for t in range(8)]
    for total in range(-1, 9):
        up = sum(law[max(total, 0) :], Fraction(0))
        assert same(hand.log_upper(points, 2, total), up)
        assert same(hand.log_lower(points, 2, total), sum(law[: total + 1], Fraction(0)))
    many = law_of_sum([law] * 5)
    for total in range(0, 36, 3):
        up, down = sum(many[total:], Fraction(0)), sum(many[: total + 1], Fraction(0))
        assert within(hand.deals_upper(points, 2, deals=5, total=total), up)
        assert within(hand.deals_lower(points, 2, deals=5, total=total), down)


def test_strength_of_four_hundred_hands_keeps_its_digits_far_out() -> None:
    points = [max(0, c % 13 - 8) for c in range(52)]
    found = hand.deals_upper(points, 13, deals=400, total=12_000)
    assert found.log_p < -1000 * math.log(10)
    assert found.error < 1e-9
