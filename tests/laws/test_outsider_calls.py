"""Bids and declarations: the referee against the courses of an outsider, at every call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee
from audit.referee.simulate import Lots, deals
from tests.laws.outsider_calls import LEFT_ALONE, READ, fault

COUNT = 40
KINDS = ("out of turn", "another word", "twice", "after the last call")


def sample(name: str) -> Iterator[Deal]:
    """Yield simulated deals that no claim ends before all have spoken."""
    choose = PLAY["by_lot"].choose
    assert choose is not None
    options = {"pool": "15"} if name in ("rams", "rounce") else {}
    for deal in deals(
        GAMES[name], players=READ[name][0], choose=choose, count=COUNT, seed=7, options=options
    ):
        if not any(e.word in ("flush", "bunched") for e in deal.events):
            yield deal


def calls(deal: Deal) -> list[int]:
    return [k for k, e in enumerate(deal.events) if e.kind == "call" and e.word not in LEFT_ALONE]


def changes(deal: Deal, words: list[str], lots: Lots) -> Iterator[tuple[str, int, Deal]]:
    """Yield the deal with one call changed, each with its kind and the event of the change."""
    players, first_play = (
        len(deal.hands),
        next((k for k, e in enumerate(deal.events) if e.kind == "play"), len(deal.events)),
    )
    spoken = [k for k in calls(deal) if k < first_play]
    for at in spoken:
        head, event, tail = deal.events[:at], deal.events[at], deal.events[at + 1 :]
        seat = event.seat % players + 1
        yield "out of turn", at, replace(deal, events=(*head, replace(event, seat=seat), *tail))
        for word in words:
            if word != event.word:
                other = replace(event, word=word)
                yield "another word", at, replace(deal, events=(*head, other, *tail))
        yield "twice", at + 1, replace(deal, events=(*head, event, event, *tail))
    again = Event(kind="call", seat=1 + lots.below(players), word=words[lots.below(len(words))])
    if spoken:
        end = spoken[-1] + 1
        more = (*deal.events[:end], again, *deal.events[end:])
        yield "after the last call", end, replace(deal, events=more)


@pytest.mark.parametrize("name", READ)
def test_both_find_every_simulated_call_in_order(name: str) -> None:
    for deal in sample(name):
        assert fault(deal, READ[name][1]) == -1, deal
        assert referee(GAMES[name], deal)[0] == []


@pytest.mark.parametrize("name", READ)
def test_both_object_to_the_same_call(name: str) -> None:
    lots, made = Lots(11), Counter[str]()
    words = {d.events[k].word for d in sample(name) for k in calls(d)}
    vocabulary = [*sorted(words), "quoth"]
    for deal in sample(name):
        for kind, at, changed in changes(deal, vocabulary, lots):
            mine = fault(changed, READ[name][1])
            found = referee(GAMES[name], changed)[0]
            # What follows a call that may be made is another deal: only the call is compared.
            theirs = at in {ruling.event for ruling in found}
            assert theirs == (mine == at), (kind, at, mine, found, changed.events)
            made[kind if theirs else "in order"] += 1
    assert all(made[kind] >= 20 for kind in KINDS), made
