"""Spoil Five and Forty-Five: whole deals, law cases, breaches, chances."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from msgspec.structs import replace

from audit.cards import NAMES, RANKS, pack
from audit.event import Event
from audit.games import GAMES
from audit.play.spoil_five import choose
from audit.record import Deal
from audit.referee import machine, referee
from audit.referee.spoil_five import SpoilFiveDeal
from audit.rules._first_jack import first_jack
from audit.rules.spoil_five import ace_held, turned
from tests.laws import second_spoil_five as second
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
    spare,
    table,
    trial,
    turns,
    with_event,
    wrong_seat,
)
from tests.laws.long import check

IDS = ("spoil_five", "forty_five_odd_trick", "forty_five_per_trick")
FULL = pack(RANKS)


@pytest.mark.parametrize("name", IDS)
def test_whole_deals_are_accepted(name: str) -> None:
    assert check(name, count=300) >= 300


@pytest.mark.parametrize("name", IDS)
def test_the_player_with_sense_is_legal(name: str) -> None:
    assert check(name, count=100, choose=choose) >= 100


def test_options_of_the_table_are_accepted() -> None:
    options = {
        "pool": "7",
        "dealer stakes all": "yes",
        "first dealer adds": "yes",
        "king robs": "yes",
        "honour pays": "yes",
    }
    for name in IDS:
        assert check(name, count=100, options=options) >= 100


# -- law cases ----------------------------------------------------------------------------------

#: Diamonds are trumps; the dealer, seat 3, holds nothing of them.
LOW = "2C 3C 4C 6C 7C"


def reneging(hand: str, led: str) -> str:
    """Return what seat 2 may play to *led* with *hand*, diamonds being trumps."""
    rest = [c for c in ("8H", "9H", "TH", "6H") if c != led]
    hands = (" ".join([led, *rest]), hand, LOW)
    return may_play(table("spoil_five", hands, "QD", f"1 {led}"))


def test_a_lone_five_or_jack_need_not_follow_a_smaller_trump() -> None:
    assert reneging("5D 2S 3S 4S 6S", "8D") == "2S 3S 4S 5D 6S"
    assert reneging("JD 5D 3S 4S 6S", "8D") == "3S 4S 5D 6S JD", "nor the two together"


def test_nobody_may_refuse_the_five() -> None:
    assert reneging("JD 2S 3S 4S 6S", "5D") == "JD"
    assert reneging("AH JD 3S 4S 6S", "5D") == "AH JD"


def test_the_jack_led_excuses_the_lone_five_and_not_the_ace_of_hearts() -> None:
    assert reneging("5D 2S 3S 4S 6S", "JD") == "2S 3S 4S 5D 6S"
    assert reneging("AH 2S 3S 4S 6S", "JD") == "AH"
    assert reneging("AH 5D 3S 4S 6S", "JD") == "5D AH", "one or the other"


def test_the_ace_of_hearts_led_is_a_trump_led_and_excuses_five_and_jack() -> None:
    assert reneging("JD 2S 3S 4S 6S", "AH") == "2S 3S 4S 6S JD"
    assert reneging("3D 2S 3S 4S 6S", "AH") == "3D"


def test_a_five_with_a_small_trump_must_play_one_or_the_other() -> None:
    assert reneging("5D 3D 3S 4S 6S", "8D") == "3D 5D"


def test_a_five_played_later_does_not_force_the_jack() -> None:
    hands = ("8D 8H 9H TH 6H", "5D 2S 3S 4S 6S", "JD 7S 8S 9S TS")
    deal = table("spoil_five", hands, "QD", "1 8D", "2 5D")
    assert may_play(deal) == "7S 8S 9S JD TS"


def test_the_ace_of_hearts_is_no_heart_to_follow_with() -> None:
    assert reneging("AH 2S 3S 4S 6S", "8H") == "2S 3S 4S 6S AH", "void in hearts"
    assert reneging("AH 7H 3S 4S 6S", "8H") == "7H AH", "a heart, or a trump"


def test_a_silent_ace_of_trumps_is_the_lowest_trump() -> None:
    hands = ("8D 8H 9H TH 6H", "AD 2S 3S 4S 6S", LOW)
    deal = table("spoil_five", hands, "QD", "1 8D", "2 AD", "3 2C", "1 takes")
    assert [(r.seat, r.code) for r in after(deal).rulings] == [(2, "W50")]
    said = table("spoil_five", hands, "QD", "1 8D", "2 turn down", "2 AD", "3 2C", "2 takes")
    assert not after(said).rulings


def test_a_silent_ace_of_hearts_loses_its_privilege() -> None:
    hands = ("QC 8S 9S TS 3H", "AH 2S 3S 4S 6S", LOW)
    deal = table("spoil_five", hands, "QH", "1 QC", "2 2S", "3 2C", "1 3H")
    assert [r.code for r in after(deal).rulings] == ["W50"]
    assert may_play(deal) == "AH", "it may not be kept back from a smaller trump"
    said = table("spoil_five", hands, "QH", "1 QC", "2 turn down", "2 2S", "3 2C", "1 3H")
    assert may_play(said) == "3S 4S 6S AH"


def test_an_ace_turned_is_the_dealers_alone() -> None:
    hands = ("8D 8H 9H TH 6H", "5D 2S 3S 4S 6S", LOW)
    deal = table("spoil_five", hands, "AD", "3 rob", "3 gives 2C", "1 8D", "2 5D")
    assert may_play(deal) == "AD", "the ace turned counts as his"
    wrong = after(table("spoil_five", hands, "AD", "2 rob"))
    assert [(r.seat, r.code) for r in wrong.rulings] == [(2, "W47")]
    assert not wrong.may_win(2) if isinstance(wrong, SpoilFiveDeal) else False


FIVE_TRICKS = ("5D JD AH AD KD", "2S 3S 4S 6S 7S", LOW)
LEADS = [f"{s} {c}" for k, c in enumerate(("5D", "JD", "AH", "AD", "KD")) for s, c in (
    (1, c), (2, FIVE_TRICKS[1].split()[k]), (3, LOW.split()[k]))]  # fmt: skip


def test_three_tricks_take_the_pool_and_all_five_a_counter_of_each() -> None:
    three = after(table("spoil_five", FIVE_TRICKS, "QD", "1 turn down", *LEADS[:9], "1 pool"))
    assert paid(three.due(), "pool") == {(0, 1, 3)}
    assert not paid(three.due(), "all five")
    five = after(table("spoil_five", FIVE_TRICKS, "QD", "1 turn down", *LEADS))
    assert not five.rulings
    assert paid(five.due(), "pool") == {(0, 1, 3)}
    assert paid(five.due(), "all five") == {(2, 1, 1), (3, 1, 1)}


def test_who_jinks_and_misses_leaves_the_pool() -> None:
    hands = ("5D JD AH 2C 3C", "2S 3S 4S 6S 7S", "4C 6C 7C 8C QC")
    plays = ("1 5D", "2 2S", "3 4C", "1 JD", "2 3S", "3 6C", "1 AH", "2 4S", "3 7C", "1 jink")
    end = ("1 3C", "2 6S", "3 QC", "3 8C", "1 2C", "2 7S")
    deal = after(table("spoil_five", hands, "9D", *plays, *end))
    assert not deal.rulings
    assert not paid(deal.due(), "pool")
    assert paid(deal.due(), "after") == {(0, 0, 3)}


def test_a_card_exposed_is_free_until_somebody_has_two_tricks() -> None:
    early = after(table("spoil_five", FIVE_TRICKS, "QD", found("exposed", 2)))
    assert not early.rulings
    late = after(
        table("spoil_five", FIVE_TRICKS, "QD", "1 turn down", *LEADS[:6], found("exposed", 2))
    )
    assert [(r.seat, r.code) for r in late.rulings] == [(2, "W48")]


def test_an_offender_cannot_win_the_pool_in_a_later_deal() -> None:
    options = {"pool": "6", "barred": "1"}
    deal = table("spoil_five", FIVE_TRICKS, "QD", "1 turn down", *LEADS, options=options)
    assert not paid(after(deal).due(), "pool")
    assert paid(after(deal).due(), "stake") == {(3, 0, 1)}, "but pays when he deals"


def test_a_foul_hand_is_abandoned_and_keeps_its_tricks() -> None:
    deal = after(
        table(
            "spoil_five",
            FIVE_TRICKS,
            "QD",
            "1 turn down",
            *LEADS[:3],
            "1 takes",
            found("foul hand", 1),
        )
    )
    assert deal.won()[1] == 1
    want = deal.wants()
    assert want is not None
    assert want.seat == 2, "the others play on"
    assert isinstance(deal, SpoilFiveDeal)
    assert not deal.may_win(1)


def test_a_misdeal_passes_the_deal_and_a_faced_card_does_not() -> None:
    for word, seat in (("counted the pack", 1), ("faced card", 3)):
        again = Event(kind="redeal", seat=seat, word=word)
        deal = after(table("spoil_five", FIVE_TRICKS, "QD", found(word, 3), again))
        assert len(deal.rulings) == 1
        assert deal.due() == after(table("spoil_five", FIVE_TRICKS, "QD")).due()


def test_red_ranks_high_and_black_low() -> None:
    order = GAMES["spoil_five"].rules
    assert order is not None
    for trick, trump, best in (
        ("8H TH 2H", "S", 1), ("8C TC 2C", "S", 2), ("TS AS QS", "D", 2), ("2D AD 3D", "H", 2),
        ("KD AH JD", "D", 2), ("AS AH KS", "S", 1), ("3H 2H AH", "H", 2),
    ):  # fmt: skip
        assert second.winner(trick.split(), trump) == best


def test_forty_five_scores_five_or_ten_and_counts_out_in_play() -> None:
    hands = ("5D JD AH AD KD", "2S 3S 4S 6S 7S")
    plays = [e for e in LEADS if not e.startswith("3")]
    odd = after(table("forty_five_odd_trick", hands, "QD", "1 turn down", *plays))
    assert paid(odd.due(), "tricks") == {(1, 0, 10)}
    each = after(table("forty_five_per_trick", hands, "QD", "1 turn down", *plays))
    assert paid(each.due(), "tricks") == {(1, 0, 25)}
    out = after(
        table("forty_five_per_trick", hands, "QD", "1 turn down", *plays[:4]), scores=(0, 35, 35)
    )
    assert out.wants() is None or out.phase == "over"
    assert paid(out.due(), "out") == {(1, 0, 10)}


@pytest.mark.parametrize("early", [("1 KC", "3 3C", "2 2C"), ("2 2C", "3 3C", "1 KC")])
def test_who_plays_out_of_turn_offends_alone_and_the_next_trick_goes_round(
    early: tuple[str, ...],
) -> None:
    """ "Leads or plays out of turn" is his loss; nobody who keeps his own turn after it loses."""
    hands = ("KC 2S 3S 4S 6S", "2C 7S 8S 9S TS", "3C 2H 3H 4H 6H")
    deal = table("spoil_five", hands, "8D", *early, "1 2S", "2 7S", "3 2H", "1 3S", "2 8S", "3 3H")
    (only,) = after(deal).rulings
    first = early[0].startswith("2")
    assert (only.event, only.seat) == (0, 2) if first else (1, 3)


def test_each_gathers_his_own_tricks_where_there_are_no_partnerships() -> None:
    """In Forty-Five of four a partner may gather them; in Spoil Five nobody else, and never 0."""
    hands = ("KC 2S 3S 4S 6S", "2C 7S 8S 9S TS", "3C 2H 3H 4H 6H", "4C 7H 8H 9H TH")
    for game, allowed in (("forty_five_odd_trick", {1, 3}), ("spoil_five", {1})):
        for seat in range(6):
            gathers = Event(kind="trick", seat=seat)
            deal = table(game, hands, "8D", "1 KC", "2 2C", "3 3C", "4 4C", gathers)
            assert bool(after(deal).rulings) == (seat not in allowed), (game, seat)


def test_the_king_robs_and_an_honour_pays_where_the_table_says_so() -> None:
    hands = ("KD JD AH 8D 3S", "2S 4S 6S 7S 8S")
    deal = table("forty_five_odd_trick", hands, "QD", options={"king robs": "yes"})
    want = after(deal).wants()
    assert want is not None
    assert want.words == ("turn down", "rob")
    assert after(replace(deal, options={})).wants() != want
    paying = table("forty_five_odd_trick", hands, "QD"[:0] + "KC", options={"honour pays": "yes"})
    assert paid(after(paying).due(), "honour turned") == {(2, 0, 5)}


# -- a second reading ---------------------------------------------------------------------------


def _silenced(deal: Deal) -> Deal:
    """Return *deal* without the announcement of an ace whose holder does not want the turn-up."""
    at = indices(deal, "call", word="turn down")
    return with_event(deal, at[0], None) if at else deal


@pytest.mark.parametrize("silent", [False, True])
def test_a_second_reading_agrees_on_every_card(*, silent: bool) -> None:
    compared = demoted = 0
    for players in (2, 3, 5, 8):
        for deal in by_lot("spoil_five", players, 120, 40 + players):
            changed = _silenced(deal) if silent else deal
            compared += 1
            demoted += changed is not deal
            _compare(changed)
    assert compared >= 300
    assert (demoted > 50) == silent


def _compare(deal: Deal) -> None:
    trump = NAMES[deal.turnups[0]][1]
    made = machine(GAMES["spoil_five"], replace(deal, events=()))
    assert isinstance(made, SpoilFiveDeal)
    for each in deal.events:
        if each.kind == "play":
            hand = [NAMES[c] for c in made.hands[each.seat]]
            quiet = "A" + trump if made.silent else ""
            legal = made.legal(each.seat)
            assert legal is not None
            want = second.legal(hand, [NAMES[c] for c in made.trick], trump, quiet)
            announces = "A" + trump in hand and each.seat not in made.asked
            if not announces:
                assert {NAMES[c] for c in legal} == want
        before = len(made.tricks.taken) if made.tricks else 0
        made.take(each)
        if made.tricks and len(made.tricks.taken) > before:
            seat, cards = made.tricks.taken[-1]
            quiet = "A" + trump if made.silent else ""
            best = second.winner([NAMES[c] for c in cards], trump, quiet)
            assert made.played[best - len(cards)][0] == seat


@pytest.mark.parametrize("name", IDS[1:])
def test_a_second_reading_agrees_on_every_score(name: str) -> None:
    for players in (2, 4, 6):
        for deal in by_lot(name, players, 110, 60 + players):
            side = [2, 1]
            won = [0, 0]
            for each in deal.events:
                if each.kind == "trick":
                    won[(each.seat - 1) % 2] += 1
            points = second.score(max(won), min(won), per_trick=name.endswith("per_trick"))
            winner = 1 + (won[1] > won[0])
            scores = [(e.seat, e.number) for e in deal.events if e.kind == "score"]
            assert scores == [(winner, points)], side


# -- breaches -----------------------------------------------------------------------------------


def _trump(card: int, trump: int) -> bool:
    return card // 13 == trump or NAMES[card] == "AH"


def _revoke(deal: Deal, turn: Turn, card: int) -> bool:
    return bool(turn.trick) and not _trump(turn.trick[0], deal.turnups[0] // 13)


def rob_without_ace(deal: Deal, rng: random.Random) -> Deal | None:
    """At his first play somebody who holds no ace of trumps robs."""
    ace = 13 * (deal.turnups[0] // 13) + 12
    first = list(turns(deal))[: deal.players]
    ways = [t for t in first if ace not in deal.hands[t.seat - 1]]
    if deal.turnups[0] == ace or not ways:
        return None
    turn = rng.choice(ways)
    call = Event(kind="call", seat=turn.seat, word="rob")
    return with_event(deal, turn.at, call, instead=False)


def silent_ace(deal: Deal, rng: random.Random) -> Deal | None:
    return None if (changed := _silenced(deal)) is deal else changed


def late_ace(deal: Deal, rng: random.Random) -> Deal | None:
    at = indices(deal, "call", word="turn down")
    if not at:
        return None
    late = next(k for k in indices(deal, "play") if k > at[0]) + 1
    events = list(deal.events)
    events.insert(late, events[at[0]])
    del events[at[0]]
    return replace(deal, events=tuple(events))


def claims_without_three(deal: Deal, rng: random.Random) -> Deal | None:
    at = indices(deal, "play")[:6]
    call = Event(kind="call", seat=rng.randint(1, deal.players or 1), word="pool")
    return with_event(deal, rng.choice(at), call, instead=False)


def two_given(deal: Deal, rng: random.Random) -> Deal | None:
    at = indices(deal, "exchange")
    if not at:
        return None
    each = deal.events[at[0]]
    held = [c for c in deal.hands[each.seat - 1] if c not in each.cards]
    return with_event(deal, at[0], replace(each, cards=each.cards + bytes((held[0],))))


def gives_foreign(deal: Deal, rng: random.Random) -> Deal | None:
    at, card = indices(deal, "exchange"), spare(deal)
    if not at or card < 0:
        return None
    return with_event(deal, at[0], replace(deal.events[at[0]], cards=bytes((card,))))


def robs_for_another(deal: Deal, rng: random.Random) -> Deal | None:
    at = indices(deal, "exchange")
    if not at:
        return None
    each = deal.events[at[0]]
    return with_event(deal, at[0], replace(each, seat=other(deal, each.seat, rng)))


def exposed_late(deal: Deal, rng: random.Random) -> Deal | None:
    """A card exposed by the winner just before he claims: his right to the pool is gone."""
    at = indices(deal, "call", word="pool")
    if not at:
        return None
    seat = deal.events[at[0]].seat
    return with_event(deal, at[0], found("exposed", seat), instead=False)


BREACHES = (
    *COMMON,
    Breach("revoke in a plain suit", bad_card(_revoke), "able to", "Method of playing"),
    Breach("rob without the ace", rob_without_ace, "does not hold the ace", "W47"),
    Breach("silent ace", silent_ace, "without announcing", "W50"),
    Breach("ace announced late", late_ace, "too late", "W50"),
    Breach("pool claimed without three", claims_without_three, "pool said", "Jink"),
    Breach("two cards given", two_given, "2 cards given", "Robbing"),
    Breach("a card given that is not held", gives_foreign, "not held", "Robbing"),
    Breach("another gives the card", robs_for_another, "does not rob", "Robbing"),
    Breach("exposed with two tricks out", exposed_late, "exposed", "W48"),
    Breach("pool to an offender", exposed_late, "wanted nothing", "Spoil Five"),
    Breach("pool one off", number_off("pool"), "for pool, wanted", "Spoil Five"),
    Breach("pool to the wrong seat", wrong_seat("pool"), "for pool, wanted", "Spoil Five"),
    Breach("stake not paid", not_paid("stake"), "stake was not recorded", "Spoil Five"),
    Breach("not cut", noted("not cut", "dealer"), "not cut", "Misdealing"),
    Breach("cut too thin", noted("cut too thin"), "packet of the cut", "W102"),
)


@pytest.fixture(scope="module")
def some() -> list[Deal]:
    return [d for n in (2, 3, 5) for d in by_lot("spoil_five", n, 100, 80 + n)]


@pytest.mark.parametrize("breach", BREACHES, ids=[b.name for b in BREACHES])
def test_a_breach_is_ruled_on(breach: Breach, some: list[Deal]) -> None:
    made, missed = trial(breach, some)
    assert made >= 20
    assert not missed


@pytest.mark.parametrize("what", ["renounced in trumps", "higher trump"])
def test_a_trump_refused_is_ruled_on(what: str) -> None:
    """Refusing a trump: with a smaller one, or with best trumps below the one led."""
    breaches = 0
    for deal in by_lot("spoil_five", 5, 1_200, 95):
        trump = deal.turnups[0] // 13
        best = {f"5{'SHDC'[trump]}", f"J{'SHDC'[trump]}", "AH"}
        for turn in turns(deal):
            if not turn.trick or not _trump(turn.trick[0], trump):
                continue
            hand = turn.hands[turn.seat]
            trumps = [c for c in hand if _trump(c, trump)]
            plain = [c for c in hand if c not in trumps]
            lone = all(NAMES[c] in best for c in trumps)
            names = {NAMES[c] for c in hand}
            may_refuse = (
                second.legal(list(names), [NAMES[c] for c in turn.trick], "SHDC"[trump]) == names
            )
            if not trumps or not plain or may_refuse or lone != (what == "higher trump"):
                continue
            play = Event(kind="play", seat=turn.seat, cards=bytes(plain[:1]))
            wrong = replace(deal, events=(*deal.events[: turn.at], play))
            rulings, _ = referee(GAMES["spoil_five"], wrong)
            assert [r.what for r in rulings if what in r.what and "Reneging" in r.law]
            breaches += 1
    assert breaches >= 10


SCORES = (
    Breach("score one off", number_off("tricks"), "for tricks, wanted", "Forty-Five"),
    Breach("score to the wrong side", wrong_seat("tricks"), "for tricks, wanted", "Forty-Five"),
)


@pytest.mark.parametrize("name", IDS[1:])
@pytest.mark.parametrize("breach", SCORES, ids=[b.name for b in SCORES])
def test_a_wrong_score_is_ruled_on(breach: Breach, name: str) -> None:
    made, missed = trial(breach, list(by_lot(name, 4, 50, 90)))
    assert made == 50
    assert not missed


# -- what a record does not show ----------------------------------------------------------------


def test_a_log_without_calls_is_not_ruled_on_for_silence() -> None:
    for deal in by_lot("spoil_five", 5, 60, 70):
        events = tuple(e for e in deal.events if e.kind in ("play", "trick"))
        bare = replace(deal, events=events, options={"calls": "none"})
        rulings, unjudged = referee(GAMES["spoil_five"], bare)
        robbed = indices(deal, "exchange")
        if not robbed:
            assert not rulings
        assert unjudged >= 1


def test_a_log_of_payments_or_without_a_turn_up_is_not_ruled_on() -> None:
    for name in IDS:
        for deal in by_lot(name, 4, 60, 73, {"honour pays": "yes"}):
            paid_only = tuple(e for e in deal.events if e.kind in ("pay", "score", "pool"))
            no_pool = tuple(e for e in deal.events if e.kind not in ("pool", "trick"))
            assert not referee(GAMES[name], replace(deal, events=no_pool))[0]
            for dark in (
                replace(deal, events=paid_only),
                replace(deal, turnups=b"", order_after_cut=None),
                replace(deal, turnups=bytes((255,)), order_after_cut=None),
            ):
                rulings, unjudged = referee(GAMES[name], dark)
                assert not rulings
                assert unjudged


def test_a_log_without_hands_is_judged_as_far_as_it_goes() -> None:
    for deal in by_lot("spoil_five", 4, 40, 71):
        rulings, unjudged = referee(GAMES["spoil_five"], replace(deal, hands=()))
        assert not rulings
        assert unjudged >= 10


def test_unknown_cards_and_odd_events_never_end_in_a_traceback() -> None:
    rng = random.Random(5)
    for deal in by_lot("spoil_five", 4, 60, 72):
        events = list(deal.events)
        for _ in range(4):
            at = rng.randrange(len(events))
            odd = replace(
                events[at],
                seat=rng.choice((0, 1, 5, 98)),
                cards=bytes(rng.choice(((), (255,), (51, 3), (200,)))),
                word=rng.choice(("", "rob", "pool", "zounds", "foul hand", "exposed")),
            )
            events[at] = rng.choice((odd, replace(odd, kind="irregular"), events[at]))
        changed = replace(deal, events=tuple(events), options={"pool": "many", "barred": "x 2"})
        assert referee(GAMES["spoil_five"], changed)


# -- chances ------------------------------------------------------------------------------------


def test_the_chances_are_those_of_the_book() -> None:
    assert turned(FULL, frozenset({12})) == Fraction(1, 13)
    assert turned(FULL, frozenset({12, 11})) == Fraction(2, 13)
    assert ace_held(FULL, 5) == Fraction(25, 51)
    assert ace_held(FULL, 6) == Fraction(10, 17)
    assert first_jack(FULL, 2)[0] == Fraction(433, 833)
    assert first_jack(FULL, 5)[0] == Fraction(2519, 10829)
    assert first_jack(FULL, 6)[0] == Fraction(837, 4165)
    assert round(float(first_jack(FULL, 5)[4]), 4) == 0.1693
    assert round(float(first_jack(FULL, 6)[5]), 4) == 0.1350
    for players in range(2, 11):
        assert sum(first_jack(FULL, players)) == 1
