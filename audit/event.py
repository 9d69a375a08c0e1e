"""What happens in a deal after the cards are dealt, one event after another.

Kinds and what they carry (seat is the place at the table from 1, 0 nobody):

    call      word: a bid, beg, stand, pass, order, put ..., number if it has one
    exchange  cards: given up (face down: as far as the log knows them), word: from what
    draw      cards: taken in, in the order taken
    turn      cards: turned up after the first turn-up
    look      word: what was looked at
    play      cards: one card played or shown (Cassino: then the cards taken)
    trick     the seat that gathers it
    claim     word: what is claimed
    score     word: for what, number: points (a set-back is a `penalty`)
    pay       to: the seat paid (0 the pool), number: counters
    pool      number: counters in it
    irregular word: what was found, e.g. "foul hand", "exposed", "faced card"
    redeal    word: why; the deal ends
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import msgspec

Kind = Literal[
    "call",
    "exchange",
    "draw",
    "turn",
    "look",
    "play",
    "trick",
    "claim",
    "score",
    "pay",
    "pool",
    "irregular",
    "redeal",
]


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event; what a field means depends on the kind, see above."""

    kind: Kind
    seat: int = 0
    cards: bytes = b""
    word: str = ""
    number: int = 0
    to: int = 0


@dataclass(frozen=True, kw_only=True)
class Want:
    """What may come next: an event of *kind* by *seat*.

    *words* or *cards* are the choices; *count* cards are picked (at least *least* where fewer
    will do); *numbers* is an inclusive range for the number.  Where *sets* stand, one of
    them is the whole of the event's cards (Cassino: the card played, then those taken).
    """

    kind: Kind
    seat: int
    words: tuple[str, ...] = ()
    cards: tuple[int, ...] = ()
    count: int = 1
    least: int | None = None
    numbers: tuple[int, int] | None = None
    sets: tuple[bytes, ...] = ()


@dataclass(kw_only=True)
class Seen:
    """What one seat can see: its own hand, and what is public; *trump* -1 is not known.

    *shown* are cards elsewhere that only this seat was shown.
    """

    game: str
    seat: int
    dealer: int
    players: int
    hand: list[int]
    turnups: list[int] = field(default_factory=list)
    trump: int = -1
    trick: list[int] = field(default_factory=list)
    played: list[tuple[int, int]] = field(default_factory=list)
    calls: list[Event] = field(default_factory=list)
    scores: tuple[int, ...] = ()
    shown: list[int] = field(default_factory=list)


#: Uniform integers below a bound, from the seed of the simulation.
Below = Callable[[int], int]
#: A way of playing: picks one event that is wanted, from what its seat can see.
Choose = Callable[[Want, Seen, Below], Event]
