"""Orders of the pack: every world of a toy, then fair logs, poor shuffles, and faults."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.cards import parse
from audit.count import COUNT, makeup, order_places, stock_order
from audit.count._orders import whole
from audit.count.machine_order import MOST
from audit.count.order_places import is_sorted
from audit.detect import DETECT, machine_order
from audit.detect._known_order import explained, nulls, refuted
from audit.detect._orders import PARTS, detail, left_out
from audit.finding import WEIGHTS, Hypothesis, log_threshold
from audit.games import GAMES
from audit.lab._random import Words, uniform_orders
from audit.law import Law
from audit.readers.jsonl import encode
from audit.record import ENDED, Batch, Endings
from audit.run.audit import audit
from audit.stats import riffles
from audit.stats.evalue import SCALE
from audit.stats.hypergeometric import pmf
from audit.suspect import SUSPECT
from tests._checks import excesses
from tests._logs import LAW, dealt, first_flag, toy
from tests._orders import (
    DETECTORS,
    SUSPICIONS,
    crooked,
    labels_batch,
    table_of,
    verdicts,
    with_orders,
)
from tests.stats import _shuffles as shuffles

Orders = NDArray[np.uint8]


def judged(batch: Batch, law: Law = LAW, names: Sequence[str] = DETECTORS) -> list[Hypothesis]:
    """Return what the detectors *names* say of one batch of a machine's deals."""
    table = table_of([batch], law, machine=True)
    tallies = {t for name in names for t in DETECT[name].tallies}
    counted = {t: COUNT[t].count(batch, table) for t in tallies}
    return [h for name in names for h in DETECT[name].judge(counted, table).hypotheses]


def key(h: Hypothesis) -> str:
    return f"{h.detector} {' '.join(h.subject.values())}"


# Every world of a toy pack


def small(cards: str, orders: Sequence[Sequence[int]], before: Sequence[Sequence[int]]) -> Batch:
    """Return deals of a toy game with the places *orders* of the cards *before*."""
    law = toy(cards)
    pack = np.array(sorted(law.pack), np.uint8)
    return labels_batch(np.array(orders, np.int64), pack[np.array(before)], law)


def unsorted(batch: Batch, law: Law) -> list[Hypothesis]:
    """Return what is said of *batch* where a few cards stand in order by chance."""
    table = table_of([batch], law, machine=True)
    tallies = {t for name in DETECTORS for t in DETECT[name].tallies}
    counted = {t: dict(COUNT[t].count(batch, table)) for t in tallies}
    if "sorted" in counted["order_places"]:
        counted["order_places"]["sorted"] = np.zeros(1, np.int64)
    return [h for name in DETECTORS for h in DETECT[name].judge(counted, table).hypotheses]


def test_mean_evidence_over_every_order_of_four_cards_is_at_most_one() -> None:
    law, means = toy("AS KS JH TH"), defaultdict(list)
    for order in permutations(range(4)):
        for h in unsorted(small("AS KS JH TH", [order], [(2, 0, 3, 1)]), law):
            means[key(h)].append(math.exp(h.final))
    assert {k.split()[0] for k in means} == set(DETECTORS) - {"stock_order"}
    for values in means.values():
        assert len(values) == 24
        assert 0.3 < math.fsum(values) / 24 <= 1


def test_whoever_leaves_orders_out_at_will_gains_nothing() -> None:
    """For each world the best choice of what to show, the second knowing the first deal."""
    cards, orders = "AS KH TH", list(permutations(range(3)))
    law = toy(cards)

    def evidence(world: Sequence[Sequence[int]], show: tuple[bool, bool]) -> dict[str, float]:
        # What was gathered before the second deal follows from the first.
        batch = small(cards, world, [(1, 2, 0), world[0][::-1]])
        assert batch.gathered is not None
        batch.gathered[~np.array(show)] = 255
        return {key(h): math.exp(h.final) for h in unsorted(batch, law)}

    seen = {
        (world, (a, b)): evidence(world, (a, b))
        for world in product(orders, repeat=2)
        for a, b in product((True, False), repeat=2)
    }
    for name in ("riffles all", "successions all", "machine_order the order gathered"):

        def best(name: str, scale: Callable[[tuple[bool, bool]], float]) -> float:
            def of(world: tuple[tuple[int, ...], ...], show: tuple[bool, bool]) -> float:
                return seen[world, show].get(name, 1.0 if show == (False, False) else 0) * scale(
                    show
                )

            total = 0.0
            for one in orders:
                total += max(
                    sum(max(of((one, two), (a, b)) for b in (True, False)) for two in orders)
                    for a in (True, False)
                )
            return total / len(orders) ** 2

        # A log that shows nothing is silent, and stands with E = 1 in every world.
        shown_something = best(name, lambda show: float(show != (False, False)))
        assert shown_something <= 1
        if name == "riffles all":
            uncharged = best(name, lambda show: math.exp(-_charge(show)))
            assert uncharged > 1


