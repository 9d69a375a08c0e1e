"""Calls that a record leaves out: who passed, stood or begged without its being written down.

A scribe may write only the bid that was highest, or that the cards were run and not that
somebody begged.  A call that is then out of its turn is no fault where calls of which the
record never writes the word would put it in its turn.

Source: what a log may leave out is no law of any book; see `certain` in this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec import structs

from audit.event import Event, Want
from audit.record import Deal
from audit.referee.machine import Machine, Ruling

#: What changes nothing is left out first.
QUIET = ("pass", "stand", "play", "leave", "keep", "turn down", "nothing")
#: Games in which only those who declare to play have a card to play, and their words for it.
DECLARED = frozenset({"loo", "rams"})
IN = frozenset({"play", "stand"})
#: Events that wait for calls before them.
MOVES = frozenset({"call", "exchange", "draw", "turn", "play", "trick", "look", "claim", "redeal"})
#: So many ways are tried to put one event into its turn.
MOST_TRIED = 150


@dataclass(frozen=True, kw_only=True)
class Filled:
    """A record with the calls that it leaves out; *old* are the numbers of its events before.

    *old* is -1 for a call put in; *sure* whether no other call would have done there.
    """

    deal: Deal
    old: tuple[int, ...]
    sure: bool

    @property
    def put_in(self) -> int:
        """How many calls were put in."""
        return self.old.count(-1)

    def amiss(self, again: Iterable[Ruling], before: Iterable[Ruling]) -> bool:
        """Whether the calls put in make others wrong that were not: somebody spoke otherwise."""
        told = {(r.event, r.what) for r in before}
        calls = {k for k, e in enumerate(self.deal.events) if e.kind == "call"}
        return any((self.old[r.event], r.what) not in told for r in again if r.event in calls)

    def rulings(self, rulings: Iterable[Ruling]) -> Iterator[tuple[Ruling, int]]:
        """Yield those of *rulings* that are not on a call put in, with their events before."""
        for ruling in rulings:
            at = self.old[ruling.event] if ruling.event >= 0 else -1
            if at >= 0 or ruling.event < 0:
                yield ruling, at


def filled(deal: Deal, start: Callable[[], Machine]) -> Filled | None:
    """Return *deal* with unwritten calls before each event that they put into its turn.

    *start* makes the machine of the deal anew.  None where there are none to put in.
    """
    written = {e.word for e in deal.events if e.kind == "call"}
    machine, events, old, sure = start(), list[Event](), list[int](), True
    rules = machine.law.rules
    declared = rules is not None and rules.family in DECLARED
    seats = {e.seat for e in deal.events if e.kind == "play"} if declared else set[int]()
    for at, event in enumerate(deal.events):
        want = machine.wants() if event.kind in MOVES else None
        if want is not None and want.kind == "call" and not _fits(want, event):
            ways = _before(event, events, written, seats, start)
            rest = deal.events[at:]
            rated = sorted(
                (_breaches(start, [*events, *way, *rest]), k) for k, way in enumerate(ways)
            )
            if rated:
                found = ways[rated[0][1]]
                machine.take_all(found)
                events += found
                old += [-1] * len(found)
                sure &= len(rated) == 1 or rated[0][0] < rated[1][0]
        machine.take(event)
        events.append(event)
        old.append(at)
    if len(events) == len(deal.events):
        return None
    return Filled(deal=structs.replace(deal, events=tuple(events)), old=tuple(old), sure=sure)


def _breaches(start: Callable[[], Machine], events: Sequence[Event]) -> int:
    machine = start()
    machine.take_all(events)
    return len(machine.rulings)


def _fits(want: Want | None, event: Event) -> bool:
    """Whether *event* may stand where *want* is wanted, as far as calls go."""
    if event.kind == "call":
        return (
            want is not None
            and (want.kind, want.seat) == (event.kind, event.seat)
            and event.word in want.words
        )
    if event.kind in ("look", "claim"):
        return want is not None and (want.kind, want.seat) == (event.kind, event.seat)
    return want is None or want.kind != "call"


def _before(
    event: Event,
    events: Sequence[Event],
    written: set[str],
    seats: set[int],
    start: Callable[[], Machine],
) -> list[list[Event]]:
    """Return the shortest ways, in unwritten calls, to put *event* into its turn.

    Calls that change nothing go before all others.  Where none but those who declared have a
    card to play, *seats* tell who did.
    """
    for quiet in (True, False):
        layer, tried = [list[Event]()], 0
        while layer and tried < MOST_TRIED:
            later: list[list[Event]] = []
            good: list[list[Event]] = []
            for calls in layer[: MOST_TRIED - tried]:
                machine = start()
                machine.take_all([*events, *calls])
                want, before = machine.wants(), len(machine.rulings)
                tried += 1
                if calls and _fits(want, event):
                    machine.take(event)
                    good += [calls] * (len(machine.rulings) == before)
                elif want is not None and want.kind == "call":
                    words = [w for w in want.words if w not in written]
                    words = [w for w in words if w in QUIET or not quiet]
                    if seats and "pass" in words and set(words) & IN:
                        playing = want.seat in seats
                        words = [w for w in words if playing == (w in IN)]
                    later += [[*calls, Event(kind="call", seat=want.seat, word=w)] for w in words]
            if good:
                return good
            layer = later
    return []
