"""The pool of Loo: what a deal pays out of it and into it, in white counters.

Source: Foster, Loo ("The pool", "Flushes", "Revokes", "Irregularities and Penalties");
the household book, end of Loo and section 100.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from audit.event import Event
from audit.referee.machine import Due, unmatched
from audit.rules.loo import Loo

End = Literal["", "nobody", "alone", "flush", "revoke", "tricks", "misdeal"]
#: What cannot be told where the pool is not known.
OF_THE_POOL = frozenset({"tricks", "flush", "alone", "division", "left"})


@dataclass(kw_only=True)
class Account:
    """What the payments of one deal depend on.

    *pool* before the deal, None where not known.  *forfeits* are of the current
    pool; *fined* win nothing this deal, *fouled* neither and pay to the next pool.
    *winner* of an unplayed pool; *holders* of flushes; *keeper* plays for the pool.
    """

    rules: Loo
    seats: list[int]
    pool: int | None = None
    playing: list[int] = field(default_factory=list)
    tricks: dict[int, int] = field(default_factory=dict)
    forfeits: list[int] = field(default_factory=list)
    fined: set[int] = field(default_factory=set)
    fouled: set[int] = field(default_factory=set)
    holders: list[int] = field(default_factory=list)
    winner: int = 0
    keeper: int = 0
    offender: int = 0
    end: End = ""

    @property
    def current(self) -> int:
        """Counters in the pool with the forfeits of this deal, which must be known."""
        assert self.pool is not None
        return self.pool + self.rules.fine * len(self.forfeits)

    def wins(self, seat: int) -> bool:
        """Whether *seat* may draw from the pool."""
        return seat not in self.fined | self.fouled and seat != self.keeper


def _out(seat: int, word: str, number: int) -> Due:
    return Due(kind="pay", seat=0, word=word, number=number, to=seat)


def _in(seat: int, word: str, number: int) -> Due:
    return Due(kind="pay", seat=seat, word=word, number=number)


def _tricks(a: Account) -> list[Due]:
    found: list[Due] = []
    if a.pool is not None and a.rules.play != "lost":
        share = a.current // a.rules.cards
        found += [_out(s, "tricks", share * k) for s, k in a.tricks.items() if k and a.wins(s)]
    for seat, won in a.tricks.items():
        if not won and seat != a.keeper:
            found += _looed(a, seat, grows=True)
    return found


def _looed(a: Account, seat: int, *, grows: bool) -> list[Due]:
    if not (a.rules.unlimited and grows):
        return [_in(seat, "loo", a.rules.loo)]
    return [] if a.pool is None else [_in(seat, "loo", a.current)]


def _flush(a: Account) -> list[Due]:
    found: list[Due] = []
    if a.pool is not None and a.wins(a.winner):
        found.append(_out(a.winner, "flush", a.current))
    free = {a.winner, *(a.holders if a.rules.younger == "free" else ())}
    grows = a.rules.flush_loo == "as looed"
    for seat in a.playing if a.rules.pays == "in" else a.seats:
        if seat not in free:
            found += _looed(a, seat, grows=grows)
    return found


def _revoke(a: Account) -> list[Due]:
    others = [s for s in a.playing if s != a.offender]
    found: list[Due] = []
    if a.pool is not None and others:
        share = a.current // len(others)
        found += [_out(s, "division", share) for s in others if a.wins(s)]
    return [*found, _in(a.offender, "penalty", 2 * a.rules.fine)]


def _alone(a: Account) -> list[Due]:
    if a.pool is None or a.rules.play == "lost" or not a.wins(a.winner):
        return []
    return [_out(a.winner, "alone", a.current)]


_ENDS: dict[str, Callable[[Account], list[Due]]] = {
    "tricks": _tricks,
    "flush": _flush,
    "revoke": _revoke,
    "alone": _alone,
}


def dues(a: Account) -> list[Due]:
    """Return all payments of a deal that is over, and the pool that is left for the next."""
    if not a.end:
        return []
    found = [_in(seat, "forfeit", a.rules.fine) for seat in a.forfeits]
    if a.end in _ENDS:
        found += _ENDS[a.end](a)
    # One penalty is paid, whether as a loo or for the irregularity.
    paying = {d.seat for d in found if d.word in ("loo", "penalty")}
    found += [_in(s, "penalty", a.rules.fine) for s in sorted(a.fouled - paying)]
    if a.pool is not None and a.rules.play != "lost":
        moved = sum(d.number if d.seat else -d.number for d in found)
        found.append(Due(kind="pool", seat=0, word="left", number=a.pool + moved))
    return found


def _whom(seat: int) -> str:
    return f"seat {seat}" if seat else "the pool"


def _text(kind: str, seat: int, to: int, number: int) -> str:
    if kind == "pay":
        return f"{number} from {_whom(seat)} to {_whom(to)}"
    return str(number)


def differences(
    due: list[Due], settled: list[tuple[int, Event]]
) -> list[tuple[int, int, str, Event | None]]:
    """Return (event, seat, what, lacks) for each payment that is not as due.

    *lacks* is the payment that is not recorded, its event being -1.
    """
    wanted = [d.event for d in due]
    found: list[tuple[int, int, str, Event | None]] = []
    for at, event in unmatched(settled, wanted):
        near = [w for w in wanted if w.kind == event.kind and event.word in ("", w.word)]
        near.sort(key=lambda w: (w.seat != event.seat) + (w.to != event.to))
        text = "nothing"
        if near:
            wanted.remove(near[0])
            text = _text(near[0].kind, near[0].seat, near[0].to, near[0].number)
        said = _text(event.kind, event.seat, event.to, event.number)
        found.append((at, event.seat or event.to, f"{event.word}: {said}, wanted {text}", None))
    for w in wanted:
        text = _text(w.kind, w.seat, w.to, w.number)
        found.append((-1, w.seat or w.to, f"{w.word}: {text} was not recorded", w))
    return found
