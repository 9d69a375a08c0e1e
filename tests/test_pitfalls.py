"""Twenty ways to be wrong, each built wrongly here and shown to fail where the product does not.

Sizes are exact, by recursion or in fractions, unless said; the digits are those of the page
of evidence for which the design was made.  What was tried before is in `test_tried.py`.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, norm

from audit.detect.turned_honours import DETECTOR as HONOURS
from audit.detect.turned_honours import mixture
from audit.errors import UsageError
from audit.finding import THRESHOLD, WEIGHTS, share_of_person
from audit.lab._random import Words, uniform_orders
from audit.readers.jsonl import READER
from audit.run.audit import audit
from audit.stats.binomial import log_upper
from audit.stats.evalue import dirichlet_uniform
from audit.stats.hypergeometric import log_upper as drawn_upper
from audit.stats.hypergeometric import pmf
from audit.stats.randomise import besag_clifford, monte_carlo
from audit.stats.recursion import boundary, crossing
from audit.stats.tilt import SCALE, hit_and_miss
from audit.tally import Looks, Table
from tests import proof_of_calibration as proof
from tests._checks import budget
from tests._logs import FAIR, LAW, dealt, first_flag, jacks_evidence, judged, total
from tests._tables import KINDS, _openings, lost_rows
from tests._tables import judged as judged_log
from tests.test_proof import SIX

JACK = 9


def mean(values: dict[int, float], deals: int, rate: Fraction) -> float:
    """Return the exact mean of a function of the hits in *deals*."""
    return math.fsum(
        float(comb(deals, k) * rate**k * (1 - rate) ** (deals - k)) * v for k, v in values.items()
    )


def p_bounds(level: float, deals: int) -> NDArray[np.int64]:
    """Return the hits at which the exact p of a fixed look reaches *level*, for each look."""
    out = np.asarray(binom.isf(level, np.arange(deals + 1), float(FAIR)), np.int64) + 1
    out[0] = 1
    return out


def e_bounds(deals: int, level: int = THRESHOLD) -> NDArray[np.int64]:
    return boundary(jacks_evidence, deals, math.log(level))


def test_01_peeking() -> None:
    wrong = {level: crossing(rate=1 / 13, bounds=p_bounds(level, 5000)) for level in (0.05, 0.01)}
    assert [round(float(wrong[0.05][n]), 3) for n in (100, 1000, 5000)] == [0.167, 0.297, 0.384]
    assert round(float(wrong[0.01][1000]), 3) == 0.091
    assert round(float(crossing(rate=1 / 13, bounds=p_bounds(0.001, 1000))[-1]), 4) == 0.0128
    for level in (20, 100, 1000):
        assert crossing(rate=1 / 13, bounds=e_bounds(5000, level))[-1] <= 1 / level


def some_window(least: int, *, window: int = 13, deals: int = 520) -> float:
    """Return the chance that some *window* deals running hold *least* hits."""
    states = np.arange(1 << (window - 1))
    held, alive, found = np.bitwise_count(states), np.zeros(len(states)), 0.0
    alive[0] = 1.0
    for _ in range(deals):
        hit, after = alive / 13, np.zeros_like(alive)
        found += float(hit[held + 1 >= least].sum())
        moved = states << 1 & len(states) - 1
        np.add.at(after, moved | 1, np.where(held + 1 < least, hit, 0.0))
        np.add.at(after, moved, alive * 12 / 13)
        alive = after
    return found


def test_02_looking_back_for_the_hot_streak() -> None:
    assert [round(some_window(k), 3) for k in (4, 5, 6)] == [0.782, 0.252, 0.039]
    assert round(math.exp(log_upper(13, 4, FAIR)), 3) == 0.014
    # E is never started anew, so the best stretch of a log is worth no more than all of it.
    assert crossing(rate=1 / 13, bounds=e_bounds(520, 5))[-1] <= 1 / 5


@pytest.mark.parametrize(("hidden", "reads"), [(10, "1.10"), (30, "1.38"), (50, "1.86")])
def test_03_misdeals_that_are_not_recorded(hidden: int, reads: str) -> None:
    share = Fraction(hidden, 100)
    rate = FAIR / (FAIR + (1 - FAIR) * (1 - share))
    assert f"{float(rate / FAIR):.2f}" == reads
    assert float((1 - FAIR) * Fraction(1, 10)) == pytest.approx(0.092, abs=5e-4)
    if hidden < 50:
        return
    # A build that only flags accuses the dealer; the product says how few hidden deals explain it.
    deals = np.arange(1, 2001)
    first = np.zeros((2000, 1, 52), np.int64)
    jack = np.floor(deals * float(rate)) > np.floor((deals - 1) * float(rate))
    first[np.arange(2000), 0, np.where(jack, JACK, 0)] = 1
    table = Table(
        law=LAW,
        pack=LAW.pack,
        players=4,
        holds=READER.holds,
        looks=Looks(deals=1),
        dealers=("P1",),
        machine=False,
    )
    (found,) = HONOURS.judge(
        {"turnups": {"first": first, "blank": np.zeros(2, np.int64)}}, table
    ).hypotheses
    assert found.flagged
    share_explaining = found.detail().share_explaining
    assert share_explaining is not None
    assert 0.2 < share_explaining <= (1 - FAIR) * share
    assert any("not recorded" in text for text in found.explains)


def test_04_choosing_the_dealer_after_looking() -> None:
    assert round(1 - 0.99**4, 3) == 0.039
    assert 13 * 4 == 52
    hits = np.arange(21)
    e = np.exp(mixture(hits, 20 - hits, FAIR))
    pairs = itertools.product(range(21), repeat=2)
    chance = [float(comb(20, k) * FAIR**k * (1 - FAIR) ** (20 - k)) for k in range(21)]
    largest = math.fsum(chance[a] * chance[b] * max(e[a], e[b]) for a, b in pairs)
    assert largest > 1.3
    assert mean(dict(enumerate(e)), 20, FAIR) <= 1
    assert sum(share_of_person(m) for m in range(1, 10_000)) < 1


def test_05_cards_of_one_deal_depend_on_each_other() -> None:
    independent = math.exp(log_upper(5, 2, FAIR))
    drawn = math.exp(drawn_upper(2, population=52, marked=4, drawn=5))
    assert (round(independent, 4), round(drawn, 4)) == (0.0506, 0.0417)
    assert sum(p for x, p in pmf(population=52, marked=4, drawn=5).items() if x > 1) == (
        pytest.approx(drawn, rel=1e-12)
    )
    # One seat's luck is another's lack: the product of their bets on being best is no bet.
    best, other = (math.exp(x / SCALE) for x in hit_and_miss(Fraction(1, 2), Fraction(1, 2)))
    assert (best + other) / 2 <= 1
    wins = [(best, other), (other, best)]
    assert math.fsum(a * b for a, b in wins) / 2 < 1 < math.fsum(max(w) for w in wins) / 2


def test_06_decisions_react_to_cards() -> None:
    assert (Fraction(4, 52 - 8), Fraction(4, 52 - 16)) == (Fraction(1, 11), Fraction(1, 9))
    # Both deciders hold no plain Jack: three lie in the 39 cards that they have not seen.
    truth, wrong = Fraction(3, 39), Fraction(3, 51)

    def gain(chance: Fraction) -> float:
        hit, miss = (math.exp(x / SCALE) for x in hit_and_miss(chance, 2))
        return float(truth) * hit + float(1 - truth) * miss

    assert gain(wrong) > 1.01
    assert 0.999 < gain(truth) <= 1
    # The product's chances hold whatever is begged and run, over every policy of a small pack.
    means = proof.world(SIX, 1).means
    later = [value for key, value in means.items() if key.startswith("later_turnups")]
    assert later
    assert max(later) <= 1


def test_07_discreteness() -> None:
    n = np.arange(13, 521)
    exact = np.asarray(binom.isf(0.01, n, 1 / 13), np.int64) + 1
    z = np.ceil(n / 13 + norm.isf(0.01) * np.sqrt(n * 12) / 13).astype(np.int64)

    def size(bound: NDArray[np.int64]) -> list[float]:
        return [math.exp(log_upper(int(m), int(k), FAIR)) for m, k in zip(n, bound, strict=True)]

    true, wrong = size(exact), size(z)
    assert abs(min(true) - 0.0021) < 1e-4
    assert round(max(true), 5) == 0.00995
    assert round(math.fsum(true) / len(true), 4) == 0.0074
    assert (round(min(wrong), 4), round(max(wrong), 4)) == (0.0099, 0.0370)
    assert max(true) <= 0.01 < max(wrong)
    # mid-p rejects too often as well: p less half the chance of what was seen.
    one_less = [
        math.exp(log_upper(int(m), int(k) - 1, FAIR))
        for m, k in zip(n, exact, strict=True)
        if float(binom.sf(k - 1, m, 1 / 13) + 0.5 * binom.pmf(k - 1, m, 1 / 13)) <= 0.01
    ]
    assert max(one_less) > 0.01


def test_08_a_sampled_p_of_nought() -> None:
    """Of 100 exchangeable values the observed is the largest once in 100: b/m then says 0."""
    wrong = Fraction(0, 99)
    assert wrong == 0
    assert monte_carlo(reached=0, draws=99) == Fraction(1, 100)
    for level in (Fraction(1, 1000), Fraction(1, 99)):
        sizes = [sum(p(b) <= level for b in range(100)) for p in (_b_over_m, _one_more)]
        assert Fraction(sizes[1], 100) <= level < Fraction(sizes[0], 100)
    assert besag_clifford(lambda: 0.0, observed=1.0, enough=10, most=99).p == Fraction(1, 100)


def _b_over_m(reached: int) -> Fraction:
    return Fraction(reached, 99)


def _one_more(reached: int) -> Fraction:
    return monte_carlo(reached=reached, draws=99)


def test_09_a_likelihood_ratio_at_the_final_estimate_is_no_e_value() -> None:
    deals = 60
    plugged = {
        k: math.exp(
            (k * math.log(k / deals / float(FAIR)) if k else 0.0)
            + ((deals - k) * math.log((1 - k / deals) / float(1 - FAIR)) if k < deals else 0.0)
        )
        for k in range(deals + 1)
    }
    assert mean(plugged, deals, FAIR) > 5
    hits = np.arange(deals + 1)
    shipped = np.exp(mixture(hits, deals - hits, FAIR))
    assert 0.999 < mean(dict(enumerate(shipped)), deals, FAIR) <= 1


def test_10_one_over_p_products_of_dependent_e_and_a_fresh_start() -> None:
    deals = 60
    one_over_p = {k: math.exp(-log_upper(deals, k, FAIR)) for k in range(deals + 1)}
    assert mean(one_over_p, deals, FAIR) > 20
    hits = np.arange(deals + 1)
    shipped = np.exp(mixture(hits, deals - hits, FAIR))
    # The same deals counted under two names.
    assert mean(dict(enumerate(shipped**2)), deals, FAIR) > 1.5
    # Wealth that starts anew at 1 whenever it has fallen below; a state is (hits, misses).
    hit, miss = (x / SCALE for x in hit_and_miss(FAIR, 2))
    alive, crossed = {(0, 0): 1.0}, 0.0
    for _ in range(400):
        after: dict[tuple[int, int], float] = {}
        for (a, b), mass in alive.items():
            for state, chance in (((a + 1, b), 1 / 13), ((a, b + 1), 12 / 13)):
                wealth = state[0] * hit + state[1] * miss
                if wealth >= math.log(5):
                    crossed += mass * chance
                else:
                    kept = state if wealth > 0 else (0, 0)
                    after[kept] = after.get(kept, 0.0) + mass * chance
        alive = after
    assert crossed > 2 / 5


def test_11_dropping_what_is_incomplete_because_of_its_cards() -> None:
    """Turn-ups of Tens are left blank or cannot be read: no Ten is missing."""
    deals = _openings(3, 2000)
    bare = [d.turnups for d in deals]
    kept = sum(turnup[0] % 13 != 8 for turnup in bare)
    # The deals that show their turn-up, taken as if they were all, miss each Ten at e^35 to one.
    assert kept * math.log(52 / 51) > 30
    for kind in ("typing errors, turn-ups only", "plays cut short"):
        found = judged_log(KINDS[kind][1](8))
        assert [h.subject for h in found if h.flagged] == []


def test_12_dealers_are_compared_within_what_they_dealt() -> None:
    """P deals Euchre's 24 cards, where Jacks are 1 in 6, and Q the whole pack, both fairly."""
    p_hits, p_deals, q_hits, q_deals = 80, 480, 40, 520
    pooled = drawn_upper(
        p_hits, population=p_deals + q_deals, marked=p_hits + q_hits, drawn=p_deals
    )
    assert pooled < math.log(1e-4)
    for hits, n, fair in ((p_hits, p_deals, Fraction(1, 6)), (q_hits, q_deals, FAIR)):
        assert float(mixture(np.array([hits]), np.array([n - hits]), fair)[0]) < 0