def _charge(show: tuple[bool, bool]) -> float:
    first, second = ([1, 0] if s else [0, 1] for s in show)
    return float(left_out(np.array([[0, 0, *first], [*second, 0, 0]]))[-1])


def test_what_is_not_shown_is_charged_as_if_it_was_left_out_at_will() -> None:
    shown = np.array([[1, 0, 1, 0], [2, 0, 0, 0]])
    assert left_out(shown)[0] == pytest.approx(math.log(7 / 8) + math.log(15 / 16 + 1 / 24))
    gone = np.array([[0, 1, 0, 1]])
    assert left_out(gone)[0] == pytest.approx(math.log(1 / 8) + math.log(1 / 16 / 3))
    assert (left_out(np.zeros((3, 4), np.int64)) == 0).all()
    assert (np.diff([left_out(np.array([[30, k, 0, 0]]))[0] for k in range(9)]) < 0).all()


def test_the_share_that_explains_is_the_least_that_does() -> None:
    curve, shown = np.array([0.0, 20.0]), np.array([[30, 0, 1, 0], [40, 0, 0, 0]])
    weight = Fraction(1, 100)
    share = detail(curve, shown, weight).share_explaining
    assert share is not None
    lost = round(share * 71 / (1 - share))
    bare = 20.0 - left_out(shown)[1]
    need = log_threshold(weight)
    after = [left_out(np.array([[70, k, 1, 0]]))[0] for k in (lost - 1, lost)]
    assert bare + after[1] < need <= bare + after[0]
    assert detail(np.array([1.0, 2.0]), shown, weight).share_explaining is None


@pytest.mark.parametrize("k", [0, 1, 2, 5])
def test_evidence_against_few_riffles_has_mean_at_most_one_under_them(k: int) -> None:
    law, total = toy("AS KS JH TH"), 0.0
    batches = [small("AS KS JH TH", [o], [(0, 1, 2, 3)]) for o in permutations(range(4))]
    for batch, order in zip(batches, permutations(range(4)), strict=True):
        chance = riffles.cut_ratio(order, riffles=k) / 24
        (h,) = judged(batch, law, ["riffles"])
        if chance:
            total += float(chance) * math.exp(h.final - math.log(chance * 24))
    assert total <= 1


def test_nulls_are_told_in_ranges() -> None:
    assert nulls(()) == ("fair",)
    assert nulls((0, 1, 2, 5, 8, 9)) == (
        "fair",
        "badly shuffled with 0 to 2 riffles",
        "badly shuffled with 5 riffles",
        "badly shuffled with 8 to 9 riffles",
    )
    assert nulls((1,))[1] == "badly shuffled with 1 riffle"
    assert explained((0, 1, 2, 3, 4, 5)) == "6 riffles a deal would explain it, no fewer"
    assert explained(range(11)) == "no number of riffles up to 10 would explain it"
    one = explained([k for k in range(11) if k != 1])
    assert one == "1 riffle a deal would explain it, no other number up to 10"


def test_a_number_of_riffles_is_refuted_at_the_same_weight() -> None:
    ratios = np.zeros((2, 11), np.int64)
    ratios[0, 7] = round(12 * SCALE)
    shown = np.array([[10, 0, 0, 0], [10, 0, 0, 0]])
    found = refuted(np.array([13.0, 14.0]), ratios, shown, Fraction(1, 10))
    assert found == (0, 1, 2, 3, 4, 5, 6, 8, 9, 10)
    assert refuted(np.array([5.0, 6.0]), ratios, shown, Fraction(1, 10)) == ()


# Counting


