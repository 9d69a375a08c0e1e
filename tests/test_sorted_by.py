"""Rows sorted by their cards and numbered afterwards are found, and rows as dealt are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, permutations
from math import exp, log
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from audit.cards import NAMES, RANKS
from audit.columns import columns_of
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._random import Words, uniform_orders
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.readers.jsonl import encode
from audit.record import Deal
from audit.run.audit import audit
from audit.run.sequence import SORTED, Rising
from audit.run.sorted_by import SortedBy
from audit.run.standing import (
    Groups,
    least_of_hits,
    least_of_kinds,
    least_of_levels,
    least_of_steps,
)
from audit.stats.arrangements import log_block, log_ends, log_never_falls, log_together

JACK = RANKS.index("J")
Key = Callable[[Deal], Any]


def by_group(values: Sequence[int], group: Sequence[int]) -> list[list[int]]:
    return [[v for v, of in zip(values, group, strict=True) if of == g] for g in set(group)]


def plainly(rows: Sequence[Sequence[int]]) -> float:
    """Return the ln chance of ones in one block of each of *rows*, or at its ends."""
    runs = [[k for k, _ in groupby(mine)] for mine in rows]
    found = 0.0
    if all(r.count(1) <= 1 for r in runs):
        found = min(found, sum(log_block(sum(mine), len(mine)) for mine in rows))
        if all(1 not in r or 1 in (r[0], r[-1]) for r in runs):
            found = min(found, sum(log_ends(sum(mine), len(mine)) for mine in rows))
    return found


def some_rows(count: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield values 0 to 3 and groups 0 to 2 of a few rows, sorted in two cases of four."""
    for word in Words(3).words(count).tolist():
        size, wide, groups = 1 + word % 12, 1 + word // 12 % 4, 1 + word // 48 % 3
        raw = [word >> (10 + 2 * i) & 3 for i in range(size)]
        values, shape = [v % wide for v in raw], word >> 40 & 3
        if shape:
            values = sorted(values, reverse=shape == 2)
        yield values, [v % groups for v in raw[::-1]]


def test_chances_are_those_of_a_plain_count() -> None:
    for values, group in some_rows(600):
        apart = by_group(values, group)
        groups, kinds = Groups(np.array(group)), sorted(set(values))
        keys = [[[int(v == k) for v in rows] for rows in apart] for k in kinds]
        mine = np.array(values)[groups.order]
        got = least_of_hits(np.array(kinds)[:, None] == mine, groups)
        least = min(map(plainly, keys))
        assert got == pytest.approx(least and least + log(2 * len(kinds)), abs=1e-9)
        runs = [[k for k, _ in groupby(rows)] for rows in apart]
        got = least_of_kinds(np.array(values), groups)
        if len(kinds) > 1 and all(len(r) == len(set(r)) for r in runs):
            whole = sum(log_together([rows.count(k) for k in kinds]) for rows in apart)
            assert got <= min(0, whole + log(2)) + 1e-9
        steps = least_of_steps(mine, groups)
        if any(all(r == sorted(r, reverse=back) for r in apart) for back in (False, True)):
            ways = sum(log_never_falls([rows.count(k) for k in kinds]) for rows in apart)
            assert steps == pytest.approx(min(0, log(2) + ways))
        else:
            assert steps == 0


@pytest.mark.parametrize("values", [(0, 0, 0, 0, 1, 1), (0, 1, 2, 3, 3, 3), (0, 0, 0, 1, 1, 2)])
@pytest.mark.parametrize("group", [(0, 0, 0, 0, 0, 0), (0, 0, 1, 0, 1, 1)])
@pytest.mark.parametrize("least", [least_of_kinds, least_of_levels])
def test_over_every_order_nothing_is_surer_than_it_says(
    values: tuple[int, ...], group: tuple[int, ...], least: Callable[..., float]
) -> None:
    groups = Groups(np.array(group))
    lows = [least(np.array(order), groups) for order in permutations(values)]
    for low in set(lows):
        assert sum(x <= low + 1e-9 for x in lows) / len(lows) <= min(1, exp(low)) + 1e-9


