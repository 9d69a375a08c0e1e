"""What the storage of a log shows: order and sets, from counts, by batch and by row."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.cards import NAMES
from audit.columns import batch_of
from audit.count.adjacency import TALLY as ADJACENCY
from audit.count.placed import TALLY as PLACED
from audit.games import GAMES
from audit.record import Deal, Holds
from audit.run.audit import audit
from audit.run.explain import checked, fair_sets, placed_picture, storage
from audit.stats.sortedness import sorting
from audit.tally import Arrays, Looks, Table

LAW = GAMES["euchre_4"]
PACK = LAW.pack_of({"pack": "24"})
HOLDS = Holds(order="dealt", widow_order="dealt", exposure="dealt", turnup="claimed")


def deal(pack: list[int], *, sort: bool = False, unknown: bool = False) -> Deal:
    """Return a euchre deal of *pack*; its turn-up is the first card of the kitty."""
    parts = [pack[5 * s : 5 * s + 5] for s in range(4)] + [pack[20:]]
    if sort:
        parts = [sorted(p) for p in parts]
    if unknown:
        parts[0][1] = 255
    hands = tuple(bytes(p) for p in parts[:4])
    return Deal(game="euchre_4", hands=hands, widow=bytes(parts[4]), turnups=bytes(parts[4][:1]))


def stock(rows: int, *, sort: bool, favour: bool = False) -> list[Deal]:
    """Return fair deals; *favour* puts the Jack of spades into the kitty of every second one."""
    rng, deals = random.Random(rows), []
    for i in range(rows):
        pack = list(PACK)
        rng.shuffle(pack)
        if favour and i % 2:
            at = pack.index(9)
            pack[at], pack[23] = pack[23], pack[at]
        deals.append(deal(pack, sort=sort))
    return deals


def counted(deals: list[Deal], *, block: int = 1000) -> tuple[dict[str, Arrays], Table]:
    table = Table(
        law=LAW,
        who="machine",
        pack=PACK,
        players=4,
        holds=HOLDS,
        looks=Looks(deals=len(deals)),
        dealers=(),
        machine=True,
    )
    tallies: dict[str, Arrays] = {}
    for tally in (ADJACENCY, PLACED):
        sums: dict[str, Any] = {}
        for s in range(0, len(deals), block):
            batch = batch_of(deals[s : s + block], first=s, names={})
            for key, value in tally.count(batch, table).items():
                sums[key] = sums.get(key, 0) + value
        tallies[tally.id] = sums
    return tallies, table


def test_the_counts_are_those_of_a_loop_over_rows_and_any_cut_gives_the_same() -> None:
    deals = stock(41, sort=False)
    deals.append(deal(list(PACK), unknown=True))
    tallies, _ = counted(deals)
    adjacent = np.zeros((6, 52, 52), np.int64)
    placed = np.zeros((7, 52), np.int64)
    for d in deals:
        for g, cards in enumerate((*d.hands, d.widow)):
            placed[g, [c for c in cards if c < 52]] += 1
            if 255 not in cards:
                for a, b in pairwise(cards):
                    adjacent[g, a, b] += 1
        placed[6, d.turnups[0]] += 1
    assert (tallies["adjacency"]["adjacent"] == adjacent).all()
    assert (tallies["placed"]["placed"] == placed).all()
    assert tallies["adjacency"]["sizes"][:, 5].tolist() == [41, 42, 42, 42, 0, 0]
    assert tallies["adjacency"]["heads"].tolist() == [0, 0, 0, 0, 42, 0]
    assert tallies["placed"]["rows"][0, [4, 5]].tolist() == [1, 41]
    small, _ = counted(deals, block=5)
    for name, arrays in tallies.items():
        assert all((small[name][key] == value).all() for key, value in arrays.items())


def test_a_sorted_kitty_is_said_in_one_sentence_with_what_is_fair() -> None:
    tallies, table = counted(stock(500, sort=True))
    assert storage(tallies, table) == (
        "Card 21 is the lowest card of a kitty that stands sorted in 500 of 500 rows (9S first),"
        " while the kitty and the hands are fair as sets (how often each card lies in each);"
        " so either the rows were sorted when they were stored, or the server turned the lowest"
        " card of the kitty; the file cannot tell which"
    )


def test_few_rows_that_chance_could_sort_are_given_no_sentence() -> None:
    # 24!/(4!)^r falls below 1e-9 at r = 24.
    for rows, said in ((23, False), (24, True)):
        deals = stock(rows, sort=True)
        tallies, table = counted(deals)
        held = sorted({c for d in deals for c in d.widow})
        assert len(held) == 24
        assert bool(storage(tallies, table)) is said


def test_dealt_groups_are_not_sorted_and_keep_their_claim() -> None:
    tallies, table = counted(stock(500, sort=False))
    assert storage(tallies, table) == (
        "The kitty is not sorted: no order of the cards is followed by all of 500 rows"
    )
    holds = checked(HOLDS, tallies, table)
    assert (holds.order, holds.widow_order) == ("dealt", "dealt")
    assert "not sorted" in holds.notes[0]


def test_claims_that_the_data_contradict_are_replaced_and_noted() -> None:
    tallies, table = counted(stock(500, sort=True))
    holds = checked(HOLDS, tallies, table)
    assert (holds.order, holds.widow_order) == ("sorted", "sorted")
    assert "the format claims the hands dealt; the data show otherwise: sorted" in holds.notes
    tallies, table = counted(stock(500, sort=False))
    holds = checked(replace(HOLDS, order="sorted"), tallies, table)
    assert holds.order == "unknown"


def test_one_sorted_place_among_dealt_ones_leaves_the_order_unknown() -> None:
    deals = [replaced(d, (bytes(sorted(d.hands[0])), *d.hands[1:])) for d in stock(300, sort=False)]
    holds = checked(HOLDS, *counted(deals))
    assert holds.order == "unknown"
    assert "hand 1 stands sorted in 300 of 300 rows" in holds.notes


def replaced(d: Deal, hands: tuple[bytes, ...]) -> Deal:
    return Deal(game=d.game, hands=hands, widow=d.widow, turnups=d.turnups)


def test_few_rows_change_no_claim() -> None:
    tallies, table = counted(stock(3, sort=True))
    assert checked(HOLDS, tallies, table) == HOLDS


def test_a_favoured_card_makes_its_group_unfair_as_a_set_and_the_sentence_says_so() -> None:
    tallies, table = counted(stock(500, sort=True, favour=True))
    assert fair_sets(tallies, table)["kitty"] is False
    said = storage(tallies, table)
    assert "is not fair as a set" in said or "are not fair as sets" in said
    assert "kitty and the hands are fair" not in said


def test_nothing_is_called_fair_that_was_not_tested() -> None:
    tallies, table = counted(stock(500, sort=True))
    table = replace(table, holds=replace(HOLDS, exposure="shown"))
    assert fair_sets(tallies, table) == {}
    assert "fair" not in storage(tallies, table)
    deals = stock(500, sort=True)
    deals[7] = replaced(deals[7], (deals[7].hands[0][:3], *deals[7].hands[1:]))
    tallies, table = counted(deals)
    assert "hand 1" not in fair_sets(tallies, table)
    assert "the hands" not in storage(tallies, table)


def test_a_descending_order_is_not_called_lowest() -> None:
    deals = [
        Deal(
            game="euchre_4",
            hands=d.hands,
            widow=(w := bytes(sorted(d.widow, reverse=True))),
            turnups=w[:1],
        )
        for d in stock(100, sort=True)
    ]
    assert "Card 21 is the highest card of a kitty" in storage(*counted(deals))


def test_a_group_whose_cycle_chance_would_leave_undecided_is_neither() -> None:
    adjacent = np.zeros((52, 52), np.int64)
    adjacent[3, 7] = adjacent[7, 3] = 1
    found = sorting(adjacent, np.array([0, 0, 2]))
    assert (found.stands, found.refuted, found.rows) == (False, False, 2)


def test_the_picture_states_shares_and_fair_shares() -> None:
    deals = stock(200, sort=False)
    picture = placed_picture(*counted(deals))
    assert picture is not None
    assert picture["columns"] == [
        "card",
        "hand 1",
        "hand 2",
        "hand 3",
        "hand 4",
        "kitty",
        "turn-up",
    ]
    assert picture["fair"] == [5 / 24] * 4 + [4 / 24, 1 / 24]
    assert picture["deals"] == [200] * 6
    row = next(r for r in picture["rows"] if r[0] == "JS")
    assert row[5] == sum(9 in d.widow for d in deals) / 200
    assert [r[0] for r in picture["rows"]] == [NAMES[c] for c in PACK]
    assert "0.2083 for hand 1, hand 2, hand 3 and hand 4" in picture["text"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("stock_2022_sample.txt", "hand 4 and kitty stand sorted in 1,000 of 1,000 rows"),
        ("stock_2024_sample_a.txt", "kitty is not sorted: no order of the cards fits all 1,500"),
    ],
)
def test_real_stocks_say_how_they_stand(data: Path, name: str, said: str) -> None:
    report = audit([str(data / "euchre-dealstock" / name)], form=None, game=None)
    assert said in "; ".join(report["inputs"][0]["holds"]["notes"])
    assert "heat" in [p["kind"] for p in report["pictures"]]


def test_sorted_storage_is_the_first_explanation_of_a_claimed_turn_up(data: Path) -> None:
    path = data / "euchre-dealstock" / "stock_2022_sample.txt"
    top = audit([str(path)], form=None, game=None)["findings"][0]
    assert top["explains"][0] == "the rows were sorted when they were stored"
