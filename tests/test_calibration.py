"""Fair tables are spared, and the checks that show it fail on wrong builds.

Because the seeds are fixed, a failure here is a defect and never bad luck.  The
same checks over 2,000 logs a player are `python -m tests.long_calibration`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from audit.cards import UNKNOWN
from audit.detect import DETECT
from audit.finding import THRESHOLD, WEIGHTS, Hypothesis, share_of_person
from audit.lab import LAB
from audit.lab._random import Words
from audit.lab._table import Table as Dealt
from audit.run.joining import join
from audit.stats.bets import TILTS
from audit.stats.hand import law as hand_law
from audit.stats.hand import spread
from audit.stats.recursion import boundary, crossing
from audit.stats.tilt import NEVER
from audit.suspect import SUSPECT
from tests._checks import THRESHOLDS, excesses, mean_limit, mean_of
from tests._logs import (
    FAIR,
    LAW,
    PLAYERS,
    VALUES,
    dealt,
    first_flag,
    jacks_evidence,
    judged,
    judged_records,
    points,
    total,
    toy,
    toy_dealt,
)
from tests._orders import DETECTORS as ORDERS
from tests._orders import crooked
from tests.long_calibration import DEALS, Lines, fair

LOGS = 60
Rows = NDArray[np.intp]


def _lines(logs: Sequence[tuple[Dealt, Rows | None]]) -> Lines:
    lines = Lines()
    for t, rows in logs:
        lines.add(judged(t, rows), len(t) if rows is None else len(rows))
    return lines


# Fair tables


@pytest.mark.parametrize("player", PLAYERS)
def test_fair_tables_are_spared_at_every_threshold_however_often_looked_at(player: str) -> None:
    lines = fair(player, LOGS)
    judged_by = {key.split()[0] for key in lines.highest}
    # In a game where hands may change, ranks are counted beside the order of the pack alone.
    without = {"voids", "suspects", "uneven_ranks", *ORDERS}
    assert judged_by - set(SUSPECT.names) == set(DETECT.names) - without
    assert "high_hand" in judged_by
    assert lines.failures() == []


def test_a_long_fair_log_is_spared() -> None:
    """Thousands of bets that are lost for good still add up within 64 bits."""
    for seed in range(3):
        found = judged(dealt("fair", 6000, Fraction(0), seed, "sensible"))
        assert [h.subject for h in found if h.flagged] == []
        assert first_flag(total(found, 6000), 6000) == 6001
        assert all(np.isfinite(h.final) and h.highest < 12 for h in found)
    assert NEVER * 2**28 > -(2**63)


def test_rows_lost_at_random_leave_a_fair_table_fair() -> None:
    logs = []
    for seed in range(30):
        t = dealt("fair", 300, Fraction(0), seed, "sensible")
        logs.append((t, np.flatnonzero(Words(1000 + seed).words(300) >> np.uint64(62) != 0)))
    assert _lines(logs).failures() == []


def test_rows_stored_in_an_order_without_cards_leave_a_fair_table_fair() -> None:
    """As text "10" stands before "2": the order of the numbers knows no card."""
    rows = np.array(sorted(range(DEALS), key=lambda i: str(i + 1)))
    logs = [(dealt("fair", DEALS, Fraction(0), 500 + s, "sensible"), rows) for s in range(30)]
    assert _lines(logs).failures() == []


def test_sorted_hands_change_no_evidence() -> None:
    t = dealt("turned_jacks", DEALS, Fraction(1), 1, "sensible")
    kept = judged(replace(t, hands=np.sort(t.hands, axis=2)))
    for a, b in zip(judged(t), kept, strict=True):
        assert (a.subject, a.weight) == (b.subject, b.weight)
        assert np.array_equal(a.curve, b.curve)


def test_hands_cut_short_by_what_they_held_are_no_evidence_of_cards() -> None:
    """The strong give up after three cards, so what is shown follows from what was held."""
    lines = Lines()
    for seed in range(30):
        t = dealt("fair", DEALS, Fraction(0), seed, "random_beggar")
        hands = t.hands.copy()
        hands[:, :, 3:][points(t) > 20] = UNKNOWN
        lines.add(judged(replace(t, hands=hands)), DEALS)
    told = {key.split()[0] for key in lines.highest}
    assert told >= {"turned_honours", "turned_card", "later_turnups"}
    assert not told & {"missing_card", "favoured_seat"}
    assert lines.failures() == []


@pytest.mark.parametrize("player", ["jackless", "random_beggar"])
def test_logs_without_hands_allow_for_any_begging(player: str) -> None:
    lines = Lines()
    for seed in range(30):
        t = dealt("fair", DEALS, Fraction(0), seed, player)
        lines.add(judged(t, hands=False), DEALS)
    assert any(key.startswith("later_turnups") for key in lines.highest)
    assert lines.failures() == []


def test_sensible_begging_without_logged_hands_stays_under_the_bound() -> None:
    """Tables that run only without plain Jacks turn more later Jacks than 1/17, and are spared."""
    t = dealt("fair", 20_000, Fraction(0), 5, "jackless")
    first = t.turn_at[:-1][np.diff(t.turn_at) > 1]
    second = t.turnups[first + 1]
    jacks = (second % 13 == 9) & (second // 13 != t.turnups[first] // 13)
    assert jacks.mean() > 1 / 17
    assert jacks.mean() < 3 / 39 + 4 * math.sqrt(3 / 39 / len(jacks))


@pytest.mark.parametrize("first", [range(52), [*range(9, 52, 13)]])
def test_a_log_stored_sorted_by_what_was_turned_ends_with_the_same_evidence(
    first: Sequence[int],
) -> None:
    """Only the way there depends on the order, and the report offers the storage as a reason."""
    t = dealt("fair", 800, Fraction(0), 1, "sensible")
    place = {card: k for k, card in enumerate(first)}
    turned = t.turnups[t.turn_at[:-1]].tolist()
    rows = np.array(sorted(range(800), key=lambda i: place.get(turned[i], 52)))
    stored = judged(t, rows)
    finals = {(h.detector, *h.subject.values()): h.final for h in judged(t)}
    for h in stored:
        assert h.final == pytest.approx(finals[(h.detector, *h.subject.values())], abs=1e-6)
    for h in stored:
        if h.flagged:
            assert any("sorted" in e or "turn-ups first" in e for e in h.explains)


def test_rows_lost_for_what_was_turned_are_offered_as_the_explanation() -> None:
    """Half of the deals that turned no Jack are not in the log; nobody moved a card."""
    t = dealt("fair", 4000, Fraction(0), 3, "sensible")
    jack = t.turnups[t.turn_at[:-1]] % 13 == 9
    kept = np.flatnonzero(jack | (Words(77).words(4000) >> np.uint64(63) == 1))
    flagged = [h for h in judged(t, kept) if h.flagged]
    assert "turned_honours" in {h.detector for h in flagged}
    for h in flagged:
        assert any("not recorded" in e or "left out" in e or "not kept" in e for e in h.explains)


def test_records_and_columns_of_the_same_deals_say_the_same() -> None:
    t = dealt("missing_ten", 64, Fraction(1), 2, "sensible")
    for a, b in zip(judged(t), judged_records(list(t.records())), strict=True):
        assert (a.detector, a.subject, a.weight) == (b.detector, b.subject, b.weight)
        assert np.array_equal(a.curve, b.curve)


# Every world of a toy pack


@lru_cache(maxsize=4)
def _worlds(cards: str, deals: int, player: str) -> dict[str, tuple[list[float], list[float]]]:
    """Return per hypothesis ln E at the end, and where it first exceeds 0, in every world."""
    law = toy(cards)
    worlds = list(itertools.product(itertools.permutations(law.pack), repeat=deals))
    out: dict[str, tuple[list[float], list[float]]] = {}
    for orders in worlds:
        t = toy_dealt(law, np.array(orders, np.uint8), player)
        for h in judged(t, law=law):
            key = f"{h.detector} {' '.join(h.subject.values())}"
            end, stopped = out.setdefault(key, ([], []))
            above = np.flatnonzero(h.curve > 0)
            end.append(h.final)
            stopped.append(float(h.curve[above[0]]) if len(above) else h.final)
    for pair in out.values():
        for values in pair:
            # A detector that is silent in a world holds E = 1 there.
            values += [0.0] * (len(worlds) - len(values))
    return out


def _means_above_one(
    worlds: dict[str, tuple[list[float], list[float]]], factor: float = 1.0
) -> set[str]:
    """Return the hypotheses whose exact mean of *factor* times E exceeds 1, at either stop."""
    return {
        key
        for key, stops in worlds.items()
        if any(factor * math.fsum(map(math.exp, s)) / len(s) > 1 + 1e-12 for s in stops)
    }


@pytest.mark.parametrize(
    ("cards", "deals", "player"),
    [("JS JH TS 2S", 2, "sensible"), ("JS JH JD TS 2S QH", 1, "jackless")],
)
def test_over_every_world_of_a_toy_pack_no_mean_exceeds_one(
    cards: str, deals: int, player: str
) -> None:
    """Also where one stops as soon as the evidence speaks against the table.

    An e half too large is seen at once in every hypothesis.
    """
    worlds = _worlds(cards, deals, player)
    wanted = (
        set(DETECT.names)
        - {"voids", "suspects", *ORDERS}
        - ({"later_turnups"} if deals == 2 else set())
    )
    assert {key.split()[0] for key in worlds} == wanted
    assert _means_above_one(worlds) == set()
    assert _means_above_one(worlds, 1.5) == set(worlds)


# Wrong builds, each caught by a check that the product passes


def _crossed_by(bounds: NDArray[np.int64]) -> float:
    return float(crossing(rate=float(FAIR), bounds=bounds)[-1])


def test_looking_at_p_again_and_again_crosses_too_often() -> None:
    """Exact, over 1,000 deals of one dealer: p as a flag at any look, and E."""
    deals = np.arange(1001)
    for level in THRESHOLDS:
        flagged_at = np.asarray(binom.isf(1 / level, deals, float(FAIR)), np.int64) + 1
        flagged_at[0] = 1
        assert _crossed_by(flagged_at) > 1 / level
        assert _crossed_by(boundary(jacks_evidence, 1000, math.log(level))) <= 1 / level


def test_choosing_the_dealer_after_looking_crosses_too_often() -> None:
    """Exact, over four dealers of 1,000 deals each, at the threshold of each share."""
    for level in (5, 20):
        one = _crossed_by(boundary(jacks_evidence, 1000, math.log(level)))
        assert 1 - (1 - one) ** 4 > 1 / level
    for level in THRESHOLDS:
        spared = 1.0
        for m in range(1, 5):
            aim = math.log(level / share_of_person(m))
            spared *= 1 - _crossed_by(boundary(jacks_evidence, 1000, aim))
        assert 1 - spared <= 1 / level


def test_the_shares_of_one_detector_never_exceed_its_weight() -> None:
    found = crooked("riffles", 100, Fraction(0), 0)
    spent: dict[str, Fraction] = {}
    for h in found:
        spent[h.detector] = spent.get(h.detector, Fraction(0)) + h.weight
    by_events: dict[str, Fraction] = {}
    for name in set(spent) & set(SUSPECT.names):
        key = SUSPECT[name].weight
        by_events[key] = by_events.get(key, Fraction(0)) + spent.pop(name)
    for name in set(spent) & {*ORDERS, "uneven_ranks"}:
        by_events["order"] = by_events.get("order", Fraction(0)) + spent.pop(name)
    assert by_events["order"] > WEIGHTS["order"] * Fraction(4, 5)
    assert all(weight <= WEIGHTS[key] for key, weight in by_events.items())
    for name, weight in spent.items():
        pairs = {"missing_card": "missing_ten", "favoured_seat": "best_hand"}
        assert weight <= WEIGHTS[name] + WEIGHTS.get(pairs.get(name, ""), Fraction(0))


def _strong_for_somebody(seed: int) -> tuple[Dealt, Rows]:
    """Return deals kept because their best hand is strong, whoever holds it."""
    t = dealt("fair", 1000, Fraction(0), seed, "sensible")
    best = points(t).max(axis=1)
    return t, np.sort(np.argsort(-best, kind="stable")[:DEALS])


def _tilt_against_fair_law(held: NDArray[np.int64]) -> float:
    """Return the largest ln E of one place's points, bet on as if the pack alone dealt them."""
    values = VALUES[list(LAW.pack)].tolist()
    ways = hand_law(values, LAW.hand)
    hands, sd = math.comb(len(values), LAW.hand), spread(values, LAW.hand)
    parts = []
    for tilt in TILTS:
        mean = math.fsum(w / hands * math.exp(tilt * x / sd) for x, w in enumerate(ways))
        parts.append(np.cumsum(held * (tilt / sd) - math.log(mean)))
    return float((np.logaddexp.reduce(np.array(parts), axis=0) - math.log(len(TILTS))).max())