def test_rows_kept_are_the_same_however_the_log_is_cut() -> None:
    columns = columns_of(bridge(5000, 3), {})
    kept = []
    for sizes in ((5000,), (1, 999, 3000, 1000), tuple([50] * 100)):
        one, start = SortedBy(GAMES["bridge"]), 0
        for size in sizes:
            part = np.zeros(5000, np.bool_)
            part[start : start + size] = True
            one.take(columns.take(part), 0)
            start += size
        kept.append(one._all())
    assert len(kept[0]) == 625
    for other in kept:
        assert (other.hands[:, :4, :13] == columns.hands[::8]).all()
        assert (other.dealer == kept[0].dealer).all()


def bridge(count: int, seed: int) -> list[Deal]:
    orders = uniform_orders(Words(seed), count, 52).astype(np.uint8)
    return [
        Deal(
            game="bridge",
            players=4,
            dealer_seat=i % 4 + 1,
            hands=tuple(h.tobytes() for h in order.reshape(4, 13)),
        )
        for i, order in enumerate(orders)
    ]


def seven_up(count: int, seed: int) -> list[Deal]:
    law = GAMES["seven_up_4"]
    table = simulate(law, LAB["fair"], count, Fraction(0), seed, player=PLAY["sensible"])
    return list(table.records())


def numbered(deals: Sequence[Deal]) -> list[Deal]:
    return [msgspec.structs.replace(d, number=str(i)) for i, d in enumerate(deals, start=1)]


def report(path: Path, deals: Sequence[Deal]) -> dict[str, Any]:
    path.write_bytes(b"".join(encode(d) + b"\n" for d in deals))
    return audit([str(path)], form=None, game=None)


def rising(deals: Sequence[Deal]) -> bool:
    one = Rising(GAMES[deals[0].game])
    one.take(columns_of(deals, {}), 0)
    return one.as_dealt


def points(deal: Deal) -> list[int]:
    return [sum(max(0, c % 13 - 8) for c in hand) for hand in deal.hands]


