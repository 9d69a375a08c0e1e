"""Tricks: who plays, what he may play, who wins; shared by every game that has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from audit.cards import UNKNOWN
from audit.duty import SUIT_SERVES, Duty, anything, follow_or_trump
from audit.event import Event
from audit.ranks import Order, winner

#: The cards of a play of one card.
_ONE = {bytes([card]): card for card in range(52)}


@dataclass(kw_only=True, slots=True)
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
    #: The order of play as it was before somebody played out of turn to this trick.
    _usual: list[int] | None = None

    @property
    def turn(self) -> int:
        """The seat that has to play."""
        return self.seats[len(self.cards)]

    def legal(self, seat: int) -> list[int] | None:
        """Return the cards that *seat* may play now, None where its hand is not known."""
        hand = self.hands[seat]
        return None if hand is None else self.duty(self.order, hand, self.cards)

    def play(self, seat: int, card: int) -> int | None:
        """Put a card on the trick, out of turn too; return the winner when it is complete."""
        hand = self.hands.get(seat)
        if hand is not None and card in hand:
            hand.remove(card)
        if self.seats[len(self.cards)] != seat:
            self._out_of_turn(seat)
        self.cards.append(card)
        return self._close() if len(self.cards) == len(self.seats) else None

    def _out_of_turn(self, seat: int) -> None:
        """Let *seat*, who has not played to the trick, play now; a lead goes round from him."""
        at = len(self.cards)
        if at:
            self._usual = self._usual or list(self.seats)
            self.seats.remove(seat)
            self.seats.insert(at, seat)
        else:
            first = self.seats.index(seat)
            self.seats = self.seats[first:] + self.seats[:first]

    def _close(self) -> int:
        """Gather the complete trick; its winner leads."""
        best = self.seats[winner(self.order, self.cards)]
        self.taken.append((best, tuple(self.cards)))
        self.cards = []
        seats = self._usual or self.seats
        self._usual = None
        at = seats.index(best)
        self.seats = seats[at:] + seats[:at]
        return best

    def straight(self, events: Sequence[Event], at: int, tricks: int) -> int:
        """Take right plays from `events[at]` on; return the index of the first event left.

        It stops after so many *tricks* of the deal.  A right play is one card of the hand of
        the seat whose turn it is, that the duty allows.  The first that is anything else, and
        the rest of a trick out of its order, are left to be judged on their own.
        """
        if self._usual:
            return at
        hands, duty, order = self.hands, self.duty, self.order
        group, worth, simple = order.group, order.worth, duty in SUIT_SERVES
        free, trumps = duty is anything, duty is follow_or_trump
        taken, number, led, top, best, most = self.taken, len(self.seats), -1, -1, 0, -1
        cards, seats, place = self.cards, self.seats, len(self.cards)
        if cards:
            first = winner(order, cards)
            led, top = group[cards[0]], group[cards[first]]
            best, most = seats[first], worth[cards[first]]
        wanted = max(number * (tricks - len(taken)) - place, 0)
        for event in events[at : at + wanted]:
            seat = seats[place]
            hand = hands[seat]
            if event.seat != seat or event.kind != "play" or hand is None:
                return at
            card = _ONE.get(event.cards, UNKNOWN)
            if card not in hand:
                return at
            mine = group[card]
            if not place:
                led = top = mine
                best, most = seat, worth[card]
            else:
                # The suit led serves most duties; only what is left needs the whole hand.
                if not simple:
                    if card not in duty(order, hand, cards):
                        return at
                elif mine != led and not (free or (trumps and mine == 4)):
                    for other in hand:
                        if group[other] == led:
                            return at
                # As in `winner`, card by card.
                if mine == top:
                    if worth[card] > most:
                        best, most = seat, worth[card]
                elif mine == 4:
                    top, best, most = 4, seat, worth[card]
            hand.remove(card)
            cards.append(card)
            at, place = at + 1, place + 1
            if place == number:
                taken.append((best, tuple(cards)))
                first = seats.index(best)
                seats = self.seats = seats[first:] + seats[:first]
                cards = self.cards = []
                place = 0
        return at

    def won(self, seat: int) -> list[int]:
        """Return the cards that *seat* has taken."""
        return [c for who, cards in self.taken if who == seat for c in cards]

    def left(self) -> bool:
        """Whether somebody still holds a card, as far as hands are known."""
        return any(hand for hand in self.hands.values())


def foreign(card: int, hand: Sequence[int] | None) -> bool:
    """Whether *card* is known not to be in *hand*."""
    return hand is not None and card not in hand
