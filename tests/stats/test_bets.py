"""Every bet has mean at most 1 under its null, by enumeration in fractions."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest

from audit.count.strength import _tilted
from audit.stats import bounded, evalue, randomise, tilt

HUNDREDTH = Fraction(101, 100)
LAWS = [
    {0: Fraction(1, 2), 4: Fraction(1, 2)},
    {0: Fraction(1, 3), 1: Fraction(1, 6), 2: Fraction(1, 6), 4: Fraction(1, 3)},
    {1: Fraction(2, 3), 4: Fraction(1, 3)},
]


def mean_of(law: dict[int, Fraction]) -> Fraction:
    return sum((p * x for x, p in law.items()), Fraction(0))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("less", [False, True])
def test_a_mixed_bet_on_a_score_has_mean_exactly_one_whatever_its_law(
    law: dict[int, Fraction],
    less: bool,  # noqa: FBT001
) -> None:
    mean, whole = mean_of(law), Fraction(0)
    for scores in product(law, repeat=4):
        chance = math.prod((law[x] for x in scores), start=Fraction(1))
        worth = sum(
            (
                math.prod(
                    (bounded.factor(x, top=4, mean=mean, share=share, less=less) for x in scores),
                    start=Fraction(1),
                )
                for share in bounded.SHARES
            ),
            Fraction(0),
        ) / len(bounded.SHARES)
        whole += chance * worth
    assert whole == 1
    assert whole * HUNDREDTH > 1


@pytest.mark.parametrize("level", [Fraction(8, 10), Fraction(1, 2)])
@pytest.mark.parametrize("law", LAWS)
def test_sequence_of_a_mean_covers_it_at_every_look(
    law: dict[int, Fraction], level: Fraction
) -> None:
    mean = float(mean_of(law))
    alive: dict[tuple[int, ...], Fraction] = {(0,) * 5: Fraction(1)}
    for _ in range(30 if len(law) == 2 else 7):
        moved: dict[tuple[int, ...], Fraction] = {}
        for counts, mass in alive.items():
            for x, p in law.items():
                after = (*counts[:x], counts[x] + 1, *counts[x + 1 :])
                moved[after] = moved.get(after, Fraction(0)) + mass * p
        ends = {c: bounded.mean_sequence(c, level=level) for c in moved}
        alive = {c: m for c, m in moved.items() if ends[c][0] <= mean <= ends[c][1]}
    assert level <= sum(alive.values())
    assert sum(alive.values()) < 1 or len(law) > 2


def test_sequence_of_a_mean_closes_in_and_can_fail() -> None:
    low, high = bounded.mean_sequence([500, 0, 0, 0, 500])
    assert 1.7 < low < 2 < high < 2.3
    assert bounded.mean_sequence([0, 0]) == (0.0, 1.0)
    assert bounded.mean_sequence([0, 400])[0] > 0.97


def tilt_e(observed: int, others: Sequence[int], *, odds: Fraction) -> Fraction:
    """Return (n + 1) odds^observed over the sum of odds^score of all."""
    return (len(others) + 1) / sum((odds ** (s - observed) for s in others), Fraction(1))


def besag_clifford_e_mean(law: dict[int, Fraction], enough: int, most: int) -> Fraction:
    """The exact mean of e where the observation and all draws have one discrete law."""
    mean = Fraction(0)
    for value, chance in law.items():
        reach = sum((p for x, p in law.items() if x >= value), Fraction(0))
        alive = {0: Fraction(1)}
        for draws in range(1, most + 1):
            moved: dict[int, Fraction] = {}
            for r, mass in alive.items():
                for more, p in ((0, 1 - reach), (1, reach)):
                    moved[r + more] = moved.get(r + more, Fraction(0)) + mass * p
            stopped = moved.pop(enough, Fraction(0))
            found = randomise.Sampled(p=Fraction(enough, draws), draws=draws, reached=enough)
            mean += chance * stopped * randomise.sampled_e(found, most=most)
            alive = moved
        for r, mass in alive.items():
            found = randomise.Sampled(p=Fraction(r + 1, most + 1), draws=most, reached=r)
            mean += chance * mass * randomise.sampled_e(found, most=most)
    return mean


@pytest.mark.parametrize(("enough", "most"), [(1, 9), (3, 20), (5, 30)])
def test_sampled_e_has_mean_at_most_one_with_ties_and_one_without(enough: int, most: int) -> None:
    tied = {0: Fraction(1, 4), 1: Fraction(1, 4), 2: Fraction(1, 2)}
    assert besag_clifford_e_mean(tied, enough, most) < 1
    # Without ties the chance to reach is uniform; the law of p is then known exactly.
    mean = Fraction(0)
    for draws in range(enough, most + 1):
        found = randomise.Sampled(p=Fraction(enough, draws), draws=draws, reached=enough)
        mean += Fraction(enough, draws * (draws + 1)) * randomise.sampled_e(found, most=most)
    for r in range(enough):
        found = randomise.Sampled(p=Fraction(r + 1, most + 1), draws=most, reached=r)
        mean += Fraction(1, most + 1) * randomise.sampled_e(found, most=most)
    assert 1 - Fraction(1, 10**15) < mean <= 1 < mean * HUNDREDTH


def test_sampled_e_of_more_draws_than_allowed_is_refused() -> None:
    found = randomise.Sampled(p=Fraction(1, 5), draws=10, reached=2)
    with pytest.raises(ValueError, match="at most 9 draws"):
        randomise.sampled_e(found, most=9)


def hand_worths() -> list[tuple[int, ...]]:
    """Points of three hands of two, for every deal of a pack of six."""
    out = []
    for first in combinations(range(6), 2):
        for second in combinations([c for c in range(6) if c not in first], 2):
            third = [c for c in range(6) if c not in (*first, *second)]
            out.append(tuple(sum(hand) ** 2 for hand in (first, second, third)))
    return out


@pytest.mark.parametrize("odds", [Fraction(5, 4), Fraction(1, 2)])
def test_tilt_among_hands_has_mean_exactly_one(odds: Fraction) -> None:
    rows = list(permutations((0, 1, 1, 3, 7)))
    mean = sum((tilt_e(r[0], r[1:], odds=odds) for r in rows), Fraction(0)) / len(rows)
    assert mean == 1 < mean * HUNDREDTH


@pytest.mark.parametrize("unit", [0.3, -0.07])
def test_the_bet_on_a_place_by_points_is_just_below_the_exact_tilt(unit: float) -> None:
    """A place counts from the best hand where strong ones are bet on, else from the worst."""
    points = np.array([[9, 4, 4, 0], [2, 7, 1, 7], [5, 5, 5, 5]])
    far = points.max(axis=1) if unit > 0 else points.min(axis=1)
    behind = [np.abs(far - points[:, place]) for place in range(4)]
    (found,) = _tilted(behind, np.arange(3), 3, [unit])
    odds = Fraction(math.exp(round(abs(unit) * evalue.SCALE) / evalue.SCALE * (-1) ** (unit < 0)))
    for deal, place in product(range(3), range(4)):
        others = [int(x) for x in np.delete(points[deal], place)]
        truth = math.log(tilt_e(int(points[deal, place]), others, odds=odds)) * evalue.SCALE
        assert truth - 2 < found[deal, place] <= truth


def test_a_grid_of_odds_has_mean_exactly_one_under_chances_known_just_before() -> None:
    """Aces turned from a pack of 7 with 3: the next chance depends on what has come."""
    odds = (Fraction(2), Fraction(4), Fraction(1, 2))

    def worth(turned: tuple[int, ...], o: Fraction) -> Fraction:
        out, aces = Fraction(1), 3
        for i, hit in enumerate(turned):
            chance = Fraction(aces, 7 - i)
            out *= (o if hit else 1) / (1 - chance + chance * o)
            aces -= hit
        return out

    rows = [tuple(int(i in aces) for i in range(4)) for aces in combinations(range(7), 3)]
    mean = sum((worth(r, o) for r in rows for o in odds), Fraction(0)) / (len(rows) * len(odds))
    assert mean == 1 < mean * HUNDREDTH


@pytest.mark.parametrize("odds", [2, 64, Fraction(1, 5)])
def test_kept_hit_and_miss_have_mean_at_most_one(odds: int | Fraction) -> None:
    chance = Fraction(3, 39)
    hit, miss = (math.exp(v / evalue.SCALE) for v in tilt.hit_and_miss(chance, odds))
    mean = chance * Fraction(hit) + (1 - chance) * Fraction(miss)
    assert mean <= 1 < mean * HUNDREDTH
