"""The laboratory deals what it says: uniform orders, right places, known faults."""

from __future__ import annotations

import hashlib
import itertools
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from audit.cards import parse
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._random import falls_below, fisher_yates, threshold
from audit.lab._simulate import simulate
from audit.lab._table import Table, deal_out
from audit.play import PLAY
from audit.play._player import Player

ALWAYS = Player(
    name="always",
    beg=lambda hand, turnup, words: np.ones(len(hand), np.bool_),
    run=lambda hand, turnup, words: np.ones(len(hand), np.bool_),
)
JACKS = parse("JS JH JD JC")


def _table(
    game: str, crook: str, deals: int, dial: Fraction, seed: int, player: Player | None = None
) -> Table:
    return simulate(GAMES[game], LAB[crook], deals, dial, seed, player=player or PLAY["sensible"])


def _second(table: Table) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    at = table.turn_at[:-1][np.diff(table.turn_at) > 1]
    return table.turnups[at], table.turnups[at + 1]


def _within(hits: int, trials: int, rate: float) -> bool:
    law = binom(trials, rate)
    return bool(law.cdf(hits) > 1e-6 and law.sf(hits - 1) > 1e-6)


@pytest.mark.parametrize(("size", "bits"), [(3, 4), (4, 3), (5, 3)])
def test_every_order_is_equally_frequent(size: int, bits: int) -> None:
    grid = np.array(list(itertools.product(range(1 << bits), repeat=size - 1)), np.uint32).T
    orders, stands = fisher_yates(grid, bits)
    _, counts = np.unique(orders[stands], axis=0, return_counts=True)
    assert len(counts) == len(list(itertools.permutations(range(size))))
    assert len(set(counts.tolist())) == 1


@pytest.mark.parametrize(
    ("players", "turns"), [(2, [13, 20, 27, 34, 41, 48]), (3, [19, 29, 39, 49]), (4, [25, 38, 51])]
)
def test_places_of_hands_runs_and_turnups(players: int, turns: list[int]) -> None:
    # Places that are turned hold spades only, so the runs go on to the end of the pack.
    at = [t - 1 for t in turns]
    order = np.empty(52, np.uint8)
    order[at] = np.arange(len(at))
    order[[p for p in range(52) if p not in at]] = np.arange(len(at), 52)
    law = GAMES[f"seven_up_{players}"]
    seat = np.array([players, 1], np.int16)
    table = deal_out(
        law, np.stack([order, order]), players, seat, ALWAYS, np.zeros((2, 2), np.uint64)
    )
    last, first = list(table.records())
    assert last.turnups == bytes(range(len(turns)))
    # Dealer at the last place: place 1 is the eldest, cards 1-3 and then 3n+1 to 3n+3.
    for place in range(players):
        three = order[3 * place : 3 * place + 3].tobytes()
        more = order[3 * (players + place) : 3 * (players + place) + 3].tobytes()
        assert last.hands[place] == three + more
        assert first.hands[(place + 1) % players] == last.hands[place]
    assert last.runs == bytes(c for i, c in enumerate(order) if at[0] < i < at[-1] and i not in at)
    assert (last.dealer, first.dealer) == (f"P{players}", "P1")


def test_a_new_suit_ends_the_runs() -> None:
    order = np.arange(52, dtype=np.uint8)  # place 13 holds AS, place 20 holds 8H
    table = deal_out(
        GAMES["seven_up_2"],
        order[None],
        2,
        np.array([2], np.int16),
        ALWAYS,
        np.zeros((1, 2), np.uint64),
    )
    (deal,) = table.records()
    assert deal.turnups == parse("AS 8H")
    assert deal.runs == parse("2H 3H 4H 5H 6H 7H")


@pytest.mark.parametrize("crook", LAB.names)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_cards_are_conserved(crook: str, players: int) -> None:
    table = _table(f"seven_up_{players}", crook, 400, Fraction(1, 2), 5)
    assert table.dealer_seat[: players + 1].tolist() == [players, *range(1, players), players]
    for deal in table.records():
        cards = b"".join(deal.hands) + deal.turnups + deal.runs
        assert len(set(cards)) == len(cards)
        assert set(cards) <= set(range(52))
        if deal.order_after_cut is not None:
            assert sorted(deal.order_after_cut) == list(range(52))
            assert sorted(cards) == sorted(deal.order_after_cut[: len(cards)])


def test_jacks_come_at_the_rate_of_the_dial() -> None:
    dial = Fraction(1, 12)
    table = _table("seven_up_4", "turned_jacks", 200_000, dial, 7)
    jack = np.isin(table.turnups[table.turn_at[:-1]], list(JACKS))
    own = table.dealer_seat == 4
    assert _within(int(jack[own].sum()), int(own.sum()), 1 / 13 + 12 * float(dial) / 13)
    assert _within(int(jack[~own].sum()), int((~own).sum()), 1 / 13)


def test_set_stock_turns_a_jack() -> None:
    table = _table("seven_up_2", "stacked_stock", 20_000, Fraction(1), 8, ALWAYS)
    first, second = _second(table)
    jack = np.isin(second, list(JACKS)) & (first // 13 != second // 13)
    own = table.dealer_seat == 2
    assert jack[own].mean() > 0.95
    assert _within(int(jack[~own].sum()), int((~own).sum()), 1 / 17)
    fair = _table("seven_up_2", "fair", 20_000, Fraction(1), 8, ALWAYS)
    assert np.array_equal(fair.hands, table.hands)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_missing_ten_is_never_seen(players: int) -> None:
    table = _table(f"seven_up_{players}", "missing_ten", 5_000, Fraction(1), 9, ALWAYS)
    ten = parse("TS")[0]
    assert not any((part == ten).any() for part in (table.hands, table.turnups, table.runs))


def test_jackless_players_turn_more_second_jacks() -> None:
    table = _table("seven_up_2", "fair", 200_000, Fraction(0), 10, PLAY["jackless"])
    first, second = _second(table)
    hits = int((np.isin(second, list(JACKS)) & (first // 13 != second // 13)).sum())
    assert _within(hits, len(second), 3 / 39)
    assert binom(len(second), 1 / 17).sf(hits - 1) < 1e-9


def test_threshold_is_of_integers() -> None:
    words = np.array([0, (1 << 63) - 1, 1 << 63, (1 << 64) - 1], np.uint64)
    assert falls_below(words, threshold(Fraction(1, 2))).tolist() == [True, True, False, False]
    assert falls_below(words, threshold(Fraction(0))).sum() == 0
    assert falls_below(words, threshold(Fraction(1))).sum() == 4


def test_a_seed_means_the_same_for_ever() -> None:
    table = _table("seven_up_3", "turned_jacks", 1_000, Fraction(1, 3), 11, PLAY["random_beggar"])
    digest = hashlib.sha256()
    for part in (table.hands, table.turnups, table.runs):
        digest.update(part.tobytes())
    assert digest.hexdigest() == "401d447b4d587666847a75145d07c6123f6716d766abb562cb653950a8ed1358"
