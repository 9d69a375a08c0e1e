"""Auction Pitch, Smudge and Pedro: law cases by rule, a second reading, breaches."""

from __future__ import annotations

import pytest

from audit.event import Event
from audit.games import GAMES
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee.pitch import BIDS, PitchDeal
from tests.laws import second_pitch as second
from tests.laws.all_fours_breaches import PITCH, plays, replay, tried, whole
from tests.laws.long import check
from tests.laws.second_seven_up import legal
from tests.laws.test_seven_up import call, deal_of, dues, play, rulings, score, straight

FORMS = {"auction_pitch_sell": "sell", "auction_pitch_full_bid": "full", "auction_pitch_board": ""}
NAMES = (*FORMS, "smudge", "pedro")
#: Seat 1 sells; seat 2 holds ace, King, Jack and deuce of spades.
HANDS = (
    "3H 4H 5H 6H 7H 8H",
    "AS KS JS 2S TH 9H",
    "3D 4D 5D 6D 7D 8D",
    "3C 4C 5C 6C 7C 8C",
)
SELL = (call(1, "sell"), call(2, "four"), call(3, "pass"), call(4, "pass"))
FIRST = ("AS", "3D", "3C", "3H", "KS", "4D", "4C", "4H", "JS", "5D", "5C", "5H", "2S")


def sold(name: str, *lead: Event, hands: tuple[str, ...] = HANDS) -> Deal:
    return straight(deal_of(name, hands, ""), FIRST, *lead)


@pytest.mark.parametrize("name", NAMES)
def test_deals_by_lot_end_and_obey_the_law(name: str) -> None:
    assert check(name, count=300) >= 300


def test_a_seller_who_accepts_scores_the_bid_at_once_and_the_bidder_pitches() -> None:
    deal = sold("auction_pitch_sell", *SELL, call(1, "accept"))
    points = [(w, 2, 1) for w in ("high", "low", "catch jack", "game")]
    assert dues(deal) == [("sale", 1, 4), *points]


def test_a_bid_that_would_put_the_seller_out_is_forfeited() -> None:
    deal = deal_of("auction_pitch_sell", HANDS, "", call(1, "sell"), call(2, "two"))
    assert [r.code for r in rulings(deal, (0, 5, 0, 0, 0))] == ["W28"]
    made = machine(GAMES["auction_pitch_sell"], deal, (0, 5, 0, 0, 0))
    assert isinstance(made, PitchDeal)
    made.take_all(deal.events)
    assert made.bid == 0


def test_in_the_full_value_custom_an_accepting_seller_scores_to_within_one_of_game() -> None:
    deal = sold("auction_pitch_full_bid", *SELL, call(1, "accept"))
    assert rulings(deal, (0, 5, 0, 0, 0)) == []
    assert dues(deal, (0, 5, 0, 0, 0))[0] == ("sale", 1, 1)


def test_a_seller_who_refuses_and_fails_is_set_back_and_scores_nothing() -> None:
    hands = (HANDS[1], HANDS[0], *HANDS[2:])
    bids = (call(1, "sell"), call(2, "four"), call(3, "pass"), call(4, "pass"), call(1, "refuse"))
    less = ("AS KS 2S TH 9H 2H", *hands[1:])
    deal = straight(deal_of("auction_pitch_full_bid", less, ""), ("AS",), *bids)
    assert dues(deal) == [("penalty", 1, 4)]


def test_who_pitches_without_waiting_must_make_four() -> None:
    deal = straight(deal_of("auction_pitch_sell", HANDS, ""), ("3H",), play(1, "3H"))
    assert dues(deal)[0] == ("penalty", 1, 4)


def test_where_nobody_bids_the_eldest_pitches_and_is_not_set_back() -> None:
    passes = (call(1, "sell"), *(call(s, "pass") for s in (2, 3, 4)))
    deal = straight(deal_of("auction_pitch_sell", HANDS, ""), ("3H",), *passes)
    assert "penalty" not in [w for w, _, _ in dues(deal)]


