"""How an outsider goes through the record of a table game: what is done, then what is paid.

It shares nothing with the referee; the games stand in `outsider_tables`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from audit.event import Event
from audit.record import Deal

MONEY = ("pay", "score", "pool")
#: Who pays whom how many counters, and what for; the pool is 0.
Pay = tuple[int, int, int, str]


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What is wrong at *event*: -1 is the deal itself, past the last one something is missing."""

    event: int
    what: str


class Astray(Exception):
    """A deal has left the book."""

    def __init__(self, event: int, what: str) -> None:
        super().__init__(what)
        self.fault = Fault(event=event, what=what)


class Walk:
    """Goes through what is done in a deal; *seats* are in order of play, the dealer last.

    What is only said or looked at without effect is *idle*.  Payments are compared when all is
    done: when they are made has no rule, but where `settle` is told of one.
    """

    def __init__(
        self,
        deal: Deal,
        hand: int,
        pack: Iterable[int] = range(52),
        idle: Callable[[Event], bool] = lambda event: False,
    ) -> None:
        count, dealer = len(deal.hands), deal.dealer_seat or len(deal.hands)
        self.seats = [(dealer + k) % count + 1 for k in range(count)]
        self.hands = {seat: list(cards) for seat, cards in enumerate(deal.hands, 1)}
        self.fresh, self.end, self.at, self.played = set(pack), len(deal.events), -1, -1
        events = [(at, e) for at, e in enumerate(deal.events) if not idle(e)]
        self.moves = [(at, e) for at, e in events if e.kind not in MONEY]
        self.money = [(at, e) for at, e in events if e.kind in MONEY]
        if any(len(cards) != hand for cards in deal.hands):
            raise Astray(-1, f"a hand has not {hand} cards")
        self.out_of_pack(b"".join((*deal.hands, deal.board, deal.turnups)))

    def fail(self, what: str) -> NoReturn:
        """Say that the event read last is against the book."""
        raise Astray(self.at, what)

    def out_of_pack(self, cards: Iterable[int]) -> None:
        """Take cards out of the pack, where each has to be."""
        for card in cards:
            if card not in self.fresh:
                self.fail("this card is out already")
            self.fresh.remove(card)

    def may(self, kind: str, seats: Iterable[int], words: Sequence[str] = ("",)) -> Event | None:
        """Return the next event where it is one of these, which may be here; else None."""
        if not self.moves:
            return None
        at, event = self.moves[0]
        if event.kind != kind or event.seat not in seats or event.word not in words:
            return None
        self.at = at
        return self.moves.pop(0)[1]

    def next(self, kind: str) -> bool:
        """Return whether the next event is of this kind."""
        return bool(self.moves) and self.moves[0][1].kind == kind

    def ask(self, kind: str, seat: int, words: Sequence[str] = ("",)) -> Event:
        """Return the next event, which has to be this one."""
        event = self.may(kind, {seat}, words)
        if event is None:
            at = self.moves[0][0] if self.moves else self.end
            raise Astray(at, f"{kind} of seat {seat} is next")
        return event

    def hold(self, event: Event, count: int = 1) -> int:
        """Return the card played out of a hand, *count* cards standing in the event."""
        hand = self.hands[event.seat]
        if not event.cards or len(event.cards) != count or event.cards[0] not in hand:
            self.fail("this card is not in the hand")
        hand.remove(event.cards[0])
        self.played = self.at
        return event.cards[0]

    def given(self, cards: bytes, pack: Sequence[int], start: int, step: int, many: int) -> None:
        """Check cards just drawn: fresh ones, and those of the *pack* at every *step* places."""
        if len(cards) != many:
            self.fail(f"{many} cards are due")
        self.out_of_pack(cards)
        if pack and set(cards) != set(pack[start : start + step * many : step]):
            self.fail("other cards are on top of the pack")

    def settle(
        self, owed: Sequence[Pay], kind: str = "pay", *, late: bool = False, pooled: bool = False
    ) -> None:
        """Check that nothing more is done, and that what is owed is paid.

        Where *late*, it is paid after the last play, in the order in which it is owed.
        What stood in a pool before and after all this is counted where it is *pooled*.
        """
        if self.moves:
            raise Astray(self.moves[0][0], "nothing more is to be done")
        due = Counter(p for p in owed if p[2])
        pool = next((e.number for _, e in self.money if e.word == "before"), 0)
        left = pool + sum(p[2] * ((p[1] == 0) - (p[0] == 0)) for p in due.elements())
        counts = {"before": pool, "after": left}
        for at, event in self.money:
            pay = (event.seat, event.to, event.number, event.word)
            if event.kind == "pool" and counts.pop(event.word, None) == event.number:
                continue
            if event.kind != kind or not due[pay]:
                raise Astray(at, "nobody owes this")
            if late and (at < self.played or pay != next(due.elements())):
                raise Astray(at, "this is not yet to be taken")
            due[pay] -= 1
        if +due or (counts and pooled):
            raise Astray(self.end, f"not paid or counted: {list(+due)} {list(counts)}")