def test_an_order_is_whole_only_with_every_card_of_the_pack_once() -> None:
    pack = tuple(parse("AS KS AH"))
    rows = [parse("AH AS KS") + b"\xff", parse("AH AS AS") + b"\xff", parse("AH AS KS 2C")]
    rows += [parse("AH AS") + b"\xff\xff", parse("AH AS 2C") + b"\xff"]
    orders = np.frombuffer(b"".join(rows), np.uint8).reshape(5, 4)
    assert whole(orders, 5, pack).tolist() == [True, False, False, False, False]
    assert whole(orders[:, :2], 5, pack).tolist() == [False] * 5
    assert whole(None, 2, pack).tolist() == [False, False]


def odd_log() -> Batch:
    """Return deals of which some lack an order, a card of it, or their dealer."""
    (batch,) = with_orders(dealt("riffles", 300, Fraction(1, 2), 4, "sensible"))
    assert batch.order is not None
    assert batch.gathered is not None
    assert batch.pack is not None
    order, gathered, pack = batch.order.copy(), batch.gathered.copy(), batch.pack.copy()
    dealer = batch.dealer.copy()
    order[3::7] = 255
    pack[5::11] = 255
    gathered[0::13] = 255
    gathered[1::17, 5] = gathered[1::17, 6]
    order[2::19, 50] = 255
    dealer[4::9], dealer[5::23] = -1, -2
    return replace(batch, order=order, gathered=gathered, pack=pack, dealer=dealer)


def cut(batch: Batch, ends: Sequence[int]) -> list[Batch]:
    """Return the deals of *batch* in parts that end at *ends*."""
    out, start = [], 0
    for end in ends:
        rows = slice(start, end)
        new: dict[str, Any] = {
            f.name: value[rows]
            for f in fields(batch)
            if isinstance(value := getattr(batch, f.name), np.ndarray)
            and f.name not in ("turnups", "turn_at")
        }
        at = batch.turn_at[start : end + 1]
        out.append(
            replace(
                batch,
                **new,
                first=start,
                turnups=batch.turnups[at[0] : at[-1]],
                turn_at=at - at[0],
            )
        )
        start = end
    return out


@pytest.mark.parametrize("name", ["known_order", "machine_order", "order_places", "trials"])
def test_any_cut_of_the_log_counts_the_same(name: str) -> None:
    batch = odd_log()
    table = table_of([batch])
    at_once = COUNT[name].count(batch, table)
    sums: dict[str, NDArray[np.int64]] = {}
    for part in cut(batch, [1, 1, 120, 121, 290, 300]):
        for kind, value in COUNT[name].count(part, table).items():
            sums[kind] = sums[kind] + value if kind in sums else value
    assert sums.keys() == at_once.keys()
    for kind, value in at_once.items():
        assert np.array_equal(sums[kind], value), kind


def test_deals_that_do_not_show_their_orders_are_counted_for_whoever_may_have_dealt() -> None:
    batch = odd_log()
    shown = COUNT["known_order"].count(batch, table_of([batch]))["shown"].sum(axis=0)
    assert batch.gathered is not None
    first = [0, 0, 0, 1]
    assert shown[0, 2:].tolist() == first[2:]
    assert shown[0].sum() == 300
    nobody = int((batch.dealer == -1).sum())
    assert nobody
    for k in range(4):
        own = int((batch.dealer == k).sum())
        assert shown[1 + k].sum() == own + nobody


def test_packs_that_were_void_before_any_card_was_fixed_are_held_against_nobody() -> None:
    batch = odd_log()
    nothing = np.zeros((300, 5), np.uint8)
    ended = np.where(np.arange(300) % 2, ENDED.index("void"), ENDED.index("void after closing"))
    endings = Endings(
        ended=ended.astype(np.uint8),
        party=nothing.astype(np.int32),
        dropped=nothing,
        fresh=nothing,
    )
    table = table_of([batch])
    plain, without = (
        COUNT["order_places"].count(b, table)["shown"][:, 0].sum(axis=0)
        for b in (batch, replace(batch, endings=endings))
    )
    assert batch.order is not None
    gone = (batch.order[1::2] > 51).any(axis=1).sum()
    assert gone
    assert (plain - without).tolist() == [0, gone, 0, 0]


