"""A record that leaves out payments, or counts of the pool, is not ruled on for what it leaves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import structs

from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee, referee_log
from audit.referee.machine import Ruling
from audit.referee.series import Series
from audit.referee.simulate import deals
from tests.laws._night import Fault, night, wrong_night

#: A game of every family with a pool, and how many play.
POOLED = (
    ("nap_pool", 4),
    ("nap_peep", 4),
    ("nap_purchase", 3),
    ("spoil_five", 5),
    ("rams", 4),
    ("rounce", 5),
    ("irish_loo", 5),
    ("loo3_limited_double", 5),
    ("loo3_unlimited_double", 4),
    ("loo5_foster", 4),
    ("speculation", 4),
    ("matrimony", 6),
    ("pope_joan", 4),
)
BEFORE, AFTER = ("before", "start"), ("after", "left")
_nights: dict[str, list[Deal]] = {}


def right(game: str, players: int) -> list[Deal]:
    """Return a right night without misdeals, made once."""
    if game not in _nights:
        _nights[game] = night(game, players=players, count=40, seed=3, every=10**9)
    return _nights[game]


def without(deal: Deal, left_out: Callable[[Event], bool]) -> Deal:
    """Return the record without the events that are *left_out*."""
    return structs.replace(deal, events=tuple(e for e in deal.events if not left_out(e)))


def unsaid(deal: Deal) -> Deal:
    """Return the record without its options about the pool."""
    said = {name: text for name, text in deal.options.items() if not name.startswith("pool")}
    return structs.replace(deal, options=said)


def staked(event: Event) -> bool:
    return event.kind == "pay" and (event.word.startswith("stake") or event.word == "dressing")


LEFT_OUT: dict[str, Callable[[Event], bool]] = {
    "nothing": lambda e: False,
    "payments": lambda e: e.kind == "pay",
    "stakes": staked,
    "what is paid in": lambda e: e.kind == "pay" and e.to == 0,
    "what is paid out": lambda e: e.kind == "pay" and e.seat == 0,
    "payments between players": lambda e: e.kind == "pay" and e.seat > 0 and e.to > 0,
    "the pool": lambda e: e.kind == "pool",
    "the pool before": lambda e: e.kind == "pool" and e.word in BEFORE,
    "the pool after": lambda e: e.kind == "pool" and e.word in AFTER,
    "payments and the pool before": lambda e: e.kind == "pay" or e.word in BEFORE,
}


def rulings(deal: Deal) -> list[Ruling]:
    return referee_log(GAMES[deal.game], deal)[0]


@pytest.mark.parametrize("what", LEFT_OUT)
@pytest.mark.parametrize(("game", "players"), POOLED)
def test_what_is_never_written_is_not_ruled_on(game: str, players: int, what: str) -> None:
    for deal in right(game, players):
        some = without(deal, LEFT_OUT[what])
        assert rulings(some) == []
        assert rulings(unsaid(some)) == []


def recounted(deal: Deal, before: int, after: int) -> Deal:
    """Return the record without payments, its counts of the pool moved by so much."""
    moved = {**dict.fromkeys(BEFORE, before), **dict.fromkeys(AFTER, after)}
    events = []
    for event in deal.events:
        if event.kind == "pool":
            number = max(0, event.number + moved.get(event.word, 0))
            events.append(structs.replace(event, number=number))
        elif event.kind != "pay":
            events.append(event)
    return structs.replace(unsaid(deal), events=tuple(events))


@pytest.mark.parametrize(("game", "players"), POOLED)
def test_without_payments_no_count_of_the_pool_is_wrong(game: str, players: int) -> None:
    """The pool is counted with the stakes in it, before the loos are paid, with a forfeit that
    nobody wrote down in it, or after it was divided: any difference is one of an honest scribe."""
    moved = 0
    for deal in right(game, players):
        paid = [e for e in deal.events if e.kind == "pay"]
        stakes = sum(e.number for e in paid if staked(e))
        late = sum(e.number for e in paid if e.to == 0) - stakes
        for before, after in ((stakes, 0), (0, -late), (0, 3), (0, -(10**9))):
            moved += (before, after) != (0, 0)
            assert rulings(recounted(deal, before, after)) == []
    assert moved > 60


@pytest.mark.parametrize(
    ("game", "players"), [("rams", 4), ("irish_loo", 5), ("spoil_five", 5), ("speculation", 4)]
)
def test_with_payments_a_wrong_count_or_a_payment_left_out_is_ruled_on(
    game: str, players: int
) -> None:
    off = short = 0
    log = [d for d in right(game, players) if any(e.kind == "pay" for e in d.events)]
    for deal in log:
        at = next(i for i, e in enumerate(deal.events) if e.kind == "pool" and e.word in AFTER)
        events = list(deal.events)
        events[at] = structs.replace(events[at], number=events[at].number + 1)
        found = rulings(structs.replace(deal, events=tuple(events)))
        off += [r.event for r in found] == [at]
        paid = [e for e in deal.events if e.kind == "pay" and e.to == 0]
        if len([e for e in paid if e.word == paid[0].word]) > 1:
            found = rulings(without(deal, lambda e, one=paid[0]: e is one))  # type: ignore[misc]
            short += any(r.lacks == paid[0] for r in found)
            assert found
    assert off == len(log) > 30
    assert short > 0 or game == "rams"


@pytest.mark.parametrize(("game", "players"), [("rams", 4), ("spoil_five", 5), ("irish_loo", 5)])
def test_from_deal_to_deal_the_pool_is_judged_without_payments(game: str, players: int) -> None:
    log, made = wrong_night(game, Fault("pool", 20), players=players, count=60, seed=2)
    log.pop(3)
    for wrong in (False, True):
        series = Series(GAMES[game])
        told = log if wrong else right(game, players)
        for deal in told:
            series.take(without(deal, LEFT_OUT["payments"]))
        numbers = [found.deal.number for found in series.finish(as_dealt=True)]
        assert numbers == ([str(made + 1)] if wrong else [])


def test_a_new_pool_of_rams_is_known_by_its_first_count() -> None:
    """Without its option the pool was taken for new, and who passed was said to have to play."""
    log = right("rams", 4)
    assert sum(int(deal.options["pool"]) > 0 for deal in log) > 20
    assert all(referee_log(GAMES["rams"], unsaid(deal)) == ([], 0) for deal in log)


PAID = ("nap", "vingt_un", *(game for game, _ in POOLED))


@pytest.mark.parametrize("game", PAID)
def test_payments_need_not_say_what_for(game: str) -> None:
    """A column of amounts is a record of payments; a wrong amount in it is still seen."""
    law = GAMES[game]
    seen, by_lot = 0, PLAY["by_lot"].choose
    assert by_lot is not None
    for deal in deals(law, players=law.tables[0], count=25, seed=5, choose=by_lot):
        events = [structs.replace(e, word="") if e.kind == "pay" else e for e in deal.events]
        assert referee(law, structs.replace(deal, events=tuple(events)))[0] == []
        at = next((i for i, e in enumerate(events) if e.kind == "pay"), None)
        if at is not None:
            events[at] = structs.replace(events[at], number=events[at].number + 1)
            found = referee(law, structs.replace(deal, events=tuple(events)))[0]
            assert found
            seen += 1
    assert seen > 10
