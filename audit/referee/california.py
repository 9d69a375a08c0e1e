"""California Jack and Shasta Sam: two players, a card from the stock after every trick.

Source: Foster, "California Jack".
"""

from __future__ import annotations

from msgspec import structs

from audit.event import Event, Want
from audit.law import Law
from audit.ranks import SUITS
from audit.record import Deal
from audit.referee._all_fours import AllFoursDeal
from audit.referee._all_fours_table import HAND
from audit.referee.machine import Due, Maker
from audit.rules.california import California

NAMES = {"spades": 0, "hearts": 1, "diamonds": 2, "clubs": 3}
TRICKS = 26


class CaliforniaDeal(AllFoursDeal):
    """One deal; phases are trump, play, draw, over.

    The trump was cut before the deal: option "trump" (S, H, D, C), else the dealer says it.
    """

    rules: California
    quick = False

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(self.rules, California)
        self.size = TRICKS
        self._drawn = 0
        self._draws: list[int] = []
        self._left = list((deal.order_after_cut or b"")[2 * HAND :])
        self._ordered = bool(deal.order_after_cut)
        if self.rules.stock_from == "bottom":
            self._left.reverse()
        suit = deal.options.get("trump", "")
        if len(suit) == 1 and suit in SUITS:
            self.trump = SUITS.index(suit)
        else:
            self.phase = "trump"

    @property
    def stocked(self) -> int:
        """Cards left in the stock."""
        return 2 * (TRICKS - HAND) - self._drawn

    def record(self, dealt: Deal, events: tuple[Event, ...]) -> Deal:
        return structs.replace(dealt, events=events)

    def wants(self) -> Want | None:
        if self.phase == "trump":
            return Want(kind="call", seat=self.dealer, words=tuple(NAMES))
        if self.phase == "draw":
            top = tuple(self._left[:1])
            return Want(kind="draw", seat=self._draws[0], cards=top)
        return super().wants()

    def call(self, event: Event) -> None:
        self.calls.append(event)
        if self.phase != "trump" or event.word not in NAMES:
            self.rule(
                f"{event.word} when nothing of the kind is asked",
                self.cite,
                "it is void",
                seat=event.seat,
            )
            return
        self.trump, self.phase = NAMES[event.word], "play"

    def ready(self, event: Event) -> None:
        if self.phase == "trump":
            # The suit that was cut is not on record.
            self.blind = True
        elif self.phase == "draw":
            self.rule(
                "a card played before both had drawn",
                f"{self.cite}, the stock",
                "the winner takes the top card, his adversary the next",
                seat=event.seat,
            )
            self._unknown()

    def _unknown(self) -> None:
        """Go on without knowing hands or stock, for they are not as the law makes them."""
        self.phase, self._draws = "play", []
        self._drawn += self._drawn % 2
        if self.tricks is not None:
            for seat in self.tricks.hands:
                self.tricks.hands[seat] = None

    def _go_on(self) -> None:
        super()._go_on()
        assert self.tricks is not None
        if self.phase == "play" and not self.tricks.cards and self.tricks.taken and self.stocked:
            winner = self.tricks.taken[-1][0]
            self._draws, self.phase = [winner, 3 - winner], "draw"

    def exchange(self, event: Event) -> None:
        if event.kind != "draw":
            super().exchange(event)
            return
        if self.phase != "draw" or len(event.cards) > 1:
            self.rule(
                "a card drawn out of time" if self.phase != "draw" else "more than one card drawn",
                f"{self.cite}, the stock",
                "it is put back",
                seat=event.seat,
            )
            return
        seat = self._draws.pop(0)
        if event.seat != seat:
            self.rule(
                f"drawn by seat {event.seat}, wanted seat {seat}",
                f"{self.cite}, the stock",
                "the winner takes the top card, his adversary the next",
                seat=event.seat,
            )
            if self._draws:
                self._draws = [3 - event.seat]
        self._take_in(event.seat, event.cards[0] if event.cards else 255)
        if not self._draws:
            self.phase = "play"

    def _take_in(self, seat: int, card: int) -> None:
        """Give *seat* the card drawn, held against the stock where that is known."""
        if self._ordered and not self._drawn and card < 52 and card == self._left[-1]:
            # From the other end than the default: the book does not say which is on top.
            self._left.reverse()
        if self._ordered and self._left:
            wanted = self._left.pop(0)
            if card != wanted and card < 52:
                self.rule(
                    "the card drawn is not the next of the stock",
                    f"{self.cite}, the stock",
                    "the stock is drawn in order",
                    seat=seat,
                    code="W09",
                )
                self._left = [wanted if c == card else c for c in self._left]
            card = wanted if card > 51 else card
        self._drawn += 1
        hand = self.tricks.hands.get(seat) if self.tricks is not None else None
        if hand is not None and self.tricks is not None:
            if card > 51:
                self.tricks.hands[seat] = None
                self.unjudged += 1
            else:
                hand.append(card)

    def look(self, event: Event) -> None:
        """The stock of Shasta Sam lies face down."""
        if event.word == "stock" and not self.rules.face_up:
            self.rule(
                "the face-down stock was looked at",
                f"{self.cite}, the stock",
                "the book names no penalty",
                seat=event.seat,
                code="W101",
            )

    def due(self) -> list[Due]:
        if not self.complete:
            return []
        return self.until_out(self.stopped(self.at_the_end()))


MACHINE = Maker(family="california", make=CaliforniaDeal)