def test_a_hundred_dealers_are_counted_apart() -> None:
    batch = odd_log()
    names = tuple(f"P{k}" for k in range(100))
    batch = replace(batch, dealer=np.arange(300, dtype=np.int32) % 100, names=names)
    table = replace(table_of([batch]), dealers=names)
    counted = {n: COUNT[n].count(batch, table) for n in ("known_order", "order_places")}
    assert counted["known_order"]["seen"][1:, 0].sum() == counted["known_order"]["seen"][0, 0]
    assert counted["order_places"]["packets"].shape[1] == 17
    for name, most in (("riffles", 101), ("card_places", 17), ("honour_packets", 17)):
        got = {n: counted[n] for n in DETECT[name].tallies}
        assert 17 <= len(DETECT[name].judge(got, table).hypotheses) <= most


ODD_GAMES = (
    "seven_up_3",
    "euchre_4",
    "holdem",
    "nap",
    "speculation",
    "vingt_un",
    "bridge",
    "cassino_4",
)


@pytest.mark.parametrize("game", ODD_GAMES)
def test_no_garbage_of_orders_stops_a_count_or_a_verdict(game: str) -> None:
    law, bits = GAMES[game], Words(sum(map(ord, game)))
    pack = np.array(sorted(law.pack), np.uint8)
    for trial in range(4):
        deals = 1 + trial * 5
        whole = pack[uniform_orders(bits, deals, len(pack))]
        noise = (bits.words(deals * 60) >> np.uint64(56)).astype(np.uint8).reshape(deals, 60)
        wide = np.concatenate([whole, np.full((deals, 60 - len(pack)), 255, np.uint8)], axis=1)
        mixed = np.where(noise < 30, noise, wide)
        kinds = (None, whole, wide, mixed, noise, noise[:, :7], whole[:, ::-1])
        pick = [kinds[int(w >> np.uint64(60)) % len(kinds)] for w in bits.words(3)]
        small = (noise[:, :4] % 12).astype(np.int16)
        batch = Batch(
            first=0,
            players=small[:, 0],
            dealer=small[:, 1].astype(np.int32) - 2,
            names=(),
            dealer_seat=small[:, 2],
            hands=noise[:, : 3 * (1 + trial)].reshape(deals, 3, -1),
            widow=noise[:, :2],
            board=noise[:, :1],
            turnups=noise[:, 5].copy(),
            turn_at=np.arange(deals + 1),
            order=pick[0],
            gathered=pick[1],
            pack=pick[2],
            cut=small[:, 3],
        )
        names = tuple(f"P{k}" for k in range(10))
        table = replace(table_of([batch], law), dealers=names)
        counted = {n: COUNT[n].count(batch, table) for n in COUNT.names}
        for name in (*DETECTORS, "uneven_ranks", "suspects"):
            found = DETECT[name].judge({t: counted[t] for t in DETECT[name].tallies}, table)
            assert found.hypotheses or found.silent or name == "suspects"
            assert all(len(h.curve) == table.looks.count for h in found.hypotheses)


def test_the_warning_says_how_many_deals_of_a_log_are_bet_on() -> None:
    assert f"over the first {MOST:,} deals" in " ".join((machine_order.__doc__ or "").split())


def test_only_the_first_deals_are_bet_on_by_programs_that_shuffle_wrongly() -> None:
    batch = labels_batch(shuffles.swap_any(1, 5), None)
    table = table_of([batch], machine=True)
    late = COUNT["machine_order"].count(replace(batch, first=MOST), table)
    assert all(not value.any() for value in late.values())
    table = replace(table, looks=replace(table.looks, deals=MOST + 3))
    last = COUNT["machine_order"].count(replace(batch, first=MOST - 2), table)
    assert last["shown:sorted:dealt"].sum() == 2


def test_orders_that_were_sorted_when_they_were_stored_say_nothing() -> None:
    pack = np.arange(52, dtype=np.uint8)
    suits = np.array([13 * s + r for s in (3, 2, 1, 0) for r in range(12, -1, -1)], np.uint8)
    ace_low = np.array([13 * s + (r + 12) % 13 for s in (1, 0, 2, 3) for r in range(13)], np.uint8)
    ranks = np.array([13 * s + r for r in range(13) for s in (2, 0, 1, 3)], np.uint8)
    odd = pack.copy()
    odd[[3, 4]] = odd[[4, 3]]
    stored = np.stack([pack, suits, ace_low, ranks, ranks[::-1]])
    assert is_sorted(stored).all()
    assert not is_sorted(np.stack([odd, np.roll(pack, 5)])).any()
    assert not is_sorted(uniform_orders(Words(3), 200)).any()
    batch = replace(labels_batch(np.zeros((5, 52), np.int64), None), order=stored)
    found = verdicts([batch], machine=True)
    assert not {h.detector for h in found.hypotheses} & set(DETECTORS)
    told = {s.detector for s in found.silent if "put in order" in s.why}
    assert told == {"card_places", "honour_packets", "machine_order", "stock_order"}


