"""Exchanging cards at Irish and Five-card Loo: once each, from the top of the pack, in order.

Source: Foster, Irish Loo.
"""

from __future__ import annotations

from audit.event import Event
from audit.law import Law
from audit.record import Deal
from audit.referee import _loo_words as say
from audit.referee._loo_declare import LooDeclaring
from audit.referee._loo_table import FACES


class LooDrawing(LooDeclaring):
    """From the first number named to the first lead; *owed* cards go to *drawer*."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        self.drawer, self.owed = 0, 0

    def _exchange(self, event: Event) -> None:
        seat, count = event.seat, len(event.cards) or max(0, event.number)
        self._to_exchange(seat)
        if seat in self.changed:
            self.rule(
                "a second exchange",
                say.IRISH,
                "the number first named stands",
                seat=seat,
                code="W63",
            )
            return
        if self.phase != "exchange" or seat not in self._changing():
            self.rule(
                "an exchange that is not open", say.IRISH, "it is void", seat=seat, code="W63"
            )
            return
        if seat != self._changing()[0]:
            what = f"exchanged out of turn, wanted seat {self._changing()[0]}"
            self.rule(what, say.IRISH, "draws go in order of seats", seat=seat, code="W63")
        if count > self.stock_size:
            what = f"{count} cards asked for, the pack holds {self.stock_size}"
            self.rule(what, say.IRISH, "no more than the pack holds", seat=seat, code="W63")
        self._give_up(seat, list(event.cards) or [FACES] * count)
        self.changed[seat] = count
        if count:
            self.drawer, self.owed, self.phase = seat, count, "draw"
        else:
            self._drawn(seat)

    def _to_exchange(self, seat: int) -> None:
        """Reach the exchanges, counting what was not recorded before."""
        if self.phase == "declare":
            self._undeclared()
        if self.phase == "claim":
            self._unclaimed()
        if self.phase == "draw" and seat != self.drawer:
            self.unjudged += 1
            self.blind.add(self.drawer)
            self.stock_size = max(0, self.stock_size - self.owed)
            self.left = None if self.left is None else self.left[self.owed :]
            self._drawn(self.drawer)

    def _give_up(self, seat: int, cards: list[int]) -> None:
        for card in cards:
            if card >= FACES:
                self.blind.add(seat)
            elif card in self.hands[seat]:
                self.hands[seat].remove(card)
            elif seat not in self.blind:
                self.foul(seat, "a card given up that was not held", say.IRISH)

    def _draw(self, event: Event) -> None:
        cards = list(event.cards)
        self._to_exchange(event.seat)
        if self.phase == "exchange" and event.seat in self._changing():
            # What was given up was not recorded.
            self.unjudged += 1
            self.blind.add(event.seat)
            self.changed[event.seat] = self.owed = len(cards)
            self.drawer, self.phase = event.seat, "draw"
        if self.phase != "draw" or event.seat != self.drawer:
            self.rule(
                "a draw out of order",
                say.IRISH,
                "it goes back to the pack",
                seat=event.seat,
                code="W63",
            )
            return
        if len(cards) != self.owed:
            what = f"{len(cards)} cards drawn, wanted {self.owed}"
            self.rule(what, say.IRISH, "as many as were named", seat=event.seat, code="W63")
        if any(card >= FACES for card in cards):
            self.blind.add(event.seat)
            self.from_stock(cards)
        elif self.from_stock(cards):
            self.rule(
                "not the next cards of the pack",
                say.IRISH,
                "cards come off the top in order",
                seat=event.seat,
                code="W63",
            )
        self.hands[event.seat] += cards
        self._drawn(event.seat)

    def _drawn(self, seat: int) -> None:
        if self.rules.claim == "at once" and self.flush(seat):
            self.pending, self.phase = [seat], "claim"
        elif self._changing():
            self.phase = "exchange"
        elif self.rules.claim == "changed" and self._holders():
            self.pending, self.phase = self._holders(), "claim"
        else:
            self._first_lead()
