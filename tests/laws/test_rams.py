"""Rams, Rounce and Bierspiel: whole deals, law cases, breaches, chances."""

from __future__ import annotations

import dataclasses
import random
from fractions import Fraction

import pytest
from msgspec.structs import replace

from audit.cards import NAMES, RANKS, pack
from audit.event import Event
from audit.games import GAMES
from audit.plan import opening
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee.rams import RamsDeal
from audit.rules._first_jack import first_jack
from audit.rules.rams import BEER, seven_turned
from audit.shuffle.lawbook import law_object, steps_in
from tests.laws import second_rams as second
from tests.laws._five import (
    COMMON,
    Breach,
    Turn,
    after,
    bad_card,
    by_lot,
    found,
    indices,
    may_play,
    not_paid,
    noted,
    number_off,
    other,
    paid,
    table,
    trial,
    with_event,
    wrong_seat,
)
from tests.laws.long import check

IDS = ("rams", "rounce", "bierspiel")
EUCHRE = pack("789TJQKA")


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("before", ["0", "20"])
def test_whole_deals_are_accepted(name: str, before: str) -> None:
    assert check(name, count=300, options={"pool": before}) >= 300


def test_options_of_the_table_are_accepted() -> None:
    options = {
        "pool": "10",
        "piquet ranks": "yes",
        "eldest plays": "yes",
        "head a ruff": "yes",
        "overtrump": "yes",
        "ramsed in general": "yes",
    }
    for name in IDS:
        assert check(name, count=120, options=options) >= 120


@pytest.mark.parametrize("packets", ["3+2", "2+3, widow 2+4", "3+2, widow 4+2"])
def test_the_widow_of_rounce_falls_as_the_dealer_says(packets: str) -> None:
    assert check("rounce", count=70, options={"packets": packets}) >= 70


# -- law cases ----------------------------------------------------------------------------------

DOUBLE = {"pool": "10"}
#: Hearts are trumps; no seat holds what another does.
ONE, TWO, THREE = "8C 7S 8S 9S TS", "9C TC JS QS KS", "7H 8H 9H 7D 8D"


def words(deal: Deal) -> tuple[int, tuple[str, ...]]:
    """Return who is asked next, and what he may say."""
    want = after(deal).wants()
    assert want is not None
    return want.seat, want.words


def test_who_can_head_the_trick_must_with_any_higher_card() -> None:
    hands = ("TC 7S 8S 9S TS", "7C JC KC QS KS", THREE)
    deal = table("rams", hands, "AH", "1 play", "2 play", "3 play", "3 leave", "1 TC")
    assert may_play(deal) == "JC KC"


def test_a_void_player_trumps_even_under_a_higher_trump() -> None:
    hands = ("8C 7S 8S 9S TS", "KH TD JS QS KS", "QH 9S 7D 8D 9D")
    deal = table("rams", hands, "AH", "1 play", "2 play", "3 play", "3 leave", "1 8C", "2 KH")
    assert may_play(deal) == "QH"
    wrong = after(replace(deal, events=(*deal.events, Event(
        kind="play", seat=3, cards=bytes([NAMES.index("7D")])))))  # fmt: skip
    assert [(r.seat, r.code) for r in wrong.rulings if "trump" in r.what] == [(3, "W56")]


def test_everybody_plays_in_a_simple_pool_and_may_pass_in_a_double() -> None:
    simple, double = (table("rams", (ONE, TWO, THREE), "AH", options=o) for o in ({}, DOUBLE))
    assert words(simple) == (1, ("play", "widow", "general"))
    assert words(double) == (1, ("pass", "play", "widow", "general"))


def test_the_pone_alone_plays_or_pays_the_dealer_and_the_pool_remains() -> None:
    deal = table("rams", (ONE, TWO, THREE), "AH", "1 pass", options=DOUBLE)
    assert words(deal) == (2, ("decline", "play", "widow", "general"))
    done = after(table("rams", (ONE, TWO, THREE), "AH", "1 pass", "2 decline", options=DOUBLE))
    assert done.wants() is None
    assert paid(done.due(), "declined") == {(2, 3, 5)}
    assert paid(done.due(), "after") == {(0, 0, 15)}


