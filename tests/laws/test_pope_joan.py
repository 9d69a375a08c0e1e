"""Pope Joan: whole deals, laws, deals made wrong, chances, and a second reading."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec import structs

from audit.cards import parse
from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee.machine import Machine
from audit.referee.pope_joan import MACHINE
from audit.referee.simulate import Lots, deals
from audit.rules.pope_joan import POPE, in_stock, paying, stock_of, turned
from tests.laws import _wrong as wrong
from tests.laws import second_pope_joan as second
from tests.laws.long import check

LAW = GAMES["pope_joan"]


def log(players: int, count: int, seed: int = 4) -> list[Deal]:
    choose = PLAY["by_lot"].choose
    assert choose is not None
    return list(deals(LAW, players=players, choose=choose, count=count, seed=seed))


def test_whole_deals_are_accepted() -> None:
    assert check("pope_joan", count=300) >= 300


@pytest.mark.parametrize(("players", "cards", "stock"), [(3, 14, 8), (4, 11, 6), (5, 9, 5)])
def test_equal_hands_and_about_six_or_eight_left(players: int, cards: int, stock: int) -> None:
    assert {len(h) for h in LAW.hand_places(players)} == {cards}
    assert LAW.hand_of(players) == cards
    assert stock_of(len(LAW.pack), players, cards) == stock
    assert LAW.turn_places(players, 51) == [players * cards]


def at_table(turnup: str, hands: tuple[str, ...], plays: str) -> Machine:
    """Ten players with four cards each, dealer seat 10; *plays* by whoever holds the card."""
    whole = tuple(parse(h) for h in hands)
    owner = {c: s for s, h in enumerate(whole, start=1) for c in h}
    deal = Deal(game="pope_joan", players=10, dealer_seat=10, hands=whole, turnups=parse(turnup))
    made = machine(LAW, deal)
    assert made is not None
    for card in parse(plays):
        made.take(Event(kind="play", seat=owner[card], cards=bytes([card])))
    return made


HANDS = (
    "7C KS 9D 2H",
    "8C 3H 4S 5S",
    "6C JS QS 9S",
    "AH AC AD TC",
    "2C 3C 4C 5C",
    "2D 3D 4D 5D",
    "4H 5H 6H 7H",
    "2S 3S 6S 7S",
    "6D 7D TD JD",
    "QD KD JH QH",
)


def test_the_next_card_of_the_suit_follows() -> None:
    assert not at_table("8S", HANDS, "7C 8C").rulings
    assert "sequence could go on" in at_table("8S", HANDS, "7C KS").rulings[0].what


def test_a_card_under_one_played_before_is_a_stop() -> None:
    """The book's own example: after the eight of clubs has gone, the seven is a stop."""
    made = at_table("8S", ("8C 7C KS 9D", "2H 3H 4S 5S", *HANDS[2:]), "8C 7C")
    want = made.wants()
    assert want is not None
    assert (want.seat, want.cards) == (1, tuple(parse("KS 9D")))
    assert not made.rulings


def test_only_the_dealer_looks_at_the_stock() -> None:
    made = at_table("8S", HANDS, "")
    made.take(Event(kind="look", seat=10, word="stock"))
    assert not made.rulings
    made.take(Event(kind="look", seat=3, word="stock"))
    assert [r.code for r in made.rulings] == ["W89"]


def test_pope_turned_ends_the_deal() -> None:
    hands = tuple(h.replace("9D", "9H") for h in HANDS)
    due = at_table("9D", hands, "").due()
    won = {(d.seat, d.word, d.number) for d in due if d.kind == "pay" and d.to == 10}
    stakes = {(s, "a stake a card dealt", 4) for s in range(1, 10)}
    assert won == {(0, "pope", 6), (0, "game", 1)} | stakes


def test_a_holder_of_pope_unplayed_pays_nothing() -> None:
    """Seat 7 is out after 4H 5H 6H 7H; seat 1 still holds the nine of diamonds."""
    due = at_table("8S", HANDS, "2H 3H 4H 5H 6H 7H").due()
    left = {d.seat: d.number for d in due if d.word == "cards left"}
    assert left == {2: 3, 3: 4, 4: 4, 5: 4, 6: 4, 8: 4, 9: 4, 10: 4}


def test_honours_of_trumps_win_only_when_played() -> None:
    made = at_table("8S", ("7C JS QS KS", *HANDS[1:2], "6C 9D 2H 9S", *HANDS[3:]), "JS QS KS 7C")
    won = {d.word: (d.to, d.number) for d in made.due() if d.kind == "pay" and not d.seat}
    assert won == {"knave": (1, 1), "queen": (1, 1), "king": (1, 1), "matrimony": (1, 2)} | {
        "intrigue": (1, 2),
        "game": (1, 1),
    }


