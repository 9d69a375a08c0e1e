"""The sensible player of the All Fours family: legal, from what it sees, and no fool."""

from __future__ import annotations

import random

import numpy as np
import pytest

from audit.event import Seen, Want
from audit.games import GAMES
from audit.play import PLAY
from audit.play.sensible_all_fours import begs, best_suit, choose, runs, worth
from audit.referee import referee
from audit.referee.simulate import Lots, first_deal, play_deal
from tests.laws.long import check

NAMES = ("seven_up_2", "seven_up_3", "seven_up_4", "pitch_blind", "auction_pitch_sell")


@pytest.mark.parametrize("name", [*NAMES, "auction_pitch_board", "smudge", "california_jack"])
def test_its_deals_end_and_obey_the_law(name: str) -> None:
    assert check(name, count=200, choose=choose) >= 200


def test_it_begs_and_runs_as_the_sensible_player_of_begs_alone() -> None:
    rng, sensible = random.Random(2), PLAY["sensible"]
    dealt = [rng.sample(range(52), 7) for _ in range(400)]
    hands = np.array([d[:6] for d in dealt], np.uint8)
    turned = np.array([d[6] for d in dealt], np.uint8)
    words = np.zeros(len(dealt), np.uint64)
    assert [begs(d[:6], d[6]) for d in dealt] == sensible.beg(hands, turned, words).tolist()
    assert [runs(d[:6], d[6]) for d in dealt] == sensible.run(hands, turned, words).tolist()


def test_ace_jack_and_deuce_of_one_suit_are_worth_a_bid_of_three_or_more() -> None:
    hand = [12, 9, 0, 20, 30, 40]
    assert best_suit(hand) == 0
    assert worth(hand, 0) >= 3
    seen = Seen(game="auction_pitch_sell", seat=2, dealer=4, players=4, hand=hand)
    want = Want(kind="call", seat=2, words=("pass", "one", "two", "three", "four"))
    assert choose(want, seen, lambda bound: 0).word in ("three", "four")


def test_it_wins_more_than_a_player_by_lot() -> None:
    law, by_lot = GAMES["seven_up_2"], PLAY["by_lot"].choose
    assert by_lot is not None
    rng, lots, points = random.Random(4), Lots(4), [0, 0, 0]
    for k in range(600):
        order = bytes(rng.sample(range(52), 52))
        dealt = first_deal(law, order, 2, 1 + k % 2, {})
        deal = play_deal(law, dealt, {1: choose, 2: by_lot}, lots)
        assert referee(law, deal) == ([], 0)
        for event in deal.events:
            if event.kind == "score":
                points[event.seat] += event.number
    assert points[1] > points[2] * 11 // 10
