"""Put: whole deals, cases of its laws, breaches made on purpose, and odds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec import structs

from audit.event import Event
from audit.games import GAMES
from audit.games._put import holds
from audit.record import Deal
from audit.referee import machine, referee
from audit.shuffle.local import Room
from tests.laws import second_put
from tests.laws._by_hand import (
    Change,
    call,
    changed,
    found,
    hands,
    held,
    judge,
    misses,
    play,
    plays,
    score,
    simulated,
    whats,
)
from tests.laws._odd import disordered
from tests.laws.long import check
from tests.shuffle.make_table_vectors import chooser, seeded, verdict_of

BOTH = ("put_2", "put_4")
REDEAL = Event(kind="redeal", word="fresh deal")


@pytest.mark.parametrize("game", BOTH)
def test_deals_end_and_the_referee_accepts_them(game: str) -> None:
    assert check(game, count=300) == 300


@pytest.mark.parametrize("game", BOTH)
def test_a_sealed_pack_is_dealt_and_verified(game: str) -> None:
    room = Room(GAMES[game], int(game[-1]), packs=2, draw=seeded(f"test {game}"))
    for number in (1, 2):
        room.contribute(10 + number)
        room.play(chooser(game))
        room.finish()
        assert verdict_of(room.transcript(number))


# -- cases ------------------------------------------------------------------------------------


def deal(one: str = "3H AS 4D", two: str = "2H KS 4C", **options: str) -> Deal:
    """Seat 2 deals, seat 1 leads."""
    return Deal(game="put_2", players=2, dealer_seat=2, hands=hands(one, two), options=options)


def test_101_the_trois_is_best_and_suits_are_of_no_account() -> None:
    said = [call(1, "put"), call(2, "see"), *plays("1:3H 2:2H"), Event(kind="trick", seat=1)]
    assert judge(deal(), said) == []
    wrong = [*said[:-1], Event(kind="trick", seat=2)]
    assert whats(deal(), wrong) == ["the trick taken by seat 2, won by seat 1"]


def test_101_an_accepted_put_is_decided_by_two_tricks_of_three() -> None:
    said = [call(1, "put"), call(2, "see"), *plays("1:3H 2:2H 1:AS 2:KS")]
    assert judge(deal(), [*said, score(1, "game", 5)]) == []
    assert len(judge(deal(), [*said, score(2, "game", 5)])) == 1


def test_101_a_trick_each_and_the_third_tied_goes_for_nothing() -> None:
    table = deal("3H KS 4D", "2H AS 4C")
    said = [call(1, "put"), call(2, "see"), *plays("1:3H 2:2H 1:KS 2:AS 2:4C 1:4D")]
    assert judge(table, said) == []
    assert whats(table, [*said, score(1, "game", 5)]) == ["score of 5 for game, wanted nothing"]


def test_102_a_challenge_not_taken_up_is_one_point() -> None:
    said = [*plays("1:AS"), call(2, "put"), call(1, "decline")]
    assert judge(deal(), [*said, score(2, "put", 1)]) == []
    assert len(judge(deal(), [*said, score(1, "put", 1)])) == 1


def test_102_cards_placed_on_the_pack_are_one_point_to_the_opponent() -> None:
    said = [*plays("1:AS"), call(2, "throw"), score(1, "thrown up", 1)]
    assert judge(deal(), said) == []


def test_102_the_two_who_did_not_put_play_for_nothing_unless_agreed() -> None:
    said = plays("1:3H 2:2H 1:AS 2:KS 1:4D 2:4C")
    assert whats(deal(), [*said, score(1, "tricks", 1)]) == [
        "score of 1 for tricks, wanted nothing"
    ]
    assert judge(deal(unput="yes"), [*said, score(1, "tricks", 1)]) == []


def four() -> Deal:
    dealt = hands("AS 3S 5S", "4H 6H 7H", "2D 8D 9D", "KC QC JC")
    return Deal(game="put_4", players=4, dealer_seat=4, hands=dealt)


def gift(giver: int, best: str, receiver: int, worst: str) -> list[Event]:
    gone, given = play(receiver, worst).cards, play(giver, best).cards
    return [
        Event(kind="exchange", seat=receiver, cards=gone, word="discard"),
        Event(kind="exchange", seat=giver, cards=given, word="partner"),
        Event(kind="draw", seat=receiver, cards=given, word="partner"),
    ]


def test_103_one_gives_his_best_card_and_the_partner_throws_his_worst() -> None:
    said = [call(1, "receive"), *gift(3, "2D", 1, "5S"), call(4, "give"), *gift(4, "KC", 2, "4H")]
    cards = plays("1:3S 2:KC 1:2D 2:7H")
    done = [call(1, "put"), call(2, "see"), *cards, score(1, "game", 5)]
    assert judge(four(), [*said, *done]) == []
    assert whats(four(), [call(1, "receive"), *gift(3, "8D", 1, "5S")]) == [
        "the card is not the best of the hand"
    ]
    assert whats(four(), [call(1, "receive"), *gift(3, "2D", 1, "AS")]) == [
        "the card is not the worst of the hand"
    ]


def test_104_i_and_ii_a_card_of_the_adversary_seen_allows_a_new_deal_his_own_does_not() -> None:
    theirs = Event(kind="look", seat=2, word="adversary's card")
    assert judge(deal(), [theirs, REDEAL]) == []
    own = Event(kind="look", seat=2, word="own card")
    assert [r.code for r in judge(deal(), [own, REDEAL])] == ["W81"]


def test_104_iii_a_faced_card_is_dealt_again() -> None:
    assert judge(deal(), [found("faced card"), REDEAL]) == []
    assert [r.code for r in judge(deal(), [found("faced card"), play(1, "3H")])] == ["W83"]


def test_104_iv_extra_cards_of_the_adversary_are_drawn_or_dealt_again() -> None:
    table = deal(one="3H AS 4D 5D")
    drawn = Event(kind="exchange", seat=1, cards=play(1, "3H").cards, word="extra")
    rulings = judge(table, [call(1, "draw"), drawn, play(1, "AS")])
    assert [(r.code, r.law) for r in rulings] == [("W82", "household book, section 104, iv")]
    assert len(judge(table, [call(1, "fresh deal"), REDEAL])) == 1


@pytest.mark.parametrize(("option", "rulings"), [("yes", 1), ("no", 2)])
def test_104_v_extra_cards_of_the_dealer_add_a_point(option: str, rulings: int) -> None:
    table = deal(two="2H KS 4C 5C", **{"point and cards": option})
    drawn = Event(kind="exchange", seat=2, cards=play(2, "2H").cards, word="extra")
    said = [call(1, "draw"), drawn, score(1, "extra cards", 1)]
    assert len(judge(table, said)) == rulings
    fresh = [call(1, "fresh deal"), REDEAL, score(1, "extra cards", 1)]
    assert len(judge(table, fresh)) == 1


def test_104_vi_and_vii_a_put_stands_and_bystanders_are_silent() -> None:
    assert [r.code for r in judge(deal(), [found("bystander")])] == ["W84"]
    back = [call(1, "put"), Event(kind="claim", seat=1, word="retract")]
    assert [r.code for r in judge(deal(), back)] == ["W84"]


def test_a_record_without_words_is_judged_by_its_cards() -> None:
    record = structs.replace(deal(), hands=(), events=tuple(plays("1:3H 2:2H 2:KS")))
    rulings, unjudged = referee(GAMES["put_2"], record)
    assert [r.what for r in rulings] == ["played by seat 2, wanted seat 1"]
    assert unjudged == 0


# -- breaches made on purpose -----------------------------------------------------------------


def card_of_another(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "play":
        return None
    theirs = held(deal, at)[event.seat % len(deal.hands) + 1]
    wrong = structs.replace(event, cards=bytes(theirs[:1]))
    return changed(deal, at, wrong, cut=True) if theirs else None


def card_twice(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    mine = [e for e in deal.events[:at] if e.kind == "play" and e.seat == event.seat]
    if event.kind != "play" or not mine:
        return None
    return changed(deal, at, structs.replace(event, cards=mine[0].cards), cut=True)


def card_out_of_turn(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    seat = event.seat % len(deal.hands) + 1
    return changed(deal, at, structs.replace(event, seat=seat)) if event.kind == "play" else None


def trick_to_loser(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "trick" or not event.seat:
        return None
    return changed(deal, at, structs.replace(event, seat=event.seat % len(deal.hands) + 1))


def tie_taken(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "trick" or event.seat:
        return None
    return changed(deal, at, structs.replace(event, seat=1))


def score_one_off(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "score":
        return None
    return changed(deal, at, structs.replace(event, number=event.number + 1))


def score_to_other(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "score":
        return None
    return changed(deal, at, structs.replace(event, seat=3 - event.seat))


def score_invented(deal: Deal, at: int) -> Deal | None:
    last = at == len(deal.events) - 1
    return changed(deal, at, deal.events[at], score(1, "cards", 1)) if last else None


def extra_card(deal: Deal, at: int) -> Deal | None:
    spare = next(c for c in range(52) if not any(c in h for h in deal.hands))
    dealt = (deal.hands[0] + bytes([spare]), *deal.hands[1:])
    return structs.replace(deal, hands=dealt, order_after_cut=None)


def hand_not_as_dealt(deal: Deal, at: int) -> Deal | None:
    one, two, *rest = deal.hands
    return structs.replace(deal, hands=(one[:-1] + two[-1:], two[:-1] + one[-1:], *rest))


def put_out_of_turn(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "call" or event.word != "put":
        return None
    seat = event.seat % len(deal.hands) + 1
    return changed(deal, at, structs.replace(event, seat=seat), cut=True)


def answers_himself(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "call" or event.word not in ("see", "decline"):
        return None
    return changed(deal, at, structs.replace(event, seat=deal.events[at - 1].seat))


def card_before_answer(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "call" or event.word not in ("see", "decline"):
        return None
    by = deal.events[at - 1].seat
    mine = held(deal, at)[by]
    return changed(deal, at, Event(kind="play", seat=by, cards=bytes(mine[:1])), cut=True)


def retracted(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "call" or event.word != "put":
        return None
    return changed(deal, at, event, Event(kind="claim", seat=event.seat, word="retract"))


def dealt_again(deal: Deal, at: int) -> Deal | None:
    return changed(deal, at, REDEAL, cut=True)


def no_such_word(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "call" or event.word not in ("play", "put", "throw"):
        return None
    return changed(deal, at, structs.replace(event, word="double"), cut=True)


def not_the_extreme(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "exchange":
        return None
    mine = held(deal, at)[event.seat]
    right = second_put.best(mine) if event.word == "partner" else second_put.worst(mine)
    wrong = [c for c in mine if c not in right]
    if not wrong:
        return None
    return changed(deal, at, structs.replace(event, cards=bytes(wrong[:1])), cut=True)


def gift_to_another(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "draw":
        return None
    return changed(deal, at, structs.replace(event, seat=event.seat % 4 + 1), cut=True)


def changes_after_pairs(deal: Deal, at: int) -> Deal | None:
    event = deal.events[at]
    if event.kind != "play":
        return None
    late = Event(kind="exchange", seat=event.seat, cards=event.cards, word="discard")
    return changed(deal, at, late, cut=True)


BREACHES: dict[str, tuple[Change, tuple[str, ...], str, str]] = {
    "another's card": (card_of_another, BOTH, "section 101", ""),
    "a card twice": (card_twice, BOTH, "section 101", ""),
    "a card out of turn": (card_out_of_turn, BOTH, "section 102", ""),
    "a trick to the loser": (trick_to_loser, BOTH, "section 101", ""),
    "a tie taken": (tie_taken, BOTH, "section 101", ""),
    "a score one off": (score_one_off, BOTH, "household book", ""),
    "a score to the other": (score_to_other, BOTH, "household book", ""),
    "a score invented": (score_invented, BOTH, "household book", ""),
    "an extra card": (extra_card, BOTH, "section 104", "W82"),
    "a hand not as dealt": (hand_not_as_dealt, BOTH, "section 101", ""),
    "a put out of turn": (put_out_of_turn, BOTH, "section 102", ""),
    "his own answer": (answers_himself, BOTH, "section 102", ""),
    "a card before the answer": (card_before_answer, BOTH, "section 102", ""),
    "a put taken back": (retracted, BOTH, "section 104, vii", "W84"),
    "a new deal": (dealt_again, BOTH, "section 104", "W81"),
    "no such word": (no_such_word, BOTH, "section 102", ""),
    "not the best or worst": (not_the_extreme, ("put_4",), "section 103", ""),
    "a gift to another": (gift_to_another, ("put_4",), "section 103", ""),
    "a late exchange": (changes_after_pairs, BOTH, "section 103", ""),
}


@pytest.mark.parametrize("kind", BREACHES)
def test_every_breach_is_ruled_on_under_its_law(kind: str) -> None:
    breach, games, law, code = BREACHES[kind]
    made = 0
    missed: list[Deal] = []
    for game in games:
        players = int(game[-1])
        some = misses([game], breach, law, code, count=300, players=players)
        made, missed = made + some[0], missed + some[1]
    assert made >= 25
    assert not missed, missed[0]


# -- a second reading and odds ----------------------------------------------------------------


def engaged(deal: Deal) -> tuple[int, int]:
    """Return the two who play, the first to lead first."""
    n = len(deal.hands)
    order = [((deal.dealer_seat or 0) + k) % n + 1 for k in range(n)]
    if n == 2:
        return order[0], order[1]
    took = [e.seat for e in deal.events if e.kind == "draw"]
    first, second = sorted(took, key=order.index)
    return first, second


@pytest.mark.parametrize("game", BOTH)
def test_a_second_reading_of_the_book_agrees(game: str) -> None:
    compared = 0
    for deal in simulated(game, 600, int(game[-1]), seed=23):
        made = machine(GAMES[game], deal)
        assert made is not None
        for at, event in enumerate(deal.events):
            want, mine = made.wants(), held(deal, at).get(event.seat, [])
            if event.kind == "play":
                assert want is not None
                assert set(want.cards) == set(mine)
            if event.kind == "exchange":
                assert want is not None
                one = second_put.best if event.word == "partner" else second_put.worst
                assert set(want.cards) == one(mine)
            made.take(event)
        words = [(e.seat, e.word) for e in deal.events if e.kind == "call"]
        words = [(s, w) for s, w in words if w not in ("give", "receive")]
        cards = [(e.seat, e.cards[0]) for e in deal.events if e.kind == "play"]
        wanted = second_put.score(words, cards, engaged(deal))
        got = [(e.seat, e.number) for e in deal.events if e.kind == "score"]
        if wanted is not None and game == "put_4":
            wanted = (wanted[0] - 1) % 2 + 1, wanted[1]
        assert got == ([] if wanted is None else [wanted])
        compared += 1
    assert compared == 600


def test_a_given_hand_holds_a_trois_once_in_less_than_five() -> None:
    assert [holds(GAMES[g], "3") for g in BOTH] == [Fraction(1201, 5525)] * 2


WORDS = (
    "put",
    "see",
    "decline",
    "throw",
    "play",
    "give",
    "receive",
    "draw",
    "retract",
    "discard",
    "partner",
    "game",
    "fresh deal",
    "faced card",
    "own card",
    "",
)


@pytest.mark.parametrize("game", BOTH)
def test_no_record_stops_the_referee(game: str) -> None:
    judged = 0
    for k, one in enumerate(simulated(game, 60, int(game[-1]), seed=9)):
        for odd in disordered(one, WORDS, seed=k):
            rulings, unjudged = referee(GAMES[game], odd)
            judged += bool(rulings or unjudged)
    assert judged > 400