def test_the_dealer_must_oppose_a_single_player_and_may_pass_against_two() -> None:
    single = table("rams", (ONE, TWO, THREE), "AH", "1 pass", "2 play", options=DOUBLE)
    pair = table("rams", (ONE, TWO, THREE), "AH", "1 play", "2 play", options=DOUBLE)
    assert "pass" not in words(single)[1]
    assert "pass" in words(pair)[1]


def test_the_widow_is_for_the_first_who_wants_it() -> None:
    widow = "JH QH AC KC QC"
    deal = table("rams", (ONE, TWO, THREE), "AH", "1 widow", "1 play", widow=widow, options=DOUBLE)
    assert words(deal) == (2, ("pass", "play", "general"))
    assert [NAMES[c] for c in after(deal).hands[1]] == widow.split()


def test_only_the_dealer_takes_the_trump_and_only_if_he_plays() -> None:
    plays = table("rams", (ONE, TWO, THREE), "AH", "1 play", "2 play", "3 play", options=DOUBLE)
    assert words(plays) == (3, ("leave", "rob"))
    passes = table("rams", (ONE, TWO, THREE), "AH", "1 play", "2 play", "3 pass", options=DOUBLE)
    want = after(passes).wants()
    assert want is not None
    assert (want.kind, want.seat) == ("play", 1)


STRONG = "AH KH QH JH KS"


def test_a_general_rams_made_takes_the_pool_and_five_of_each() -> None:
    hands = (ONE, STRONG, "7H 8H 9H 7D 8D")
    calls = ("1 pass", "2 general", "2 keep", "3 keep", "3 leave")
    plays = ("2 KH", "3 7H", "1 8C", "2 QH", "3 8H", "1 7S", "2 JH", "3 9H", "1 8S")
    end = ("2 AH", "3 7D", "1 9S", "2 KS", "3 8D", "1 TS")
    deal = after(table("rams", hands, "TH", *calls, *plays, *end, options=DOUBLE))
    assert not deal.rulings
    assert paid(deal.due(), "pool") == {(0, 2, 15)}
    assert paid(deal.due(), "general") == {(1, 2, 5), (3, 2, 5)}


def test_a_general_rams_missed_doubles_the_pool_and_pays_five_to_each() -> None:
    hands = ("KS AS QS 9S TS", "KH QH JH AH 7S", "7H 8H 9H 7D 8D")
    calls = ("1 pass", "2 general", "2 keep", "3 keep", "3 leave")
    deal = after(table("rams", hands, "TH", *calls, "2 7S", "3 7H", "1 9S", options=DOUBLE))
    assert not [r for r in deal.rulings if r.seat == 2]
    assert deal.wants() is None or deal.phase == "over"
    assert paid(deal.due(), "doubled") == {(2, 0, 15)}
    assert paid(deal.due(), "general") == {(2, 1, 5), (2, 3, 5)}
    assert not paid(deal.due(), "tricks")


def test_the_ramsed_pay_the_next_pool_and_a_trick_takes_a_fifth() -> None:
    for deal in by_lot("rams", 4, 150, 5, DOUBLE):
        made = after(deal)
        assert isinstance(made, RamsDeal)
        if made.said.announcer or made.said.declined:
            continue
        gains, left = second.score(15, {s: made.won()[s] for s in made.said.plays()})
        shares = {e.to: e.number for e in deal.events if e.word == "tricks"}
        owed = {e.seat: -e.number for e in deal.events if e.word == "ramsed"}
        assert shares | owed == gains
        assert paid(made.due(), "after") == {(0, 0, left)}


