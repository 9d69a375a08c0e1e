"""Where the referee and the outsider's checkers differ: on cards, turns, tricks and scores.

A difference is a value, so that a short form and a long one can use the same comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from msgspec.structs import replace

from audit.event import Event, Seen, Want
from audit.games import GAMES
from audit.play import PLAY
from audit.record import Deal
from audit.referee import referee
from audit.referee.simulate import deals
from tests.laws import outsider
from tests.laws.outsider import Trick, Turn
from tests.laws.outsider_pitch import CALIFORNIA
from tests.laws.outsider_rows import Row, faults, settles, unsettled

#: The kinds of event in which the cards are played, drawn, turned and gathered.
PLAYED = ("play", "trick", "turn", "draw")


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One place where the two do not say the same of a deal."""

    what: str
    event: int
    mine: object
    theirs: object
    deal: Deal


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A simulated deal and the cards that each of its players was offered, in order."""

    deal: Deal
    offered: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Change:
    """A deal with one thing made wrong at event *at*, or in what it scores (-1)."""

    kind: str
    deal: Deal
    at: int = -1


def sample(row: Row, *, count: int, seed: int) -> list[Sample]:
    """Return at least *count* simulated deals of a game, spread over its tables."""
    by_lot = PLAY["by_lot"].choose
    assert by_lot is not None
    offered: list[tuple[int, ...]] = []

    def choose(want: Want, seen: Seen, below: Callable[[int], int]) -> Event:
        if want.kind == "play":
            offered.append(tuple(sorted(want.cards)))
        return by_lot(want, seen, below)

    found, law = [], GAMES[row.game]
    share = -(-count // len(row.tables))
    for players in row.tables:
        for deal in deals(
            law, players=players, choose=choose, count=share, seed=seed, options=row.options
        ):
            found.append(Sample(deal=deal, offered=tuple(offered)))
            offered.clear()
    return found


def played(deal: Deal) -> bool:
    """Return whether a deal came to play."""
    return any(e.kind == "play" for e in deal.events)


def objections(deal: Deal) -> list[tuple[int, str]]:
    """Return the events to which the referee objects, and by which code."""
    found, _ = referee(GAMES[deal.game], deal)
    return [(r.event, r.code) for r in found]


def unchanged(row: Row, one: Sample, tried: Counter[str]) -> Iterator[Difference]:
    """Yield where one of the two objects to a simulated deal, or they allow other cards.

    *tried* counts the plays, and those at which not every card of the hand was allowed.
    """
    deal = one.deal
    mine: list[object] = [*faults(row, deal)] if played(deal) else []
    mine += [wrong for wrong in [unsettled(row, deal)] if wrong and played(deal)]
    theirs = objections(deal)
    if mine or theirs:
        yield Difference(what="unchanged", event=-1, mine=mine, theirs=theirs, deal=deal)
    steps = outsider.turns(deal, row.read(deal)) if played(deal) else ()
    turns = [t for t in steps if isinstance(t, Turn)]
    for turn, offer in zip(turns, one.offered, strict=True):
        legal = tuple(sorted(turn.legal))
        tried["play"] += 1
        tried["narrowed"] += len(legal) < len(turn.held)
        if legal != offer:
            yield Difference(what="legal", event=turn.event, mine=legal, theirs=offer, deal=deal)


def with_events(deal: Deal, changes: Mapping[int, Event]) -> Deal:
    """Return the deal with some of its events put in the place of others."""
    return replace(deal, events=tuple(changes.get(k, e) for k, e in enumerate(deal.events)))


def swapped(deal: Deal, turn: Turn, card: int) -> Deal:
    """Return the deal with *card* played at *turn*, and the true card where *card* was played."""
    true = deal.events[turn.event]
    changes = {turn.event: replace(true, cards=bytes([card]))}
    for at, event in enumerate(deal.events):
        if at > turn.event and event.kind == "play" and event.cards[0] == card:
            changes[at] = replace(event, cards=true.cards)
    return with_events(deal, changes)


def gathered(row: Row, deal: Deal) -> Deal:
    """Return the deal with each trick gathered by who won it, where its events do not say so."""
    if not played(deal) or any(e.kind == "trick" for e in deal.events):
        return deal
    steps = outsider.turns(deal, row.read(deal))
    won = {t.last: t.winner for t in steps if isinstance(t, Trick)}
    events, due = list[Event](), 0
    for at, event in enumerate(deal.events):
        if due and event.kind != "turn":
            events.append(Event(kind="trick", seat=due))
            due = 0
        events.append(event)
        due = won.get(at, due)
    return replace(deal, events=tuple(events))


def bare(deal: Deal) -> Deal:
    """Return the deal without the gathering of its tricks, which not every record tells."""
    return replace(deal, events=tuple(e for e in deal.events if e.kind != "trick"))


def changes(row: Row, deal: Deal) -> Iterator[Change]:
    """Yield a deal with each illegal card, wrong leader, gatherer and score put in it in turn."""
    book = row.read(deal)
    lead: list[int] = []
    for step in outsider.turns(deal, book):
        if isinstance(step, Turn):
            lead.append(step.event)
            for card in set(step.held) - set(step.legal):
                yield Change(kind="card", deal=swapped(deal, step, card), at=step.event)
            continue
        if lead[-1] - lead[0] >= len(lead):
            # Something is said between the plays, which would no longer be said in time.
            lead = []
            continue
        if book.leader or any(e.kind == "play" for e in deal.events[: lead[0]]):
            cards = [deal.events[k] for k in lead]
            turned = dict(zip(lead, [*cards[1:], cards[0]], strict=True))
            yield Change(kind="leader", deal=with_events(deal, turned), at=lead[0])
        for one, two in pairwise(lead[1:]):
            early = with_events(deal, {one: deal.events[two], two: deal.events[one]})
            yield Change(kind="early", deal=early, at=one)
        lead = []
    for at, event in enumerate(deal.events):
        if event.kind == "trick":
            for seat in book.seats:
                if book.side(seat) != book.side(event.seat):
                    wrong = with_events(deal, {at: replace(event, seat=seat)})
                    yield Change(kind="gatherer", deal=wrong, at=at)
        elif event.kind == "turn" and row.game.endswith("simple"):
            yield from _moved(deal, at)
        elif event.kind == "draw" and row.game in CALIFORNIA:
            wrong = with_events(deal, {at: replace(event, seat=3 - event.seat)})
            yield Change(kind="draw", deal=wrong, at=at)
        elif settles(event):
            for other in _one_off(event, len(deal.hands)):
                yield Change(kind="score", deal=with_events(deal, {at: other}))


def _moved(deal: Deal, at: int) -> Iterator[Change]:
    """Yield a deal with its turn-up a trick early, and a trick late where one follows."""
    rest, turn = deal.events[:at] + deal.events[at + 1 :], deal.events[at]
    plays = [k for k, e in enumerate(rest) if e.kind == "play"]
    done = sum(k < at for k in plays)
    for to in (done - len(deal.hands), done + len(deal.hands)):
        if to < len(plays):
            place = plays[to]
            moved = replace(deal, events=(*rest[:place], turn, *rest[place:]))
            yield Change(kind="turn", deal=moved, at=place)


def _one_off(event: Event, count: int) -> Iterator[Event]:
    """Yield what is scored or paid one more, one less, by the next seat, and to the next."""
    yield replace(event, number=event.number + 1)
    if event.number > 1:
        yield replace(event, number=event.number - 1)
    if event.seat:
        yield replace(event, seat=event.seat % count + 1)
    if event.to:
        yield replace(event, to=event.to % count + 1)


def amiss(deal: Deal, found: list[tuple[int, str]]) -> set[int]:
    """Return the plays, draws, turns and tricks objected to; an ace kept silent is none of them."""
    return {at for at, code in found if code != "W50" and deal.events[at].kind in PLAYED}


def changed(row: Row, deal: Deal, tried: Counter[str]) -> Iterator[Difference]:
    """Yield where the two do not object to a change, or not to the same events after it.

    Who only goes on after another's error is to be left alone by both.  *tried* counts all.
    """
    for change in changes(row, deal):
        tried[change.kind] += 1
        found = objections(change.deal)
        theirs, mine = amiss(change.deal, found), {f.event for f in faults(row, change.deal)}
        wrong = unsettled(row, change.deal) if change.at < 0 else ""
        same = mine == theirs and (change.at in mine if change.at >= 0 else wrong and found)
        if change.kind == "leader" and row.game != "bierspiel":
            # To lead a trump, or the best one, binds only him whose lead it is; in Bierspiel
            # "a trump must be led", by anybody.
            at_once = [code for at, code in found if at == change.at and code != "W50"]
            same = same and len(at_once) == 1
        if not same:
            yield Difference(
                what=change.kind,
                event=change.at,
                mine=wrong or mine,
                theirs=found,
                deal=change.deal,
            )


def allowed(row: Row, deal: Deal, tried: Counter[str]) -> Iterator[Difference]:
    """Yield where the two differ after a card is changed for another that may be played.

    The same plays and tricks are wrong, or none, and then the scores are wrong to both.
    """
    for turn in outsider.turns(deal, row.read(deal)):
        if not isinstance(turn, Turn):
            continue
        for card in set(turn.legal) - set(deal.events[turn.event].cards):
            other = swapped(deal, turn, card)
            found = objections(other)
            theirs, mine = amiss(other, found), {f.event for f in faults(row, other)}
            wrong = "" if mine else unsettled(row, other)
            tried["other" if mine else "rescored" if wrong else "same"] += 1
            if mine != theirs or (not mine and bool(wrong) != bool(found)):
                yield Difference(
                    what="other", event=turn.event, mine=wrong or mine, theirs=found, deal=other
                )
