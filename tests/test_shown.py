"""What findings say of power, of hidden deals and of what they clear: never too much."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.columns import batch_of
from audit.count.later import TALLY as LATER
from audit.count.strength import TALLY as STRENGTH
from audit.detect import (
    _shown,
    favoured_seat,
    later_turnups,
    missing_card,
    suspects,
    turned_card,
    voids,
)
from audit.detect import turned_honours as honours
from audit.finding import WEIGHTS, Detail, log_threshold
from audit.readers.jsonl import READER
from audit.stats import detectable
from audit.stats.bets import LATER_ODDS, TILTS
from audit.stats.binomial import log_upper
from audit.stats.chances import BINS
from audit.stats.evalue import SCALE, log_dirichlet, log_fixed
from audit.stats.hand import spread, tilt_drop
from audit.stats.tilt import hit_and_miss
from audit.suspect import SUSPECT
from audit.suspicion import UNIT
from audit.tally import Looks, Table
from tests._logs import LAW, batches, dealt

JACK = Fraction(1, 13)


def at(detail: Detail | dict[str, Any] | None, odds: int) -> float | None:
    """Return the least effect cleared at *odds* to one."""
    told = detail.cleared if isinstance(detail, Detail) else detail
    return next((c["value"] for c in told["at"] if c["odds"] == odds), None) if told else None


def table(deals: int) -> Table:
    return Table(
        law=LAW,
        pack=LAW.pack,
        players=4,
        holds=READER.holds,
        looks=Looks(deals=deals),
        dealers=("P4", "P1", "P2", "P3"),
        machine=False,
    )


@pytest.mark.parametrize("multiple", [Fraction(3, 2), Fraction(2), Fraction(3)])
@pytest.mark.parametrize("odds", [10, 1000])
def test_who_turns_so_many_jacks_is_seldom_cleared_of_it(multiple: Fraction, odds: int) -> None:
    for n in (40, 150, 600):
        wrong = 0.0
        rate = float(multiple * JACK)
        for k in range(n + 1):
            value = at(_shown.against_rate(k, n, JACK, "x"), odds)
            if value is not None and value <= multiple:
                wrong += math.comb(n, k) * rate**k * (1 - rate) ** (n - k)
        assert wrong <= 1 / odds


def test_a_fair_dealer_of_300_deals_is_cleared_of_twice_the_jacks() -> None:
    assert at(_shown.against_rate(23, 300, JACK, "x"), 1000) == 1.91
    assert _shown.against_rate(0, 3, JACK, "x") is not None
    assert _shown.against_rate(2, 2, JACK, "x") is None


def test_who_was_fair_once_and_is_no_longer_is_not_cleared() -> None:
    fair, cheat = np.zeros(400, np.int64), np.zeros(300, np.int64)
    fair[::13], cheat[::4] = 1, 1
    hits = np.concatenate([fair, cheat]).cumsum()
    deals = np.arange(1, 701, dtype=np.int64)
    early = honours._detail(hits[:400], deals[:400], JACK, Fraction(1, 8), "J")
    late = honours._detail(hits, deals, JACK, Fraction(1, 8), "J")
    cleared = at(early, 1000)
    assert cleared is not None
    assert cleared < 2
    assert (at(late, 10) or 99) > 2


def test_deals_that_hide_their_turn_up_clear_nobody() -> None:
    hits, deals = np.array([8], np.int64), np.array([200], np.int64)
    plain = honours._detail(hits, deals, JACK, Fraction(1, 8), "J")
    hidden = honours._detail(hits, deals, JACK, Fraction(1, 8), "J", untold=40)
    assert at(plain, 1000) == at(_shown.against_rate(8, 200, JACK, "x"), 1000)
    assert at(hidden, 1000) == at(_shown.against_rate(48, 200, JACK, "x"), 1000)
    assert (at(hidden, 10) or 99) > 2 > (at(plain, 1000) or 99)


def _later(crook: str, dial: Fraction, deals: int, *, hands: bool = True) -> dict[str, Any]:
    t = dealt(crook, deals, dial, 11, "sensible")
    (batch,) = batches(t, np.arange(len(t)), hands=hands)
    return dict(LATER.count(batch, table(deals)))


@pytest.mark.parametrize("hands", [True, False])
def test_turn_ups_by_their_chance_make_up_the_bets(*, hands: bool) -> None:
    got = _later("fair", Fraction(0), 800, hands=hands)
    assert (got["chances"].sum(axis=(1, 2, 3)) == got["seen"]).all()
    assert got["seen"][:, 0].sum() > 100
    assert (got["chances"][:, 0 if hands else 1] == 0).all()
    for dealer in range(4):
        total = np.zeros(len(LATER_ODDS), np.int64)
        for chance, hits, turns in later_turnups._groups(got["chances"][dealer].sum(axis=0)):
            for j, odds in enumerate(LATER_ODDS):
                hit, miss = hit_and_miss(chance, odds)
                total[j] += hits * hit + (turns - hits) * miss
        assert (total == got["log"][:, dealer].sum(axis=0)).all()


def test_a_stacked_stock_says_how_many_hidden_turn_ups_would_explain_it() -> None:
    got, weight = _later("stacked_stock", Fraction(1), 400), WEIGHTS["later_turnups"] / 2
    log, chances = got["log"][:, 0], got["chances"][0]
    detail = later_turnups._detail(log, chances, log_threshold(weight))
    assert detail.share_explaining is not None
    turns = int(got["seen"][0, 0])
    m = round(detail.share_explaining * turns / (1 - detail.share_explaining))
    worst = max(p for p, _, _ in later_turnups._groups(chances.sum(axis=0)))
    misses = np.array([hit_and_miss(worst, odds)[1] for odds in LATER_ODDS])
    for more, explained in ((m, True), (m - 1, False)):
        curve = suspects.curve(np.vstack([log[:1] + more * misses, log[1:]]))
        assert bool((curve < log_threshold(weight)).all()) is explained
    assert detail.effect is not None
    assert detail.effect["anytime_low"] > 4
    assert detail.cleared is None


def test_fair_turn_ups_after_a_run_are_cleared_where_their_chance_is_known() -> None:
    weight = log_threshold(WEIGHTS["later_turnups"])
    for hands in (True, False):
        got = _later("fair", Fraction(0), 3000, hands=hands)
        every, log = got["chances"].sum(axis=0), got["log"].sum(axis=1)
        detail = later_turnups._detail(log, every, weight)
        assert detail.detectable is not None
        assert detail.share_explaining is None
        assert (at(detail, 1000) is not None) is hands
        assert (detail.effect is not None) is hands
        if detail.effect is not None:
            assert detail.effect["anytime_low"] < 1 < detail.effect["anytime_high"]
            assert (at(detail, 1000) or 99) < 3


def test_the_share_of_the_deals_that_hold_a_card() -> None:
    """Half of the deals are without it, whatever number of cards they show."""
    deals, shown = np.zeros((1, 53), np.int64), np.zeros((1, 53), np.int64)
    deals[0, [25, 38]] = 520, 260
    shown[0, [25, 38]] = 125, 95
    half = missing_card._detail(deals, shown, 52, Fraction(1, 100))
    shown[0, [25, 38]] = 250, 190
    whole = missing_card._detail(deals, shown, 52, Fraction(1, 100))
    assert half.effect is not None
    assert whole.effect is not None
    assert half.effect["anytime_low"] < 0.5 < half.effect["anytime_high"] < 1
    assert whole.effect["anytime_low"] < 1 == whole.effect["anytime_high"] == whole.effect["value"]
    assert at(whole, 1000) is not None
    assert at(half, 10) is None or (at(half, 10) or 0) > 0.5
    share = at(whole, 10)
    assert share is not None
    assert share < 0.2


def test_a_missing_card_of_deals_of_many_sizes_is_found_as_often_as_is_told() -> None:
    """Logs dealt by binomials at the share that is told are flagged in at least nine of ten."""
    weight, size = Fraction(1, 100), 52
    shows = [Fraction(n, 52) for n in (25, 38)]

    def find(*numbers: int) -> str | None:
        return missing_card._detectable_of_many(tuple(zip(shows, numbers, strict=True)), weight)

    told = find(400, 90)
    assert told is not None
    x = float(told.split()[7])
    assert 0.05 < x < 0.6
    rng, flagged, logs = np.random.default_rng(9), 0, 400
    for _ in range(logs):
        deals, shown = np.zeros((1, 53), np.int64), np.zeros((1, 53), np.int64)
        for n, number in ((25, 400), (38, 90)):
            deals[0, n] = number
            shown[0, n] = rng.binomial(number, (1 - x) * n / 52)
        flagged += bool(missing_card.curve_of(deals, shown, size)[-1] >= log_threshold(weight))
    assert flagged >= 0.9 * logs - 6 * math.sqrt(0.09 * logs)
    assert find(4, 2) is None
    sure = find(16, 4)
    assert sure is not None
    assert sure.startswith("a card out of the pack in 1.00")


@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(1, 2)])
def test_a_card_that_is_out_so_often_is_seldom_cleared(share: Fraction) -> None:
    p, n = Fraction(1, 2), 60
    q = float((1 - share) * p)
    wrong = 0.0
    for k in range(n + 1):
        value = at(missing_card._cleared([(p, k, n)]), 10)
        if value is not None and value <= share:
            wrong += math.comb(n, k) * q**k * (1 - q) ** (n - k)
    assert wrong <= 0.1


def test_other_cards_are_level_where_one_card_is_least_suspicious() -> None:
    rng = np.random.default_rng(5)
    for hits in (9, 20):
        level = np.full(51, 2, np.int64)
        least = log_dirichlet(np.append(level, hits))
        for _ in range(50):
            other = np.bincount(rng.integers(0, 51, 102), minlength=51)
            assert log_dirichlet(np.append(other, hits)) >= least - 1e-9


def test_the_smallest_favour_of_a_card_is_found_with_nine_tenths() -> None:
    bar = log_threshold(WEIGHTS["turned_card"])
    told = turned_card._detectable(600, 0, 52, bar)
    assert told is not None
    x = Fraction(told.split()[3])

    def evidence(hits: int) -> float:
        rest, over = divmod(600 - hits, 51)
        return log_dirichlet(np.array([hits, *[rest + 1] * over, *[rest] * (51 - over)], np.int64))

    least = next(k for k in range(12, 600) if evidence(k) >= bar)
    assert log_upper(600, least, x / 52) >= math.log(0.9)
    assert log_upper(600, least, (x - Fraction(1, 100)) / 52) < math.log(0.9)
    assert turned_card._detectable(6, 0, 52, bar) is None
    hidden = turned_card._detectable(600, 60, 52, bar)
    assert hidden is not None
    assert Fraction(hidden.split()[3]) > x


def test_no_deal_lowers_a_tilted_bet_more_than_is_reckoned() -> None:
    t = dealt("fair", 500, Fraction(0), 3, "sensible")
    (batch,) = batches(t, np.arange(500))
    one = STRENGTH.count(batch, table(500))
    assert one["tied"][:, 0].sum() == 500
    assert (one["tied"][:, 1:].sum(axis=0) == one["top"][:, 0]).all()
    cards = [LAW.strength.get("23456789TJQKA"[c % 13], 0) for c in LAW.pack]
    sd = spread(cards, 6)
    ordered = sorted(cards)
    low, high = sum(ordered[:6]), sum(ordered[-6:])
    for tilt in TILTS:
        bound = tilt_drop(cards, 6, 4, tilt)
        mine, others = (low, high) if tilt > 0 else (high, low)
        worst = math.exp(tilt / sd * mine) / (
            (math.exp(tilt / sd * mine) + 3 * math.exp(tilt / sd * others)) / 4
        )
        assert bound <= math.log(worst) <= bound + 1e-5


def test_a_place_that_holds_every_best_hand_says_what_would_explain_it() -> None:
    n, deals = 4, 40
    got = {
        "log": np.zeros((deals, n, len(favoured_seat.MIXTURE)), np.int64),
        "top": np.array([[deals, 720720 // 4 * deals]] * n),
        "tied": np.zeros((n, 1 + n), np.int64),
    }
    got["tied"][0, :2] = deals
    got["log"][:, 0, 0] = log_fixed(4, 1)
    bar = log_threshold(WEIGHTS["favoured_seat"] / n)
    detail = favoured_seat._detail(got, 0, deals, table(deals), bar)
    assert detail.share_explaining is not None
    assert 0 < detail.share_explaining <= 0.5
    assert detail.effect is not None
    assert detail.effect["value"] == 1
    assert detail.effect["anytime_low"] > 0.25 == detail.effect["fair"]
    quiet = favoured_seat._detail(got, 1, deals, table(deals), bar)
    assert quiet.share_explaining is None
    assert (at(quiet, 1000) or 99) < 3
    assert quiet.detectable is not None
    assert "times the fair ones" in quiet.detectable


def test_every_suspicion_says_what_it_would_have_seen_and_never_lowers_a_bet_too_little() -> None:
    for name in SUSPECT.names:
        suspicion = SUSPECT[name]
        bins = np.zeros(len(BINS), np.int64)
        bins[[300, 420]] = 500, 100
        units = int(float(bins @ BINS) * UNIT)
        bar = log_threshold(WEIGHTS[suspicion.weight] * suspicion.part)
        quiet = np.zeros((3, len(suspicion.odds)), np.int64)
        detail = suspects._detail(suspicion, quiet, bins, bar, units)
        assert detail.detectable is not None
        assert "these 600 trials" in detail.detectable
        assert detail.share_explaining is None
        loud = quiet + int(SCALE * (bar + 3))
        share = suspects._detail(suspicion, loud, bins, bar, units).share_explaining
        assert share is not None
        m = round(share * 600 / (1 - share))
        chance = Fraction(float(BINS[420])).limit_denominator(10**9)
        bets: NDArray[np.int64] = np.array(
            [min(hit_and_miss(chance, o)) if o is not None else -(1 << 34) for o in suspicion.odds]
        )
        # As many trials as that, each the worst for every bet at once: fewer do not explain it.
        few = suspects.curve(np.vstack([loud[:1] + (m - 1) * bets, loud[1:]]))
        assert (few >= bar).any()


def test_a_place_that_ties_has_its_share_of_the_best_hand_only() -> None:
    tied = np.array([[20, 8, 6, 6], [30, 20, 20, 20], [50, 50, 50, 50]])
    got = [favoured_seat._effect(tied, place) for place in range(3)]
    assert [e["value"] for e in got] == pytest.approx([1.04 / 3, 0.98 / 3, 0.98 / 3])
    assert all(e["anytime_low"] < e["fair"] < e["anytime_high"] for e in got)


def test_a_report_of_one_deal_has_no_power_and_clears_nobody() -> None:
    t = dealt("fair", 1, Fraction(0), 1, "sensible")
    batch = batch_of(list(t.records()), first=0, names={})
    got = dict(STRENGTH.count(batch, table(1)))
    bar = log_threshold(WEIGHTS["favoured_seat"] / 4)
    one = favoured_seat._detail(got, 0, 1, table(1), bar)
    assert one.detectable is not None
    assert one.detectable.startswith("no odds, however long")
    assert at(one, 1000) is None or (at(one, 1000) or 0) > 100


def test_packs_left_for_their_turn_up_say_what_would_be_seen_and_explain() -> None:
    packs = np.arange(1, 31, dtype=np.int64)
    weight = WEIGHTS["misdeals"] / 4
    loud = voids._orders_detail(packs // 2, packs, JACK, weight, "J")
    quiet = voids._orders_detail(packs // 13, packs, JACK, weight, "J")
    assert loud.share_explaining is not None
    m = round(loud.share_explaining * 30 / (1 - loud.share_explaining))
    bar = log_threshold(weight)
    assert (voids.log_orders(packs // 2, packs + m, JACK) < bar).all()
    assert not (voids.log_orders(packs // 2, packs + m - 1, JACK) < bar).all()
    assert quiet.share_explaining is None
    assert quiet.detectable == loud.detectable
    assert quiet.detectable is not None
    rate = float(quiet.detectable.split()[3])
    least = detectable.least_hits(lambda h, d: voids.log_orders(h, d, JACK), packs, bar)
    assert detectable.reached(rate, packs, least) >= 0.9 - 2e-3
    assert detectable.reached(rate - 0.012, packs, least) < 0.9
    assert quiet.cleared is None
