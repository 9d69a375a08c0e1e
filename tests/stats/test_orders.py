"""Bets on known orders: exact by enumeration on small packs, then how soon they find a fault."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import factorial

import numpy as np
import numpy.typing as npt
import pytest

from audit.lab._random import Words
from audit.stats import draws, places, riffles, transitions
from audit.stats.evalue import SCALE
from tests._checks import budget
from tests.stats import _shuffles as shuffles

ORDERS = list(permutations(range(5)))


def counted(results: list[tuple[int, ...]]) -> npt.NDArray[np.int64]:
    size = len(results[0])
    table = np.zeros((size, size), dtype=np.int64)
    for order in results:
        table[list(order), np.arange(size)] += 1
    return table


def swap_all(rows: list[tuple[int, ...]], places_: list[int]) -> list[tuple[int, ...]]:
    out = []
    for row in rows:
        lies = list(range(len(places_)))
        for i, j in zip(places_, row, strict=True):
            lies[i], lies[j] = lies[j], lies[i]
        out.append(tuple(lies))
    return out


@pytest.mark.parametrize("downward", [False, True])
def test_swap_any_matrix_counts_every_row_of_draws(downward: bool) -> None:  # noqa: FBT001
    law = transitions.swap_any_downward if downward else transitions.swap_any
    order = [3, 2, 1, 0] if downward else [0, 1, 2, 3]
    count = counted(swap_all(list(product(range(4), repeat=4)), order))
    exact = law(4, exact=True)
    assert exact.tolist() == [[Fraction(int(x), 4**4) for x in row] for row in count]
    assert law(4) == pytest.approx(exact.astype(float), abs=1e-15)


def test_insertion_sort_matrix_counts_every_row_of_coins() -> None:
    results = []
    for coins in product((0, 1), repeat=6):
        lies, left = [0], list(coins)
        for i in range(1, 4):
            own, left = left[:i], left[i:]
            lies.insert(i - (own.index(1) if 1 in own else i), i)
        results.append(tuple(lies))
    exact = transitions.insertion_sort(4, exact=True)
    assert exact.tolist() == [[Fraction(int(x), 64) for x in row] for row in counted(results)]
    assert transitions.insertion_sort(4) == pytest.approx(exact.astype(float), abs=1e-15)


def run_sorted(size: int, coins: list[int]) -> list[int]:
    coin = iter(coins)
    lies = list(range(size))
    falls, run = next(coin), 2
    while run < size and next(coin):
        run += 1
    if falls:
        lies[:run] = lies[:run][::-1]
    for i in range(run, size):
        low, high = 0, i
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if next(coin) else (middle + 1, high)
        lies.insert(low, lies.pop(i))
    return lies


def test_run_sort_matrix_counts_every_row_of_coins() -> None:
    results = [tuple(run_sorted(5, list(c))) for c in product((0, 1), repeat=9)]
    exact = transitions.run_sort(5, exact=True)
    assert exact.tolist() == [[Fraction(int(x), 512) for x in row] for row in counted(results)]
    assert transitions.run_sort(5) == pytest.approx(exact.astype(float), abs=1e-15)


@pytest.mark.parametrize("name", list(places.FAULTS))
def test_rows_and_columns_of_a_matrix_sum_to_one(name: str) -> None:
    matrix = places.FAULTS[name][0](52)
    assert matrix.sum(axis=0) == pytest.approx(1, abs=1e-12)
    assert matrix.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert matrix.min() >= 0


@pytest.mark.parametrize("name", list(places.FAULTS))
def test_a_bet_on_places_has_mean_exactly_one(name: str) -> None:
    worth = places.fault_weights(name, 5)
    mean = sum((places.ratio(o, worth) for o in ORDERS), Fraction(0)) / len(ORDERS)
    assert mean == 1
    assert mean * Fraction(101, 100) > 1


@pytest.mark.parametrize("name", list(draws.FAULTS))
def test_a_bet_on_draws_has_mean_exactly_one(name: str) -> None:
    mean = sum((draws.ratio(o, name) for o in ORDERS), Fraction(0)) / len(ORDERS)
    assert mean == 1
    assert mean * Fraction(101, 100) > 1


def test_the_fault_that_fits_best_picked_afterwards_is_no_bet() -> None:
    """Who takes the best of the faults instead of their mixture flags fair shuffles."""
    best = Fraction(0)
    mixed = Fraction(0)
    for order in ORDERS:
        parts = [draws.ratio(order, name) for name in draws.FAULTS]
        best += max(parts)
        mixed += sum(parts, Fraction(0)) / len(parts)
    assert mixed == len(ORDERS)
    assert best > 3 * len(ORDERS)


def test_an_order_before_that_was_chosen_after_the_shuffle_is_no_order_before() -> None:
    """The order before has to be settled first: relabelled by a near copy, a fair order fails."""
    order = shuffles.fair(16, 1)[0]
    near = np.roll(order, 1)
    relabelled = np.argsort(near)[order]
    assert riffles.ratio(int(riffles.rising_sequences([relabelled])[0]), size=52, riffles=1) > 10**9


def exact_mean(logs: npt.NDArray[np.int64]) -> float:
    return math.fsum(math.exp(v / SCALE) for v in logs.tolist()) / len(logs)


@pytest.mark.parametrize("kernel", [places.log_faults, draws.log_faults, riffles.log_ratios])
def test_kept_logarithms_have_mean_at_most_one_and_no_slack_for_a_hundredth(kernel) -> None:  # type: ignore[no-untyped-def]
    logs = kernel(ORDERS)
    assert logs.dtype == np.int64
    for column in logs.T:
        assert 1 / 1.01 < exact_mean(column) <= 1


@pytest.mark.parametrize("name", list(places.FAULTS))
def test_kept_logarithms_of_places_are_the_floor_or_one_less(name: str) -> None:
    worth = places.fault_weights(name, 5)
    for order, found in zip(ORDERS, places.log_ratios(ORDERS, worth).tolist(), strict=True):
        assert 0 <= math.floor(SCALE * math.log(places.ratio(order, worth))) - found <= 1


@pytest.mark.parametrize("upward", [False, True])
def test_draws_are_read_off_every_order_of_five(upward: bool) -> None:  # noqa: FBT001
    rows = list(product(*(range(i + 1) for i in range(5))))
    made = swap_all([r[::-1] for r in rows], [4, 3, 2, 1, 0])
    if upward:
        made = [tuple(4 - x for x in o[::-1]) for o in made]
    assert len(set(made)) == factorial(5)
    assert draws.drawn(made, upward=upward).tolist() == [list(r) for r in rows]


def test_a_bound_left_out_makes_single_cycles_only() -> None:
    def cycle(order: tuple[int, ...]) -> int:
        at, length = order[0], 1
        while at:
            at, length = order[at], length + 1
        return length

    for order in ORDERS:
        lr = draws.ratio(order, "bound left out, downward")
        assert lr == (5 if cycle(order) == 5 else 0)


def test_byte_modulo_is_the_law_of_256_bytes() -> None:
    seen = Counter(b % 52 for b in range(256))
    first = [draws.FAULTS["byte modulo, downward"].law(51, 52)[j] for j in range(52)]
    assert first == [seen[j] for j in range(52)]


def test_rounding_to_the_nearest_halves_the_ends() -> None:
    # round(u * 3) for u in [0, 1): thirds cut at 1/6, 1/2, 5/6.
    assert draws.FAULTS["rounded to the nearest, upward"].law(3, 9) == [1, 2, 2, 1]


def test_rising_sequences_of_small_orders() -> None:
    assert riffles.rising_sequences([[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]]).tolist() == [
        1,
        4,
        2,
    ]


@pytest.mark.parametrize("size", [1, 2, 5, 7])
def test_eulerian_numbers_count_every_order(size: int) -> None:
    orders = list(permutations(range(size)))
    seen = Counter(riffles.rising_sequences(orders).tolist())
    assert riffles.eulerian(size) == tuple(seen[r] for r in range(1, size + 1))
    for r in range(size + 2):
        below = sum(v for k, v in seen.items() if k <= r) / len(orders)
        above = sum(v for k, v in seen.items() if k >= r) / len(orders)
        assert math.exp(riffles.log_lower(r, size=size)) == pytest.approx(below, rel=1e-14)
        assert math.exp(riffles.log_upper(r, size=size)) == pytest.approx(above, rel=1e-14)


@pytest.mark.parametrize("k", [1, 2])
def test_riffle_chance_counts_every_way_to_pull_the_pack_apart(k: int) -> None:
    made: Counter[tuple[int, ...]] = Counter()
    for labels in product(range(1 << k), repeat=5):
        pulled = sorted(range(5), key=lambda i: labels[i])
        made[tuple(sorted(range(5), key=lambda i: pulled[i]))] += 1
    for order in ORDERS:
        (r,) = riffles.rising_sequences([order]).tolist()
        lr = riffles.ratio(r, size=5, riffles=k)
        assert lr == Fraction(made[order] * factorial(5), (1 << k) ** 5)


def test_riffle_ratios_have_mean_exactly_one_with_and_without_a_cut() -> None:
    for k in (1, 2, 7):
        plain = sum(
            riffles.ratio(int(r), size=5, riffles=k) for r in riffles.rising_sequences(ORDERS)
        )
        cut = sum((riffles.cut_ratio(o, riffles=k) for o in ORDERS), Fraction(0))
        assert plain == cut == len(ORDERS)
        assert cut * Fraction(101, 100) > len(ORDERS)


def test_kept_ratios_of_riffles_and_a_cut_are_just_below_the_exact_ones() -> None:
    found = riffles.log_cut_ratios(ORDERS)
    for order, row in zip(ORDERS, found.tolist(), strict=True):
        for k, kept in enumerate(row, start=1):
            exact = riffles.cut_ratio(order, riffles=k)
            if exact:
                assert 0 <= SCALE * math.log(exact) - kept < 3
            else:
                assert kept < -(10**9)
    for column in found.T:
        assert 1 / 1.01 < exact_mean(column) <= 1


def test_seven_riffles_and_an_honest_cut_are_found() -> None:
    logs, deals = 300, 150
    orders = shuffles.riffled(19, logs * deals, 7)
    depth = shuffles.below(Words(20), logs * deals, 52)
    cut = np.take_along_axis(orders, (np.arange(52) + depth[:, None]) % 52, axis=1)
    times = shuffles.firsts(riffles.log_cut_ratios(cut), riffles.SHARES, logs, 1000)
    assert times.mean() <= 27
    plain = shuffles.firsts(riffles.log_ratios(cut), riffles.SHARES, logs, 1000)
    assert times.mean() < plain.mean()


def test_a_cut_after_the_riffle_does_not_hide_it() -> None:
    order = np.roll(shuffles.riffled(3, 1, 3)[0], 20)
    (r,) = riffles.rising_sequences([order]).tolist()
    assert riffles.ratio(r, size=52, riffles=3) == 0
    assert riffles.cut_ratio(order, riffles=3) > 10**6


def test_eulerian_tail_of_one_riffle_is_exact() -> None:
    assert riffles.log_lower(1, size=52) == pytest.approx(-math.lgamma(53), rel=1e-14)
    assert riffles.log_lower(0, size=52) == -math.inf


def test_what_is_not_an_order_is_refused() -> None:
    with pytest.raises(ValueError, match="once in a row"):
        riffles.rising_sequences([[0, 0, 1]])
    with pytest.raises(ValueError, match="orders of 52"):
        places.log_ratios([[0, 1, 2]], places.fault_weights("swap any place", 52))
    with pytest.raises(ValueError, match="shape"):
        draws.drawn([0, 1, 2])
    with pytest.raises(ValueError, match="riffles >= 0"):
        riffles.ratio(0, size=5, riffles=1)


def test_shuffles_by_swap_any_reach_a_thousand_within_32_deals_on_average() -> None:
    logs, deals = 300, 110
    orders = shuffles.swap_any(11, logs * deals)
    times = shuffles.firsts(places.log_faults(orders), places.shares(), logs, 1000)
    assert times.max() <= deals
    assert 20 < times.mean() <= 32


def test_seven_riffles_reach_a_thousand_within_25_deals_on_average() -> None:
    logs, deals = 1200, 150
    table = riffles.log_ratios(shuffles.riffled(12, logs * deals, 7))
    times = shuffles.firsts(table, riffles.SHARES, logs, 1000)
    assert times.max() <= deals
    assert 19 < times.mean() <= 25
    assert np.quantile(times, 0.9) <= 40


def test_a_byte_modulo_is_found() -> None:
    logs, deals = 100, 400
    table = draws.log_faults(shuffles.byte_modulo(13, logs * deals))
    times = shuffles.firsts(table, draws.shares(), logs, 1000)
    assert (times <= 300).mean() >= 0.9


Draw = Callable[[Words, int, int], tuple[int, npt.NDArray[np.int64]]]


def down(bound: Callable[[int], int]) -> Draw:
    """Swap the last place first, with a place below *bound* of it; places 0 and below never."""

    def draw(words: Words, step: int, deals: int) -> tuple[int, npt.NDArray[np.int64]]:
        i = max(51 - step, 0)
        return i, shuffles.below(words, deals, max(bound(i), 1)) if i else np.zeros(deals, int)

    return draw


def up_exclusive(words: Words, step: int, deals: int) -> tuple[int, npt.NDArray[np.int64]]:
    i = min(step, 50)
    ahead = shuffles.below(words, deals, 51 - i) + 1 if step < 51 else np.zeros(deals, int)
    return i, i + ahead


def rounded(words: Words, step: int, deals: int) -> tuple[int, npt.NDArray[np.int64]]:
    i = 51 - step
    return i, (shuffles.below(words, deals, 1 << 20) * i * 2 + (1 << 20)) >> 21


@pytest.mark.parametrize(
    ("fault", "draw", "most"),
    [
        ("bound left out, downward", down(lambda i: i), 5),
        ("bound left out, downward", up_exclusive, 5),
        ("rounded to the nearest, downward", rounded, 60),
    ],
)
def test_wrong_bounds_are_found_and_named(fault: str, draw: Draw, most: int) -> None:
    logs, deals = 60, 4 * most
    table = draws.log_faults(shuffles.swapped(17, logs * deals, draw))
    times = shuffles.firsts(table, draws.shares(), logs, 1000)
    assert times.mean() <= most
    assert list(draws.FAULTS)[int(table.sum(axis=0).argmax())] == fault


def test_steps_left_out_are_found_and_named() -> None:
    """The first step of the last place, or the last step of the first two, is not made."""

    def late(words: Words, step: int, deals: int) -> tuple[int, npt.NDArray[np.int64]]:
        i = 51 - step
        return i, shuffles.below(words, deals, i + 1) if step else np.full(deals, 51)

    def early(words: Words, step: int, deals: int) -> tuple[int, npt.NDArray[np.int64]]:
        i = 51 - step
        return i, shuffles.below(words, deals, i + 1) if i > 1 else np.full(deals, i)

    for draw, fault, most in (
        (late, "first step left out, downward", 3),
        (early, "last step left out, downward", 20),
    ):
        table = draws.log_faults(shuffles.swapped(18, 60 * 40, draw))
        times = shuffles.firsts(table, draws.shares(), 60, 1000)
        assert times.max() <= most
        assert list(draws.FAULTS)[int(table.sum(axis=0).argmax())] == fault


def test_sorting_by_coins_is_found_in_one_deal() -> None:
    table = places.log_faults(shuffles.coin_insertion(14, 50))
    assert (shuffles.firsts(table, places.shares(), 50, 1000) == 1).all()


@pytest.mark.parametrize("level", [5, 20])
def test_fair_orders_cross_within_the_budget(level: int) -> None:
    logs, deals = 500, 40
    orders = shuffles.fair(15, logs * deals)
    for table, shares in (
        (places.log_faults(orders), places.shares()),
        (draws.log_faults(orders), draws.shares()),
        (riffles.log_ratios(orders), riffles.SHARES),
    ):
        crossed = int((shuffles.firsts(table, shares, logs, level) <= deals).sum())
        assert crossed <= budget(logs, Fraction(1, level))


def test_shares_sum_to_one() -> None:
    assert sum(places.shares()) == sum(draws.shares()) == sum(riffles.SHARES) == 1
