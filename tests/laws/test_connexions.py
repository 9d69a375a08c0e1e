"""Connexions: whole deals, laws, deals made wrong, chances, and a second reading."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from msgspec import structs

from audit.cards import parse
from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee
from audit.referee.connexions import MACHINE, best, legal
from audit.referee.simulate import Lots, deals
from audit.rules.connexions import DIAMONDS, Connexions, both_dealt
from tests.laws import _wrong as wrong
from tests.laws import second_connexions as second
from tests.laws.long import check

RULES = GAMES["connexions_3"].rules
assert isinstance(RULES, Connexions)
ORDER = RULES.ranks.order(DIAMONDS)


def log(players: int, count: int, seed: int = 4, pool: str = "") -> list[Deal]:
    choose = PLAY["by_lot"].choose
    assert choose is not None
    law = GAMES[f"connexions_{players}"]
    options = {"pool": pool} if pool else {}
    made = deals(law, players=players, choose=choose, count=count, seed=seed, options=options)
    return list(made)


@pytest.mark.parametrize("name", ["connexions_3", "connexions_4"])
def test_whole_deals_are_accepted(name: str) -> None:
    assert check(name, count=300) >= 300


def may(hand: str, trick: str, *, must: bool = True) -> bytes:
    return bytes(legal(ORDER, parse(hand), parse(trick), must=must))


def test_a_card_of_connexion_may_be_played_to_any_lead() -> None:
    assert may("2H AC 3C", "5H") == parse("2H AC")


def test_who_can_answer_a_connexion_does_so_before_following_suit() -> None:
    assert may("2S KH AC 3D", "AS") == parse("KH AC")
    assert may("2S KH AC 3D", "AS", must=False) == parse("2S KH AC")


def test_after_a_connexion_anybody_may_trump() -> None:
    assert may("2S 3D 4C", "5S") == parse("2S")
    assert may("2S 3D 4C", "AS KH") == parse("2S 3D")


def test_a_trump_takes_a_trick_of_connexion_else_its_first_card() -> None:
    assert best(ORDER, parse("5H KH AS")) == 1
    assert best(ORDER, parse("AH KH AS 2D")) == 3
    assert best(ORDER, parse("5H AS 9H")) == 2


def test_connexions_draw_before_tricks_when_the_pool_is_short() -> None:
    short = log(3, 60, pool="4")
    drawn = [
        (e.word, e.number) for deal in short for e in deal.events if e.kind == "pay" and e.number
    ]
    assert ("most tricks", 1) in drawn
    for deal in short:
        words = {e.word: e.number for e in deal.events if e.kind == "pay"}
        if "first connexion" in words:
            assert words == {"first connexion": 4}
        assert sum(words.values()) <= 4


def test_no_money_is_drawn_till_the_hands_are_finished_and_then_by_precedence() -> None:
    """Section 107."""
    law, tried = GAMES["connexions_3"], 0
    for deal in log(3, 60):
        pays = wrong.where(deal, "pay")
        for at in pays:
            for early in (0, 15, pays[0] - 1):
                moved = wrong.added(wrong.without(deal, at), early, deal.events[at])
                found = referee(law, moved)[0]
                assert [(r.event, "before the hands" in r.what) for r in found] == [(early, True)]
        if len(pays) == 2:
            last = deal.events[pays[1]]
            moved = wrong.added(wrong.without(deal, pays[1]), pays[0], last)
            found = referee(law, moved)[0]
            assert [(r.event, r.seat, "drawn before" in r.what) for r in found] == [
                (pays[0], last.to, True)
            ]
            tried += 1
    assert tried >= 5


def test_a_pool_that_the_record_counts_is_drawn_from() -> None:
    """Section 107: the sums "are drawn from the pool"; without a count of it none is wanted."""
    for deal in log(3, 20):
        drawn = sum(e.number for e in deal.events if e.kind == "pay")
        counts = [
            Event(kind="pool", word="before", number=20),
            Event(kind="pool", word="after", number=20 - drawn),
        ]
        counted = (counts[0], *deal.events, counts[1])
        assert not referee(GAMES["connexions_3"], structs.replace(deal, events=counted))[0]
        wrongly = (*counted[:-1], structs.replace(counts[1], number=21))
        assert referee(GAMES["connexions_3"], structs.replace(deal, events=wrongly))[0]


def test_without_a_duty_to_answer_a_following_card_is_allowed() -> None:
    rules = GAMES["connexions_3"].rules
    assert isinstance(rules, Connexions)
    law = replace(GAMES["connexions_3"], rules=replace(rules, answer="may"))
    hands = (parse("AS 2S 3S 4S 5S 6S 7S 8S 9S TS"), parse("QS AC KC QC JC TC 9C 8C 7C 6C"))
    deal = Deal(
        game="connexions_3",
        players=3,
        dealer_seat=3,
        hands=(*hands, parse("2H 3H 4H 5H 6H 7H 8H 9H TH JH")),
        events=(
            Event(kind="play", seat=1, cards=parse("AS")),
            Event(kind="play", seat=2, cards=parse("QS")),
        ),
    )
    found = referee(GAMES["connexions_3"], deal)[0]
    assert [r.what for r in found] == ["a connexion was not answered"]
    assert not referee(law, deal)[0]


def test_a_card_that_is_none_is_ruled_on() -> None:
    deal = log(3, 1)[0]
    found, unjudged = referee(GAMES["connexions_3"], wrong.changed(deal, 4, cards=b"M"))
    assert [(r.event, "none of the pack" in r.what) for r in found] == [(4, True)]
    assert unjudged >= len(deal.events) - 5


def test_the_wrong_seat_gathers_a_trick() -> None:
    deal = log(3, 1)[0]
    machine = MACHINE.make(GAMES["connexions_3"], deal, ())
    for event in deal.events[:3]:
        machine.take(event)
    right = machine.wants()
    assert right is not None
    for seat in (1, 2, 3):
        gathered = wrong.added(deal, 3, Event(kind="trick", seat=seat))
        found = referee(GAMES["connexions_3"], gathered)[0]
        assert bool(found) == (seat != right.seat)


def test_a_hand_that_is_not_on_record_is_not_judged() -> None:
    deal = log(3, 1)[0]
    found, unjudged = referee(
        GAMES["connexions_3"], structs.replace(deal, hands=(b"", *deal.hands[1:]))
    )
    assert not found
    assert unjudged == 10


def _revoke(deal: Deal, at: int, lots: Lots) -> Deal | None:
    """Play another card of the hand that may not be played now."""
    machine = MACHINE.make(GAMES[deal.game], deal, ())
    for event in deal.events[:at]:
        machine.take(event)
    want = machine.wants()
    assert want is not None
    bad = [c for c in machine.hands[want.seat] if c not in want.cards]
    return wrong.changed(deal, at, cards=bytes([bad[lots.below(len(bad))]])) if bad else None


def _gather(deal: Deal, at: int, lots: Lots) -> Deal | None:
    n = deal.players or 0
    plays = wrong.where(deal, "play")
    if at % n or not at:
        return None
    leader = deal.events[plays[at]].seat
    return wrong.added(deal, at, Event(kind="trick", seat=wrong.another(deal, leader, lots)))


def _two(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, cards=deal.events[at].cards * 2)


KINDS = (
    wrong.PAY
    | wrong.HANDS
    | wrong.PLAY
    | {
        "a revoke": (wrong.some("play", _revoke), ""),
        "a trick to the wrong seat": (wrong.some("play", _gather), "trick gathered"),
        "two cards at once": (wrong.some("play", _two), "wanted one"),
    }
)


def _rewarded(found: list[Deal]) -> list[Deal]:
    """Leave deals in which something is paid twice over, so that what is left out shows."""
    return [d for d in found if sum(e.kind == "pay" for e in d.events) > 1]


def test_deals_made_wrong_are_ruled_on() -> None:
    some = _rewarded(log(3, 500) + log(4, 300))[:150]
    made, missed = wrong.misses(KINDS, some)
    assert min(made.values()) >= 20, made
    assert not any(missed.values()), missed


def test_the_pool_off_is_ruled_on() -> None:
    made, missed = wrong.misses(wrong.POOL, log(4, 100, pool="40"))
    assert made == {"the pool off": 100}
    assert missed == {"the pool off": 0}


@pytest.mark.parametrize("players", [3, 4])
def test_second_reading(players: int) -> None:
    for deal in log(players, 300, seed=players):
        hands = {s: [second.name(c) for c in h] for s, h in enumerate(deal.hands, start=1)}
        machine = MACHINE.make(GAMES[deal.game], deal, ())
        tricks: list[tuple[int, list[str]]] = []
        trick: list[tuple[int, str]] = []
        for event in deal.events:
            if event.kind != "play":
                continue
            want = machine.wants()
            assert want is not None
            seen = [c for _, c in trick]
            assert {second.name(c) for c in want.cards} == second.may(hands[event.seat], seen)
            machine.take(event)
            trick.append((event.seat, second.name(event.cards[0])))
            hands[event.seat].remove(trick[-1][1])
            if len(trick) == players:
                seen = [c for _, c in trick]
                tricks.append((trick[second.wins(seen)][0], seen))
                trick = []
        drawn = [(e.to, e.number) for e in deal.events if e.kind == "pay"]
        assert drawn == second.drawn(tricks, range(1, players + 1))


@pytest.mark.parametrize(
    ("name", "figure"), [("connexions_3", Fraction(145, 442)), ("connexions_4", Fraction(248, 663))]
)
def test_chance_that_both_cards_of_a_connexion_are_dealt(name: str, figure: Fraction) -> None:
    law = GAMES[name]
    cards = sum(map(len, law.hand_places(law.players[0])))
    assert both_dealt(len(law.pack), cards) == figure
