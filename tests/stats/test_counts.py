"""Hypergeometric, multinomial, unseen and sortedness laws against enumeration."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest

from audit.stats import hypergeometric, sortedness, unseen


def test_hypergeometric_law_counts_every_hand() -> None:
    hands = Counter(sum(c < 3 for c in hand) for hand in combinations(range(8), 4))
    assert hypergeometric.pmf(population=8, marked=3, drawn=4) == {
        k: Fraction(v, 70) for k, v in hands.items()
    }


def test_four_of_the_best_six_back_in_a_hand_of_six() -> None:
    law = hypergeometric.pmf(population=52, marked=6, drawn=6)
    tail = sum(p for k, p in law.items() if k >= 4)
    found = hypergeometric.log_upper(4, population=52, marked=6, drawn=6)
    assert math.exp(found) == pytest.approx(float(tail), rel=1e-12)
    assert round(float(tail), 5) == 0.00078
    assert hypergeometric.log_upper(7, population=52, marked=6, drawn=6) == -math.inf


@pytest.mark.parametrize("odds", [Fraction(3, 2), Fraction(1, 4)])
def test_tilt_has_mean_exactly_one(odds: Fraction) -> None:
    law = hypergeometric.pmf(population=13, marked=4, drawn=5)
    bets = {k: hypergeometric.tilt(k, population=13, marked=4, drawn=5, odds=odds) for k in law}
    assert sum(law[k] * bets[k] for k in law) == 1
    assert sum(law[k] * bets[k] * Fraction(101, 100) for k in law) > 1


def test_unseen_card_agrees_with_every_pair_of_hands() -> None:
    hands = list(combinations(range(5), 2))
    pairs = [set(a) | set(b) for a in hands for b in hands]
    one = Fraction(sum(0 not in s for s in pairs), len(pairs))
    some = Fraction(sum(not {0, 1, 2} <= s for s in pairs), len(pairs))
    both = Fraction(sum(not {0, 1} & s for s in pairs), len(pairs))
    assert unseen.one_unseen([2, 2], pack=5) == one
    assert unseen.some_unseen([2, 2], pack=5, cards=3) == some
    assert unseen.all_unseen([2, 2], pack=5, cards=2) == both


def test_log_of_some_unseen_is_the_log_of_the_exact_chance() -> None:
    for shown in ([2, 2], [1], [3, 2, 1, 0], [13] * 3):
        exact = unseen.some_unseen(shown, pack=20, cards=7)
        found = unseen.log_some_unseen(shown, pack=20, cards=7)
        assert math.exp(found) == pytest.approx(float(exact), rel=1e-14)
    assert unseen.log_some_unseen([20, 2], pack=20, cards=7) == -math.inf
    with pytest.raises(ValueError, match="exposed"):
        unseen.log_some_unseen([21], pack=20, cards=7)


def test_log_of_some_unseen_keeps_nine_digits_below_ten_to_minus_1000() -> None:
    found = unseen.log_some_unseen([13] * 9_000, pack=52, cards=52)
    assert found == pytest.approx(math.log(52) + 9_000 * math.log(0.75), rel=1e-14)
    assert found < -1000 * math.log(10)


def test_unseen_e_has_mean_exactly_one() -> None:
    hands = list(combinations(range(5), 2))
    mean = (
        sum(
            (
                unseen.unseen_e([c in a or c in b for c in range(3)], [2, 2], pack=5)
                for a in hands
                for b in hands
            ),
            Fraction(0),
        )
        / len(hands) ** 2
    )
    assert mean == 1
    assert mean * Fraction(101, 100) > 1


def test_missing_ten_is_a_thousand_to_one_after_29_deals_of_13() -> None:
    four_one_missing = [False, True, True, True]
    assert unseen.unseen_e(four_one_missing, [13] * 29, pack=52) >= 1000
    assert unseen.unseen_e(four_one_missing, [13] * 28, pack=52) < 1000


def test_any_missing_card_is_a_thousand_to_one_after_38_deals_of_13() -> None:
    one_of_52_missing = [False, *[True] * 51]
    assert unseen.unseen_e(one_of_52_missing, [13] * 38, pack=52) >= 1000
    assert unseen.unseen_e(one_of_52_missing, [13] * 37, pack=52) < 1000


def test_a_wholly_shown_pack_hides_nothing() -> None:
    assert unseen.some_unseen([52, 6], pack=52, cards=4) == 0


def test_a_total_order_is_found_wherever_trying_every_order_finds_one() -> None:
    for bits in product((0, 1), repeat=9):
        arrows = np.array(bits, dtype=np.int64).reshape(3, 3)
        fits = any(
            all(o.index(a) < o.index(b) for a, b in zip(*np.nonzero(arrows), strict=True))
            for o in ORDERS
        )
        order = sortedness.total_order(arrows)
        assert (order is not None) == fits
        if order is not None:
            assert all(order.index(a) < order.index(b) for a, b in np.argwhere(arrows))


ORDERS = list(permutations(range(3)))


def test_sortedness_bound_is_above_the_enumerated_chance() -> None:
    agree = 0
    runs = list(permutations(range(3)))
    for rows in product(runs, repeat=3):
        arrows = np.zeros((3, 3), dtype=np.int64)
        for row in rows:
            arrows[row[0], row[1]] += 1
            arrows[row[1], row[2]] += 1
        agree += sortedness.total_order(arrows) is not None
    assert agree / 6**3 == pytest.approx(math.exp(sortedness.log_chance(pack=3, groups={3: 3})))