def test_at_the_board_the_eldest_bids_first_and_the_bid_is_paid_to_nobody() -> None:
    bids = (call(1, "pass"), call(2, "four"), call(3, "pass"), call(4, "pass"))
    deal = sold("auction_pitch_board", *bids)
    assert "sale" not in [w for w, _, _ in dues(deal)]
    assert deal.events[4].seat == 2


def test_a_bid_out_of_turn_has_no_penalty_and_stands() -> None:
    deal = deal_of("auction_pitch_sell", HANDS, "", call(1, "sell"), call(3, "two"))
    assert [(r.code, r.remedy) for r in rulings(deal)] == [("W27", "no penalty; the bid stands")]


def test_the_first_card_makes_trumps_even_by_mistake() -> None:
    deal = deal_of("auction_pitch_sell", HANDS, "", *SELL, call(1, "accept"), play(2, "9H"))
    assert replay(GAMES["auction_pitch_sell"], deal, 6).trump == 1


def test_the_bidder_who_makes_his_bid_goes_out_first() -> None:
    """Seat 3 holds High and Low, seat 2 makes Jack and Game; both have two to go."""
    hands = (HANDS[0], "JS TD TH 9H 9C 9D", "AS 2S 5D 6D 7D 8D", HANDS[3])
    bids = (call(1, "sell"), call(2, "two"), call(3, "pass"), call(4, "pass"), call(1, "accept"))
    first = ("JS", "2S", "3C", "3H", "TD", "5D", "4C", "4H", "TH", "6D", "5C", "5H")
    deal = straight(deal_of("auction_pitch_sell", hands, ""), first, *bids)
    made = machine(GAMES["auction_pitch_sell"], deal, (0, 0, 5, 5, 0))
    assert made is not None
    made.take_all(deal.events)
    points = {d.word: (d.seat, d.may) for d in made.due()}
    assert [points[w] for w in ("catch jack", "game")] == [(2, False)] * 2
    assert [points[w] for w in ("high", "low")] == [(3, True)] * 2


def test_the_worked_example_of_setting_back() -> None:
    """A refuses three with two to go, makes two, B one, D one: A is five to go."""
    points = {1: ["high", "game"], 2: ["catch jack"], 3: [], 4: ["low"]}
    assert second.change(points, 1, 3, 0, 5) == {1: -3, 2: 1, 3: 0, 4: 1}
    hands = (
        "AS 9S 8S 7S 6S AH",
        "TS JS 3H 4H 5H 6H",
        "3D 4D 5D 6D 7D 8D",
        "2S 3C 4C 5C 6C 7C",
    )
    bids = (call(1, "sell"), call(2, "three"), call(3, "pass"), call(4, "pass"), call(1, "refuse"))
    lead = ("AS", "TS", "3D", "2S", "9S", "JS")
    deal = straight(deal_of("auction_pitch_full_bid", hands, ""), lead, *bids)
    wanted = [("penalty", 1, 3), ("low", 4, 1), ("catch jack", 2, 1)]
    assert sorted(dues(deal, (0, 5, 5, 0, 0))) == sorted(wanted)


def test_who_revokes_is_set_back_the_bid_and_the_pitcher_is_not() -> None:
    hands = (HANDS[0], "AS KS JS 3S TH 9H", "2S QS 5D 6D 7D 8D", HANDS[3])
    deal = straight(
        deal_of("auction_pitch_sell", hands, ""), ("AS", "5D"), *SELL, call(1, "accept")
    )
    found = dues(deal)
    assert ("penalty", 3, 4) in found
    assert ("penalty", 2, 4) not in found
    assert ("low", 3, 1) not in found