def test_with_six_the_dealer_takes_no_cards() -> None:
    for deal in by_lot("rams", 6, 30, 6, DOUBLE):
        assert [len(h) for h in deal.hands].count(5) == 5
        assert not deal.hands[(deal.dealer_seat or 0) - 1]
        assert not [e for e in deal.events if e.kind == "play" and e.seat == deal.dealer_seat]
        wrong = replace(deal, hands=(deal.hands[0] or deal.widow,) * 6)
        assert referee(GAMES["rams"], wrong)[0]


@pytest.mark.parametrize("name", ["rams", "bierspiel"])
@pytest.mark.parametrize("players", [3, 5, 6])
def test_the_law_of_a_sealed_table_deals_as_the_plan(name: str, players: int) -> None:
    law = GAMES[name]
    data = law_object(law, players, {})
    read = steps_in(data["plan"])
    table_law = dataclasses.replace(law, plan=read, players=(players, players))
    assert law_object(table_law, players, {}) == data
    for plan in (law.plan, read):
        state = opening(plan, players, len(law.pack))
        sizes = [len(state.zones[f"hand {s}"]) for s in range(1, players + 1)]
        assert sizes == [5] * (players - 1) + [5 * (players < 6)]
        assert len(state.zones["widow"]) == 5


def test_the_first_winner_at_rounce_leads_a_trump_if_he_has_one() -> None:
    hands = ("AC 2H 8S 9S TS", "9C TC JS QS KS", "3H 4H 9H 7C 8D")
    calls = ("1 play", "2 play", "3 play", "3 leave", "1 AC", "2 9C", "3 7C")
    deal = table("rounce", hands, "AH", *calls)
    assert may_play(deal) == "2H"
    later = table("rounce", hands, "AH", *calls, "1 2H", "2 JS", "3 3H")
    assert may_play(later) == "4H 8D 9H", "later leads are free"
    other = after(table("rounce", hands, "AH", *calls, "3 8D"))
    assert ["out of turn" in r.what for r in other.rulings] == [True], "nobody else must"


def test_nobody_need_head_or_trump_at_rounce() -> None:
    hands = ("9C 2H 8S 9S TS", "AC 8C JS QS KS", "3H 4H 9H 7D 8D")
    deal = table("rounce", hands, "AH", "1 play", "2 play", "3 play", "3 leave", "1 9C")
    assert may_play(deal) == "8C AC"
    assert len(may_play(table(
        "rounce", hands, "AH", "1 play", "2 play", "3 play", "3 leave", "1 9C", "2 8C"
    )).split()) == 5  # fmt: skip


def test_who_takes_the_widow_of_rounce_throws_one_card_away() -> None:
    widow = "JH QH AC KC QC 2C"
    deal = table("rounce", (ONE, TWO, THREE), "AH", "1 widow", widow=widow)
    want = after(deal).wants()
    assert want is not None
    assert (want.kind, want.seat, want.count, len(want.cards)) == ("exchange", 1, 1, 6)


def test_the_seven_of_diamonds_turned_is_the_dealers_with_the_next() -> None:
    turn = Event(kind="turn", cards=bytes([NAMES.index("TH")]))
    hands = (ONE, TWO, "7H 8H 9H AD 8D")
    deal = table("bierspiel", hands, "7D", turn, "3 auf", "1 play", "2 play", "3 play", "3 rob")
    want = after(deal).wants()
    assert want is not None
    assert (want.kind, want.count) == ("exchange", 2)
    done = after(replace(deal, events=(*deal.events, Event(
        kind="exchange", seat=3, cards=bytes(map(NAMES.index, ("AD", "8D")))))))  # fmt: skip
    assert {"7D", "TH"} <= {NAMES[c] for c in done.hands[3]}


def test_the_seven_of_diamonds_is_second_to_the_ace_of_any_trumps() -> None:
    for trump in range(4):
        order = BEER.order(trump)
        trumps = sorted((c for c in EUCHRE if order.group[c] == 4), key=lambda c: -order.worth[c])
        assert [NAMES[c] for c in trumps][:3] == ["A" + "SHDC"[trump], "7D", "K" + "SHDC"[trump]]
        assert len(trumps) == 8 + (trump != 2)


