"""Every bet has mean at most 1 under its null, by enumeration in fractions."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest

from audit.lab._random import Words
from audit.stats import bounded, conformal, evalue, randomise, tilt
from tests._checks import budget

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


@pytest.mark.parametrize("less", [False, True])
def test_kept_bets_on_a_score_have_mean_at_most_one(less: bool) -> None:  # noqa: FBT001
    law = LAWS[1]
    table = bounded.log_factors(top=4, mean=mean_of(law), less=less)
    logs = np.array([[table[x] for x in scores] for scores in product(law, repeat=4)]).sum(axis=1)
    e = evalue.log_mean_exp(logs, bounded.weights())
    chances = [math.prod(law[x] for x in scores) for scores in product(law, repeat=4)]
    mean = sum((c * Fraction(math.exp(v)) for c, v in zip(chances, e, strict=True)), Fraction(0))
    assert mean <= 1 < mean * HUNDREDTH


def test_a_score_that_is_too_high_is_found_and_a_fair_one_within_budget() -> None:
    table = bounded.log_factors(top=12, mean=Fraction(6), less=False)
    logs, deals = 300, 300
    seen = {}
    for name, faces in (("fair", range(13)), ("high", [0, 2, 4, 5, 6, 7, 8, 9, 9, 10, 11, 12, 12])):
        words = Words(21).halves(logs * deals).astype(np.uint64)
        scores = np.array(list(faces))[((words * np.uint64(13)) >> np.uint64(32)).astype(int)]
        sums = table[scores].reshape(logs, deals, -1).cumsum(axis=1)
        highest = evalue.log_mean_exp(sums, bounded.weights()).max(axis=1)
        seen[name] = int((highest >= math.log(20)).sum())
    assert seen["fair"] <= budget(logs, Fraction(1, 20))
    assert seen["high"] >= 0.95 * logs


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


def test_share_of_a_seat_has_mean_exactly_one_over_every_deal() -> None:
    deals = hand_worths()
    mean = sum((conformal.share_e(a, (b, c)) for a, b, c in deals), Fraction(0)) / len(deals)
    assert mean == 1 < mean * HUNDREDTH
    assert conformal.share_e(0, (0, 0)) == 1
    with pytest.raises(ValueError, match="worths"):
        conformal.share_e(1, (-1, 0))


@pytest.mark.parametrize("odds", [Fraction(5, 4), Fraction(1, 2)])
def test_tilt_among_redraws_has_mean_exactly_one(odds: Fraction) -> None:
    rows = list(permutations((0, 1, 1, 3, 7)))
    mean = sum((conformal.tilt_e(r[0], r[1:], odds=odds) for r in rows), Fraction(0)) / len(rows)
    assert mean == 1 < mean * HUNDREDTH


def test_rank_p_is_super_uniform_with_ties() -> None:
    rows = list(permutations((0, 1, 1, 3, 7)))
    law = Counter(conformal.rank_p(r[0], r[1:]) for r in rows)
    for level in law:
        assert Fraction(sum(n for p, n in law.items() if p <= level), len(rows)) <= level


@pytest.mark.parametrize("prior", [(1, 12), (2, 3)])
def test_beta_cut_has_mean_exactly_one_and_below_under_a_smaller_rate(
    prior: tuple[int, int],
) -> None:
    fair, n = Fraction(1, 13), 11

    def mean(rate: Fraction) -> Fraction:
        return sum(
            (
                math.comb(n, k)
                * rate**k
                * (1 - rate) ** (n - k)
                * evalue.beta_cut(k, n, fair=fair, prior=prior)
                for k in range(n + 1)
            ),
            Fraction(0),
        )

    assert mean(fair) == 1 < mean(fair) * HUNDREDTH
    assert mean(Fraction(1, 20)) < 1


def test_beta_cut_is_a_martingale_from_deal_to_deal() -> None:
    fair = Fraction(1, 13)
    for n in range(6):
        for k in range(n + 1):
            now = evalue.beta_cut(k, n, fair=fair)
            hit = evalue.beta_cut(k + 1, n + 1, fair=fair)
            miss = evalue.beta_cut(k, n + 1, fair=fair)
            assert fair * hit + (1 - fair) * miss == now


@pytest.mark.parametrize(("hits", "deals"), [(0, 0), (0, 40), (9, 40), (130, 1000), (1200, 1500)])
def test_log_of_beta_cut_is_just_below_the_exact_value(hits: int, deals: int) -> None:
    exact = evalue.beta_cut(hits, deals, fair=Fraction(1, 13))
    truth = math.log(exact.numerator) - math.log(exact.denominator)
    found = evalue.log_beta_cut(hits, deals, fair=Fraction(1, 13))
    assert truth - 1e-8 < found <= truth + 1e-12


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