def test_a_log_without_orders_is_silent() -> None:
    found = verdicts(with_orders(dealt("turned_jacks", 8, Fraction(1), 1, "sensible")))
    silent = [s.detector for s in found.silent]
    assert {*DETECTORS, "end_packet"} <= set(silent)
    assert silent.count("machine_order") == 2


# Fair logs, and poor shuffles


def test_the_parts_of_the_weight_fit_in_it() -> None:
    suspected = [s for s in map(SUSPECT.__getitem__, SUSPECT.names) if s.weight == "order"]
    assert {s.id for s in suspected} >= set(SUSPICIONS)
    assert sum(PARTS.values()) + sum(s.part for s in suspected) <= 1
    assert WEIGHTS["order"] == Fraction(15, 128)


def test_fair_orders_are_spared_at_every_threshold() -> None:
    highest: dict[str, list[float]] = defaultdict(list)
    for seed in range(30):
        batch = labels_batch(shuffles.fair(7000 + seed, 50), uniform_orders(Words(8000 + seed), 50))
        for h in judged(batch):
            highest[key(h)].append(h.highest)
    assert len(highest) == len(DETECTORS) + 1
    for name, values in highest.items():
        assert len(values) == 30
        assert excesses(values) == [], name


@pytest.mark.parametrize("crook", ["fair", "skipped_cut"])
def test_a_fair_shuffle_is_named_for_nothing_whether_cut_or_not(crook: str) -> None:
    for seed in range(4):
        found = crooked(crook, 150, Fraction(1), seed)
        assert set(DETECTORS) & {h.detector for h in found}
        assert [key(h) for h in found if h.flagged] == []


@pytest.mark.parametrize("dial", [Fraction(1), Fraction(1, 2)])
@pytest.mark.parametrize("crook", ["riffles", "overhand", "no_shuffle"])
def test_a_poor_shuffle_is_named_as_a_poor_shuffle_only(crook: str, dial: Fraction) -> None:
    for seed in range(2):
        flagged = [h for h in crooked(crook, 200, dial, 40 + seed) if h.flagged]
        assert flagged
        assert {h.detector for h in flagged} <= {"riffles", "successions"}
        for h in flagged:
            assert "shuffled too little" in h.explains[0]
            assert "explain it" in h.message
            assert not any(word in h.message for word in ("cheat", "guilt"))


def test_the_riffles_that_explain_a_log_are_those_that_were_made() -> None:
    before = uniform_orders(Words(5), 200)
    for k in (4, 6, 7):
        (h,) = judged(labels_batch(shuffles.riffled(12, 200, k), before), names=["riffles"])
        assert h.flagged
        assert f"; {k} riffles a deal would explain it, no other number up to 10" in h.message
        assert h.refutes == (
            "fair",
            f"badly shuffled with 0 to {k - 1} riffles",
            f"badly shuffled with {k + 1} to 10 riffles",
        )
        share = h.detail().share_explaining
        assert share is not None
        assert 0 < share < 1


@pytest.mark.parametrize("start", ["gathered", "sorted"])
def test_a_pack_that_is_only_cut_is_no_fault_of_a_program(start: str) -> None:
    depth = shuffles.below(Words(77), 60, 52)
    labels = (np.arange(52) + depth[:, None]) % 52
    before = uniform_orders(Words(78), 60) if start == "gathered" else None
    found = judged(labels_batch(labels, before), names=["machine_order"])
    assert found
    assert not [h.subject for h in found if h.flagged]


def test_no_shuffle_at_all_is_no_number_of_riffles_but_none() -> None:
    found = [h for h in crooked("no_shuffle", 60, Fraction(1), 3) if h.detector == "successions"]
    whole_table = next(h for h in found if "table" in h.subject)
    assert whole_table.message == (
        "the table: 52.00 cards a deal lie on the card that they lay on when they were gathered,"
        " and 0.00 under it, over 60 deals; a fair shuffle leaves 1.02 of either;"
        " 0 riffles a deal would explain it, no other number up to 10"
    )
    assert whole_table.refutes == ("fair", "badly shuffled with 1 to 10 riffles")


# Faults are found by the deals that are stated