def test_trumps_are_led_first_or_the_smallest_card_calls_for_them() -> None:
    calls = ("3 auf", "1 play", "2 play", "3 play", "3 leave")
    deal = table("bierspiel", ("8C 7S 9S TS 7C", "9H TC JS QS KS", THREE), "AH", *calls)
    assert may_play(deal) == "7C 7S", "no trump: the smallest card, of either suit"
    called = replace(deal, events=(*deal.events, Event(
        kind="play", seat=1, cards=bytes([NAMES.index("7S")]))))  # fmt: skip
    assert may_play(called) == "9H", "a trump, and no spade"


def test_a_card_led_face_down_calls_for_any_trump_not_for_a_higher_one() -> None:
    calls = ("3 auf", "1 play", "2 play", "3 play", "3 leave")
    hands = ("8C 7S 9S TS 7C", "KH TC JS QS KS", "QH 9H 8H 7H 8D")
    deal = table("bierspiel", hands, "JH", *calls, "1 7S", "2 KH")
    assert may_play(deal) == "7H 8H 9H QH"
    third = ("8C 7S 9S TS 7C", "QH TC JS QS KS", "KH 9H 8H 7H 8D")
    plays = ("1 7S", "2 QH", "3 9H")
    low = table("bierspiel", third, "JH", *calls, *plays)
    assert not after(low).rulings
    strict = replace(low, options={"overtrump": "yes"})
    assert [(r.seat, r.code) for r in after(strict).rulings] == [(3, "W56")]
    plain = table("bierspiel", third, "JH", *calls, "1 7S", "2 QH", "3 8D")
    assert [(r.seat, r.code) for r in after(plain).rulings] == [(3, "LAW")]


def test_nobody_looks_before_the_dealer_says_auf() -> None:
    look = Event(kind="look", seat=2, word="hand")
    early = after(table("bierspiel", (ONE, TWO, THREE), "AH", look))
    late = after(table("bierspiel", (ONE, TWO, THREE), "AH", "3 auf", look))
    assert [(r.seat, r.code) for r in early.rulings] == [(2, "W57")]
    assert not late.rulings


def test_the_eldest_takes_the_trump_when_the_dealer_passes() -> None:
    hands = (ONE, TWO, THREE)
    deal = table("bierspiel", hands, "AH", "3 auf", "1 play", "2 play", "3 pass")
    assert words(deal) == (1, ("leave", "rob"))


# -- a second reading ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [*((name, {}) for name in IDS), ("bierspiel", {"called card has suit": "yes"})],
)
def test_a_second_reading_agrees_on_every_card(name: str, options: dict[str, str]) -> None:
    compared = 0
    for players in (3, 4, 6):
        for deal in by_lot(name, players, 110, 30 + players, DOUBLE | options):
            _compare(name, deal)
            compared += 1
    assert compared >= 300


def _compare(name: str, deal: Deal) -> None:
    made = machine(GAMES[name], replace(deal, events=()))
    assert isinstance(made, RamsDeal)
    for each in deal.events:
        taken = len(made.tricks.taken) if made.tricks else 0
        asked = name == "bierspiel" and taken < min(len(made.said.plays()) - 1, 3)
        if each.kind == "play":
            trump = "SHDC"[made.trump]
            hand = [NAMES[c] for c in made.hands[each.seat]]
            trick = [NAMES[c] for c in made.trick]
            players = len(made.said.plays())
            won = bool(made.tricks and taken and made.tricks.taken[-1][0] == each.seat)
            want = second.legal(name, hand, trick, trump, taken, players, won=won)
            assert {NAMES[c] for c in made.legal(each.seat) or ()} == want
        made.take(each)
        if made.tricks and len(made.tricks.taken) > taken:
            seat, cards = made.tricks.taken[-1]
            has_suit = made.rules.called_card_has_suit
            called = asked and not has_suit and NAMES[cards[0]][1] != "SHDC"[made.trump]
            best = second.winner(name, [NAMES[c] for c in cards], "SHDC"[made.trump], called=called)
            assert made.played[best - len(cards)][0] == seat


