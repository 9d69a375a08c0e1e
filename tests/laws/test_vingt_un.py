"""Vingt-un: whole packs, laws, deals made wrong, chances, players, and a second reading."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec import structs

from audit.cards import parse
from audit.event import Event, Seen, Want
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee.simulate import Lots, deals
from audit.rules._first_jack import JACK, first_of
from audit.rules.vingt_un import (
    ACE,
    above,
    any_natural,
    bust,
    bust_at,
    natural_chance,
    total,
)
from tests.laws import _wrong as wrong
from tests.laws import second_vingt_un as second
from tests.laws.long import check

LAW = GAMES["vingt_un"]


def log(players: int, count: int, seed: int = 4, player: str = "by_lot") -> list[Deal]:
    choose = PLAY[player].choose
    assert choose is not None
    return list(deals(LAW, players=players, choose=choose, count=count, seed=seed))


@pytest.mark.parametrize("player", ["by_lot", "vingt_un"])
def test_whole_packs_are_accepted(player: str) -> None:
    assert check("vingt_un", count=300, choose=PLAY[player].choose) >= 300


def coup(*hands: str, calls: str = "", stake: int = 0) -> tuple[list[str], dict[int, int]]:
    """The last hand is the dealer's; *calls* is "seat:card" or "seat" to stand, or "seat!".

    Return what is ruled, and what each seat gains.
    """
    n = len(hands)
    events: list[Event] = []
    if stake:
        events.append(Event(kind="call", seat=1, word="stake", number=stake))
    for call in calls.split():
        seat, _, card = call.partition(":")
        if seat.endswith("!"):
            events.append(Event(kind="claim", seat=int(seat[:-1]), word="natural"))
        elif card:
            events.append(Event(kind="call", seat=int(seat), word="card"))
            events.append(Event(kind="draw", seat=int(seat), cards=parse(card)))
        else:
            events.append(Event(kind="call", seat=int(seat), word="stand"))
    deal = Deal(
        game="vingt_un",
        players=n,
        dealer_seat=n,
        hands=tuple(map(parse, hands)),
        events=tuple(events),
    )
    made = machine(LAW, deal)
    assert made is not None
    made.take_all(deal.events)
    gain = dict.fromkeys(range(1, n + 1), 0)
    for due in made.due():
        gain[due.seat] -= due.number
        gain[due.to] += due.number
    return [r.what for r in made.rulings], {s: g for s, g in gain.items() if g}


def test_the_nearer_to_twenty_one_wins_a_single_stake() -> None:
    assert coup("TS 9S", "TD 8D", "TH 8H", calls="1 2 3") == ([], {1: 1, 3: -1})


def test_who_throws_up_pays_whatever_the_dealer_makes() -> None:
    rulings, gain = coup("TS 6S", "TD 8D", "TH 6H", calls="1:KC 2 3:QC")
    assert not rulings
    assert gain == {1: -1, 2: 1}


def test_a_drawn_twenty_one_of_the_dealer_takes_double_but_from_twenty_one() -> None:
    gain = coup("TS 6S", "TD 8D", "TH 6H", calls="1:5C 2 3:5D")[1]
    assert gain == {2: -2, 3: 2}


def test_a_drawn_twenty_one_of_a_player_is_paid_double() -> None:
    assert coup("TS 6S", "TH 8H", calls="1:5C 2", stake=3)[1] == {1: 6, 2: -6}


def test_only_the_first_natural_is_paid_double() -> None:
    assert coup("AS KS", "2D 3D", "AD KD", "5H 6H", calls="1! 3!")[1] == {1: 2, 3: 1, 4: -3}


def test_the_dealers_natural_takes_double_from_all() -> None:
    assert coup("2S 3S", "AD KD", "AH KH", calls="2! 3!")[1] == {1: -2, 3: 2}


def test_a_natural_is_declared_at_once() -> None:
    rulings, _ = coup("AS KS", "2D 3D", calls="1 2")
    assert rulings[0] == "a natural was not declared at once"


def test_an_ace_counts_eleven_or_one() -> None:
    hands = ("AS KS", "AS AD", "AS 5D 9C", "AS AD TC 9C")
    assert [total(parse(hand)) for hand in hands] == [21, 12, 15, 21]


def test_a_natural_ends_the_pack() -> None:
    deal = next(d for d in log(3, 50) if any(e.kind == "claim" for e in d.events))
    claims = wrong.where(deal, "claim")
    more = wrong.added(deal, claims[-1] + 1, Event(kind="call", seat=1, word="card"))
    assert "nothing more is to come" in referee(LAW, more)[0][0].what


def test_a_record_that_ends_within_a_coup_is_not_judged_for_payments() -> None:
    deal = next(d for d in log(3, 50) if not any(e.kind == "claim" for e in d.events))
    pays = [e for e in deal.events if e.kind == "pay"]
    found, unjudged = referee(LAW, structs.replace(deal, events=(deal.events[0], *pays)))
    assert not found
    assert unjudged == len(pays)


def pack(*hands: str, events: str) -> list[str]:
    """Rule on a pack dealt by the last seat: `1+` asks, `1.` stands, `1=KS` is given a card."""
    made = []
    for word in events.split():
        seat = int(word[0])
        if word[1] == "=":
            made.append(Event(kind="draw", seat=seat, cards=parse(word[2:])))
        else:
            made.append(Event(kind="call", seat=seat, word="card" if word[1] == "+" else "stand"))
    cards = tuple(parse(h) for h in hands)
    deal = Deal(game="vingt_un", players=len(cards), dealer_seat=len(cards), hands=cards)
    return [r.what for r in referee(LAW, structs.replace(deal, events=tuple(made)))[0]]


def test_who_makes_twenty_one_exactly_may_say_that_he_stands() -> None:
    """Section 114: he is asked "till the points exceed or make twenty-one exactly"."""
    hands = ("7S 8S", "9H KH", "5D KD")
    assert pack(*hands, events="1+ 1=6S 1. 2. 3.") == []
    assert pack(*hands, events="1+ 1=6S 2. 3+ 3=6D 3.") == []
    assert pack(*hands, events="1+ 1=KS 1. 2. 3.") == ["call by seat 1, wanted seat 2"]
    assert pack(*hands, events="1+ 1=6S 1. 1. 2. 3.") == ["call by seat 1, wanted seat 2"]


def test_a_call_of_one_who_stood_is_nobody_elses() -> None:
    hands = ("7S 8S", "9H KH", "5D KD")
    assert pack(*hands, events="1. 1. 2. 3.") == ["call by seat 1, wanted seat 2"]
    assert pack(*hands, events="1. 0. 3.") == ["call by seat 0, wanted seat 2"]


def test_the_dealer_is_entitled_to_draw_and_need_not_say_that_he_stands() -> None:
    """Section 114: he "asks each player in rotation", and nobody asks him."""
    hands, dealt = ("7S 8S", "5D KD"), "1=KC 2=AC 1=4H 2=2H"
    assert pack(*hands, events=f"1+ 1=KS {dealt} 1. 2.") == []
    assert pack(*hands, events=f"1. {dealt} 1. 2.") == []
    assert pack(*hands, events="1. 1=KC 2.") == ["a card given that nobody asked for"]


def _false_natural(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.added(deal, at, Event(kind="claim", seat=deal.events[at].seat, word="natural"))


def _natural_unsaid(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, kind="call", word="stand")


def _not_top(deal: Deal, at: int, lots: Lots) -> Deal | None:
    order = deal.order_after_cut
    assert order is not None
    place = order.index(deal.events[at].cards[0])
    left = order[place + 1 :]
    return wrong.changed(deal, at, cards=left[:1]) if left else None


def _out_already(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, cards=deal.hands[0][:1])


def _other_drawer(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, seat=wrong.another(deal, deal.events[at].seat, lots))


def _after_standing(deal: Deal, at: int, lots: Lots) -> Deal | None:
    """Ask for a card after standing."""
    event = deal.events[at]
    return wrong.added(deal, at + 1, structs.replace(event, word="card"))


def _dealer_stake(deal: Deal, at: int, lots: Lots) -> Deal:
    seat = deal.dealer_seat or 0
    return wrong.added(deal, at, Event(kind="call", seat=seat, word="stake", number=2))


def _late_stake(deal: Deal, at: int, lots: Lots) -> Deal | None:
    """Raise the stake after a card was drawn."""
    event = deal.events[at]
    following = deal.events[at + 1] if at + 1 < len(deal.events) else None
    asked = following is not None and following.kind == "draw" and following.seat == event.seat
    if not asked or event.seat == deal.dealer_seat:
        return None
    raised = Event(kind="call", seat=event.seat, word="stake", number=5)
    return wrong.added(deal, at + 1, raised)


def _other_caller(deal: Deal, at: int, lots: Lots) -> Deal | None:
    """Another seat than the one that was asked, but not one that has just made twenty-one."""
    seat = wrong.another(deal, deal.events[at].seat, lots)
    drew = at > 0 and deal.events[at - 1].kind == "draw" and deal.events[at - 1].seat == seat
    return None if drew else wrong.changed(deal, at, seat=seat)


def _word(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, word="double")


KINDS = (
    wrong.PAY
    | wrong.HANDS
    | {
        "a call out of turn": (wrong.some("call", _other_caller), "wanted seat"),
        "no such call": (wrong.some("call", _word), "wanted stand or card"),
        "a natural that is none": (wrong.some("call", _false_natural), "that is none"),
        "a natural not declared": (wrong.some("claim", _natural_unsaid), "not declared"),
        "not the top card": (wrong.some("draw", _not_top), "not the top card"),
        "a card that is out": (wrong.some("draw", _out_already), "out already"),
        "a card to another seat": (wrong.some("draw", _other_drawer), ""),
        "a card after standing": (wrong.some("call", _after_standing, word="stand"), ""),
        "a stake of the dealer": (wrong.some("call", _dealer_stake), "cannot be made"),
        "a stake raised late": (wrong.some("call", _late_stake, word="card"), "cannot be made"),
    }
)


def test_deals_made_wrong_are_ruled_on() -> None:
    # A record without any payment leaves them unjudged, so two are wanted to leave one out.
    some = [d for d in log(3, 160) + log(5, 80) if len(wrong.where(d, "pay")) > 1]
    made, missed = wrong.misses(KINDS, some)
    assert min(made.values()) >= 30, made
    assert not any(missed.values()), missed


@pytest.mark.parametrize("players", [2, 3, 6])
def test_second_reading(players: int) -> None:
    """Every coup of every pack: who is asked, when it ends, and what each gains."""
    coups = 0
    for deal in log(players, 120, seed=players, player="vingt_un"):
        dealer = deal.dealer_seat or 0
        order = [(dealer + k) % players + 1 for k in range(players)]
        hands = {s: list(deal.hands[s - 1]) for s in order}
        gain = dict.fromkeys(order, 0)
        thrown = dict.fromkeys(order, 0)
        waiting, asked = list(order), False
        owed = 0
        for event in deal.events:
            if event.kind == "claim":
                assert second.is_natural(hands[event.seat])
            elif event.kind == "call":
                assert event.seat == waiting[0]
                asked = event.word == "card"
                if not asked:
                    waiting.pop(0)
            elif event.kind == "draw":
                hands[event.seat] += event.cards
                owed -= not asked
                if asked and second.number(hands[event.seat]) in (21, 99):
                    waiting.pop(0)
                    over = second.number(hands[event.seat]) == 99 and event.seat != dealer
                    thrown[event.seat] += over
                asked = False
            if not waiting:
                for seat, number in second.coup(hands, dealer, order).items():
                    gain[seat] += number
                coups += 1
                hands, waiting, owed = {s: [] for s in order}, list(order), 2 * players
                thrown = dict.fromkeys(order, 0)
        if not owed and any(second.is_natural(h) for h in hands.values()):
            for seat, number in second.coup(hands, dealer, order).items():
                gain[seat] += number
            coups += 1
        else:
            # A coup cut short by the pack: who threw up has paid.
            for seat, number in thrown.items():
                gain[seat] -= number
                gain[dealer] += number
        got = dict.fromkeys(order, 0)
        for event in deal.events:
            if event.kind == "pay":
                got[event.seat] -= event.number
                got[event.to] += event.number
        assert got == gain
    assert coups > 250


def test_the_sensible_player_goes_by_his_own_points() -> None:
    want = Want(kind="call", seat=1, words=("stand", "card"))
    choose = PLAY["vingt_un"].choose
    assert choose is not None
    words = [
        choose(
            want,
            Seen(game="vingt_un", seat=1, dealer=2, players=2, hand=list(parse(hand))),
            Lots(1).below,
        ).word
        for hand in ("7S 8S", "8S 8D", "AS 6D", "AS 7D", "AS 6D TC")
    ]
    assert words == ["card", "stand", "card", "stand", "stand"]


def test_chance_of_a_natural() -> None:
    assert natural_chance(LAW.pack) == Fraction(32, 663)
    for hands, figure in ((2, Fraction(64, 663)), (3, Fraction(32, 221)), (4, Fraction(128, 663))):
        assert hands * natural_chance(LAW.pack) == figure


@pytest.mark.parametrize(
    ("hands", "figure"),
    [
        (1, Fraction(32, 663)),
        (2, Fraction(1184, 12495)),
        (3, Fraction(27312, 195755)),
        (4, Fraction(480945104, 2633883525)),
    ],
)
def test_chance_of_at_least_one_natural(hands: int, figure: Fraction) -> None:
    assert any_natural(LAW.pack, hands) == figure


def test_chance_that_the_next_card_is_too_many() -> None:
    assert bust_at(LAW.pack, 14) == Fraction(6, 13)
    assert bust_at(LAW.pack, 15) == Fraction(7, 13)
    assert bust(LAW.pack, parse("8S 6H")) == Fraction(23, 50)
    assert bust(LAW.pack, parse("9S 6H")) == Fraction(27, 50)
    assert bust(LAW.pack, parse("7S 7H")) == Fraction(24, 50)
    assert bust(LAW.pack, parse("7S 8H")) == Fraction(26, 50)


def test_chance_of_more_than_fourteen_in_two_cards() -> None:
    assert above(LAW.pack, 14) == Fraction(26, 51)


def test_chance_of_the_first_deal_by_seat() -> None:
    assert f"{float(first_of(LAW.pack, 2, (ACE, JACK))[0]):.4f}" == "0.5413"
    six = first_of(LAW.pack, 6, (ACE, JACK))
    assert sum(six) == 1
    assert (f"{float(six[0]):.4f}", f"{float(six[5]):.4f}") == ("0.2416", "0.1049")