FOUND: Sequence[tuple[str, str, int]] = (
    ("riffles", "riffles", 320),
    ("overhand", "successions", 12),
    ("no_shuffle", "successions", 12),
    ("swap_any", "machine_order", 440),
    ("strippers", "honour_packets", 64),
    ("kept_four", "kept_four", 40),
    ("stacked_stock", "stock_order", 200),
)


@pytest.mark.parametrize(("crook", "detector", "deals"), FOUND)
def test_a_fault_at_its_middle_dial_is_named(crook: str, detector: str, deals: int) -> None:
    for seed in range(3):
        flagged = [h for h in crooked(crook, deals, Fraction(1, 2), 90 + seed) if h.flagged]
        assert detector in {h.detector for h in flagged}
        for h in flagged:
            if "dealer" in h.subject and crook in ("strippers", "kept_four", "stacked_stock"):
                assert h.subject["dealer"] == "P4"


def test_tens_at_the_bottom_are_told_with_their_dealer_and_place() -> None:
    found = crooked("strippers", 120, Fraction(1), 2)
    (his,) = (h for h in found if h.detector == "honour_packets" and h.subject == {"dealer": "P4"})
    assert his.message == (
        "dealer P4: cards of rank T are 120 times among the last 4 of the pack, over 30 deals;"
        " a fair pack has 9.2 there"
    )
    assert not [h for h in found if h.flagged and h.subject.get("dealer", "P4") != "P4"]


def test_a_wedge_at_one_place_of_the_pack_is_found_by_thirty_deals() -> None:
    orders = uniform_orders(Words(31), 40)
    at = np.argmax(orders == 9, axis=1)
    row = np.arange(40)
    orders[row, at], orders[row, 51] = orders[row, 51], 9
    batch = labels_batch(orders.astype(np.int64), None)
    (h,) = judged(batch, names=["card_places"])
    assert first_flag(h.curve, 40, h.weight) <= 30
    assert "the JS at place 52, in 40 of 40 deals" in h.message


def times(
    name: str, subject: str, logs: int, deals: int, make: Callable[[int], Batch]
) -> tuple[float, float]:
    """Return the mean deals until E reaches a thousand, and until it does so with its weight."""
    alone, family = [], []
    for seed in range(logs):
        (h,) = (h for h in judged(make(seed), names=[name]) if subject in h.subject.values())
        alone.append(first_flag(h.curve, deals))
        family.append(first_flag(h.curve, deals, h.weight))
    assert max(family) <= deals
    return float(np.mean(alone)), float(np.mean(family))


def test_seven_riffles_and_a_cut_take_25_deals_alone_and_33_in_the_family() -> None:
    deals = 110

    def make(seed: int) -> Batch:
        labels = shuffles.riffled(100 + seed, deals, 7)
        depth = shuffles.below(Words(2_000_000 + seed), deals, 52)
        labels = labels[np.arange(deals)[:, None], (np.arange(52) + depth[:, None]) % 52]
        return labels_batch(labels, uniform_orders(Words(1_000_000 + seed), deals))

    alone, family = times("riffles", "all", 200, deals, make)
    assert 18 < alone <= 25
    assert 24 < family <= 33


def test_swaps_with_any_place_take_32_deals_alone_and_50_in_the_family() -> None:
    def make(seed: int) -> Batch:
        return labels_batch(shuffles.swap_any(100 + seed, 120), None)

    alone, family = times("machine_order", "the sorted pack", 60, 120, make)
    assert 20 < alone <= 32
    assert 30 < family <= 50


@pytest.mark.parametrize(("size", "marked", "drawn"), [(12, 4, 5), (27, 10, 13), (27, 4, 1)])
def test_bets_on_cards_of_a_kind_have_mean_at_most_one_and_no_slack(
    size: int, marked: int, drawn: int
) -> None:
    law = pmf(population=size, marked=marked, drawn=drawn)
    for table in (
        stock_order._tilts(size, drawn, marked)[marked],
        makeup._tilts(size, marked, drawn),
        order_places._tilts(size, marked, drawn),
    ):
        for bet in table.T.tolist():
            mean = math.fsum(float(p) * math.exp(bet[x] / SCALE) for x, p in law.items())
            assert 1 / 1.01 < mean <= 1


