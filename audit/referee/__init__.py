"""Replays a deal against the law of its game, event by event; one family of games, one file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial

from msgspec import structs

from audit.family import Family
from audit.law import Law
from audit.record import Deal
from audit.referee._became import became
from audit.referee._facts import resting_on_scores, scores_before
from audit.referee._hidden import without_hidden
from audit.referee._lost_plays import (
    cut_off,
    not_resting_on_plays,
    of_another,
    played,
    shifted,
    wherever_put_back,
    whole,
)
from audit.referee._part_said import fillings
from audit.referee._unsaid import filled
from audit.referee._unwritten import other_pools, unwritten, with_pool
from audit.referee.machine import Machine, Maker, Ruling

#: Modules of this folder that are no family of games.
SHARED = ("machine", "tricks", "simulate", "series")
#: Whoever of more may have dealt, nothing is ruled.
MOST_DEALERS = 8
REFEREE = Family(sys.modules[__name__], "MACHINE", Maker, without=SHARED)


def machine(law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> Machine | None:
    """Return the machine of a deal, None for a game without rules of play."""
    return None if law.rules is None else _maker(law.rules.family).make(law, deal, scores)


@lru_cache(maxsize=64)
def _maker(family: str) -> Maker:
    return REFEREE[family]


def referee(law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> tuple[list[Ruling], int]:
    """Return the rulings on a deal, and how many events could not be judged."""
    made = machine(law, deal, scores)
    if made is None or not deal.events:
        return [], 0
    made.take_all(deal.events)
    return made.finish(), made.unjudged


def referee_log(law: Law, deal: Deal) -> tuple[list[Ruling], int]:
    """Return the rulings on a deal of somebody's log, which may leave out what it likes.

    What could rest on something left out is counted as not judged: see `certain`,
    `resting_on_scores` where the record does not say what stood on the score before,
    `unwritten` for payments and the pool, `filled` for calls of words that are never written,
    `fillings` for those of any word and for exchanges, and `whole` for plays.  A hand that is
    known in part is taken for none.  Nothing is ruled where hands stand at other seats
    (`shifted`) or as they were played (`became`), or a deal that went on does not show its
    turn-up.  Where the record does not say who dealt, what is ruled holds whoever did.
    """
    deal = without_hidden(law, deal)
    if shifted(deal):
        return [], len(deal.events)
    found, unjudged = _ruled(law, deal)
    if found and (became(deal, law) or _without_turnup(law, deal)):
        return [], unjudged + len(found)
    if not found or deal.dealer_seat is not None:
        return found, unjudged
    made, kept = machine(law, deal), found
    players = made.players if made is not None else 0
    for seat in range(1, players + 1) if players <= MOST_DEALERS else ():
        other, _ = _ruled(law, structs.replace(deal, dealer_seat=seat))
        told = {(r.event, r.seat, r.what) for r in other}
        kept = [r for r in kept if (r.event, r.seat, r.what) in told]
        if not kept:
            break
    if players > MOST_DEALERS:
        kept = []
    return kept, unjudged + len(found) - len(kept)


def _without_turnup(law: Law, deal: Deal) -> bool:
    """Whether a deal that went on does not say what was turned, and so not what is trumps."""
    told = deal.turnups or deal.order_after_cut
    return law.turnup and not told and any(e.kind in ("play", "claim") for e in deal.events)


def _ruled(law: Law, deal: Deal) -> tuple[list[Ruling], int]:
    """Return what `referee_log` does of a deal of which it is known who dealt."""
    found, unjudged = _as_written(law, deal)
    if not found or not played(law, deal) or _all_played(law, deal):
        return found, unjudged
    if cut_off(deal, found):
        return found, unjudged
    said = scores_before(law, deal) or ()
    stand = not_resting_on_plays(_start(law, deal, said), deal, found)
    rule = partial(_rulings, law, said)
    put_back = wherever_put_back(deal, found, len(rule(deal)), rule)
    always = [r for r in found if r.code in ALWAYS]
    for more in (always, of_another(deal, found), put_back):
        stand += [r for r in more if r not in stand]
    return stand, unjudged + len(found) - len(stand)


def _rulings(law: Law, said: tuple[int, ...], deal: Deal) -> list[Ruling]:
    return referee(law, deal, said)[0]


def _all_played(law: Law, deal: Deal) -> bool:
    """Whether no play is lost of *deal* as it is written, or with what else it leaves out."""
    deal, _ = with_pool(law, deal)
    start = partial(_start, law, deal, scores_before(law, deal) or ())
    return any(whole(start(), deal, one) for one in _with_calls(deal, start))


def _with_calls(deal: Deal, start: Callable[[], Machine]) -> Iterator[Deal]:
    """Yield *deal*, and it with calls and exchanges that it may leave out."""
    yield deal
    if any(event.kind == "call" for event in deal.events):
        full = filled(deal, start)
        if full is not None:
            yield full.deal
        for other in fillings(deal, start):
            yield other.deal


def _as_written(law: Law, deal: Deal) -> tuple[list[Ruling], int]:
    """Return what `_ruled` does of a record in which every play is written."""
    said = scores_before(law, deal)
    deal, known = with_pool(law, deal)
    rulings, unjudged = referee(law, deal, said or ())
    if not rulings:
        return rulings, unjudged
    # Where no call is written nobody can tell what was said: see `certain`.
    called = any(event.kind == "call" for event in deal.events)
    full = filled(deal, partial(_start, law, deal, said or ())) if called else None
    found, more = None, 0
    if full is not None:
        again, more = referee(law, full.deal, said or ())
        if _weight(full.deal, again) < _weight(deal, rulings) and not full.amiss(again, rulings):
            kept = _resting_on_nothing(law, full.deal, again, said, known=known, written=deal)
            found = [replace(ruling, event=at) for ruling, at in full.rulings(kept)]
            if not full.sure:
                told = {_told(r) for r in rulings}
                found = [r for r in found if _told(r) in told]
            more += len(again) - len(found) + full.put_in
    if found is None:
        found = _resting_on_nothing(law, deal, rulings, said, known=known)
        more = unjudged + len(rulings) - len(found)
    if found and called:
        kept = _whatever_was_left_out(law, deal, found, rulings, said or ())
        found, more = kept, more + len(found) - len(kept)
    return found, more


def _told(ruling: Ruling) -> tuple[int, int, str]:
    return ruling.event, ruling.seat, ruling.what


def _whatever_was_left_out(
    law: Law, deal: Deal, found: list[Ruling], rulings: list[Ruling], said: tuple[int, ...]
) -> list[Ruling]:
    """Return those of *found* that stand in every filling in which less is wrong.

    *rulings* are those on the record as it is written.
    """
    for full in fillings(deal, partial(_start, law, deal, said)):
        again, _ = referee(law, full.deal, said)
        if _weight(full.deal, again) < _weight(deal, rulings) and not full.amiss(again, rulings):
            told = {_told(replace(ruling, event=at)) for ruling, at in full.rulings(again)}
            found = [ruling for ruling in found if _told(ruling) in told]
    return found


def _weight(deal: Deal, rulings: list[Ruling]) -> tuple[int, int]:
    """Return how many of *rulings* are on what was done, and how many there are.

    Calls after the last of them may be left out too, and payments then rest on those.
    """
    events = deal.events
    done = sum(r.event >= 0 and events[r.event].kind not in SETTLED for r in rulings)
    return done, len(rulings)


def _start(law: Law, deal: Deal, scores: tuple[int, ...]) -> Machine:
    made = machine(law, deal, scores)
    assert made is not None
    return made


def _resting_on_nothing(
    law: Law,
    deal: Deal,
    rulings: list[Ruling],
    said: tuple[int, ...] | None,
    *,
    known: bool,
    written: Deal | None = None,
) -> list[Ruling]:
    """Return the rulings that rest on nothing left out but calls; *known*: whether the pool is.

    *written* is the record without the calls put in, where there are any.
    """
    kept = _certain_of(law, deal, rulings, said, written)
    left_out, pooled = unwritten(deal, kept)
    kept = [ruling for ruling in kept if ruling not in left_out]
    if pooled or not known:
        for other in other_pools(law, deal) if kept else ():
            again = _certain_of(law, other, referee(law, other, said or ())[0], said, written)
            kept = [ruling for ruling in kept if ruling in again]
    return kept


def _certain_of(
    law: Law,
    deal: Deal,
    rulings: list[Ruling],
    said: tuple[int, ...] | None,
    written: Deal | None,
) -> list[Ruling]:
    """Return those of *rulings* that rest on nothing left out but payments and the pool."""
    again = machine(law, deal, said or ()) if rulings else None
    if again is None:
        return rulings
    kept = certain(again, deal, rulings, written)
    if said is None and kept:
        resting = resting_on_scores(law, deal, kept)
        kept = [ruling for ruling in kept if ruling not in resting]
    return kept


#: Events that are answers to what a machine wants, in the order of play.
MOVES = frozenset({"call", "exchange", "draw", "turn", "look", "play", "trick", "redeal"})
#: Rulings that rest on the scores written down and on nothing else: more than can be made.
ALWAYS = frozenset({"W19"})
SETTLED = frozenset({"score", "pay", "pool"})


def certain(
    made: Machine, deal: Deal, rulings: list[Ruling], written: Deal | None = None
) -> list[Ruling]:
    """Return those of *rulings* that do not rest on what the record leaves out.

    A record has a gap where another kind of event stands than was wanted and it
    holds none of the wanted kind at all.  From a gap on, or where the deal does not
    come to its end or a hand is not shown, from the first event out of its turn on,
    nothing is ruled, and no score or payment is.  Calls put in are none that the record
    holds: *written* is the record without them.
    """
    kinds = {event.kind for event in (written or deal).events}
    gap = first = len(deal.events)
    for at, event in enumerate(deal.events):
        if event.kind in MOVES or event.kind == "claim":
            want = made.wants()
            other = want is not None and want.kind != event.kind and not made.closed(event)
            if want is not None and other and (event.kind in MOVES or want.kind not in kinds):
                first = min(first, at)
                if want.kind not in kinds:
                    gap = at
                    break
        made.take(event)
    shown = len(deal.hands) == made.players and (all(deal.hands) or deal.order_after_cut)
    if gap == len(deal.events) and shown and made.wants() is None:
        return rulings
    before = {(r.what, r.seat) for r in made.rulings if r.event < 0}
    last = min(gap, first)
    return [
        r
        for r in rulings
        if r.code in ALWAYS
        or (r.event < 0 and (r.what, r.seat) in before)
        or (0 <= r.event < last and deal.events[r.event].kind not in SETTLED)
    ]
