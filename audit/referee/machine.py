"""What every game's machine can do: say what is wanted next, take an event, keep the score.

A machine takes any event.  What the law does not allow becomes a ruling, and the
deal goes on as it was played, for the rest of it is to be judged too.  The same
machine serves a simulation: a player picks one of the events that it wants.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec import Struct, structs

from audit.event import Event, Kind, Seen, Want
from audit.law import Law
from audit.record import Deal


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """One breach: which event, by whom, what was wrong, the law, and what it asks for.

    *event* is the index in the deal's events, -1 for the deal itself; *code* the
    warning it answers, or "LAW"; *lacks* a score, payment or count of the pool that the
    law gives and the record does not hold.
    """

    event: int
    seat: int
    what: str
    law: str
    remedy: str
    code: str = "LAW"
    lacks: Event | None = None


class Due(Struct, frozen=True, kw_only=True):
    """Points or payments that the law gives: to *seat* (a place), for *word*.

    *may*: it need not be recorded, the game being won without it.
    """

    kind: Kind
    seat: int
    word: str
    number: int
    to: int = 0
    may: bool = False

    @property
    def event(self) -> Event:
        """The event in which it is recorded."""
        return Event(kind=self.kind, seat=self.seat, word=self.word, number=self.number, to=self.to)


class Machine(ABC):
    """One deal of one game. Seats are places at the table from 1.

    *deal* gives players, dealer_seat, first hands by place, widow and turn-up; a
    stock that is known (order_after_cut) serves draws, else the record's events do.
    """

    def __init__(self, law: Law, deal: Deal, scores: Sequence[int] = ()) -> None:
        self.law, self.deal = law, deal
        self.players = deal.players or len(deal.hands) or law.players[1]
        self.dealer = deal.dealer_seat or self.players
        self.hands: list[list[int]] = [[]] + [list(h) for h in deal.hands]
        self.turnups: list[int] = list(deal.turnups[:1])
        self.scores = list(scores) or [0] * (self.players + 1)
        self.rulings: list[Ruling] = []
        self.calls: list[Event] = []
        self.played: list[tuple[int, int]] = []
        self.settled: list[tuple[int, Event]] = []
        self.trump = -1
        self.trick: list[int] = []
        self.at = -1
        self.unjudged = 0
        self.over = False

    # -- seats ------------------------------------------------------------------------------

    def after(self, seat: int, steps: int = 1) -> int:
        """Return the seat *steps* to the left of *seat*."""
        return (seat - 1 + steps) % self.players + 1

    @property
    def eldest(self) -> int:
        """The seat on the dealer's left."""
        return self.after(self.dealer)

    @property
    def pone(self) -> int:
        """The seat on the dealer's right."""
        return self.after(self.dealer, self.players - 1)

    def in_order(self) -> list[int]:
        """Return all seats from the eldest to the dealer."""
        return [self.after(self.dealer, k) for k in range(1, self.players + 1)]

    def seen(self, seat: int) -> Seen:
        """Return what *seat* may base a decision on."""
        return Seen(
            game=self.law.id,
            seat=seat,
            dealer=self.dealer,
            players=self.players,
            hand=list(self.hands[seat]),
            turnups=list(self.turnups),
            trump=self.trump,
            trick=list(self.trick),
            played=list(self.played),
            calls=list(self.calls),
            scores=tuple(self.scores),
        )

    # -- what a game says -------------------------------------------------------------------

    @abstractmethod
    def wants(self) -> Want | None:
        """Return what has to come next, None when only scores are left."""

    @abstractmethod
    def step(self, event: Event) -> None:
        """Take an event other than a score or payment; add rulings, go on."""

    @abstractmethod
    def due(self) -> list[Due]:
        """Return the points and payments of the deal as far as it was played."""

    def nature(self, want: Want) -> Event:
        """Return the event that the pack itself gives (a card turned), for seat 0."""
        raise NotImplementedError(f"{self.law.id}: nothing of the kind {want.kind} comes by itself")

    def record(self, dealt: Deal, events: tuple[Event, ...]) -> Deal:
        """Return the record of the whole deal, with what was turned and run as it came."""
        return structs.replace(dealt, events=events)

    def stock(self) -> list[int]:
        """Return the cards below the first turn-up where the order of the pack is known."""
        order = self.deal.order_after_cut
        if order is None:
            return []
        # A turn-up that the record leaves out lies above the stock all the same.
        turned = len(self.deal.turnups[:1]) or self.law.turnup
        used = sum(map(len, self.deal.hands)) + len(self.deal.widow) + turned
        return list(order[used + len(self.deal.board) :])

    def closed(self, event: Event) -> bool:
        """Whether *event* is wrong here whatever else happened that the record leaves out."""
        return False

    def score_code(self, word: str) -> str:
        """Return the warning that a score for *word*, by who has it not, answers."""
        return "LAW"

    # -- taking events ----------------------------------------------------------------------

    def rule(
        self,
        what: str,
        law: str,
        remedy: str,
        *,
        seat: int = 0,
        code: str = "LAW",
        lacks: Event | None = None,
    ) -> None:
        """Add a ruling about the event in hand, or about one that is not there."""
        at = self.at if lacks is None else -1
        self.rulings.append(
            Ruling(event=at, seat=seat, what=what, law=law, remedy=remedy, code=code, lacks=lacks)
        )

    def take(self, event: Event) -> None:
        """Take the next event of the deal."""
        self.at += 1
        if event.kind in ("score", "pay", "pool"):
            self.settled.append((self.at, event))
        else:
            self.step(event)

    def take_all(self, events: Sequence[Event]) -> None:
        """Take the events of a whole deal."""
        for event in events:
            self.take(event)

    def finish(self) -> list[Ruling]:
        """Compare what was scored and paid with what is due, and return all rulings."""
        due = self.due()
        if not self.settled:
            # A log without scores leaves them unjudged; it does not say that none were made.
            self.unjudged += bool(due)
            return self.rulings
        if len(due) == len(self.settled) and all(map(_same, due, self.settled)):
            return self.rulings
        left = [d.event for d in due]
        source = f"{self.law.source.book}, {self.law.source.section}"
        may = [d.event for d in due if d.may]
        for at, event in unmatched(self.settled, left):
            near = [d for d in left if d.kind == event.kind and d.word == event.word]
            if not event.word:
                near = [d for d in left if d.kind == event.kind and d.seat == event.seat]
            wanted = f"{near[0].number} to seat {near[0].seat}" if near else "nothing"
            if near:
                left.remove(near[0])
            self.at = at
            self.rule(
                f"{event.kind} of {event.number} for {event.word or 'no reason'}, wanted {wanted}",
                source,
                "correct the score",
                seat=event.seat,
                code=self.score_code(event.word),
            )
        for lacks in left:
            if lacks in may:
                continue
            self.rule(
                f"{lacks.kind} of {lacks.number} for {lacks.word} was not recorded",
                source,
                "correct the score",
                seat=lacks.seat,
                lacks=lacks,
            )
        return self.rulings


def _told(event: Event) -> tuple[str, int, int, int]:
    return event.kind, event.seat, event.number, event.to


def unmatched(settled: Sequence[tuple[int, Event]], due: list[Event]) -> list[tuple[int, Event]]:
    """Return what of *settled* is not due, and take what is out of *due*.

    What does not say for what it was scored or paid is any of its amount between the same two
    that no other is said to be.
    """
    odd = list(settled)
    for worded in (True, False):
        rest = []
        for at, event in odd:
            found = next(
                (
                    d
                    for d in due
                    if _told(d) == _told(event) and (not worded or d.word == event.word)
                ),
                None,
            )
            if found is None or (not worded and event.word):
                rest.append((at, event))
            else:
                due.remove(found)
        odd = rest
    return odd


def _same(due: Due, told: tuple[int, Event]) -> bool:
    """Whether what was *told*, at some event, is what is due."""
    event = told[1]
    return (
        due.number == event.number
        and due.seat == event.seat
        and due.word == event.word
        and due.kind == event.kind
        and due.to == event.to
    )


@dataclass(frozen=True, kw_only=True)
class Maker:
    """How a family of games makes its machine: law, deal, scores before it."""

    family: str
    make: Callable[[Law, Deal, tuple[int, ...]], Machine]