def test_the_stock_starts_behind_hands_and_turn_up() -> None:
    assert stock_order._first_stock(LAW, 4, 52) == 25
    orders = uniform_orders(Words(8), 30)
    high = np.isin(orders % 13, [8, 9, 10, 11, 12])
    batch = labels_batch(orders.astype(np.int64), None)
    counted = COUNT["stock_order"].count(batch, table_of([batch]))
    deals, upper, all_, paid = counted["seen"][0].tolist()
    assert deals == 30
    assert upper == high[:, 25:38].sum()
    assert all_ == high[:, 25:].sum()
    assert paid == (orders[:, LAW.turn_places(4, 52)[1]] % 13 == 9).sum()


def test_two_tens_that_are_never_dealt_show_in_the_make_up_of_the_hands() -> None:
    t = dealt("fair", 400, Fraction(0), 12, "sensible")
    hands = t.hands.copy()
    tens = np.isin(hands, list(parse("TS TH")))
    rows = np.asarray(~tens.any(axis=(1, 2)))
    (batch,) = cut(with_orders(t)[0], [400])
    assert rows.sum() > 60
    kept = [part for part, row in zip(cut(batch, range(1, 401)), rows.tolist(), strict=True) if row]
    kept = [replace(part, first=i) for i, part in enumerate(kept[:60])]
    (h,) = (h for h in verdicts(kept).hypotheses if h.detector == "uneven_ranks")
    assert h.final > 6
    assert h.message.startswith("cards of rank T are dealt into hands")
    fair = [cut(batch, [60])[0]]
    (h,) = (h for h in verdicts(fair).hypotheses if h.detector == "uneven_ranks")
    assert h.highest < 3


def test_hands_that_somebody_chose_to_show_say_nothing_of_the_pack() -> None:
    parts = with_orders(dealt("fair", 20, Fraction(0), 12, "sensible"))
    table = table_of(parts)
    table = replace(table, holds=replace(table.holds, exposure="owner"))
    counted = {"makeup": COUNT["makeup"].count(parts[0], table)}
    found = DETECT["uneven_ranks"].judge(counted, table)
    assert not found.hypotheses
    assert [s.why for s in found.silent] == ["somebody chose which hands the log shows"]


@pytest.mark.parametrize("name", ["missing_card", "favoured_seat", "uneven_ranks"])
def test_an_input_of_chosen_hands_put_beside_a_log_gives_no_stake_back(name: str) -> None:
    """What was bet on the first input may be lost; the second must not make it whole."""
    parts = with_orders(dealt("fair", 20, Fraction(0), 12, "sensible"))
    table = table_of(parts)
    table = replace(table, holds=replace(table.holds, exposure="shown"))
    detector = DETECT[name]
    counted = {t: COUNT[t].count(parts[0], table) for t in detector.tallies}
    found = detector.judge(counted, table)
    assert [s.untouched for s in found.silent] == [False]
    assert not found.idle
    assert found.fallen > 0


# Whole audits


def write(folder: Path, crook: str, deals: int, dial: Fraction) -> str:
    path = folder / f"{crook}.jsonl"
    table = dealt(crook, deals, dial, 6, "sensible")
    path.write_bytes(b"".join(encode(d) + b"\n" for d in table.records()))
    return str(path)


def test_an_audit_of_a_written_log_tells_what_would_explain_it(tmp_path: Path) -> None:
    report = audit([write(tmp_path, "overhand", 40, Fraction(1))], form=None, game=None)
    assert report["verdict"] == "flagged"
    found = [f for f in report["findings"] if f["detector"] == "successions"]
    assert found[0]["refutes"] == ["fair", "badly shuffled with 0 to 10 riffles"]
    assert "no number of riffles up to 10 would explain it" in found[0]["message"]


def test_a_cut_that_is_undone_is_a_contradiction_and_no_evidence(tmp_path: Path) -> None:
    report = audit([write(tmp_path, "shifted_cut", 40, Fraction(1, 2))], form=None, game=None)
    assert report["verdict"] == "contradiction"
    told = [f["message"] for f in report["findings"] if f["kind"] == "contradiction"]
    assert any("26 cards were cut and the pack lies as before" in m for m in told)
    assert not [f for f in report["findings"] if f["kind"] == "evidence" and f.get("flagged")]


def test_a_cut_that_was_left_out_is_neither(tmp_path: Path) -> None:
    report = audit([write(tmp_path, "skipped_cut", 40, Fraction(1))], form=None, game=None)
    assert report["verdict"] == "clear"