def test_stakes_left_for_future_determination_are_no_fault_of_this_deal() -> None:
    """Section 109: unclaimed stakes "remain for future determination"."""
    tried = 0
    for deal in log(4, 40):
        for word, more in (("pope", 6), ("matrimony", 2), ("ace", 3)):
            at = [k for k in wrong.where(deal, "pay", word=word) if not deal.events[k].seat]
            before = wrong.where(deal, "pool", word="before")[0]
            if not at:
                continue
            tried += 1
            taken = deal.events[at[0]].number + more
            over = wrong.changed(wrong.changed(deal, before, number=more), at[0], number=taken)
            assert referee(LAW, over) == ([], 1)
            assert referee(LAW, wrong.changed(over, at[0], number=taken + 1))[0]
            assert referee(LAW, wrong.changed(over, before, number=more - 1))[0]
    assert tried >= 30


def _break(deal: Deal, at: int, lots: Lots) -> Deal | None:
    """Lead another card where the sequence could go on."""
    made = MACHINE.make(LAW, deal, ())
    made.take_all(deal.events[:at])
    want = made.wants()
    last = deal.events[at - 1] if at else None
    if want is None or last is None or last.kind != "play" or len(want.cards) != 1:
        return None
    hand = made.hands[last.seat]
    other = [c for c in hand if c not in want.cards]
    if second.follows(second.name(last.cards[0])) != second.name(want.cards[0]) or not other:
        return None
    card = bytes([other[lots.below(len(other))]])
    return wrong.changed(deal, at, seat=last.seat, cards=card)


def _looked(deal: Deal, at: int, lots: Lots) -> Deal:
    seat = wrong.another(deal, deal.dealer_seat or 0, lots)
    return wrong.added(deal, at, Event(kind="look", seat=seat, word="stock"))


def _turnup(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, cards=deal.turnups)


def _eight(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, cards=parse("8D"))


def _two(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, cards=deal.events[at].cards * 2)


KINDS = (
    wrong.PAY
    | wrong.POOL
    | wrong.HANDS
    | {
        "led out of turn": (wrong.some("play", wrong.other_seat), ""),
        "a card played twice": (wrong.some("play", wrong.twice), ""),
        "a sequence broken off": (wrong.some("play", _break), "sequence could go on"),
        "another than the dealer looks": (wrong.some("play", _looked), "looked at"),
        "the card turned is played": (wrong.some("play", _turnup), "cannot be in his hand"),
        "the card that was taken out": (wrong.some("play", _eight), "cannot be in his hand"),
        "two cards at once": (wrong.some("play", _two), "one card"),
    }
)


def test_deals_made_wrong_are_ruled_on() -> None:
    made, missed = wrong.misses(KINDS, log(4, 120) + log(6, 60))
    assert min(made.values()) >= 20, made
    assert not any(missed.values()), missed


@pytest.mark.parametrize("players", [2, 3, 4, 7])
def test_second_reading(players: int) -> None:
    for deal in log(players, 80, seed=players):
        assert deal.dealer_seat is not None
        hands = {s: [second.name(c) for c in h] for s, h in enumerate(deal.hands, start=1)}
        played: dict[str, int] = {}
        last, player = "", deal.dealer_seat % players + 1
        for event in deal.events:
            if event.kind == "play":
                seat, cards = second.may(hands, last, player)
                last, player = second.name(event.cards[0]), event.seat
                assert player == seat
                assert last in cards
                hands[seat].remove(last)
                played[last] = seat
        if POPE in deal.turnups:
            continue
        assert [s for s, h in hands.items() if not h] == [player]
        won = second.takes(played, second.name(deal.turnups[0]), deal.dealer_seat, player)
        wanted = {w: (s, second.BOARD[w]) for w, s in won.items()}
        got = {e.word: (e.to, e.number) for e in deal.events if e.kind == "pay" and not e.seat}
        assert got == wanted
        paid = {e.seat: e.number for e in deal.events if e.word == "cards left"}
        assert paid == {s: second.pays(h) for s, h in hands.items() if second.pays(h)}


def test_where_hands_are_not_known_a_new_lead_is_not_judged() -> None:
    deal = log(4, 1)[0]
    found, unjudged = referee(LAW, structs.replace(deal, hands=()))
    assert not found
    assert unjudged > 0


def test_chances_of_the_card_turned() -> None:
    assert turned(LAW.pack, [POPE]) == Fraction(1, 51)
    for rank in range(9, 13):
        assert turned(LAW.pack, [c for c in LAW.pack if c % 13 == rank]) == Fraction(4, 51)
    assert turned(LAW.pack, paying(LAW.pack)) == Fraction(1, 3)


def test_chance_that_pope_lies_in_the_stock() -> None:
    assert in_stock(51, stock_of(51, 4, LAW.hand_of(4))) == Fraction(2, 17)
