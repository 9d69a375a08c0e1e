"""Loo, three-card, Irish and five-card: whole deals, cases of the law, breaches, chances.

Source: Foster, Loo, Irish Loo, Five-card Loo; the household book, sections 99 and 100.
Counters are white ones (three-card: three to a red; five-card: five).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from msgspec import structs

from audit.cards import parse
from audit.event import Event, Kind, Want
from audit.games import GAMES, _loo
from audit.law import Law
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee._loo_play import LooTricks, plays
from audit.referee.loo import LooDeal
from audit.referee.machine import Ruling
from audit.referee.simulate import Lots, deals, first_deal, play_deal
from audit.rules._first_jack import first_jack
from audit.rules.loo import Loo
from tests.laws import second_loo as second
from tests.laws.long import check

NAMES = (
    "loo3_limited_simple",
    "loo3_limited_double",
    "loo3_unlimited_simple",
    "loo3_unlimited_double",
    "irish_loo",
    "loo5_foster",
    "loo5_foster_pam",
    "loo5_enquire",
)
PART = ("loo3_enquire_limited", "loo3_enquire_unlimited", "loo_club_law")


def simulated(
    name: str, count: int, *, players: int = 5, seed: int = 3, by: str = "by_lot", **options: str
) -> Iterator[Deal]:
    choose = PLAY[by].choose
    assert choose is not None
    return deals(
        GAMES[name], players=players, choose=choose, count=count, seed=seed, options=options
    )


def rules_of(name: str) -> Loo:
    rules = GAMES[name].rules
    assert isinstance(rules, Loo)
    return rules


# -- whole deals ------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["by_lot", "loo"])
@pytest.mark.parametrize("name", NAMES + PART)
def test_whole_deals_end_obey_the_referee_and_lose_nothing(name: str, by: str) -> None:
    assert check(name, count=300, choose=PLAY[by].choose) >= 300


@pytest.mark.parametrize("name", PART)
def test_part_games_are_judged_whole_where_fosters_rules_are_named(name: str) -> None:
    assert check(name, count=300, options={"play": "foster"}) >= 300


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("loo5_enquire", {"pam": "trumps"}),
        ("loo5_enquire", {"civil": "always", "best": "elder", "younger": "pays"}),
        ("loo5_foster_pam", {"younger": "free"}),
        ("loo3_limited_double", {"ace_lead": "every", "alone": "plays"}),
        ("loo3_limited_simple", {"turn_after": "first two"}),
        ("loo3_unlimited_double", {"flush_loo": "as looed", "pool": "63"}),
        ("irish_loo", {"pool": "10", "alone": "plays"}),
    ],
)
def test_whole_deals_under_every_option(name: str, options: dict[str, str]) -> None:
    assert check(name, count=100, options=options) >= 100


# -- hand-made deals --------------------------------------------------------------------------


def cards(text: str) -> bytes:
    return bytes(parse(text))


def made(name: str, hands: list[str], *, turned: str = "", widow: str = "", **options: str) -> Deal:
    """A deal of seats 1 to n, dealer n, so that seat 1 is the eldest."""
    return Deal(
        game=name,
        players=len(hands),
        dealer_seat=len(hands),
        hands=tuple(cards(h) for h in hands),
        turnups=cards(turned),
        widow=cards(widow),
        options=options,
    )


def pool(number: int) -> Event:
    return Event(kind="pool", word="start", number=number)


def calls(*words: str) -> list[Event]:
    return [Event(kind="call", seat=s, word=w) for s, w in enumerate(words, start=1)]


def played(text: str, *seats: int) -> list[Event]:
    return [
        Event(kind="play", seat=s, cards=bytes([c]))
        for s, c in zip(seats, cards(text), strict=True)
    ]


def run(deal: Deal, events: list[Event]) -> tuple[LooDeal, list[Ruling]]:
    one = structs.replace(deal, events=tuple(events))
    table = machine(GAMES[deal.game], one)
    assert isinstance(table, LooDeal)
    for event in events:
        table.take(event)
    return table, list(table.rulings)


def wanted(table: LooDeal) -> Want:
    want = table.wants()
    assert want is not None
    return want


def owed(table: LooDeal) -> set[tuple[str, int, int, int]]:
    return {(d.word, d.seat, d.to, d.number) for d in table.due()}


def test_simple_pool_a_trump_turned_later_wins_the_trick_retroactively() -> None:
    deal = made("loo3_limited_simple", ["AS 2S 3S", "KS QS JS", "2H 3H 4H"])
    events = [pool(9), *played("AS KS 2H", 1, 2, 3), Event(kind="turn", cards=cards("9H"))]
    table, rulings = run(deal, events)
    assert not rulings
    assert table.tricks.taken[0][0] == 3
    assert wanted(table).cards == tuple(cards("3H 4H")), "the winner must lead a trump"


def test_simple_pool_without_a_trump_and_the_looed() -> None:
    deal = made("loo3_limited_simple", ["AS AH AD", "KS QH JD", "2S 3H 4D"])
    tricks = played("AS KS 2S AH QH 3H AD JD 4D", *(1, 2, 3) * 3)
    table, rulings = run(deal, [pool(9), *tricks])
    assert not rulings
    assert owed(table) == {
        ("tricks", 0, 1, 9),
        ("loo", 2, 0, 9),
        ("loo", 3, 0, 9),
        ("left", 0, 0, 18),
    }


def test_the_trick_has_to_be_headed() -> None:
    deal = made("loo3_limited_simple", ["9S 2S 3S", "TS 4S AH", "JS 5S 6S"])
    _, rulings = run(deal, [pool(9), *played("9S 4S", 1, 2)])
    assert [(r.seat, r.code, r.what) for r in rulings] == [
        (2, "W61", "did not head the trick, though able to")
    ]


def test_void_one_must_trump_or_overtrump_and_need_not_undertrump() -> None:
    deal = made(
        "loo3_limited_double", ["AS KC QC", "9H 2C 3C", "8H TH 4C", "7H 5C 6C"], turned="2H",
        widow="2D 3D 4D",
    )  # fmt: skip
    start = [pool(18), *calls("stand", "stand", "stand", "stand"), *played("AS 9H", 1, 2)]
    table, _ = run(deal, start)
    assert wanted(table).cards == tuple(cards("TH")), "over-trump"
    table, _ = run(deal, [*start, *played("TH", 3)])
    assert set(wanted(table).cards) == set(cards("7H 5C 6C")), "no duty to under-trump"
    _, rulings = run(deal, [*start, *played("4C", 3)])
    assert [r.what for r in rulings] == ["did not trump, though able to"]


@pytest.mark.parametrize(("turned", "must"), [("2H", "AH"), ("AH", "KH")])
def test_the_eldest_leads_the_ace_of_trumps_or_the_king_if_the_ace_is_turned(
    turned: str, must: str
) -> None:
    hand = "AH QH 2C" if must == "AH" else "KH QH 2C"
    deal = made(
        "loo3_limited_double", [hand, "3H 3C 4C", "4H 5C 6C"], turned=turned, widow="2D 3D 4D"
    )
    events = [pool(18), *calls("stand", "stand", "stand")]
    table, _ = run(deal, events)
    assert wanted(table).cards == tuple(cards(must))
    _, rulings = run(deal, [*events, *played("QH", 1)])
    assert [r.code for r in rulings] == ["W61"]


DOUBLE = made(
    "loo3_limited_double", ["AS KC QC", "9H 2C 3C", "8H TH 4C"], turned="2H", widow="AH KH QH"
)


def test_the_widow_taker_takes_the_pool_when_all_others_pass() -> None:
    plain = structs.replace(DOUBLE, widow=cards("2D 3D 4D"))
    table, rulings = run(plain, [pool(18), *calls("pass", "widow", "pass")])
    assert owed(table) == {("alone", 0, 2, 18), ("left", 0, 0, 0)}
    assert not rulings


def test_only_the_first_takes_the_widow() -> None:
    _, rulings = run(DOUBLE, [pool(18), *calls("widow", "widow")])
    assert [(r.seat, r.what) for r in rulings] == [(2, "widow, wanted stand or pass")]


def test_the_dealer_opposes_a_lone_hand_and_the_defender_is_not_looed() -> None:
    plain = structs.replace(DOUBLE, widow=cards("2D 3D 4D"))
    start = [pool(18), *calls("stand", "pass")]
    table, _ = run(plain, start)
    assert wanted(table).words == ("stand", "widow", "defend")
    events = [
        *start,
        Event(kind="call", seat=3, word="defend"),
        *played("AS 2D KC 3D QC 4D", *(1, 3) * 3),
    ]
    table, rulings = run(plain, events)
    assert not rulings
    assert owed(table) == {("tricks", 0, 1, 18), ("left", 0, 0, 0)}
    _, rulings = run(plain, [*start, Event(kind="call", seat=3, word="pass")])
    assert [r.remedy for r in rulings] == ["the dealer has to play against one"]


def test_what_the_defender_wins_stays_in_the_pool() -> None:
    plain = structs.replace(
        DOUBLE, hands=(cards("2S KC QC"), *DOUBLE.hands[1:]), widow=cards("AS 3D 4D")
    )
    start = [pool(18), *calls("stand", "pass", "defend")]
    events = [*start, *played("2S AS 3D KC 4D QC", 1, 3, 3, 1, 3, 1)]
    table, rulings = run(plain, events)
    assert not rulings
    assert owed(table) == {("loo", 1, 0, 9), ("left", 0, 0, 27)}


def test_three_trumps_take_the_pool_and_a_younger_flush_is_not_looed() -> None:
    deal = made(
        "loo3_limited_double", ["3H 4H 5H", "AH KH QH", "8S TS 4C"], turned="2H", widow="2D 3D 4D"
    )
    events = [pool(18), *calls("stand", "stand", "stand")]
    claims = [Event(kind="claim", seat=s, word="flush") for s in (1, 2)]
    table, rulings = run(deal, [*events, *claims])
    assert not rulings
    assert owed(table) == {("flush", 0, 1, 18), ("loo", 3, 0, 9), ("left", 0, 0, 9)}
    _, rulings = run(deal, [*events, *played("3H", 1)])
    assert {r.what for r in rulings} == {"three trumps not announced"}


def test_unlimited_two_looed_make_a_pool_of_nine_twenty_one() -> None:
    """Nine reds in the pool, two looed: 9 + 9, and 3 of the next dealer, are 21 reds."""
    deal = made(
        "loo3_unlimited_double", ["AH AS AC", "9S 2C 3C", "8S TS 4C"], turned="2H", widow="2D 3D 4D"
    )
    tricks = played("AH 9S 8S AS 2C TS AC 3C 4C", *(1, 2, 3) * 3)
    table, _ = run(deal, [pool(27), *calls("stand", "stand", "stand"), *tricks])
    left = next(d.number for d in table.due() if d.word == "left")
    assert left + 9 == 21 * 3


def test_a_revoke_discovered_divides_the_pool_among_the_others() -> None:
    deal = made(
        "loo3_limited_double", ["AS KS QC", "9S 2H 3C", "8S TH 4C"], turned="5H", widow="2D 3D 4D"
    )
    events = [pool(19), *calls("stand", "stand", "stand"), *played("AS 2H", 1, 2)]
    table, rulings = run(deal, [*events, Event(kind="irregular", seat=2, word="revoke")])
    assert [(r.seat, r.code) for r in rulings] == [(2, "W61")]
    assert owed(table) == {
        ("division", 0, 1, 9),
        ("division", 0, 3, 9),
        ("penalty", 2, 0, 18),
        ("left", 0, 0, 19),
    }


def test_looking_early_costs_three_reds_and_all_winnings() -> None:
    look = Event(kind="look", seat=3, word="hand")
    plain = structs.replace(DOUBLE, widow=cards("2D 3D 4D"))
    table, rulings = run(plain, [pool(18), look, *calls("pass", "widow", "pass")])
    assert [(r.seat, r.code) for r in rulings] == [(3, "W58")]
    assert owed(table) == {("forfeit", 3, 0, 9), ("alone", 0, 2, 27), ("left", 0, 0, 0)}


def test_reshuffling_after_the_cut_loses_the_deal_and_three_reds() -> None:
    table, rulings = run(DOUBLE, [pool(18), Event(kind="irregular", word="reshuffled")])
    assert [(r.seat, r.code) for r in rulings] == [(3, "W59")]
    assert owed(table) == {("forfeit", 3, 0, 9), ("left", 0, 0, 27)}


def test_a_trump_turned_by_mistake_in_a_simple_costs_three_reds() -> None:
    deal = made("loo3_limited_simple", ["AS AH AD", "KS QH JD", "2S 3H 4D"])
    tricks = played("AS KS 2S AH QH 3H AD JD 4D", *(1, 2, 3) * 3)
    turn = Event(kind="turn", cards=cards("9C"))
    table, rulings = run(deal, [pool(9), turn, *tricks])
    assert [(r.seat, r.code) for r in rulings] == [(3, "W65")]
    assert ("tricks", 0, 1, 18) in owed(table)


def test_the_trump_is_turned_as_soon_as_a_trick_not_followed_to_is_complete() -> None:
    """Turned later it is ruled on; a log that leaves it out is not."""
    deal = made("loo3_limited_simple", ["AS 2S 3S", "KS QS JS", "2H 3H 4H"])
    first, second = played("AS KS 2H", 1, 2, 3), played("2S QS 3H", 1, 2, 3)
    turn = Event(kind="turn", cards=cards("9C"))
    _, late = run(deal, [pool(9), *first, *second, turn])
    assert [(r.event, r.seat, r.code) for r in late] == [(7, 3, "LAW")]
    assert "late" in late[0].what
    _, missing = run(deal, [pool(9), *first, *second])
    assert not missing
    gathers = Event(kind="trick", seat=1)
    for events in ([*first, gathers, *second], [*first, gathers, turn]):
        assert not run(deal, [pool(9), *events])[1], "nobody knows yet whose trick it is"
    _, due = run(deal, [pool(9), *first, turn])
    assert not due


def test_a_lead_out_of_turn_is_the_offence_of_who_led_and_of_nobody_who_follows_it() -> None:
    """ "Leading or following suit out of turn" costs three reds: those after him play in turn."""
    deal = made(
        "loo3_limited_double", ["2S 3S 4S", "5S 6S 7S", "8S 9S TS", "JS QS KS"], turned="2H"
    )
    start = [pool(18), *calls("stand", "stand", "stand", "stand")]
    _, follows = run(deal, [*start, *played("5S 8S JS 2S", 2, 3, 4, 1)])
    assert [(r.event, r.seat) for r in follows] == [(5, 2)]
    _, before = run(deal, [*start, *played("2S 8S 5S JS", 1, 3, 2, 4)])
    assert [(r.event, r.seat) for r in before] == [(6, 3)]
    trump = made("loo3_limited_double", ["2S 3S 4S", "5H 6S 7S", "8S 9S TS"], turned="2H")
    three = [pool(18), *calls("stand", "stand", "stand")]
    _, led = run(trump, [*three, *played("6S 8S 2S", 2, 3, 1)])
    assert [(r.event, r.seat, r.code) for r in led] == [(4, 2, "LAW")], "only the eldest must"
    _, twice = run(deal, [*start, *played("5S 8S JS 2S 3S", 2, 3, 4, 1, 1)])
    assert [(r.event, r.seat) for r in twice] == [(5, 2), (9, 1)], "the fourth won and leads"


FIVE = ["AH 2S 3S 4C 5C", "JC 9H 6S 7C 8D", "2D 3D 4D 6C 7S"]


def test_pam_lets_the_ace_pass_where_another_trump_is_held() -> None:
    none = [Event(kind="exchange", seat=s) for s in (1, 2, 3)]
    start = [pool(25), *calls("play", "play", "play"), *none, *played("AH", 1)]
    table, _ = run(made("loo5_foster_pam", FIVE, turned="2H"), start)
    assert wanted(table).cards == tuple(cards("9H"))
    _, rulings = run(made("loo5_foster_pam", FIVE, turned="2H"), [*start, *played("JC", 2)])
    assert [r.code for r in rulings] == ["W64"]
    alone = [FIVE[0], "JC 9S 6S 7C 8D", FIVE[2]]
    table, _ = run(made("loo5_foster_pam", alone, turned="2H"), start)
    assert wanted(table).cards == tuple(cards("JC")), "the only trump has to follow suit"


def test_pam_is_civil_in_the_household_book_only_when_asked() -> None:
    none = [Event(kind="exchange", seat=s) for s in (1, 2, 3)]
    start = [pool(30), *calls("play", "play", "play"), *none]
    ace = Event(kind="play", seat=1, cards=cards("AH"))
    table, _ = run(made("loo5_enquire", FIVE, turned="2H"), [*start, ace])
    assert wanted(table).cards == tuple(cards("JC")), "he heads the ace"
    asked = structs.replace(ace, word="Pam be civil")
    table, _ = run(made("loo5_enquire", FIVE, turned="2H"), [*start, asked])
    assert wanted(table).cards == tuple(cards("9H"))


def test_five_of_a_suit_loo_the_whole_table() -> None:
    hands = ["2S 3S 4S 5S 6S", "AH KH QH TH 9H", "2D 3D 4C 6C 7C"]
    claim = Event(kind="claim", seat=1, word="flush")
    table, rulings = run(made("loo5_foster", hands, turned="2H"), [pool(50), claim])
    assert not rulings
    assert owed(table) == {
        ("flush", 0, 1, 50),
        ("loo", 2, 0, 25),
        ("loo", 3, 0, 25),
        ("left", 0, 0, 50),
    }


def test_in_the_household_book_a_flush_in_trumps_is_superior_and_those_who_stood_pay() -> None:
    hands = ["2S 3S 4S 5S JC", "AH KH QH TH 9H", "2D 3D 4C 6C 7C", "5D 6D 7D 8C 9C"]
    none = [Event(kind="exchange", seat=s) for s in (1, 2, 3)]
    claims = [Event(kind="claim", seat=s, word="flush") for s in (1, 2)]
    events = [pool(120), *calls("play", "play", "play", "pass"), *none, *claims]
    table, rulings = run(made("loo5_enquire", hands, turned="2H"), events)
    assert not rulings
    assert owed(table) == {("flush", 0, 2, 120), ("loo", 3, 0, 30), ("left", 0, 0, 30)}


def test_irish_loo_draws_in_order_and_the_number_named_stands() -> None:
    law = GAMES["irish_loo"]
    deal = first_deal(law, bytes(17 * k % 52 for k in range(52)), 3, 3, {})
    start = [pool(9), *calls("play", "play", "pass")]
    give = Event(kind="exchange", seat=1, cards=deal.hands[0][:2])
    assert deal.hands[0] == bytes([0, 51, 50])
    draw = Event(kind="draw", seat=1, cards=bytes([14, 31]))
    assert run(deal, [*start, give, draw])[1] == []
    wrong = structs.replace(draw, cards=bytes([31, 14]))
    again = Event(kind="exchange", seat=1, cards=bytes([50]))
    for events in ([give, wrong], [give, draw, again]):
        assert [r.code for r in run(deal, [*start, *events])[1]] == ["W63"]


def test_with_a_club_turned_everybody_plays() -> None:
    deal = made("loo_club_law", ["AS KC QC", "9H 2C 3C", "8H TH 4C"], turned="5C", widow="2D 3D 4D")
    _, rulings = run(deal, [pool(3), *calls("stand", "pass")])
    assert [(r.seat, r.code) for r in rulings] == [(2, "W67")]


def test_a_simple_pool_holds_only_the_dealers_stake() -> None:
    deal = made("loo3_limited_simple", ["AS AH AD", "KS QH JD", "2S 3H 4D"])
    assert len(run(deal, [pool(18)])[1]) == 1
    assert len(run(DOUBLE, [pool(9)])[1]) == 1


def test_the_pool_goes_from_deal_to_deal_and_no_counter_is_lost() -> None:
    """Simple after the dealer's stake alone, double else, as a table of five plays them."""
    choose = PLAY["by_lot"].choose
    assert choose is not None
    lots, rng, in_pool, purse = Lots(5), random.Random(5), 0, 0
    for turn in range(200):
        in_pool, purse = in_pool + 9, purse - 9
        name = "loo3_limited_simple" if in_pool == 9 else "loo3_limited_double"
        order = list(range(52))
        rng.shuffle(order)
        dealt = first_deal(GAMES[name], bytes(order), 5, turn % 5 + 1, {"pool": str(in_pool)})
        deal = play_deal(GAMES[name], dealt, dict.fromkeys(range(1, 6), choose), lots)
        assert referee(GAMES[name], deal) == ([], 0)
        pays = [e for e in deal.events if e.kind == "pay"]
        purse += sum(e.number * ((e.seat == 0) - (e.to == 0)) for e in pays)
        in_pool = deal.events[-1].number
        assert in_pool + purse == 0