def test_a_place_is_not_named_for_a_strong_hand_that_anyone_may_hold() -> None:
    logs = [_strong_for_somebody(900 + seed) for seed in range(30)]
    planted = [_tilt_against_fair_law(points(t)[rows][:, 0]) for t, rows in logs]
    assert excesses(planted)
    lines = _lines(logs)
    places = [key for key in lines.highest if key.startswith("favoured_seat place")]
    assert len(places) == 4
    assert [text for key in places for text in excesses(lines.highest[key])] == []


def _highest(found: Sequence[Hypothesis]) -> float:
    return max(h.highest for h in found if h.detector == "turned_card")


def test_records_of_one_deal_are_no_new_evidence() -> None:
    """Every deal stands ten times in the log, as where ten tables play the same boards."""
    planted, product = [], []
    for seed in range(30):
        t = dealt("fair", 24, Fraction(0), seed, "sensible")
        records = [deal for deal in t.records() for _ in range(10)]
        joined = join(records, LAW)
        assert joined.repeated_records == 9 * 24
        planted.append(_highest(judged_records(records)))
        product.append(_highest(judged_records(joined.deals)))
    assert excesses(planted)
    assert excesses(product) == []


def test_the_budget_of_the_mean_catches_a_larger_mean() -> None:
    """Hoeffding's bound at 2,000 logs is 1.69; an E that is 100 in one log of 20 breaks it."""
    assert 1.6 < mean_limit(2000) < 1.7
    finals = [math.log(100) if i % 10 == 0 else -10.0 for i in range(2000)]
    assert mean_of(finals) > mean_limit(2000)
    assert mean_of(finals[1:2] * 2000) < 1


# Crooked tables


def test_a_dealer_with_too_many_jacks_is_named_alone() -> None:
    for seed in range(6):
        found = judged(dealt("turned_jacks", 1600, Fraction(1, 4), seed, "sensible"))
        named = [h for h in found if h.flagged]
        assert "turned_honours" in {h.detector for h in named}
        assert {tuple(h.subject.items()) for h in named} == {(("dealer", "P4"),)}


def test_every_laboratory_fault_is_flagged_and_a_fair_deal_is_not() -> None:
    """Cuts that are left out show nothing, and cuts that are undone are contradictions."""
    for crook in LAB.names:
        if LAB[crook].habit is not None:
            continue  # shows only in what is done at the table: see test_habits
        flagged = total(crooked(crook, 400, Fraction(1), 1), 400).max() >= math.log(THRESHOLD)
        assert flagged == (crook not in ("fair", "skipped_cut", "shifted_cut"))