def test_12_logs_of_two_games_are_no_one_log(tmp_path: object) -> None:
    folder = str(tmp_path)
    for name, game in (("a", "seven_up_4"), ("b", "euchre_4")):
        with open(f"{folder}/{name}.csv", "w", encoding="utf-8") as out:
            out.write("game,deal,dealer,turnup\n")
            out.writelines(f"{game},{i},P,{'9TJQKA'[i % 6]}S\n" for i in range(50))
    with pytest.raises(UsageError, match="several games"):
        audit([f"{folder}/a.csv", f"{folder}/b.csv"], form=None, game=None)


def test_13_an_honest_cut_hides_the_order() -> None:
    """No shuffle at all, and every card is turned once in 52: rates of turn-ups prove nothing."""
    place = LAW.turn_places(4, 52)[0]
    pack = np.arange(52)
    turned = sorted(int(np.roll(pack, -cut)[place]) for cut in range(52))
    assert turned == list(range(52))
    counts = np.full((1, 52), 20)
    assert float(dirichlet_uniform(counts)[0]) < 0
    found = [h for h in judged(dealt("fair", 400, Fraction(0), 9, "sensible")) if h.code == "T02"]
    assert all("shuffl" not in h.null and h.refutes == ("fair",) for h in found)


def test_14_too_few_jacks() -> None:
    """Upper tails alone never see a log in which a Jack is never turned."""
    deals = 3000
    assert log_upper(deals, 0, FAIR) == 0
    assert float(jacks_evidence(np.array([0]), np.array([deals]))[0]) < 0
    counts = np.array([[0 if c % 13 == JACK else deals // 48 for c in range(52)]])
    assert float(dirichlet_uniform(counts)[0]) > math.log(THRESHOLD / WEIGHTS["turned_card"])


def test_15_runs_up_and_down_with_ties() -> None:
    """Moments of a law without ties, (2n-1)/3 and (16n-29)/90, on 40 logs of 20 fair packs."""
    orders = uniform_orders(Words(15), 800).astype(np.int64).reshape(40, 20 * 52)

    def rejects(values: NDArray[np.int64]) -> int:
        signs = np.sign(np.diff(values, axis=1))
        runs = 1 + (signs[:, 1:] != signs[:, :-1]).sum(axis=1)
        n = values.shape[1]
        z = (runs - (2 * n - 1) / 3) / math.sqrt((16 * n - 29) / 90)
        return int((np.abs(z) > 1.96).sum())

    assert rejects(orders // 13) == 40
    assert rejects(orders % 13) > 20
    # A card is a number of its own, and nothing that the audit counts has ties.
    assert rejects(orders) <= budget(40, Fraction(6, 100))


def test_16_innocence_is_composite() -> None:
    """What refutes a fair deal leaves poor shuffling open, and every finding says so."""
    flagged = [
        h for h in judged(dealt("turned_jacks", 1600, Fraction(1, 2), 3, "sensible")) if h.flagged
    ]
    assert "turned_honours" in {h.detector for h in flagged}
    for h in flagged:
        assert tuple(h.refutes) == ("fair",)
    assert any("poor shuffling" in text for h in flagged for text in h.explains)


def test_17_base_rates() -> None:
    """One in 10,000 over 38,000 players is four innocents; the shares of persons sum to 1."""
    assert 38_000 * Fraction(1, 10_000) == Fraction(38, 10)
    innocent = sum(share_of_person(m) / THRESHOLD for m in range(1, 38_001))
    assert innocent < Fraction(1, THRESHOLD)
    found = judged(dealt("fair", 200, Fraction(0), 5, "sensible"))
    for h in found:
        text = " ".join([h.null, h.message, *h.explains]).lower()
        assert "guilt" not in text
        assert "probability" not in text


def test_18_approximate_power() -> None:
    p, q = 1 / 13, 2 / 13
    wide = norm.isf(0.001) * math.sqrt(p * (1 - p)) + norm.isf(0.1) * math.sqrt(q * (1 - q))
    assert math.ceil((wide / (q - p)) ** 2) == 280

    def power(n: int) -> float:
        least = next(k for k in range(n) if log_upper(n, k, FAIR) <= math.log(0.001))
        return math.exp(log_upper(n, least, 2 * FAIR))

    enough = {n: power(n) >= 0.9 for n in range(270, 360)}
    assert min(n for n, yes in enough.items() if yes) == 310
    assert max(n for n, yes in enough.items() if not yes) + 1 == 324
    assert power(280) < 0.9


def test_19_no_p_is_nought() -> None:
    assert binom.sf(999, 1000, 1 / 13) == 0
    assert log_upper(1000, 1000, FAIR) == pytest.approx(-1000 * math.log(13), rel=1e-12)
    counts = np.array([[3, 5, 2]])
    kept = counts.copy()
    dirichlet_uniform(counts)
    assert (counts == kept).all()


def test_20_a_commitment_is_not_fairness() -> None:
    """Every seal opens, and every fourth pack of one dealer turns a Jack that was put there."""
    t = dealt("turned_jacks", 1600, Fraction(1, 4), 1, "sensible")
    packs = [d.turnups for d in t.records()]
    seals = [hashlib.sha256(bytes([i % 256]) + p).digest() for i, p in enumerate(packs)]
    opens = [hashlib.sha256(bytes([i % 256]) + p).digest() for i, p in enumerate(packs)]
    assert seals == opens
    assert first_flag(total(judged(t), 1600), 1600) <= 1600
    # Nor is fairness a commitment: rows lost for another reason than their cards pass.
    kept = lost_rows(_openings(11, 400), 12)
    assert len(kept) < 400
