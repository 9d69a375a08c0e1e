"""Seven-Up and its nearest kin: law cases by rule, a second reading, breaches, chances."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import get_args

import pytest
from msgspec import structs

from audit.cards import parse
from audit.event import Event, Kind
from audit.games import GAMES
from audit.games import _all_fours_odds as odds
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee._all_fours import AllFoursDeal
from audit.referee.machine import Ruling
from tests.laws import second_seven_up as second
from tests.laws.all_fours_breaches import TURNED, plays, replay, tried, whole
from tests.laws.long import check

NAMES = ("seven_up_2", "seven_up_3", "seven_up_4", "all_fours_old", "all_fives", "pitch_blind")
TWO = ("AS KS 2S 3H 4H 5H", "QS TS 9S 6H 7H 8H")
FOUR = (
    "AS 5S 2H 3H 4H 5H",
    "KS 6S 6H 7H 8H 9H",
    "QS 7S 2D 3D 4D 5D",
    "TS 8S 6D 7D 8D 9D",
)
EMPTY = ("2S 2H 3H 4H 5H 6H", "7H 8H 9H 2D 3D 4D")


def deal_of(
    name: str, hands: tuple[str, ...], turnups: str, *events: Event, dealer: int = 0, runs: str = ""
) -> Deal:
    return Deal(
        game=name,
        players=len(hands),
        dealer_seat=dealer or len(hands),
        hands=tuple(parse(h) for h in hands),
        turnups=parse(turnups),
        runs=parse(runs),
        events=events,
    )


def call(seat: int, word: str) -> Event:
    return Event(kind="call", seat=seat, word=word)


def play(seat: int, card: str) -> Event:
    return Event(kind="play", seat=seat, cards=parse(card))


def score(seat: int, word: str, number: int = 1) -> Event:
    return Event(kind="score", seat=seat, word=word, number=number)


def rulings(deal: Deal, scores: tuple[int, ...] = ()) -> list[Ruling]:
    return referee(GAMES[deal.game], deal, scores)[0]


def dues(deal: Deal, scores: tuple[int, ...] = ()) -> list[tuple[str, int, int]]:
    made = machine(GAMES[deal.game], deal, scores)
    assert made is not None
    made.take_all(deal.events)
    return [(d.word, d.seat, d.number) for d in made.due()]


def straight(deal: Deal, first: tuple[str, ...], *lead: Event) -> Deal:
    """Return *deal* played out: *first* cards in turn, then each the first card he may play."""
    events = list(lead)
    made = machine(GAMES[deal.game], deal)
    assert made is not None
    made.take_all(events)
    cards = [parse(c) for c in first]
    while (want := made.wants()) is not None:
        if want.kind == "call":
            event = Event(kind="call", seat=want.seat, word=want.words[0])
        else:
            chosen = cards.pop(0) if cards else bytes(want.cards[:1])
            event = Event(kind="play", seat=want.seat, cards=chosen)
        made.take(event)
        events.append(event)
    return deal_of(
        deal.game,
        tuple(" ".join(_names(h)) for h in deal.hands),
        " ".join(_names(deal.turnups)),
        *events,
        dealer=deal.dealer_seat or 0,
    )


def _names(cards: bytes) -> list[str]:
    return ["23456789TJQKA"[c % 13] + "SHDC"[c // 13] for c in cards]


@pytest.mark.parametrize("name", NAMES)
def test_deals_by_lot_end_and_obey_the_law(name: str) -> None:
    assert check(name, count=300) >= 300


def test_a_jack_turned_is_scored_at_once_by_the_dealer() -> None:
    deal = deal_of("seven_up_2", TWO, "JS", call(1, "stand"))
    assert dues(deal) == [("jack", 2, 1)]


def test_a_jack_turned_is_not_scored_when_a_foul_hand_is_announced_before_the_first_play() -> None:
    hands = (TWO[0] + " 9H", TWO[1])
    foul = Event(kind="irregular", seat=1, word="foul hand")
    redeal = Event(kind="redeal", word="foul hand", to=1)
    deal = deal_of("seven_up_2", hands, "JS", foul, redeal)
    assert dues(deal) == []
    assert rulings(deal) == []


def test_a_foul_hand_makes_the_deal_pass_to_the_left() -> None:
    hands = (TWO[0] + " 9H", TWO[1])
    foul = Event(kind="irregular", seat=1, word="foul hand")
    deal = deal_of("seven_up_2", hands, "JS", foul, Event(kind="redeal", word="foul hand", to=2))
    assert [r.what for r in rulings(deal)] == ["dealt again by seat 2, wanted seat 1"]


def test_a_foul_hand_announced_after_the_first_play_leaves_the_jack() -> None:
    foul = Event(kind="irregular", seat=1, word="foul hand")
    deal = deal_of("seven_up_2", TWO, "JS", play(1, "3H"), foul)
    assert dues(deal) == [("jack", 2, 1)]
    assert referee(GAMES["seven_up_2"], deal)[1] == 2


def test_a_wrong_number_announced_of_a_right_hand_does_not_cancel_the_jack() -> None:
    foul = Event(kind="irregular", seat=1, word="foul hand")
    deal = deal_of("seven_up_2", TWO, "JS", foul)
    assert [r.code for r in rulings(deal)] == ["W18"]
    assert dues(deal) == [("jack", 2, 1)]


@pytest.mark.parametrize(
    ("turnups", "jacks"),
    [("4S JH", 1), ("JS JH", 2), ("4S JS JH", 1), ("4S 5S 3D", 0), ("JS 5S JD", 2)],
)
def test_a_jack_run_scores_only_if_of_another_suit(turnups: str, jacks: int) -> None:
    runs = " ".join(["2D 4D 5D 6D 7D 8D", "2C 3C 4C 5C 6C 7C"][: turnups.count(" ")])
    deal = deal_of("seven_up_2", TWO, turnups, call(1, "beg"), call(2, "run"), runs=runs)
    assert dues(deal) == [("jack", 2, 1)] * jacks


def test_a_second_turn_up_of_the_same_suit_is_laid_aside_and_more_are_run() -> None:
    runs = "2D 4D 5D 6D 7D 8D 2C 3C 4C 5C 6C 7C"
    deal = deal_of("seven_up_2", TWO, "4S 5S 3D", call(1, "beg"), call(2, "run"), runs=runs)
    made = replay(GAMES["seven_up_2"], deal, 2)
    assert (made.trump, len(made.hands[1]), len(made.hands[2])) == (2, 12, 12)


def test_the_gift_goes_to_the_eldest() -> None:
    deal = deal_of("seven_up_2", TWO, "4S", call(1, "beg"), call(2, "give"))
    assert dues(deal) == [("gift", 1, 1)]


def test_three_handed_the_gift_goes_to_both_adversaries() -> None:
    hands = (*TWO, "2D 3D 4D 5D 6D 7D")
    deal = deal_of("seven_up_3", hands, "4S", call(1, "beg"), call(3, "give"))
    assert dues(deal) == [("gift", 1, 1), ("gift", 2, 1)]


@pytest.mark.parametrize(("scores", "ruled"), [((0, 6, 0), True), ((0, 5, 6), False)])
def test_a_gift_may_not_put_a_player_out(scores: tuple[int, ...], *, ruled: bool) -> None:
    deal = deal_of("seven_up_2", TWO, "4S", call(1, "beg"), call(2, "give"))
    found = [r.what for r in rulings(deal, scores)]
    assert found == (["a gift that would put a player out"] if ruled else [])


def test_no_second_beg() -> None:
    deal = deal_of(
        "seven_up_2",
        TWO,
        "4S 3D",
        call(1, "beg"),
        call(2, "run"),
        call(1, "beg"),
        runs="2D 4D 5D 6D 7D 8D",
    )
    assert [r.what for r in rulings(deal)] == ["a second beg"]


def test_two_players_bunch_only_when_both_agree() -> None:
    start = (call(1, "beg"), call(2, "run"), call(1, "bunch"))
    end = Event(kind="redeal", word="bunched", to=2)
    runs = "2D 4D 5D 6D 7D 8D"
    agreed = deal_of("seven_up_2", TWO, "4S 3D", *start, call(2, "agree"), end, runs=runs)
    refused = deal_of("seven_up_2", TWO, "4S 3D", *start, call(2, "refuse"), end, runs=runs)
    assert [[r.code for r in rulings(d)] for d in (agreed, refused)] == [[], ["W25"]]


def test_high_and_low_count_to_whom_they_were_dealt_and_the_jack_to_who_takes_it() -> None:
    hands = ("AS 3H 4H 5H 6H 7H", "JS 2S 8D 9D 2D 3D")
    deal = straight(deal_of("seven_up_2", hands, "4S"), ("AS", "JS"))
    assert dues(deal)[:3] == [("high", 1, 1), ("low", 2, 1), ("catch jack", 1, 1)]


def test_the_only_trump_is_high_and_low_at_once() -> None:
    hands = ("5S 3H 4H 5H 6H 7H", "8D 9D 2D 3D 4D 5D")
    deal = straight(deal_of("seven_up_2", hands, "4S"), ())
    assert dues(deal)[:2] == [("high", 1, 1), ("low", 1, 1)]


def test_the_jack_alone_may_be_high_low_jack_and_game() -> None:
    hands = ("JS 3H 4H 5H 6H 7H", "8D 9D 2D 3D 4D 5D")
    deal = straight(deal_of("seven_up_2", hands, "4S"), ())
    assert dues(deal) == [(w, 1, 1) for w in ("high", "low", "catch jack", "game")]


def test_no_game_out_counts_to_the_non_dealer_of_two() -> None:
    assert dues(straight(deal_of("seven_up_2", EMPTY, "5S"), ()))[-1] == ("game", 1, 1)


def test_a_tie_for_game_counts_to_the_non_dealer_of_two() -> None:
    hands = ("AS 2H 3H 4H 5H 6H", "7H 8H 9H 2D 3D AD")
    deal = straight(deal_of("seven_up_2", hands, "5S"), ("6H", "7H", "AD", "5H"))
    assert ("game", 1, 1) in dues(deal)


def test_a_tie_for_game_of_two_non_dealers_of_three_counts_to_nobody() -> None:
    hands = ("AS 2H 3H 4H 5H 6H", "3S AD 8D 9D 2D 3D", "2C 3C 4C 5C 6C 7C")
    first = ("2H", "3S", "2C", "AD", "3C", "3H", "8D", "4C", "AS")
    deal = straight(deal_of("seven_up_3", hands, "5S"), first)
    assert [w for w, _, _ in dues(deal)] == ["high", "low"]


def test_a_tie_for_game_of_the_dealer_and_one_other_of_three_counts_to_the_other() -> None:
    hands = ("AS 2H 3H 4H 5H 6H", "7D 8D 9D 2D 3D 4D", "4S AC 3C 4C 5C 6C")
    first = ("2H", "7D", "4S", "AC", "3H", "8D", "3C", "AS", "9D")
    deal = straight(deal_of("seven_up_3", hands, "5S"), first)
    assert dues(deal)[-1] == ("game", 1, 1)


def test_pitch_gives_a_tie_for_game_to_nobody_and_the_first_lead_makes_trumps() -> None:
    deal = straight(deal_of("pitch_blind", EMPTY, ""), ("2H",))
    assert [w for w, _, _ in dues(deal)] == ["high", "low"]
    assert replay(GAMES["pitch_blind"], deal, 1).trump == 1


def test_trumping_while_holding_the_suit_is_no_revoke() -> None:
    deal = deal_of("seven_up_2", TWO, "4S", call(1, "stand"), play(1, "3H"), play(2, "9S"))
    assert rulings(deal) == []


def revoked(hands: tuple[str, str]) -> Deal:
    """The second player throws a diamond on a heart though he has one."""
    return straight(deal_of("seven_up_2", hands, "4S"), ("3H", "9D"))


def test_a_revoke_without_the_jack_costs_one_and_the_game_point() -> None:
    deal = revoked(("AS 3H 4H 5H 6H 7H", "8H 2S 9D TD QD KD"))
    assert [r.code for r in rulings(deal)] == ["W26"]
    assert dues(deal)[0] == ("revoke", 1, 1)
    assert ("game", 2, 1) not in dues(deal)
    assert ("low", 2, 1) in dues(deal)


def test_a_revoke_with_the_jack_costs_two() -> None:
    deal = revoked(("AS 3H 4H 5H 6H JS", "8H 2S 9D TD QD KD"))
    assert dues(deal)[0] == ("revoke", 1, 2)


def test_the_penalty_of_a_revoke_without_the_jack_may_be_deducted() -> None:
    deal = revoked(("AS 3H 4H 5H 6H 7H", "8H 2S 9D TD QD KD"))
    made = [score(s, w) for w, s, _ in dues(deal) if w != "revoke"]
    told = deal_of(
        "seven_up_2",
        ("AS 3H 4H 5H 6H 7H", "8H 2S 9D TD QD KD"),
        "4S",
        *deal.events,
        score(2, "penalty"),
        *made,
    )
    assert [r.code for r in rulings(told)] == ["W26"]


def test_who_revokes_must_stop_at_six() -> None:
    deal = revoked(("AS 3H 4H 5H 6H JS", "8H 2S 9D TD QD KD"))
    assert ("low", 2, 1) not in dues(deal, (0, 0, 6))
    assert ("low", 2, 1) in dues(deal, (0, 0, 5))


def test_a_revoke_may_be_mended_before_the_trick_is_quitted() -> None:
    start = (play(1, "AS"), play(2, "6H"), play(2, "KS"))
    deal = deal_of("seven_up_4", FOUR, "9S", *start)
    made = replay(GAMES["seven_up_4"], deal, 3)
    assert made.pending == made.revokes == []
    assert made.exposed == {(2, parse("6H")[0])}


def test_of_four_a_card_played_out_of_turn_is_exposed_and_may_be_called() -> None:
    events = (play(1, "2H"), play(3, "QS"), play(2, "6H"))
    called = Event(kind="call", seat=2, word="call card", cards=parse("QS"))
    both = [
        deal_of("seven_up_4", FOUR, "9S", *events, called, play(3, card), play(4, "6D"))
        for card in ("QS", "2D")
    ]
    kept = deal_of("seven_up_4", FOUR, "9S", *both[1].events, play(3, "QS"))
    assert [r.law.split(", ")[-1] for r in rulings(both[0])] == ["leading and playing out of turn"]
    assert "exposed cards" in {r.law.split(", ")[-1] for r in rulings(kept)}


def test_high_goes_out_before_low_and_the_rest_need_not_be_marked() -> None:
    hands = ("AS 3H 4H 5H 6H 7H", "JS 2S 8D 9D 2D 3D")
    deal = straight(deal_of("seven_up_2", hands, "4S"), ("AS", "JS"))
    told = deal_of("seven_up_2", hands, "4S", *deal.events, score(1, "high"))
    assert rulings(told, (0, 6, 6)) == []
    assert len(rulings(told, (0, 5, 5))) == 2


def test_old_all_fours_is_ten_up() -> None:
    hands = ("AS 3H 4H 5H 6H 7H", "JS 2S 8D 9D 2D 3D")
    deal = straight(deal_of("all_fours_old", hands, "4S"), ("AS", "JS"))

    def needless(score_before: int) -> list[bool]:
        made = machine(GAMES["all_fours_old"], deal, (0, score_before, 0))
        assert made is not None
        made.take_all(deal.events)
        return [d.may for d in made.due()]

    assert needless(7) == [False] * 4
    assert needless(9) == [False, True, True, True]


def test_all_fives_pegs_trumps_as_they_are_taken_and_counts_the_five_again() -> None:
    hands = ("AS 3H 4H 5H 6H 7H", "5S 2S 8D TD 2D 3D")
    deal = straight(deal_of("all_fives", hands, "4S"), ("AS", "5S", "3H", "2S", "TD", "4H"))
    assert dues(deal) == [("peg", 1, 9), ("high", 1, 1), ("low", 2, 1), ("game", 2, 1)]
    kept = deal_of("all_fives", hands, "4S", *deal.events[:-12])
    assert dues(kept) == []


def test_points_of_a_side_may_be_written_down_for_either_partner() -> None:
    deal = next(d for d in whole("seven_up_4", 4, 9, 2) if d.events[-1].kind == "score")
    last = deal.events[-1]
    told = structs.replace(
        deal, events=(*deal.events[:-1], structs.replace(last, seat=last.seat + 2))
    )
    assert rulings(told) == []


def test_a_wrong_number_of_players_is_another_game() -> None:
    deal = deal_of("seven_up_4", TWO, "4S", play(1, "3H"))
    found, unjudged = referee(GAMES["seven_up_4"], deal)
    assert ([r.what for r in found], unjudged) == (["2 players, wanted 4 to 4"], 1)


def test_a_look_too_soon_costs_a_point_among_strict_players() -> None:
    hands = (*TWO, "2D 3D 4D 5D 6D 7D")
    look = Event(kind="look", seat=2, word="hand")
    deal = deal_of("seven_up_3", hands, "4S", look, call(1, "stand"), look)
    assert [r.code for r in rulings(deal)] == ["W15"]
    strict = structs.replace(deal, options={"strict": "yes"})
    assert (dues(deal), dues(strict)) == ([], [("look", 1, 1), ("look", 3, 1)])


def test_hands_of_nine_are_kept_after_one_run_where_the_club_has_it_so() -> None:
    runs = "2D 4D 5D 6D 7D 8D"
    deal = deal_of("seven_up_2", TWO, "4S 3D", call(1, "beg"), call(2, "run"), runs=runs)
    kept = structs.replace(deal, options={"keep_nine": "yes"})
    for told, kind in ((deal, "exchange"), (kept, "play")):
        made = replay(GAMES["seven_up_2"], told, 2)
        for seat in (1, 2):
            made.take(call(seat, "keep"))
        want = made.wants()
        assert want is not None
        assert want.kind == kind


def test_a_pack_run_out_in_one_suit_is_bunched_and_the_same_dealer_deals() -> None:
    hands = tuple(" ".join(_names(bytes(range(k, k + 6)))) for k in (13, 19, 26, 32))
    runs = " ".join(_names(bytes([25, 38, *range(39, 49)])))
    more = " ".join(_names(bytes([49, 50, 51, *range(3, 12)])))
    end = Event(kind="redeal", word="bunched", to=4)
    start = (call(1, "beg"), call(4, "run"))
    deal = deal_of("seven_up_4", hands, "2S 3S 4S", *start, end, runs=f"{runs} {more}")
    assert rulings(deal) == []
    assert dues(deal) == []


def test_at_most_five_points_can_be_made() -> None:
    deal = deal_of("seven_up_2", TWO, "4S", call(1, "stand"), score(1, "high", 6))
    assert "W19" in [r.code for r in rulings(deal)]


def test_a_record_without_hands_is_judged_as_far_as_it_goes() -> None:
    law = GAMES["seven_up_2"]
    deal = deal_of("seven_up_2", ("", ""), "4S", play(1, "3H"), play(2, "9S"), play(1, "4H"))
    found, unjudged = referee(law, deal)
    assert [r.what for r in found] == ["played by seat 1, wanted seat 2"]
    assert unjudged == 3


@pytest.mark.parametrize("name", [*NAMES, "auction_pitch_sell", "california_jack", "pedro"])
def test_no_row_of_events_is_too_wild(name: str) -> None:
    rng, law = random.Random(5), GAMES[name]
    kinds: tuple[Kind, ...] = get_args(Kind)
    words = ("beg", "run", "give", "bunch", "four", "accept", "call card", "foul hand", "bunched")
    for deal in whole(name, law.players[1], 40, 9):
        events = list(deal.events)
        for _ in range(6):
            event = Event(
                kind=rng.choice(kinds),
                seat=rng.randrange(9),
                cards=bytes(rng.sample([*range(52), 255], rng.randrange(3))),
                word=rng.choice(words),
                number=rng.randrange(-2, 5),
            )
            events.insert(rng.randrange(len(events)), event)
        found, unjudged = referee(law, _with(deal, events))
        assert len(found) + unjudged > 0


def _with(deal: Deal, events: list[Event]) -> Deal:
    return Deal(
        game=deal.game,
        players=deal.players,
        dealer_seat=deal.dealer_seat,
        hands=deal.hands,
        turnups=deal.turnups,
        runs=deal.runs,
        events=tuple(events),
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_second_reading_agrees(name: str) -> None:
    law, compared = GAMES[name], 0
    for players in range(law.players[0], law.players[1] + 1):
        for deal in whole(name, players, 300, 7):
            indices = plays(deal)
            made = machine(law, deal)
            assert isinstance(made, AllFoursDeal)
            for at, event in enumerate(deal.events):
                if event.kind == "play":
                    want = made.wants()
                    assert want is not None
                    led = made.trick[0] if made.trick else None
                    wide = second.legal(made.hands[event.seat], led, made.trump)
                    assert set(want.cards) == wide, (deal, at)
                made.take(event)
            if len(indices) < 6 * players:
                continue
            table = [(deal.events[k].seat, deal.events[k].cards[0]) for k in indices]
            mine = {d.word: d.seat for d in made.due() if d.word in second_words}
            assert mine == second.points(
                table,
                players,
                deal.dealer_seat or 1,
                made.trump,
                tie=name != "pitch_blind",
                fives=name == "all_fives",
            )
            compared += 1
    assert compared > 200


second_words = ("high", "low", "catch jack", "game")


@pytest.mark.parametrize("kind", TURNED)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_breach_is_ruled_on(kind: str, players: int) -> None:
    made, missed = tried(f"seven_up_{players}", TURNED[kind], players, 60, 3)
    assert missed == []
    assert made > 5 or (kind == "early_look" and players == 2)


def test_chances_of_the_turn_up_are_those_of_the_pack() -> None:
    assert odds.jack_turned() == Fraction(1, 13)
    assert odds.later_jack(2) == Fraction(1, 17)
    assert odds.same_suit(2) == Fraction(4, 17)
    assert odds.own_jack_second() == Fraction(4, 221)
    assert [odds.later_jack(k) for k in (3, 4)] == [Fraction(3, 50), Fraction(3, 49)]
    assert [odds.same_suit(k) for k in (3, 4)] == [Fraction(11, 50), Fraction(10, 49)]
    assert odds.two_jacks() == Fraction(1, 221)


def test_chances_of_the_pack_running_out_and_of_the_jack_in_hand() -> None:
    assert [odds.pack_exhausted(n) for n in (2, 3, 4)] == [
        Fraction(66, 195755),
        Fraction(44, 4165),
        Fraction(22, 425),
    ]
    assert [odds.jack_in_hand(n) for n in (2, 3, 4)] == [
        Fraction(4, 17),
        Fraction(6, 17),
        Fraction(8, 17),
    ]


def test_chances_of_few_trumps_and_of_no_game() -> None:
    assert odds.trumps_in_play(2, 1) == Fraction(295774596, 2334608675)
    assert odds.trumps_in_play(2, 0) == Fraction(8215961, 333515525)
    assert odds.no_game(2) == Fraction(10788, 9860459)
    rounded = [f"{float(odds.trumps_in_play(n, k)):.2g}" for n in (3, 4) for k in (1, 0)]
    assert rounded == ["0.022", "0.0022", "0.002", "0.00011"]
    assert [f"{float(odds.no_game(n)):.2g}" for n in (3, 4)] == ["1.1e-05", "2.5e-08"]
