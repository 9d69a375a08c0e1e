"""Records that write some calls and exchanges of a kind and leave others of it out.

A scribe may stop writing passes at the last bid, write the declarations of those who play
alone, or miss the one call that was loud.  Such a record cannot be right as it stands; where
some calls put in make it so, or make less of it wrong, what they undo is not judged.

Source: what a log may leave out is no law of any book; see `certain` in this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from msgspec import structs

from audit.event import Event, Want
from audit.record import Deal
from audit.referee._unsaid import IN, MOVES, QUIET, Filled, Tries, fits
from audit.referee.machine import Machine

#: So many fillings are followed side by side, and so many ways tried into the turn of one
#: event; in a way there are at most so many calls that change something.
BREADTH, MOST_TRIED, MOST_WAYS, MOST_LOUD = 10, 200, 16, 1
#: So many events are taken again for all of a deal.
MOST_TAKEN = 90_000
#: A card that nobody shows.
HIDDEN = 255
EXCHANGES = frozenset({"exchange", "draw"})


#: Calls and exchanges put in, and the machine that has taken them and the event after them.
Way = tuple[list[Event], Machine]


def _no_ways(path: _Path, event: Event) -> list[Way]:
    return []


class _Path:
    """The record up to some event with what was put in; *old* as in `Filled`."""

    def __init__(self, machine: Machine, events: list[Event], old: list[int], loud: int) -> None:
        self.machine, self.events, self.old, self.loud = machine, events, old, loud

    @property
    def cost(self) -> tuple[int, int, int]:
        """What is wrong on this path, then what was put in, the loud first."""
        return len(self.machine.rulings), self.loud, self.old.count(-1)

    def after(self, way: list[Event], machine: Machine, event: Event, at: int) -> _Path:
        """Return this path with *way* put in before *event*, both of which *machine* has taken."""
        events = [*self.events, *way, event]
        old = [*self.old, *[-1] * len(way), at]
        return _Path(machine, events, old, self.loud + sum(map(_loud, way)))

    def take(self, event: Event, at: int) -> None:
        self.machine.take(event)
        self.events.append(event)
        self.old.append(at)


def fillings(deal: Deal, start: Callable[[], Machine]) -> list[Filled]:
    """Return fillings of *deal* with calls and exchanges of any word, the least wrong first.

    *start* makes the machine of the deal anew.  Each of them has something put in, and none
    of them is known to be the only one.
    """
    search = _Search(deal, start)
    paths = [_Path(start(), [], [], 0)]
    for at, event in enumerate(deal.events):
        ways = search.ways if event.kind in MOVES else _no_ways
        others = [path.after(*way, event, at) for path in paths for way in ways(path, event)]
        for path in paths:
            path.take(event, at)
        paths += others
        if len(paths) > 1:
            paths.sort(key=lambda path: path.cost)
            paths = paths[:BREADTH]
    return [
        Filled(deal=structs.replace(deal, events=tuple(p.events)), old=tuple(p.old), sure=False)
        for p in paths
        if -1 in p.old
    ]


class _Search(Tries):
    """Looks for what may stand before one event; *drawn* is what the record says was drawn."""

    def __init__(self, deal: Deal, start: Callable[[], Machine]) -> None:
        super().__init__(deal, start)
        self.drawn = {c for e in deal.events if e.kind == "draw" for c in e.cards if c < HIDDEN}

    def _out_of_turn(self, path: _Path, event: Event) -> bool:
        """Whether something may be missing before *event*."""
        want = path.machine.wants()
        if want is None or want.kind not in (*EXCHANGES, "call"):
            return False
        if want.kind == "call":
            return not fits(want, event)
        if want.kind == event.kind and want.seat in (0, event.seat):
            return bool(want.words) and event.word not in want.words
        return True

    def ways(self, path: _Path, event: Event) -> list[Way]:
        """Return the shortest ways to put *event* into its turn, those of quiet calls first."""
        if not self._out_of_turn(path, event):
            # Who says something in his turn may have said another thing before it.
            return self._before(path, event, MOST_LOUD, deep=1) if event.kind == "call" else []
        out: list[Way] = []
        for most in range(MOST_LOUD + 1):
            known = [way for way, _ in out]
            out += [one for one in self._before(path, event, most) if one[0] not in known]
        return out[:MOST_WAYS]

    def _before(self, path: _Path, event: Event, most: int, deep: int = MOST_TRIED) -> list[Way]:
        """Return the shortest ways of at most *most* loud calls, and *deep* in all."""
        near: list[Way] = []
        layer, tried = self._longer([], path.machine, event, most), 0
        while layer and tried < MOST_TRIED and len(layer[0]) <= deep:
            later: list[list[Event]] = []
            good: list[Way] = []
            for way in layer[: MOST_TRIED - tried]:
                if self.taken >= MOST_TAKEN:
                    return good or near
                machine = self.after([*path.events, *way])
                want, before = machine.wants(), len(machine.rulings)
                tried += 1
                later += self._longer(way, machine, event, most)
                if before == len(path.machine.rulings) and fits(want, event):
                    machine.take(event)
                    (good if len(machine.rulings) == before else near).append((way, machine))
            if good:
                return good
            layer = later
        return near

    def _longer(
        self, way: list[Event], machine: Machine, event: Event, most: int
    ) -> list[list[Event]]:
        """Return *way* with each of the answers that *machine* wants after it."""
        want = machine.wants()
        if want is None:
            return []
        left = most - sum(map(_loud, way))
        return [[*way, e] for e in self._answers(machine, want, event) if _loud(e) <= left]

    def _answers(self, machine: Machine, want: Want, event: Event) -> Iterator[Event]:
        """Yield what may have been said or done where *want* was wanted, before *event*."""
        words = want.words
        if want.kind == "draw":
            # What only the pack tells is not put in where the record does not show the pack.
            with suppress(NotImplementedError, IndexError):
                drawn = machine.nature(want)
                if not self.drawn & set(drawn.cards):
                    yield drawn
        elif want.kind == "exchange":
            # As many are drawn as were laid aside.
            count = len(event.cards) if event.kind == "draw" else max(want.count, 1)
            for word in words or ("",):
                cards = bytes([HIDDEN] * count)
                yield Event(kind="exchange", seat=want.seat, cards=cards, word=word)
        elif want.kind == "call":
            if self.seats and "pass" in words and set(words) & IN:
                playing = want.seat in self.seats
                words = tuple(w for w in words if (w != "pass" if playing else w not in IN))
            for word in sorted(words, key=lambda word: word not in QUIET):
                yield Event(kind="call", seat=want.seat, word=word)


def _loud(event: Event) -> bool:
    return event.kind == "call" and event.word not in QUIET
