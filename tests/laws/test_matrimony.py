"""Matrimony: whole deals, laws, deals made wrong, chances, and a second reading."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest
from msgspec import structs

from audit.cards import parse
from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee.simulate import Lots, deals
from audit.rules.matrimony import CHANCES, DIAMOND_ACE, UNIONS, ace_turned, holds, in_three, pair
from tests.laws import _wrong as wrong
from tests.laws import second_matrimony as second
from tests.laws.long import check

LAW = GAMES["matrimony"]


def log(players: int, count: int, seed: int = 4) -> list[Deal]:
    choose = PLAY["by_lot"].choose
    assert choose is not None
    return list(deals(LAW, players=players, choose=choose, count=count, seed=seed))


def test_whole_deals_are_accepted() -> None:
    assert check("matrimony", count=300) >= 300


def paid(turned: str, *hands: str) -> dict[str, int]:
    """Five players, dealer seat 5, two staked on each chance; who takes what."""
    rest = ("2S 3S", "4S 5S", "6S 7S", "8S 9S", "2H 3H")
    whole = tuple(parse(h) for h in (*hands, *rest[len(hands) :]))
    deal = Deal(
        game="matrimony",
        players=5,
        dealer_seat=5,
        hands=whole,
        turnups=parse(turned),
        events=tuple(Event(kind="call", seat=5, word=c, number=2) for c in CHANCES),
    )
    made = machine(LAW, deal)
    assert made is not None
    made.take_all(deal.events)
    due = made.due()
    assert all(d.number == 6 for d in due if d.kind == "pay" and d.seat == 0)
    return {d.word: d.to for d in due if d.kind == "pay" and d.seat == 0}


def test_the_ace_of_diamonds_turned_sweeps_the_table() -> None:
    assert paid("4H 5H AD 6H 7H", "KS QS") == dict.fromkeys(CHANCES, 3)


def test_the_ace_of_diamonds_in_hand_is_as_any_other_ace() -> None:
    assert paid("4H 6D 9D TH 7H", "2S 3S", "AS 4D", "AD 5D")["best"] == 2


def test_without_an_ace_the_king_wins_best() -> None:
    assert paid("4H 6D 9D TH 7H", "2S 3S", "4D QS", "KD 5D")["best"] == 3


def test_of_equal_combinations_the_eldest_has_the_preference() -> None:
    assert paid("4H 6D 9D TH 7H", "2S 3S", "KS QS", "KD QD")["matrimony"] == 2


def test_the_highest_pair_wins_pairs() -> None:
    assert paid("4H 6D 9D TH 7H", "3C 3S", "2S 5C", "9H 5D")["pairs"] == 3


def test_a_chance_that_nobody_gains_stands_over() -> None:
    assert "confederacy" not in paid("4H 6D 9D TH 7H")
    deal = structs.replace(log(5, 1)[0], options={"pool best": "30"}, events=())
    events = tuple(
        Event(kind="call", seat=deal.dealer_seat or 0, word=c, number=1) for c in CHANCES
    )
    made = machine(LAW, deal)
    assert made is not None
    made.take_all(events)
    assert {d.word: d.number for d in made.due() if d.to}["best"] == 31


def stood_over(deal: Deal, more: int, word: str) -> Deal:
    """Return the deal with *more* counters of earlier deals on the board, *word* taking them."""
    events = tuple(
        structs.replace(e, number=e.number + more)
        if e.word in ("before", word) and e.kind in ("pool", "pay")
        else e
        for e in deal.events
    )
    return structs.replace(deal, events=events)


def test_what_stood_over_is_no_fault_of_this_deal() -> None:
    """Section 108: "should any chance not be gained, it stands over to the next deal"."""
    tried = 0
    for deal in log(5, 60):
        for word in CHANCES:
            if any(e.kind == "pay" and e.word == word for e in deal.events):
                assert referee(LAW, stood_over(deal, 7, word)) == ([], 1)
                more = stood_over(stood_over(deal, 7, word), -1, "before")
                assert referee(LAW, more)[0], "more was taken than stood there"
                tried += 1
    assert tried >= 60


def test_the_ace_of_diamonds_sweeps_what_stood_over_too() -> None:
    """Section 108: it "takes the whole pool"."""
    tried = 0
    for deal in log(14, 40):
        if DIAMOND_ACE in deal.turnups and any(e.word == "best" for e in deal.events[5:]):
            left = stood_over(deal, 7, "nothing")
            assert referee(LAW, stood_over(deal, 7, "best")) == ([], 1)
            after = structs.replace(deal.events[-1], number=7)
            assert referee(LAW, structs.replace(left, events=(*left.events[:-1], after)))[0]
            tried += 1
    assert tried >= 5


def test_on_a_chance_not_named_the_dealer_stakes_nothing() -> None:
    """Section 108: he "puts what he pleases on each or any chance"."""
    tried = 0
    for deal in log(5, 60):
        idle = [k for k, e in enumerate(deal.events) if e.kind == "call" and not e.number]
        if idle and len(wrong.where(deal, "call")) > len(idle):
            tried += 1
            short = wrong.without(deal, idle[0])
            assert referee(LAW, short) == ([], 0)
            at = wrong.where(short, "pay")[0]
            assert referee(LAW, wrong.changed(short, at, number=99))[0]
    assert tried >= 5


def test_a_record_without_the_stakes_is_not_judged() -> None:
    deal = log(5, 1)[0]
    pays = tuple(e for e in deal.events if e.kind != "call")
    found, unjudged = referee(LAW, structs.replace(deal, events=pays))
    assert not found
    assert unjudged == len(pays)


def _wrong_word(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, word="nothing")


def _negative(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.changed(deal, at, number=-1)


def _played(deal: Deal, at: int, lots: Lots) -> Deal:
    return wrong.added(deal, at, Event(kind="play", seat=1, cards=deal.hands[0][:1]))


def _sums(deal: Deal, at: int, lots: Lots) -> Deal | None:
    """Let the others lay as much as the dealer."""
    event = deal.events[at]
    if event.seat in (0, deal.dealer_seat):
        return None
    return wrong.changed(deal, at, number=event.number + 1)


def _another_chance(deal: Deal, at: int, lots: Lots) -> Deal | None:
    taken = [k for k in wrong.where(deal, "pay") if not deal.events[k].seat]
    return wrong.changed(deal, taken[0], word="best and more") if taken else None


KINDS = (
    wrong.PAY
    # Where the count before is off, it is what the ace of diamonds swept that does not fit it.
    | {"the pool off": (wrong.some("pool", wrong.more), "")}
    | wrong.HANDS
    | {
        "a stake named by another": (wrong.some("call", wrong.other_seat), "wanted the dealer"),
        "a stake named twice": (wrong.some("call", wrong.twice), "second stake"),
        "a stake on no chance": (wrong.some("call", _wrong_word), "wanted"),
        "a stake below nothing": (wrong.some("call", _negative), "below nothing"),
        "a card played": (wrong.some("pool", _played), "play when nothing"),
        "the others stake as the dealer": (wrong.some("pay", _sums), "pay of"),
        "a chance of no such name": (wrong.some("pay", _another_chance), "wanted nothing"),
    }
)


def test_deals_made_wrong_are_ruled_on() -> None:
    made, missed = wrong.misses(KINDS, log(5, 120) + log(9, 60))
    assert min(made.values()) >= 20, made
    assert not any(missed.values()), missed


@pytest.mark.parametrize("players", [5, 8, 14])
def test_second_reading(players: int) -> None:
    for deal in log(players, 110, seed=players):
        assert deal.dealer_seat is not None
        order = [(deal.dealer_seat + k) % players + 1 for k in range(players)]
        hands = [list(deal.hands[s - 1]) for s in order]
        wins = {c: order[p] for c, p in second.winners(hands, list(deal.turnups)).items()}
        stake = {e.word: e.number for e in deal.events if e.kind == "call"}
        pools = {
            c: sum(second.stakes(stake[c], s == deal.dealer_seat) for s in order) for c in CHANCES
        }
        got = {e.word: (e.to, e.number) for e in deal.events if e.kind == "pay" and not e.seat}
        assert got == {c: (s, pools[c]) for c, s in wins.items() if pools[c]}


def test_chance_that_the_ace_of_diamonds_is_turned() -> None:
    for players in range(5, 15):
        turned = LAW.turn_places(players, len(LAW.pack))
        assert turned == list(range(2 * players, 3 * players))
        assert ace_turned(len(LAW.pack), len(turned)) == Fraction(players, 52)


def test_chances_of_three_cards() -> None:
    for chance in UNIONS:
        assert in_three(LAW.pack, partial(holds, chance=chance)) == Fraction(188, 5525)
    alike = in_three(LAW.pack, lambda c: len({x % 13 for x in c}) == 1)
    assert alike == Fraction(1, 425)
    assert in_three(LAW.pack, lambda c: pair(c) >= 0) - alike == Fraction(72, 425)
