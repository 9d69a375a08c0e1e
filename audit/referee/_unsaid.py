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
#: So many ways are tried to put one event into its turn, and so many events taken again for
#: all of a deal: a record made to be slow to read costs no more.
MOST_TRIED, MOST_TAKEN = 150, 60_000


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
    search, machine = _Search(deal, start), start()
    events, old, sure = list[Event](), list[int](), True
    for at, event in enumerate(deal.events):
        want = machine.wants() if event.kind in MOVES else None
        if want is not None and want.kind == "call" and not fits(want, event):
            way, alone = search.best(event, events, deal.events[at:])
            sure = sure and alone
            for call in way:
                machine.take(call)
                events.append(call)
                old.append(-1)
        machine.take(event)
        events.append(event)
        old.append(at)
    if len(events) == len(deal.events):
        return None
    return Filled(deal=structs.replace(deal, events=tuple(events)), old=tuple(old), sure=sure)


def fits(want: Want | None, event: Event) -> bool:
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


class Tries:
    """Plays one record again and again, counting in *taken* the events that were taken.

    *seats* are those who play a card, where nobody else can have declared to play; *start*
    makes the machine of the deal anew.
    """

    def __init__(self, deal: Deal, start: Callable[[], Machine]) -> None:
        self.start, self.taken = start, 0
        rules = start().law.rules
        declared = rules is not None and rules.family in DECLARED
        self.seats = {e.seat for e in deal.events if e.kind == "play"} if declared else set[int]()

    def after(self, events: Sequence[Event]) -> Machine:
        """Return the machine that has taken *events*."""
        machine = self.start()
        machine.take_all(events)
        self.taken += len(events) + 1
        return machine


class _Search(Tries):
    """Looks for the calls that one record leaves out; *written* are the words of its calls."""

    def __init__(self, deal: Deal, start: Callable[[], Machine]) -> None:
        super().__init__(deal, start)
        self.written = {e.word for e in deal.events if e.kind == "call"}

    def _breaches(self, events: Sequence[Event]) -> int:
        """Return how many rulings the machine makes on *events*, scores and payments too."""
        return len(self.after(events).finish())

    def best(
        self, event: Event, events: Sequence[Event], rest: Sequence[Event]
    ) -> tuple[list[Event], bool]:
        """Return the calls that put *event* into its turn, and whether no others do as well.

        Calls that change nothing are put in where nothing in the *rest* is wrong then; else
        the others are tried too, for what was not written may be what made it right.
        """
        rated: list[tuple[int, int, list[Event]]] = []
        for quiet in (True, False):
            ways = self.before(event, events, quiet=quiet)
            if len(ways) == 1 and not quiet and not rated:
                return ways[0], True
            for way in ways:
                if all(way != other for _, _, other in rated):
                    rated.append((self._breaches([*events, *way, *rest]), len(rated), way))
            if any(not wrong for wrong, _, _ in rated):
                break
        if not rated:
            return [], True
        rated.sort(key=lambda one: one[:2])
        return rated[0][2], len(rated) == 1 or rated[0][0] < rated[1][0]

    def _words(self, want: Want, *, quiet: bool) -> list[str]:
        words = [w for w in want.words if w not in self.written and (w in QUIET or not quiet)]
        if self.seats and "pass" in words and set(words) & IN:
            playing = want.seat in self.seats
            words = [w for w in words if playing == (w in IN)]
        return words

    def before(self, event: Event, events: Sequence[Event], *, quiet: bool) -> list[list[Event]]:
        """Return the shortest ways, in unwritten calls, to put *event* into its turn.

        With *quiet* only in calls that change nothing.
        """
        layer, tried = [list[Event]()], 0
        while layer and tried < MOST_TRIED:
            later: list[list[Event]] = []
            good: list[list[Event]] = []
            for calls in layer[: MOST_TRIED - tried]:
                if self.taken >= MOST_TAKEN:
                    return good
                machine = self.after([*events, *calls])
                want, before = machine.wants(), len(machine.rulings)
                tried += 1
                if calls and fits(want, event):
                    machine.take(event)
                    good += [calls] * (len(machine.rulings) == before)
                elif want is not None and want.kind == "call":
                    for word in self._words(want, quiet=quiet):
                        later.append([*calls, Event(kind="call", seat=want.seat, word=word)])
            if good:
                return good
            layer = later
        return []
