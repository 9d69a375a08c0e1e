"""A deal taken at once is judged as one taken event by event, whatever is wrong in it.

Machines take right plays in a row without asking for each what else it could be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from audit.event import Kind
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import machine
from audit.referee.machine import Machine
from audit.referee.simulate import Lots, deals

KINDS: tuple[Kind, ...] = ("call", "play", "trick", "exchange", "irregular", "redeal", "score")
OPTIONS: dict[str, tuple[dict[str, str], ...]] = {
    "euchre_4": (
        {},
        {"pack": "24", "alone": "yes"},
        {"must_follow": "no", "alone": "yes", "lead": "left of loner"},
    ),
    "euchre_2": ({},),
    "seven_up_4": ({},),
    "seven_up_2": ({},),
    "california_jack": ({},),
}


def changed(deal: Deal, lots: Lots) -> Deal:
    """Return *deal* with one thing wrong in it, or one that is not known."""
    events, hands = list(deal.events), list(deal.hands)
    at, seat = lots.below(len(events)), lots.below(len(hands))
    event, hand = events[at], hands[seat]
    match lots.below(10):
        case 0:
            del events[at]
        case 1:
            events.insert(at, event)
        case 2:
            events[at - 1], events[at] = event, events[at - 1]
        case 3:
            events[at] = replace(event, seat=lots.below(8))
        case 4:
            events[at] = replace(event, cards=bytes([lots.below(62)]))
        case 5:
            events[at] = replace(event, cards=b"" if lots.below(2) else event.cards * 2)
        case 6:
            events[at] = replace(event, kind=KINDS[lots.below(len(KINDS))])
        case 7:
            events = [one for one in events if one.kind != event.kind]
        case 8:
            ways = (b"", b"\xff" + hand[1:], hand[:4], bytes([70]) + hand[1:])
            hands[seat] = ways[lots.below(4)]
        case _:
            other = deal.events[lots.below(len(events))]
            events[at] = replace(event, seat=other.seat, cards=other.cards)
    return replace(deal, events=tuple(events), hands=tuple(hands))


def broken(game: str, options: dict[str, str]) -> Iterator[Deal]:
    law, choose, lots = GAMES[game], PLAY["by_lot"].choose, Lots(8)
    assert choose is not None
    players = law.players[0]
    for deal in deals(law, players=players, choose=choose, count=120, seed=6, options=options):
        told = deal
        for _ in range(4):
            yield told
            if told.events and told.hands:
                told = changed(told, lots)
        yield replace(told, order_after_cut=None)


def state(made: Machine) -> tuple[Any, ...]:
    tricks = getattr(made, "tricks", None)
    taken = (tricks.taken, tricks.cards) if tricks is not None else ([], [])
    before = made.at, made.hands, made.calls, made.played, made.trick, made.trump, taken
    want = made.wants()
    return before, want, made.finish(), made.unjudged, made.settled


@pytest.mark.parametrize(
    ("game", "options"), [(game, one) for game, ways in OPTIONS.items() for one in ways]
)
def test_a_deal_taken_at_once_is_judged_event_by_event(game: str, options: dict[str, str]) -> None:
    wrong = 0
    for deal in broken(game, options):
        once, each = machine(GAMES[game], deal), machine(GAMES[game], deal)
        assert once is not None
        assert each is not None
        once.take_all(deal.events)
        Machine.take_all(each, deal.events)
        assert repr(state(once)) == repr(state(each)), deal
        wrong += bool(once.rulings)
    assert wrong > 150