def test_a_revoke_without_a_bid_is_set_back_two() -> None:
    hands = ("AS KS JS 3S TH 9H", HANDS[0], "2S QS 5D 6D 7D 8D", HANDS[3])
    passes = (call(1, "sell"), *(call(s, "pass") for s in (2, 3, 4)))
    deal = straight(deal_of("auction_pitch_sell", hands, ""), ("AS", "3H", "5D"), *passes)
    assert ("penalty", 3, 2) in dues(deal)


def test_smudge_wins_the_game_by_four_bid_and_made_unless_in_the_hole() -> None:
    deal = sold("smudge", *SELL, call(1, "accept"))
    assert ("smudge", 2, 3) in dues(deal)
    assert "smudge" not in [w for w, _, _ in dues(deal, (0, 0, -1, 0, 0))]


def test_pedro_gives_everything_to_who_wins_it_and_game_to_the_ten_of_trumps() -> None:
    hands = ("AS 3H 4H 5H 6H 7H", "TS 2S 9H 8H 2D 3D", HANDS[2], HANDS[3])
    deal = straight(deal_of("pedro", hands, ""), ("AS", "2S", "3D", "3C", "3H", "TS"))
    assert dues(deal) == [("high", 1, 1), ("low", 1, 1), ("game", 2, 1)]


def test_pedro_leaves_lost_points_unjudged() -> None:
    deal = straight(deal_of("pedro", HANDS, ""), ("3H",))
    told = deal_of("pedro", HANDS, "", *deal.events, score(1, "pedro", 5))
    found, unjudged = referee(GAMES["pedro"], told)
    assert (found, unjudged) == ([], 2)


def test_the_pitcher_may_ask_for_the_lowest_of_who_played_out_of_turn() -> None:
    start = (*SELL, call(1, "accept"), play(2, "TH"), play(4, "3C"), play(3, "3D"), play(1, "8H"))
    ask = Event(kind="call", seat=2, word="lowest", to=1)
    deal = deal_of("auction_pitch_sell", HANDS, "", *start, ask)
    assert [r.law.split(", ")[-1] for r in rulings(deal)] == [
        "leading and playing out of turn",
        "irregularities",
    ]


@pytest.mark.parametrize("name", FORMS)
def test_a_second_reading_agrees(name: str) -> None:
    law, form, compared = GAMES[name], FORMS[name] or "board", 0
    for players in (4, 5, 6, 7):
        for deal in whole(name, players, 100, 7):
            made = machine(law, deal)
            assert isinstance(made, PitchDeal)
            place = {made.after(made.eldest, k): k + 1 for k in range(players)}
            bids: list[tuple[int, int]] = []
            answer = ""
            for event in deal.events:
                want = made.wants()
                if event.kind == "play":
                    assert want is not None
                    led = made.trick[0] if made.trick else None
                    assert set(want.cards) == legal(made.hands[event.seat], led, made.trump)
                elif event.word in BIDS or event.word == "pass":
                    assert want is not None
                    top = max([n for _, n in bids], default=0)
                    assert {BIDS.get(w, 0) for w in want.words} == second.may_bid(form, 0, top)
                    bids.append((place[event.seat], BIDS.get(event.word, 0)))
                elif event.kind == "call" and event.word != "sell":
                    answer = event.word
                made.take(event)
            table = [(place[deal.events[k].seat], deal.events[k].cards[0]) for k in plays(deal)]
            who, promised, paid = second.pitcher(form, bids, answer)
            assert who == place[made.pitcher]
            change = second.change(second.made(table, players), who, promised, paid)
            mine = dict.fromkeys(range(1, players + 1), 0)
            for due in made.due():
                sign = -1 if due.word == "penalty" else 1
                mine[place[due.seat]] += sign * due.number
            assert mine == change
            compared += 1
    assert compared == 400


@pytest.mark.parametrize("kind", PITCH)
@pytest.mark.parametrize("name", FORMS)
def test_every_breach_is_ruled_on(kind: str, name: str) -> None:
    made, missed = tried(name, PITCH[kind], 5, 60, 3)
    assert missed == []
    assert made > 5 or (kind == "sold_by" and name == "auction_pitch_board")