def dotted(hand: bytes) -> str:
    suits = (sorted((c for c in hand if c // 13 == s), reverse=True) for s in range(4))
    return ".".join("".join(RANKS[c % 13] for c in suit) for suit in suits)


def jack(deal: Deal) -> bool:
    return deal.turnups[0] % 13 == JACK


def paid(deal: Deal) -> bool:
    return any(c % 13 == JACK for c in deal.turnups)


TURNED: Mapping[str, Key] = {
    "Jacks first": lambda d: not jack(d),
    "Jacks last": jack,
    "each dealer's Jacks first": lambda d: (d.dealer, not jack(d)),
    "paid first": lambda d: not paid(d),
    "paid last": paid,
    "each dealer's paid deals first": lambda d: (d.dealer, not paid(d)),
    "Spades first": lambda d: d.turnups[0] >= 13,
    "one card first": lambda d: d.turnups[0] != 17,
    "court cards first": lambda d: d.turnups[0] % 13 < JACK,
}
HELD: Mapping[str, Key] = {
    "North's strength": lambda d: points(d)[0],
    "West's strength, the best first": lambda d: -points(d)[3],
    "each dealer's rows by East's strength": lambda d: (d.dealer_seat, points(d)[1]),
    "the dealer's strength": lambda d: points(d)[(d.dealer_seat or 1) - 1],
    "the strength of North and South": lambda d: -points(d)[0] - points(d)[2],
    "the best hand's strength": lambda d: -max(points(d)),
    "who holds the best hand": lambda d: points(d).index(max(points(d))),
    "whether North may open": lambda d: points(d)[0] < 12,
    "whether North and South have most": lambda d: points(d)[0] + points(d)[2] < 20,
    "whether a hand is enormous": lambda d: max(points(d)) < 18,
    "North's Aces": lambda d: -sum(c % 13 == 12 for c in d.hands[0]),
    "whether East holds the Ace of Diamonds": lambda d: 38 not in d.hands[1],
    "North's text": lambda d: dotted(d.hands[0]),
    "North's text as it stands": lambda d: [NAMES[c] for c in d.hands[0]],
}


@pytest.mark.parametrize("key", TURNED)
def test_rows_sorted_by_whether_a_card_was_turned_are_found(tmp_path: Path, key: str) -> None:
    deals = numbered(sorted(seven_up(2000, 2), key=TURNED[key]))
    assert not rising(deals)
    found = report(tmp_path / "sorted.jsonl", deals)
    assert found["verdict"] == "clear"
    assert SORTED in found["inputs"][0]["holds"]["notes"]


@pytest.mark.parametrize("key", HELD)
def test_rows_sorted_by_the_strength_of_a_hand_are_found(tmp_path: Path, key: str) -> None:
    deals = numbered(sorted(bridge(800, 5), key=HELD[key]))
    assert not rising(deals)
    found = report(tmp_path / "sorted.jsonl", deals)
    assert found["verdict"] == "clear"
    assert SORTED in found["inputs"][0]["holds"]["notes"]


@pytest.mark.parametrize("name", ["table", "time"])
def test_rows_sorted_inside_each_table_or_night_are_found(tmp_path: Path, name: str) -> None:
    some = seven_up(2000, 2)
    deals = [msgspec.structs.replace(d, **{name: f"2026-0{i % 5 + 1}"}) for i, d in enumerate(some)]
    stored = sorted(deals, key=lambda d: (getattr(d, name), not jack(d)))
    rows = [msgspec.structs.replace(d, number=str(i % 400)) for i, d in enumerate(stored)]
    assert not rising(rows)
    found = report(tmp_path / "sorted.jsonl", rows)
    assert found["verdict"] == "clear"
    assert SORTED in found["inputs"][0]["holds"]["notes"]
    fair = [msgspec.structs.replace(d, number=str(i // 5)) for i, d in enumerate(deals)]
    assert rising(sorted(fair, key=lambda d: (getattr(d, name), int(d.number or 0))))


@pytest.mark.parametrize(
    ("key", "deals"),
    [
        *((TURNED[k], seven_up) for k in ("Jacks first", "paid first", "Spades first")),
        *((HELD[k], bridge) for k in ("North's strength", "who holds the best hand")),
    ],
)
def test_looked_at_all_along_they_would_be_flagged(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    key: Key,
    deals: Callable[[int, int], list[Deal]],
) -> None:
    """The attack: an honest log whose numbers came after the sorting."""
    monkeypatch.setattr(SortedBy, "surely", False)
    some = numbered(sorted(deals(2000, 2), key=key))
    assert report(tmp_path / "sorted.jsonl", some)["verdict"] == "flagged"


@pytest.mark.parametrize("count", [12, 60, 400])
def test_rows_as_dealt_are_seldom_taken_for_sorted(count: int) -> None:
    """In 300 logs of each length none: more than 5 has a chance below 10^-6 at 1 in 1000."""
    every = bridge(300 * count, count)
    turned = [
        msgspec.structs.replace(d, turnups=d.hands[0][:1], dealer="ABC"[i % 3])
        for i, d in enumerate(every)
    ]
    wrong = 0
    for start in range(0, len(turned), count):
        one = SortedBy(GAMES["bridge"])
        one.take(columns_of(turned[start : start + count], {}), 0)
        wrong += one.surely
    assert wrong <= 5


def turned_last(deal: Deal) -> Deal:
    return msgspec.structs.replace(deal, turnups=deal.hands[(deal.dealer_seat or 1) - 1][-1:])


def cut(deals: Sequence[Deal], players: int, hand: int) -> list[Deal]:
    """Return *deals* among *players*, *hand* cards each."""
    out = []
    for i, deal in enumerate(deals):
        pack = b"".join(deal.hands)
        hands = tuple(pack[k * hand : (k + 1) * hand] for k in range(players))
        seat = i % players + 1
        out.append(msgspec.structs.replace(deal, players=players, dealer_seat=seat, hands=hands))
    return out


def matrimony(count: int, seed: int, written: int) -> list[Deal]:
    orders = uniform_orders(Words(seed), count, 52).astype(np.uint8)[:, :written]
    return [Deal(game="matrimony", players=5, turnups=order.tobytes()) for order in orders]


EVENINGS: Mapping[str, Callable[[], list[Deal]]] = {
    "no card turned is written at first": lambda: (
        bridge(100, 1) + [turned_last(d) for d in bridge(100, 2)]
    ),
    "three play at first, then eight": lambda: cut(bridge(60, 3), 3, 17) + cut(bridge(60, 4), 8, 6),
    "two play at first, then twelve": lambda: cut(bridge(60, 3), 2, 26) + cut(bridge(60, 4), 12, 4),
    "few cards of each hand are written at first": lambda: (
        cut(bridge(60, 3), 4, 5) + cut(bridge(60, 4), 4, 13)
    ),
    "one card of those turned is written at first": lambda: (
        matrimony(60, 5, 1) + matrimony(60, 6, 5)
    ),
}


@pytest.mark.parametrize("evening", EVENINGS)
def test_a_new_company_or_scribe_is_nobody_who_sorts(evening: str) -> None:
    """More cards are stronger hands: that all of them come last is no sorting."""
    assert rising(numbered(EVENINGS[evening]()))


@pytest.mark.parametrize("key", ["North's strength", "the best hand's strength"])
def test_rows_of_two_companies_that_are_sorted_are_found_all_the_same(key: str) -> None:
    """Of the hands of three no card is left out, though they hold more than at bridge."""
    some = cut(bridge(60, 3), 4, 13) + cut(bridge(60, 4), 3, 17)
    stored = sorted(some, key=HELD[key])
    assert not rising(numbered(stored))
    assert not rising(numbered(sorted(stored, key=lambda d: len(d.hands))))


def begins(count: int, crooked: int, times: int, seed: int) -> list[Deal]:
    """Return deals of one dealer who turns Jacks *times* as often in his first *crooked* ones."""
    words = Words(seed).words(3 * count).reshape(count, 3).tolist()
    out = []
    for i, (a, b, c) in enumerate(words):
        card = a % 52
        # times / 13 in all: (times - 1) / 12 of the other cards are changed for a Jack.
        if i < crooked and card % 13 != JACK and b % 12 < times - 1:
            card = 13 * (c % 4) + JACK
        out.append(Deal(game="seven_up_4", dealer="A", turnups=bytes([card]), number=str(i + 1)))
    return out


@pytest.mark.parametrize(
    ("count", "crooked", "times"), [(400, 150, 4), (400, 60, 8), (400, 400, 2)]
)
def test_a_dealer_who_begins_and_stops_is_flagged_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, crooked: int, times: int
) -> None:
    deals = begins(count, crooked, times, 7)
    assert rising(deals)
    found = report(tmp_path / "crook.jsonl", deals)
    assert found["verdict"] == "flagged"
    monkeypatch.setattr(SortedBy, "surely", False)
    assert report(tmp_path / "crook.jsonl", deals) == found


def test_a_crook_whose_rows_were_sorted_is_flagged_after_the_last(tmp_path: Path) -> None:
    deals = numbered(sorted(begins(400, 400, 3, 8), key=jack))
    found = report(tmp_path / "crook.jsonl", deals)
    assert found["verdict"] == "flagged"
    assert SORTED in found["inputs"][0]["holds"]["notes"]
