"""A record that writes some calls of a word, or some exchanges, and leaves others out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from msgspec import structs

from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import _start, referee, referee_log
from audit.referee._part_said import MOST_TAKEN, fillings
from audit.referee._unsaid import QUIET
from audit.referee.simulate import deals
from tests.laws.test_unsaid import CALLED

#: Quiet words, and what is said in answer to nothing that was loud.
SILENT = frozenset({*QUIET, "beg"})
#: Games in which passes written only up to the last bid, or every other, were ruled on.
STRICT = ("auction", "euchre", "loo", "irish", "nap", "rams", "rounce", "bierspiel", "smudge")
#: Where a price is agreed on between many, bids left out are not looked for.
SOLD = ("speculation",)


def by_lot(name: str, players: int, count: int = 6, seed: int = 11) -> list[Deal]:
    choose = PLAY["by_lot"].choose
    assert choose is not None
    return list(deals(GAMES[name], players=players, choose=choose, count=count, seed=seed))


def ends(name: str) -> list[int]:
    return sorted({GAMES[name].tables[0], GAMES[name].tables[-1]})


def kept(deal: Deal, left_out: set[int]) -> Deal:
    """Return the record without the events of these numbers."""
    events = tuple(e for k, e in enumerate(deal.events) if k not in left_out)
    return structs.replace(deal, events=events)


def said(deal: Deal) -> list[int]:
    return [k for k, e in enumerate(deal.events) if e.kind == "call"]


def quiet_left_out(deal: Deal) -> Iterator[Deal]:
    """Yield the record with quiet calls up to the last loud one only, and with some of them."""
    calls = said(deal)
    last = max((k for k in calls if deal.events[k].word not in SILENT), default=-1)
    for word in sorted({deal.events[k].word for k in calls} & SILENT):
        every = [k for k in calls if deal.events[k].word == word]
        for left_out in ([k for k in every if k > last], every[::2], every[1::2], every[1:]):
            if left_out:
                yield kept(deal, set(left_out))


@pytest.mark.parametrize("name", [name for name in CALLED if name not in SOLD])
def test_some_passes_need_not_be_written(name: str) -> None:
    """A scribe stops at the last bid, or notes now a pass and now none."""
    strict = left_out = 0
    for players in ends(name):
        for deal in by_lot(name, players):
            for some in quiet_left_out(deal):
                left_out += 1
                strict += bool(referee(GAMES[name], some)[0])
                assert referee_log(GAMES[name], some)[0] == [], some
    assert strict > 3 or not name.startswith(STRICT) or "simple" in name or left_out < 20


def missing_one(deal: Deal) -> Iterator[Deal]:
    """Yield the record without each of its loud calls, and without every one of its word."""
    loud = [k for k in said(deal) if deal.events[k].word not in SILENT]
    for k in loud:
        yield kept(deal, {k})
    for word in sorted({deal.events[k].word for k in loud}):
        yield kept(deal, {k for k in loud if deal.events[k].word == word})


@pytest.mark.parametrize("name", [name for name in CALLED if name not in SOLD])
def test_one_loud_call_need_not_be_written_where_others_are(name: str) -> None:
    strict = 0
    for players in ends(name):
        for deal in by_lot(name, players):
            for some in missing_one(deal):
                strict += bool(referee(GAMES[name], some)[0])
                assert referee_log(GAMES[name], some)[0] == [], some
    assert strict > 3 or name not in ("rams", "rounce", "bierspiel", "vingt_un", "put_4")


@pytest.mark.parametrize("name", ["put_4", "rams", "nap_widow", "nap_purchase", "bierspiel"])
def test_an_exchange_need_not_be_written_where_others_are(name: str) -> None:
    strict = 0
    for players in ends(name):
        for deal in by_lot(name, players, count=12):
            changed = [k for k, e in enumerate(deal.events) if e.kind in ("exchange", "draw")]
            words = {(deal.events[k].kind, deal.events[k].word) for k in changed}
            ways = [{k} for k in changed] + [
                {k for k in changed if (deal.events[k].kind, deal.events[k].word) == one}
                for one in sorted(words)
            ]
            for left_out in ways:
                some = kept(deal, left_out)
                strict += bool(referee(GAMES[name], some)[0])
                assert referee_log(GAMES[name], some)[0] == [], some
    assert strict > 20 or name != "put_4"


@pytest.mark.parametrize("name", ["nap", "auction_pitch_board", "loo5_foster", "loo_club_law"])
def test_a_card_of_another_stays_wrong_where_some_passes_are_not_written(name: str) -> None:
    found = tried = 0
    for deal in by_lot(name, GAMES[name].tables[-1], count=12):
        plays = [k for k, e in enumerate(deal.events) if e.kind == "play"]
        if len(plays) < 3:
            continue
        at = plays[2]
        event = deal.events[at]
        mine = deal.hands[event.seat - 1]
        gone = {c for e in deal.events for c in e.cards if e.kind != "play"}
        others = [c for hand in deal.hands for c in hand if hand != mine and c not in gone]
        wrong = structs.replace(event, cards=bytes(others[-1:]))
        events = (*deal.events[:at], wrong, *deal.events[at + 1 :])
        for some in quiet_left_out(structs.replace(deal, events=events)):
            tried += 1
            last = some.events.index(wrong)
            found += any(r.event == last for r in referee_log(GAMES[name], some)[0])
    assert tried > 8
    # At Loo a card may have been drawn where others were, or come from a hand in the middle.
    assert found == tried or (name.startswith("loo") and found > tried * 2 // 3)


@pytest.mark.parametrize("name", ["nap", "auction_pitch_board", "irish_loo", "rounce", "put_4"])
def test_a_call_out_of_its_turn_is_ruled_on_where_every_call_is_written(name: str) -> None:
    tried = 0
    for deal in by_lot(name, GAMES[name].tables[-1]):
        calls = said(deal)
        for one, other in pairwise(calls):
            events = list(deal.events)
            if events[one].seat == events[other].seat:
                continue
            events[one], events[other] = events[other], events[one]
            tried += 1
            assert referee_log(GAMES[name], structs.replace(deal, events=tuple(events)))[0]
    assert tried > 8


def test_a_record_made_to_be_slow_costs_no_more_than_so_many_events_taken_again() -> None:
    law, taken = GAMES["nap"], 0
    (deal,) = by_lot("nap", 5, count=1)
    odd = tuple(Event(kind="call", seat=1 + k % 5, word=f"x{k}") for k in range(4000))
    wrong = structs.replace(deal, events=odd)

    class Counted(type(_start(law, wrong, ()))):  # type: ignore[misc]
        def take(self, event: Event) -> None:
            nonlocal taken
            taken += 1
            super().take(event)

    fillings(wrong, lambda: Counted(law, wrong))
    assert taken <= MOST_TAKEN + 30 * len(odd)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("california_jack", 2),
        ("shasta_sam", 2),
        ("seven_up_2", 2),
        ("speculation", 4),
        ("loo_club_law", 3),
    ],
)
def test_an_order_that_is_written_empty_is_none(name: str, players: int) -> None:
    for deal in by_lot(name, players):
        empty = structs.replace(deal, order_after_cut=b"")
        none = structs.replace(deal, order_after_cut=None)
        assert referee_log(GAMES[name], empty) == referee_log(GAMES[name], none)