# -- the second reading -----------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_second_reading_of_the_book_agrees_on_every_play_and_payment(name: str) -> None:
    law, rules, seen = GAMES[name], rules_of(name), 0
    for deal in simulated(name, 300, players=4, pool="9" if rules.pool == "simple" else "60"):
        table = machine(law, structs.replace(deal, events=()))
        assert isinstance(table, LooDeal)
        for event in deal.events:
            if event.kind == "play":
                assert set(table.legal(event.seat) or ()) == again(table, rules, event.seat)
                seen += 1
            table.take(event)
        for taker, trick in table.tricks.taken:
            at = second.taker(list(trick), table.trump, table.pam())
            assert (taker, trick[at]) in table.played
        if table.account.end == "tricks":
            paid(deal, table, rules)
    assert seen > 300


def again(table: LooDeal, rules: Loo, seat: int) -> set[int]:
    turned = table.turnups[0] if table.turnups else -1
    first = not table.tricks.taken and rules.pool != "simple"
    return second.legal(
        set(table.hands[seat]),
        table.tricks.cards,
        table.trump,
        table.pam(),
        second.forced(table.trump, turned) if first else -1,
        civil=rules.civil == "always" or table.asked,
    )


def paid(deal: Deal, table: LooDeal, rules: Loo) -> None:
    start = deal.events[0].number
    won = {s: sum(t == s for t, _ in table.tricks.taken) for s in table.tricks.seats}
    loo = start if rules.unlimited else rules.loo
    net, left = second.money(start, won, rules.cards, loo, table.account.keeper)
    got = dict.fromkeys(won, 0)
    for event in deal.events:
        if event.kind == "pay":
            got[event.to or event.seat] += event.number if event.to else -event.number
    assert (got, deal.events[-1].number) == (net, left)


