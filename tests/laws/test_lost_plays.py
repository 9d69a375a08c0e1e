"""A record out of which plays were lost, or whose hands are at other seats, accuses nobody."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from msgspec import structs

from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee, referee_log
from audit.referee._lost_plays import UNPLAYED, played
from audit.referee.simulate import deals

#: Games whose tricks are played to the last card by law.
WHOLE = ("seven_up_4", "auction_pitch_board", "euchre_2", "ecarte_foster", "pedro")


def by_lot(
    name: str, players: int, count: int = 12, seed: int = 29, *, every: bool = False
) -> list[Deal]:
    """Return right records of deals that came to play, as a scribe without the pack has them.

    Of *every* game with plays, not only of those in which a lost one can be told.
    """
    law, choose = GAMES[name], PLAY["by_lot"].choose
    assert choose is not None
    made = deals(law, players=players, choose=choose, count=count, seed=seed)
    bare = [structs.replace(deal, order_after_cut=None, runs=b"") for deal in made]
    if every:
        plays = ([e for e in deal.events if e.kind == "play"] for deal in bare)
        return [deal for deal, some in zip(bare, plays, strict=True) if len(some) > 1]
    return [deal for deal in bare if played(law, deal)]


GUIDED = [
    name
    for name in GAMES.names
    if (rules := GAMES[name].rules) is not None and GAMES[name].status != "named"
    if rules.family not in UNPLAYED
]
PLAYED = [name for name in GUIDED if by_lot(name, GAMES[name].tables[-1], count=4)]


def ends(name: str) -> list[int]:
    tables = GAMES[name].tables
    # A price agreed on between many is slow to look for.
    return [tables[0]] if name == "speculation" else sorted({tables[0], tables[-1]})


def only(deal: Deal, left: Callable[[int, Event], bool]) -> Deal:
    """Return the record with the events that are *left*, by their numbers."""
    return structs.replace(deal, events=tuple(e for k, e in enumerate(deal.events) if left(k, e)))


def unsettled(deal: Deal) -> Deal:
    return only(deal, lambda _, e: e.kind not in ("score", "pay", "pool", "trick"))


@pytest.mark.parametrize("name", PLAYED)
def test_a_play_that_was_lost_is_nobodys_breach(name: str) -> None:
    """One play at random, then one in ten; before this was seen, up to hundreds were ruled on."""
    law, rng, strict = GAMES[name], random.Random(7), 0
    for players in ends(name):
        for deal in by_lot(name, players):
            gone = rng.choice([k for k, e in enumerate(deal.events) if e.kind == "play"])
            one = only(deal, lambda k, _, gone=gone: k != gone)  # type: ignore[misc]
            tenth = only(deal, lambda _, e: e.kind != "play" or rng.random() > 0.1)
            for some in (one, tenth):
                strict += bool(referee(law, some)[0])
                assert referee_log(law, some)[0] == [], some
                assert referee_log(law, unsettled(some))[0] == [], some
    assert strict > 0


@pytest.mark.parametrize("name", GUIDED)
def test_hands_one_place_off_accuse_nobody(name: str) -> None:
    for players in ends(name):
        for deal in by_lot(name, players, every=True):
            off = structs.replace(deal, hands=(*deal.hands[1:], *deal.hands[:1]))
            assert referee_log(GAMES[name], off)[0] == [], off


def revoked(deal: Deal) -> tuple[Deal, int] | None:
    """Return the record with one card played against the book in an early trick, and which.

    The true card is played when the other would have been.
    """
    law = GAMES[deal.game]
    plays = [k for k, e in enumerate(deal.events) if e.kind == "play"]
    for at in plays[1 : len(plays) // 2]:
        for later in plays:
            mine, other = deal.events[at], deal.events[later]
            if later <= at or other.seat != mine.seat:
                continue
            events = list(deal.events)
            events[at], events[later] = other, mine
            some = only(
                structs.replace(deal, events=tuple(events)),
                lambda _, e: e.kind not in ("score", "pay", "trick"),
            )
            where = some.events.index(other)
            found = referee(law, some)[0]
            if [r.event for r in found] == [where] and "follow" in found[0].what:
                return some, where
    return None


@pytest.mark.parametrize("name", WHOLE)
def test_a_revoke_in_a_whole_record_is_ruled_on(name: str) -> None:
    law, tried = GAMES[name], 0
    for deal in by_lot(name, GAMES[name].tables[-1], count=40):
        made = revoked(deal)
        if made is not None:
            wrong, at = made
            tried += 1
            assert [r.event for r in referee_log(law, wrong)[0]] == [at], wrong
    assert tried >= 5


@pytest.mark.parametrize("name", ["seven_up_4", "auction_pitch_board", "pedro"])
def test_a_revoke_before_the_lost_play_is_ruled_on(name: str) -> None:
    """Where every place for the lost card leaves the revoke one, it stays; it never moves."""
    law, tried, kept = GAMES[name], 0, 0
    for deal in by_lot(name, 4 if name.endswith("4") else 5, count=60):
        made = revoked(deal)
        if made is None:
            continue
        wrong, at = made
        later = [k for k, e in enumerate(wrong.events) if e.kind == "play" and k > at]
        some = only(wrong, lambda k, _, gone=later[-2]: k != gone)  # type: ignore[misc]
        tried += 1
        told = [r.event for r in referee_log(law, some)[0]]
        assert set(told) <= {at}, some
        kept += told == [at]
    assert tried >= 5
    assert kept * 2 >= tried


def test_a_play_for_another_and_one_too_many_are_ruled_on() -> None:
    law, tried = GAMES["pitch_blind"], 0
    for deal in by_lot("pitch_blind", 4):
        at = [k for k, e in enumerate(deal.events) if e.kind == "play"][5]
        event = deal.events[at]
        other = structs.replace(event, seat=event.seat % 4 + 1)
        for put in ((other,), (event, event)):
            events = (*deal.events[:at], *put, *deal.events[at + 1 :])
            tried += 1
            assert referee_log(law, structs.replace(deal, events=events))[0], (put, deal)
    assert tried >= 16