# -- breaches -----------------------------------------------------------------------------------


def _suit(deal: Deal, card: int) -> int:
    return card // 13


def renounces(deal: Deal, turn: Turn, card: int) -> bool:
    """He could follow suit, and does not."""
    return bool(turn.trick) and card // 13 != turn.trick[0] // 13 and any(
        c // 13 == turn.trick[0] // 13 for c in turn.legal
    )  # fmt: skip


def not_headed(deal: Deal, turn: Turn, card: int) -> bool:
    return bool(turn.trick) and card // 13 == turn.trick[0] // 13


def not_trumped(deal: Deal, turn: Turn, card: int) -> bool:
    led = turn.trick[0] // 13 if turn.trick else -1
    return bool(turn.trick) and all(c // 13 != led for c in turn.hands[turn.seat])


def leads_no_trump(deal: Deal, turn: Turn, card: int) -> bool:
    return not turn.trick


def declares_for_another(deal: Deal, rng: random.Random) -> Deal | None:
    ways = [k for k in indices(deal, "call") if deal.events[k].word in ("pass", "play", "widow")]
    if not ways:
        return None
    at = rng.choice(ways)
    seat = other(deal, deal.events[at].seat, rng)
    return with_event(deal, at, replace(deal.events[at], seat=seat))


def second_widow(deal: Deal, rng: random.Random) -> Deal | None:
    """Somebody after the taker of the widow wants it as well."""
    at = indices(deal, "call", word="widow")
    late = [k for k in indices(deal, "call") if at and k > at[0]]
    late = [k for k in late if deal.events[k].seat != deal.events[at[0]].seat]
    late = [k for k in late if deal.events[k].word in ("pass", "play")]
    if not late:
        return None
    return with_event(deal, late[0], replace(deal.events[late[0]], word="widow"))


def passes_bound(deal: Deal, rng: random.Random) -> Deal | None:
    """The dealer passes though a single player is in, or the pone though nobody is."""
    calls = indices(deal, "call", word="play")
    before = [e.word for e in deal.events[: calls[-1]] if e.kind == "call"] if calls else []
    dealer = deal.dealer_seat
    if not calls or deal.events[calls[-1]].seat != dealer or deal.players == 6:
        return None
    if sum(w in ("play", "widow") for w in before) != 1 or "general" in before:
        return None
    return with_event(deal, calls[-1], replace(deal.events[calls[-1]], word="pass"))


def robs_out_of_place(deal: Deal, rng: random.Random) -> Deal | None:
    at = indices(deal, "call", word="rob")
    if not at:
        return None
    seat = other(deal, deal.events[at[0]].seat, rng)
    return with_event(deal, at[0], replace(deal.events[at[0]], seat=seat))


def two_laid_aside(deal: Deal, rng: random.Random) -> Deal | None:
    at = indices(deal, "exchange")
    if not at:
        return None
    each = deal.events[at[-1]]
    held = [c for c in deal.hands[each.seat - 1] if c not in each.cards]
    return with_event(deal, at[-1], replace(each, cards=each.cards + bytes((held[0],))))


def looks_at_the_dead_hand(deal: Deal, rng: random.Random) -> Deal | None:
    at = indices(deal, "call", word="widow")
    look = Event(kind="look", seat=rng.randint(1, deal.players or 1), word="dead hand")
    return with_event(deal, at[0] + 1, look, instead=False) if at else None


def looks_early(deal: Deal, rng: random.Random) -> Deal | None:
    look = Event(kind="look", seat=rng.randint(1, deal.players or 1), word="hand")
    return with_event(deal, 0, look, instead=False)


def auf_by_another(deal: Deal, rng: random.Random) -> Deal | None:
    at = indices(deal, "call", word="auf")[0]
    seat = other(deal, deal.events[at].seat, rng)
    return with_event(deal, at, replace(deal.events[at], seat=seat))


RAMS = (
    Breach("not headed", bad_card(not_headed), "did not head", "W56"),
    Breach("not trumped", bad_card(not_trumped), "did not trump", "W56"),
    Breach("renounces", bad_card(renounces), "renounced", "Penalties"),
    Breach("a share one off", number_off("tricks"), "for tricks, wanted", "Rams"),
    Breach("a share to the wrong seat", wrong_seat("tricks"), "for tricks, wanted", "Rams"),
    Breach("ramsed and not paid", not_paid("ramsed"), "ramsed was not recorded", "Rams"),
    Breach("stake not paid", not_paid("stake"), "stake was not recorded", "Rams"),
    Breach("pool miscounted", number_off("after"), "for after, wanted", "Rams"),
    Breach("general one off", number_off("general"), "for general, wanted", "Rams"),
    Breach("not doubled", not_paid("doubled"), "doubled was not recorded", "Rams"),
    Breach("exposed", noted("exposed"), "exposed", "Penalties"),
    Breach("declares for another", declares_for_another, "wanted seat", "Declaring"),
    Breach("a second widow", second_widow, "widow, wanted", "Declaring"),
    Breach("passes where he must play", passes_bound, "pass, wanted", "Declaring"),
    Breach("takes the trump for another", robs_out_of_place, "rob by seat", "Declaring"),
    Breach("two cards laid aside", two_laid_aside, "2 cards laid aside", "Declaring"),
    Breach("the dead hand seen", looks_at_the_dead_hand, "looked at", "W54"),
)
ROUNCE = (
    Breach("renounces", bad_card(renounces), "renounced", "Penalties"),
    Breach("no trump led", bad_card(leads_no_trump), "did not lead a trump", "Rounce"),
    Breach("two thrown away", two_laid_aside, "2 cards laid aside", "Declaring"),
)
BIERSPIEL = (
    Breach("no trump led", bad_card(leads_no_trump), "did not lead a trump", "Bierspiel"),
    Breach("a look before Auf", looks_early, "before the dealer said", "W57"),
    Breach("Auf by another", auf_by_another, "Auf said by", "Bierspiel"),
    Breach("points one off", number_off("tricks"), "for tricks, wanted", "Bierspiel"),
    Breach("no fresh cross", not_paid("penalty"), "penalty was not recorded", "Bierspiel"),
)
CASES = [
    *(("rams", b) for b in (*COMMON, *RAMS)),
    *(("rounce", b) for b in ROUNCE),
    *(("bierspiel", b) for b in BIERSPIEL),
]


@pytest.fixture(scope="module")
def some() -> dict[str, list[Deal]]:
    return {
        name: [d for n in (3, 4, 5) for d in by_lot(name, n, 320, 80 + n, DOUBLE)] for name in IDS
    }


@pytest.mark.parametrize(("name", "breach"), CASES, ids=[f"{n}, {b.name}" for n, b in CASES])
def test_a_breach_is_ruled_on(name: str, breach: Breach, some: dict[str, list[Deal]]) -> None:
    made, missed = trial(breach, some[name])
    assert made >= 12
    assert not missed


def test_a_pass_in_a_simple_pool_is_ruled_on() -> None:
    for deal in by_lot("rams", 4, 60, 12):
        at = indices(deal, "call")[0]
        wrong = with_event(deal, at, replace(deal.events[at], word="pass"))
        rulings, _ = referee(GAMES["rams"], wrong)
        assert [r for r in rulings if "pass, wanted" in r.what and "Declaring" in r.law]


def test_an_offender_wins_nothing_and_pays_five() -> None:
    for deal in by_lot("rams", 3, 60, 13, DOUBLE):
        made = after(deal)
        assert isinstance(made, RamsDeal)
        at = indices(deal, "play")
        if made.said.announcer or not at:
            continue
        seat = deal.events[at[-1]].seat
        due = after(with_event(deal, at[-1], found("exposed", seat), instead=False)).due()
        assert not [d for d in due if d.word == "tricks" and d.to == seat]
        assert len([d for d in due if d.seat == seat and d.word in ("ramsed", "penalty")]) == 1


def test_the_card_turned_after_the_seven_is_checked_against_the_pack() -> None:
    law, done = GAMES["bierspiel"], 0
    for deal in by_lot("bierspiel", 4, 700, 14):
        if len(deal.turnups) < 2:
            continue
        other_card = bytes((deal.hands[0][0],))
        turn = indices(deal, "turn")[0]
        wrong = replace(
            with_event(deal, turn, Event(kind="turn", cards=other_card)), turnups=deal.turnups[:1]
        )
        rulings, _ = referee(law, wrong)
        assert [r for r in rulings if "not the next" in r.what and "Bierspiel" in r.law]
        done += 1
    assert done >= 10


@pytest.mark.parametrize("name", IDS)
def test_a_record_without_declarations_is_judged_as_far_as_it_goes(name: str) -> None:
    """No ruling where the record leaves out who plays, what was turned, or what was paid."""
    for deal in by_lot(name, 4, 120, 15, DOUBLE):
        plays = tuple(e for e in deal.events if e.kind in ("play", "trick"))
        paid_only = tuple(e for e in deal.events if e.kind in ("pay", "score", "pool"))
        no_pool = tuple(e for e in deal.events if e.kind not in ("pool", "turn", "trick"))
        for events in (plays, paid_only):
            rulings, unjudged = referee(GAMES[name], replace(deal, events=events))
            assert not rulings
            assert unjudged >= bool(events)
        assert not referee(GAMES[name], replace(deal, events=no_pool))[0]
        dark = replace(deal, turnups=b"", order_after_cut=None)
        assert not referee(GAMES[name], dark)[0]


def test_unknown_cards_and_odd_events_never_end_in_a_traceback() -> None:
    rng = random.Random(5)
    for name in IDS:
        for deal in by_lot(name, 4, 80, 72, DOUBLE):
            events = list(deal.events)
            for _ in range(4):
                at = rng.randrange(len(events))
                odd = replace(
                    events[at],
                    seat=rng.choice((0, 1, 5, 98)),
                    cards=bytes(rng.choice(((), (255,), (51, 3), (200,)))),
                    word=rng.choice(("", "rob", "widow", "zounds", "general", "exposed")),
                )
                kind = rng.choice(("irregular", "look", "turn", "exchange", "call", "trick"))
                events[at] = rng.choice((odd, replace(odd, kind=kind), events[at]))
            cut = replace(deal, hands=deal.hands[: rng.randrange(5)], widow=b"")
            for base in (deal, cut):
                assert referee(GAMES[name], replace(base, events=tuple(events)))


# -- chances ------------------------------------------------------------------------------------


def test_the_chances_are_those_of_the_book() -> None:
    assert seven_turned(EUCHRE) == Fraction(1, 32)
    assert first_jack(EUCHRE, 3) == (Fraction(2717, 7192), Fraction(77, 232), Fraction(9, 31))
    five, six = first_jack(EUCHRE, 5), first_jack(EUCHRE, 6)
    assert (five[0], five[4]) == (Fraction(917, 3596), Fraction(135, 899))
    assert (six[0], six[5]) == (Fraction(1617, 7192), Fraction(104, 899))
    assert first_jack(pack(RANKS), 3)[0] == sum(
        (first_jack(pack(RANKS), 9)[k] for k in (0, 3, 6)), Fraction(0)
    )


@pytest.mark.parametrize(
    ("name", "players", "place"),
    [("rams", 3, 21), ("rams", 4, 26), ("rams", 5, 31), ("rams", 6, 31), ("rounce", 3, 22),
     ("rounce", 9, 52), ("bierspiel", 4, 26)],
)  # fmt: skip
def test_the_turn_up_lies_where_the_book_says(name: str, players: int, place: int) -> None:
    law = GAMES[name]
    assert law.turn_places(players, len(law.pack))[0] + 1 == place
