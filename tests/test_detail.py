"""Effects, explaining shares and detectable effects, against enumeration on small logs."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import jsonschema
import numpy as np
import pytest
from numpy.typing import NDArray

from audit.columns import batch_of
from audit.count.strength import TALLY as STRENGTH
from audit.detect import missing_card, turned_card, turned_honours
from audit.detect.favoured_seat import DETECTOR as FAVOURED
from audit.finding import THRESHOLD, Hypothesis, also_named, log_threshold
from audit.games import GAMES
from audit.record import Deal, Holds
from audit.render.schema import schema
from audit.stats import detectable, evalue, recursion
from audit.stats.binomial import band
from audit.stats.tilt import NEVER
from audit.tally import Looks, Table

JACK = Fraction(1, 13)


def ints(*values: int) -> NDArray[np.int64]:
    return np.array(values, np.int64)


@pytest.mark.parametrize(("n", "rate"), [(1, JACK), (7, Fraction(1, 2)), (60, JACK), (9, 0.9)])
def test_the_band_is_the_narrowest_with_a_fortieth_outside_each_end(
    n: int, rate: Fraction | float
) -> None:
    p = Fraction(rate)
    pmf = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    low, high = band(n, rate)
    side = Fraction(1, 40)
    assert sum(pmf[:low], Fraction(0)) <= side < sum(pmf[: low + 1], Fraction(0))
    assert sum(pmf[high + 1 :], Fraction(0)) <= side < sum(pmf[high:], Fraction(0))


def test_the_chance_to_reach_a_bound_is_that_of_all_outcomes() -> None:
    deals, least, rate = ints(2, 2, 5, 9), ints(2, 2, 3, 5), 0.3
    at, need = deals.tolist(), least.tolist()
    total = sum(
        rate ** sum(row) * (1 - rate) ** (9 - sum(row))
        for row in product((0, 1), repeat=9)
        if any(sum(row[:n]) >= k for n, k in zip(at, need, strict=True))
    )
    assert detectable.reached(rate, deals, least) == pytest.approx(total, rel=1e-12)
    assert detectable.reached(1.0, deals, least) == 1.0
    assert detectable.reached(0.3, deals, deals + 1) == 0.0


def test_looks_after_every_deal_agree_with_the_recursion() -> None:
    deals = np.arange(1, 301, dtype=np.int64)
    bar = log_threshold(Fraction(1, 8))

    def log_e(hits: NDArray[np.int64], n: NDArray[np.int64]) -> NDArray[np.float64]:
        return turned_honours.mixture(hits, n - hits, JACK)

    least = detectable.least_hits(log_e, deals, bar)
    bounds = recursion.boundary(log_e, 300, bar)
    assert (least == bounds[1:]).all()
    for rate in (0.12, 0.18, 0.3):
        want = recursion.crossing(rate=rate, bounds=bounds)[-1]
        assert detectable.reached(rate, deals, least) == pytest.approx(want, abs=1e-12)


def test_the_smallest_detectable_rate_is_met_and_the_next_smaller_is_not() -> None:
    deals = ints(*range(4, 401, 4))
    hits = deals // 10
    detail = turned_honours._detail(hits, deals, JACK, Fraction(1, 8), "J")
    assert detail.detectable is not None
    rate = float(detail.detectable.split()[3])
    assert detail.detectable == (
        f"a rate of {rate:.2f} in 13 would have been flagged with probability 0.9"
        " by these 400 deals"
    )
    bar = log_threshold(Fraction(1, 8))

    def log_e(h: NDArray[np.int64], n: NDArray[np.int64]) -> NDArray[np.float64]:
        return turned_honours.mixture(h, n - h, JACK)

    bounds = recursion.boundary(log_e, 400, bar)
    looked = np.isin(np.arange(401), deals)
    bounds = np.where(looked, bounds, np.arange(401) + 1)
    got = [
        recursion.crossing(rate=float(r), bounds=bounds)[-1]
        for r in (Fraction(round(100 * rate), 1300), Fraction(round(100 * rate) - 1, 1300))
    ]
    assert got[1] < 0.9 <= got[0]


def test_a_log_too_short_for_any_flag_states_no_detectable_rate() -> None:
    detail = turned_honours._detail(ints(1, 2), ints(1, 2), JACK, Fraction(1, 8), "J")
    assert detail.detectable is None
    assert detail.share_explaining is None


def test_left_out_deals_that_explain_turned_jacks_are_the_fewest_of_all_placings() -> None:
    deals, hits, weight = ints(2, 4, 6, 8), ints(2, 4, 6, 7), Fraction(1)
    bar = log_threshold(weight)
    share = turned_honours._detail(hits, deals, JACK, weight, "J").share_explaining
    assert share is not None
    m = round(share * 8 / (1 - share))
    assert m > 0
    assert share == m / (8 + m)

    def explained(total: int) -> bool:
        for before in combinations_with_replacement(range(5), total):
            missed = np.array([sum(b <= look for b in before) for look in range(4)], np.int64)
            if (turned_honours.mixture(hits, deals - hits + missed, JACK) < bar).all():
                return True
        return False

    assert explained(m)
    assert not explained(m - 1)


def test_left_out_deals_that_explain_a_missing_card_are_the_fewest() -> None:
    deals, shown = np.zeros((3, 53), np.int64), np.zeros((3, 53), np.int64)
    deals[:, 13], deals[:, 26] = 15, 4
    shown[2, 13] = 1
    weight = Fraction(1, 50)
    share = missing_card._detail(deals, shown, 52, weight).share_explaining
    assert share is not None
    m = round(share * 57 / (1 - share))
    for more, gone in ((m, True), (m - 1, False)):
        some, seen = deals.copy(), shown.copy()
        some[0, 20] += more
        seen[0, 20] += more
        curve = missing_card.curve_of(some, seen, 52)
        assert bool((curve < log_threshold(weight)).all()) is gone


def test_the_detectable_share_of_a_missing_card_is_met_and_the_next_smaller_is_not() -> None:
    deals = np.zeros((30, 53), np.int64)
    deals[:, 13] = 2
    weight = Fraction(1, 50)
    said = missing_card._detail(deals, np.zeros_like(deals), 52, weight).detectable
    assert said is not None
    x = round(100 * float(said.split()[7]))
    bar = log_threshold(weight)

    def flagged(share: float) -> float:
        """Sum over counts of unseen cards look by look, two deals a look."""
        chance = 1 - (1 - share) * 13 / 52
        two = [(1 - chance) ** 2, 2 * chance * (1 - chance), chance**2]
        alive, crossed = {0: 1.0}, 0.0
        for look in range(1, 31):
            moved: dict[int, float] = {}
            for k, mass in alive.items():
                for j, p in enumerate(two):
                    moved[k + j] = moved.get(k + j, 0.0) + mass * p
            alive = {}
            for k, mass in moved.items():
                total, seen = np.zeros((1, 53), np.int64), np.zeros((1, 53), np.int64)
                total[0, 13], seen[0, 13] = 2 * look, 2 * look - k
                if missing_card.curve_of(total, seen, 52)[-1] >= bar:
                    crossed += mass
                else:
                    alive[k] = mass
        return crossed

    assert flagged(x / 100) >= 0.9 > flagged((x - 1) / 100)


@pytest.mark.parametrize(
    ("rows", "look"),
    [
        ([[4, 0, 0, 0], [9, 1, 0, 0], [13, 1, 1, 0]], 2),
        ([[4, 0, 0, 0], [16, 1, 0, 0], [0, 9, 9, 9]], 1),
    ],
)
def test_left_out_deals_that_explain_a_turned_card_are_the_fewest_of_all_cards(
    rows: list[list[int]], look: int
) -> None:
    counts = np.array(rows, np.int64).cumsum(axis=0)
    assert evalue.dirichlet_uniform(counts).argmax() == look
    bar = math.log(20)
    share = turned_card._left_out(counts, bar)
    assert share is not None
    n = int(counts[-1].sum())
    m = round(share * n / (1 - share))
    assert share == m / (n + m)
    for more, some in ((m, True), (m - 1, False)):
        left_out = np.array(
            [
                (a, b, c, more - a - b - c)
                for a in range(more + 1)
                for b in range(more + 1 - a)
                for c in range(more + 1 - a - b)
            ]
        )
        low = evalue.dirichlet_uniform(counts[look] + left_out).min()
        assert bool(low < bar) is some
        assert evalue.dirichlet_uniform(turned_card.level(counts[look], more)) == pytest.approx(low)


def test_levelling_adds_each_deal_to_the_least_turned_card() -> None:
    counts = ints(5, 0, 2, 2)
    for more in range(12):
        want = counts.copy()
        for _ in range(more):
            want[want.argmin()] += 1
        assert sorted(turned_card.level(counts, more)) == sorted(want)


def test_a_card_not_too_often_turned_is_explained_by_nothing() -> None:
    assert turned_card._left_out(ints(4, 5, 6, 3).reshape(1, 4), math.log(20)) is None


def test_the_fast_dirichlet_is_the_kept_one() -> None:
    counts = ints(1711, 2, 1, 900, 417, 417)
    kept = float(evalue.dirichlet_uniform(counts))
    assert evalue.log_dirichlet(counts) == pytest.approx(kept, rel=1e-10)


def test_impossible_bets_of_a_long_log_add_up_below_zero() -> None:
    deals, shown = np.zeros((4, 53), np.int64), np.zeros((4, 53), np.int64)
    deals[:, 13], shown[:, 13] = 500_000, 125_000
    assert (missing_card.curve_of(deals, shown, 52) < 0).all()
    assert np.iinfo(np.int64).min < NEVER * (1 << 28)


def test_a_fair_log_of_eight_thousand_boards_favours_no_seat() -> None:
    law, n = GAMES["bridge"], 8192
    order = np.argsort(np.random.PCG64(5).random_raw((n, 52)), axis=1)
    batch = batch_of(
        [
            Deal(game="bridge", hands=tuple(row[13 * p : 13 * p + 13] for p in range(4)))
            for row in (bytes(r) for r in order.astype(np.uint8))
        ],
        first=0,
        names={},
    )
    table = Table(
        law=law,
        pack=law.pack,
        players=4,
        holds=Holds(exposure="dealt"),
        looks=Looks(deals=n),
        dealers=(),
        machine=True,
    )
    tallies = {"strength": STRENGTH.count(batch, table)}
    found = FAVOURED.judge(tallies, table).hypotheses
    assert len(found) == 5
    assert not any(h.flagged for h in found)
    assert (tallies["strength"]["log"][:, :, 0].cumsum(axis=0)[-1] < 0).all()


def hypothesis(log_e: float, weight: Fraction) -> Hypothesis:
    return Hypothesis(
        code="T02",
        detector="turned_card",
        subject={"dealer": "a"},
        weight=weight,
        curve=np.array([log_e]),
        deals=1,
        null="",
        message="",
    )


def test_names_are_added_only_beside_flags_by_closed_testing() -> None:
    strong, light = hypothesis(60.0, Fraction(1, 8)), hypothesis(11.0, Fraction(1, 1000))
    weak = hypothesis(2.0, Fraction(1, 8))
    assert (strong.flagged, light.flagged) == (True, False)
    assert also_named([strong, light, weak]) == {1}
    assert also_named([]) == frozenset()
    # The mean over any set with the named one has to reach its share of a thousand.
    assert (math.exp(11.0) + math.exp(2.0)) / 2 > THRESHOLD


def test_every_effect_with_an_interval_holds_its_value(tmp_path: Any) -> None:
    from audit.run.audit import audit

    rows = ["deal,dealer,turnup"]
    plain = [r + s for r in "23456789TQKA" for s in "SHDC"]
    for i in range(300):
        card = "J" + "SHDC"[i % 4] if i % 3 == 0 else plain[(i * 7) % 48]
        rows.append(f"{i + 1},{'ann' if i % 2 else 'bob'},{card}")
    path = tmp_path / "night.csv"
    path.write_text("\n".join(rows) + "\n")
    report = audit([str(path)], form=None, game=None)
    jsonschema.Draft202012Validator(schema()).validate(report)
    effects = [f["effect"] for f in report["findings"] if f["effect"]]
    assert len(effects) > 40
    for e in effects:
        if e.get("low") is not None:
            assert e["anytime_low"] <= e["low"] <= e["value"] <= e["high"] <= e["anytime_high"]
            assert e["coverage"] == 0.95
    named = [f for f in report["findings"] if f["flagged"] and f["code"] == "W13"]
    assert named
    assert all(0 < f["share_explaining"] < 1 for f in named)
