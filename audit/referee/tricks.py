"""Tricks: who plays, what he may play, who wins; shared by every game that has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from audit.duty import Duty
from audit.ranks import Order, winner


@dataclass(kw_only=True)
class Tricks:
    """The tricks of one deal among *seats* (in order of play, the leader first).

    *hands* are the cards still held, by seat; a hand that is not known is None, and
    whoever holds it is not judged.
    """

    order: Order
    duty: Duty
    seats: list[int]
    hands: dict[int, list[int] | None]
    cards: list[int] = field(default_factory=list)
    taken: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)

    @property
    def turn(self) -> int:
        """The seat that has to play."""
        return self.seats[len(self.cards)]

    def legal(self, seat: int) -> list[int] | None:
        """Return the cards that *seat* may play now, None where its hand is not known."""
        hand = self.hands[seat]
        return None if hand is None else self.duty(self.order, hand, self.cards)

    def play(self, seat: int, card: int) -> int | None:
        """Put a card on the trick; return the winner when it is complete."""
        hand = self.hands.get(seat)
        if hand is not None and card in hand:
            hand.remove(card)
        self.cards.append(card)
        if len(self.cards) < len(self.seats):
            return None
        best = self.seats[winner(self.order, self.cards)]
        self.taken.append((best, tuple(self.cards)))
        self.cards = []
        at = self.seats.index(best)
        self.seats = self.seats[at:] + self.seats[:at]
        return best

    def won(self, seat: int) -> list[int]:
        """Return the cards that *seat* has taken."""
        return [c for who, cards in self.taken if who == seat for c in cards]

    def left(self) -> bool:
        """Whether somebody still holds a card, as far as hands are known."""
        return any(hand for hand in self.hands.values())


def foreign(card: int, hand: Sequence[int] | None) -> bool:
    """Whether *card* is known not to be in *hand*."""
    return hand is not None and card not in hand