# -- breaches with a label known by construction ------------------------------------------------

Mutation = Callable[[Deal, LooDeal, random.Random], Deal | None]


def with_events(deal: Deal, events: list[Event]) -> Deal:
    return structs.replace(deal, events=tuple(events))


def at(deal: Deal, *kinds: Kind) -> list[int]:
    return [k for k, event in enumerate(deal.events) if event.kind in kinds]


def put(deal: Deal, k: int, *events: Event) -> Deal:
    """The deal with *events* in the place of event *k*."""
    return with_events(deal, [*deal.events[:k], *events, *deal.events[k + 1 :]])


def replayed(deal: Deal, k: int) -> LooDeal:
    table = machine(GAMES[deal.game], structs.replace(deal, events=()))
    assert isinstance(table, LooDeal)
    for event in deal.events[:k]:
        table.take(event)
    return table


def off_suit(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    """A card of the hand that the second reading does not allow."""
    for k in at(deal, "play"):
        before, event = replayed(deal, k), deal.events[k]
        allowed = again(before, before.rules, event.seat)
        bad = [c for c in before.hands[event.seat] if c not in allowed]
        if bad and not (before.pam() in bad and before.tricks.trick):
            return put(deal, k, structs.replace(event, cards=bytes([rng.choice(bad)])))
    return None


def foreign(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    k = rng.choice(at(deal, "play") or [-1])
    if k < 0:
        return None
    held = {c for e in deal.events for c in e.cards} | {c for h in deal.hands for c in h}
    odd = [c for c in range(52) if c not in held and c not in deal.turnups]
    return put(deal, k, structs.replace(deal.events[k], cards=bytes([rng.choice(odd)])))


def play_out_of_turn(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "play")
    if not ks or len(table.tricks.seats) < 2:
        return None
    k = rng.choice(ks)
    other = rng.choice([s for s in table.tricks.seats if s != deal.events[k].seat])
    return put(deal, k, structs.replace(deal.events[k], seat=other))


def extra_card(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "play")
    if not ks:
        return None
    return put(deal, ks[-1], deal.events[ks[-1]], deal.events[ks[-1]])


def trick_to_another(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    if table.account.end != "tricks" or len(table.tricks.seats) < 2:
        return None
    k, best = at(deal, "play")[-1], table.tricks.taken[-1][0]
    if deal.events[k + 1].kind == "turn":
        k += 1
    other = rng.choice([s for s in table.tricks.seats if s != best])
    return put(deal, k, deal.events[k], Event(kind="trick", seat=other))


def payment_off(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "pay", "pool")[1:]
    if not ks:
        return None
    k = rng.choice(ks)
    return put(deal, k, structs.replace(deal.events[k], number=deal.events[k].number + 1))


def payment_to_another(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = [k for k in at(deal, "pay") if deal.events[k].to]
    if not ks:
        return None
    k = rng.choice(ks)
    to = deal.events[k].to % deal_players(deal) + 1
    return put(deal, k, structs.replace(deal.events[k], to=to))


def loo_from_another(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = [k for k in at(deal, "pay") if deal.events[k].word == "loo"]
    if not ks:
        return None
    k = rng.choice(ks)
    seat = deal.events[k].seat % deal_players(deal) + 1
    return put(deal, k, structs.replace(deal.events[k], seat=seat))


def deal_players(deal: Deal) -> int:
    assert deal.players is not None
    return deal.players


def loo_not_paid(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = [k for k in at(deal, "pay") if deal.events[k].word == "loo"]
    return put(deal, rng.choice(ks)) if ks else None


def loo_paid_twice(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = [k for k in at(deal, "pay") if deal.events[k].word == "loo"]
    return put(deal, ks[0], deal.events[ks[0]], deal.events[ks[0]]) if ks else None


def call_out_of_turn(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "call")
    if len(ks) < 2:
        return None
    k = rng.choice(ks[:-1])
    if deal.events[k + 1].kind != "call":
        return None
    events = list(deal.events)
    events[k], events[k + 1] = events[k + 1], events[k]
    return with_events(deal, events)


def call_forbidden(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "call")
    if not ks:
        return None
    k = rng.choice(ks)
    return put(deal, k, structs.replace(deal.events[k], word="hold"))


def call_twice(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "call")
    if not ks:
        return None
    k = rng.choice(ks)
    return put(deal, k, deal.events[k], deal.events[k])


def look_early(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "call")
    if len(ks) < 2:
        return None
    look = Event(kind="look", seat=deal.events[ks[-1]].seat, word="hand")
    return put(deal, ks[0], look, deal.events[ks[0]])


def false_flush(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = [*at(deal, "exchange"), *at(deal, "play")]
    if not ks or at(deal, "claim") or rules_of(deal.game).pool == "simple":
        return None
    k, seat = ks[0], deal.events[ks[0]].seat
    if replayed(deal, k).flush(seat):
        return None
    return put(deal, k, Event(kind="claim", seat=seat, word="flush"), deal.events[k])


def draw_out_of_order(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "draw")
    if not ks:
        return None
    k = rng.choice(ks)
    drawn = deal.events[k].cards
    last = deal.order_after_cut[-1] if deal.order_after_cut else 0
    if last in drawn:
        return None
    return put(deal, k, structs.replace(deal.events[k], cards=bytes([*drawn[:-1], last])))


def draw_one_more(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "draw")
    if not ks or deal.order_after_cut is None:
        return None
    drawn = deal.events[ks[-1]].cards
    where = deal.order_after_cut.index(drawn[-1]) + 1
    more = deal.order_after_cut[where : where + 1]
    return put(deal, ks[-1], structs.replace(deal.events[ks[-1]], cards=drawn + more))


def exchange_twice(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "draw")
    if not ks:
        return None
    k = rng.choice(ks)
    more = Event(kind="exchange", seat=deal.events[k].seat, cards=deal.events[k].cards[:1])
    return put(deal, k, deal.events[k], more)


def exchange_of_another(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = [k for k in at(deal, "exchange") if deal.events[k].cards]
    if not ks:
        return None
    k = rng.choice(ks)
    return put(deal, k, structs.replace(deal.events[k], cards=deal.turnups[:1]))


def turned_wrong(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "turn")
    if not ks or deal.order_after_cut is None:
        return None
    last = deal.order_after_cut[-1:]
    return put(deal, ks[0], structs.replace(deal.events[ks[0]], cards=last))


def turned_early(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "play")
    if not ks or rules_of(deal.game).pool != "simple" or deal.order_after_cut is None:
        return None
    turn = Event(kind="turn", cards=deal.order_after_cut[-1:])
    return put(deal, ks[0], turn, deal.events[ks[0]])


def pool_wrong(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    start = structs.replace(deal.events[0], number=deal.events[0].number + 1)
    return put(deal, 0, start)


def reshuffled(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    return put(deal, 0, deal.events[0], Event(kind="irregular", word="reshuffled"))


def exposed(deal: Deal, table: LooDeal, rng: random.Random) -> Deal | None:
    ks = at(deal, "play")
    if not ks:
        return None
    fault = Event(kind="irregular", seat=deal.events[ks[-1]].seat, word="exposed")
    return put(deal, ks[-1], deal.events[ks[-1]], fault)


#: Kind of breach, and what the first ruling has to say: its code, and words of what or law.
KINDS: dict[str, tuple[Mutation, str, str]] = {
    "off suit": (off_suit, "W61", "Revokes"),
    "a card of nobody's": (foreign, "LAW", "not in the hand"),
    "played out of turn": (play_out_of_turn, "LAW", "wanted seat"),
    "a card too many": (extra_card, "LAW", "last trick"),
    "trick to another": (trick_to_another, "LAW", "gathered by"),
    "payment off by one": (payment_off, "LAW", "wanted"),
    "payment to another": (payment_to_another, "LAW", "wanted"),
    "loo of another": (loo_from_another, "LAW", "wanted"),
    "loo not paid": (loo_not_paid, "LAW", "not recorded"),
    "loo paid twice": (loo_paid_twice, "LAW", "wanted nothing"),
    "call out of turn": (call_out_of_turn, "W58", "out of turn"),
    "call not open": (call_forbidden, "LAW", "hold, wanted"),
    "call twice": (call_twice, "LAW", "nothing is asked"),
    "looked early": (look_early, "W58", "looked"),
    "flush not held": (false_flush, "W68", "not held"),
    "draw out of order": (draw_out_of_order, "W63", "next cards"),
    "drew one more": (draw_one_more, "W63", "wanted"),
    "exchanged twice": (exchange_twice, "W63", "second exchange"),
    "gave up a card not held": (exchange_of_another, "LAW", "not held"),
    "wrong card turned": (turned_wrong, "LAW", "top of the pack"),
    "turned early": (turned_early, "W65", "by mistake|in a simple"),
    "pool wrong": (pool_wrong, "LAW", "wanted"),
    "reshuffled": (reshuffled, "W59", "reshuffled"),
    "exposed": (exposed, "LAW", "exposed"),
}
NONE_HERE = {
    "loo3_limited_simple": (
        "call out of turn, call not open, call twice, looked early, flush not held, "
        "draw out of order, drew one more, exchanged twice, gave up a card not held"
    ),
    "loo3_limited_double": (
        "draw out of order, drew one more, exchanged twice, gave up a card not held, "
        "wrong card turned, turned early"
    ),
    "irish_loo": "wrong card turned, turned early",
    "loo5_foster_pam": "wrong card turned, turned early",
    "loo5_enquire": "wrong card turned, turned early",
}


def mutate(name: str, kind: str, count: int, players: int = 5) -> tuple[int, list[str]]:
    """Make the breach on *count* simulated deals; return how many could bear it, and the misses."""
    change, code, words = KINDS[kind]
    rng, made_of, missed = random.Random(7), 0, []
    said = "9" if rules_of(name).pool == "simple" else "60"
    for deal in simulated(name, count, players=players, seed=17, pool=said):
        table = replayed(deal, len(deal.events))
        wrong = change(deal, table, rng)
        if wrong is None:
            continue
        made_of += 1
        rulings, _ = referee(GAMES[name], wrong)
        texts = [(r.code, f"{r.what} {r.law}") for r in rulings]
        if not any(c == code and any(w in t for w in words.split("|")) for c, t in texts):
            missed.append(f"{texts} {deal}")
    return made_of, missed


@pytest.mark.parametrize(
    ("name", "kind"),
    [(n, k) for n in NONE_HERE for k in KINDS if k not in NONE_HERE[n].split(", ")],
)
def test_every_breach_is_ruled_on_with_the_right_law(name: str, kind: str) -> None:
    made_of, missed = mutate(name, kind, 60)
    assert made_of >= 10
    assert not missed, missed[0]


# -- records that are partial or damaged --------------------------------------------------------


def test_any_events_give_rulings_and_never_an_error() -> None:
    rng = random.Random(3)
    kinds = ["call", "claim", "exchange", "draw", "turn", "play", "trick", "look", "irregular"]
    kinds += ["redeal", "pay", "pool", "score"]
    for name in NAMES + PART:
        for deal in simulated(name, 25, players=4):
            events = list(deal.events)
            for _ in range(4):
                k = rng.randrange(len(events) + 1)
                odd = Event(
                    kind=rng.choice(kinds),  # type: ignore[arg-type]
                    seat=rng.choice([-1, 0, 1, 2, 3, 4, 9]),
                    cards=bytes(
                        rng.choice([0, 20, 48, 51, 60, 255]) for _ in range(rng.randrange(4))
                    ),
                    word=rng.choice(["", "pass", "widow", "defend", "flush", "revoke", "exposed"]),
                    number=rng.choice([-5, 0, 9, 1 << 40]),
                )
                events[k : k + rng.randrange(3)] = [odd][: rng.randrange(2)]
            if rng.randrange(4) == 0:
                rng.shuffle(events)
            bare = structs.replace(deal, order_after_cut=None, hands=())
            odd_table = structs.replace(bare, players=None, dealer_seat=9, turnups=b"\xff")
            for one in (deal, bare, odd_table):
                referee(GAMES[name], with_events(one, events))


@pytest.mark.parametrize("name", NAMES)
def test_a_record_without_hands_or_order_is_judged_as_far_as_it_goes(name: str) -> None:
    for deal in simulated(name, 60):
        bare = structs.replace(deal, order_after_cut=None, hands=())
        rulings, _ = referee(GAMES[name], bare)
        assert not rulings


@pytest.mark.parametrize("name", NAMES)
def test_what_a_record_lacks_is_counted_and_not_ruled_on(name: str) -> None:
    for gone in ("pool", "call", "exchange", "draw", "turn"):
        for deal in simulated(name, 40):
            left = [e for e in deal.events if e.kind != gone or e.word == "left"]
            if len(left) == len(deal.events) or not at(deal, "play"):
                continue
            rulings, unjudged = referee(GAMES[name], with_events(deal, left))
            assert unjudged, gone
            assert not [r for r in rulings if r.event >= 0], (gone, rulings)


# -- chances ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seat", "chance"),
    [
        (2, 1, Fraction(433, 833)),
        (5, 1, Fraction(2519, 10829)),
        (6, 1, Fraction(837, 4165)),
    ],
)
def test_the_first_jack_favours_the_first_seats(players: int, seat: int, chance: Fraction) -> None:
    chances = first_jack(GAMES["loo3_limited_simple"].pack, players)
    assert chances[seat - 1] == chance
    assert sum(chances) == 1


def test_the_first_jack_on_a_toy_pack_by_enumeration() -> None:
    """Two Jacks among six cards, three seats: every pair of places equally likely."""
    toy = of_six_cards()
    seen = [0, 0, 0]
    for places in combinations(range(6), 2):
        seen[places[0] % 3] += 1
    assert first_jack(toy.pack, 3) == tuple(Fraction(k, comb(6, 2)) for k in seen)


def of_six_cards() -> Law:
    return replace(GAMES["bridge"], pack=(9, 22, 0, 1, 2, 3), plan=(), rules=None)


def test_a_club_is_turned_in_one_deal_of_four() -> None:
    assert _loo.club_turned(GAMES["loo_club_law"]) == Fraction(1, 4)


def test_three_trumps_in_a_given_hand() -> None:
    for name in ("loo3_limited_double", "irish_loo"):
        assert _loo.three_trumps(GAMES[name]) == Fraction(44, 4165)


@pytest.mark.parametrize(
    ("players", "about"),
    [
        (3, "0.04195"),
        (4, "0.05231"),
        (5, "0.06262"),
        (6, "0.07287"),
        (7, "0.08308"),
        (8, "0.09324"),
    ],
)
def test_three_trumps_in_some_hand_or_the_widow(players: int, about: str) -> None:
    chance = _loo.some_three_trumps(GAMES["loo3_limited_double"], players)
    assert f"{float(chance):.5f}" == about
    if players == 5:
        assert chance == Fraction(56803963, 907162228)


@pytest.mark.parametrize(
    ("name", "chance"),
    [
        ("loo5_foster", Fraction(33, 16660)),
        ("loo5_foster_pam", Fraction(11, 3920)),
        ("loo5_enquire", Fraction(11, 3920)),
    ],
)
def test_a_flush_in_a_given_first_hand(name: str, chance: Fraction) -> None:
    assert _loo.flush(GAMES[name]) == chance


def test_a_flush_and_pam_where_he_is_the_knave_of_trumps() -> None:
    law = GAMES["loo5_enquire"]
    law = replace(law, rules=replace(rules_of("loo5_enquire"), pam="trumps"))
    assert _loo.flush(law) == Fraction(2211, 783020)
    assert _loo.pam_held(law) == Fraction(20, 221)
    assert _loo.pam_turned(law) == Fraction(1, 13)


def test_pam_dealt_and_turned() -> None:
    law = GAMES["loo5_foster_pam"]
    assert _loo.pam_held(law) == Fraction(5, 52)
    assert _loo.pam_turned(law) == Fraction(1, 52)


def test_the_machine_knows_a_flush_by_enumeration_of_a_part_of_the_pack() -> None:
    """Of all hands of five from the clubs and two spades, with Pam in the clubs."""
    rules = rules_of("loo5_foster_pam")
    some = [*range(39, 52), 0, 1]
    found = sum(rules.is_flush(hand, 1) for hand in combinations(some, 5))
    assert found == comb(13, 5)


def test_a_trick_is_won_by_pam_then_trumps_then_the_suit_led() -> None:
    order = rules_of("loo5_foster_pam").order(1)
    a, p, s, h = cards("AH JC AS 2H")
    assert LooTricks(order=order, seats=[1, 2], leader=1, trick=[(1, a), (2, p)]).quit() == 2
    assert LooTricks(order=order, seats=[1, 2], leader=1, trick=[(1, s), (2, h)]).quit() == 2
    assert plays(order, [p, h], [a], p) == [h]


def main(count: int) -> None:
    """Print for each game how many breaches were made and which were missed."""
    for name, absent in NONE_HERE.items():
        kinds = [k for k in KINDS if k not in absent.split(", ")]
        found = {kind: mutate(name, kind, count) for kind in kinds}
        total = sum(n for n, _ in found.values())
        missed = {kind: len(m) for kind, (_, m) in found.items() if m}
        print(f"{name}: {len(kinds)} kinds, {total} breaches, missed {missed or 'none'}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 250)
