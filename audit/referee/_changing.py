"""Changing cards at Écarté: who puts out how many, and what the stock gives him.

Sources: the household book, section 118 and law xi; Foster takes several changes for granted.
"""

from __future__ import annotations

from audit.cards import UNKNOWN, show
from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee._five import CARDS, FiveCards
from audit.rules.ecarte import Ecarte


class Changing(FiveCards):
    """What stands of a change: *queue* are the seats still to put out, *owed* what they draw."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        assert isinstance(law.rules, Ecarte)
        self.rules: Ecarte = law.rules
        super().__init__(law, deal, scores)
        agreed = self.choice("second_discard", ("no", "agreed"), "")
        self.most = {"": self.rules.exchanges, "no": 1, "agreed": 2}[agreed]
        self.phase = "propose"
        self.rounds = 0
        self.queue: list[int] = []
        self.owed: dict[int, int] = {}
        self.left = self.stock()
        self.in_stock = len(self.pack) - CARDS * self.players - 1
        self.out = {c for hand in self.hands for c in hand} | set(self.turnups)

    def cite(self, law: str) -> str:
        """Return a law of the household book, said to fill Foster's lost page in his game."""
        lost = "" if self.rules.book == "household" else "Foster's page is lost; "
        return f"{lost}household book, Écarté, {law}"

    def says(self, breach: str) -> tuple[str, str]:
        if breach == "turn":
            return self.cite("law vi"), "a new deal by the same dealer"
        if breach == "foreign":
            return self.cite("law vi, incorrect deal"), "a new deal by the same dealer"
        if breach == "extra":
            return self.cite("section 118, five cards on each side"), "the card is void"
        return self.cite("section 118, winner of the trick"), "the trick goes to its winner"

    def accepted(self) -> None:
        """Begin a change, the non-dealer first."""
        self.rounds += 1
        self.queue = [self.eldest, self.dealer]

    def pass_over(self, event: Event) -> None:
        """Go on where *event* shows that the record leaves out what was put out or drawn."""
        if self.owed and event.kind != "draw":
            self._unseen_draw()
        if self.queue and event.kind in ("call", "claim", "play"):
            self._unseen_exchange()

    def want_change(self) -> Want:
        """Return the draw that is owed, else the cards to be put out."""
        if self.owed:
            seat, count = next(iter(self.owed.items()))
            return Want(kind="draw", seat=0, count=count, numbers=(seat, seat))
        return self._want_exchange(self.queue[0])

    def _want_exchange(self, seat: int) -> Want:
        least = 0 if seat == self.dealer else 1
        most = min(CARDS, self.in_stock)
        cards = tuple(self.hands[seat])
        return Want(kind="exchange", seat=seat, cards=cards, count=most, least=min(least, most))

    def nature(self, want: Want) -> Event:
        assert want.numbers is not None
        return Event(kind="draw", seat=want.numbers[0], cards=bytes(self.left[: want.count]))

    def _next(self) -> None:
        """Go on when both have changed."""
        if not self.queue and not self.owed and self.phase == "answer":
            again = self.in_stock > 0 and (self.most is None or self.rounds < self.most)
            self.phase = "propose" if again else "play"

    def exchange(self, event: Event) -> None:
        """Judge what is put out."""
        seat, count = event.seat, len(event.cards)
        if not self.queue or seat not in self.queue:
            law = self.cite("section 118, a second discard only by agreement")
            what = "cards changed without an accepted proposal"
            self.rule(what, law, "the hand is played as it was dealt", seat=seat)
        else:
            if self.queue[0] != seat:
                law = self.cite("section 118, the non-dealer changes first (a reading)")
                what = f"seat {seat} changed before seat {self.queue[0]}"
                self.rule(what, law, "the non-dealer is served first", seat=seat)
            self.queue.remove(seat)
        most = min(CARDS, self.in_stock)
        if count > most or (not count and seat != self.dealer):
            law = self.cite("section 118, any or all of his cards")
            what = f"{count} cards put out, wanted 1 to {most}"
            self.rule(what, law, "a proposal cannot be retracted", seat=seat)
        foreign = self.give_up(seat, event.cards)
        if foreign:
            law, remedy = self.says("foreign")
            self.rule(f"{show(foreign)} put out, but not held", law, remedy, seat=seat)
        if count:
            self.owed[seat] = count
        self._next()

    def _unseen_exchange(self) -> None:
        """Go on where the record does not show the exchange of whoever is next."""
        if self.eldest in self.queue:
            for seat in self.queue:
                self.hands[seat][:] = [UNKNOWN] * CARDS
            # The non-dealer drew one at least; how many more is not known.
            self.in_stock, self.left = max(0, self.in_stock - 1), []
            self.unjudged += 1
        self.queue = []
        self._next()

    def _unseen_draw(self) -> None:
        """Go on where the record does not show what was drawn."""
        for seat, count in list(self.owed.items()):
            taken = self.left[:count] or [UNKNOWN] * count
            self.unjudged += not self.left
            self._take(seat, bytes(taken))
        self._next()

    def _take(self, seat: int, cards: bytes) -> None:
        self.owed.pop(seat, None)
        self.hands[seat] += cards
        self.out |= set(cards)
        self.left = self.left[len(cards) :]
        self.in_stock -= len(cards)

    def draw(self, event: Event) -> None:
        """Judge what is drawn."""
        seat, count = event.seat, len(event.cards)
        wanted = self.owed.get(seat, 0)
        if count != wanted:
            law = self.cite("law xi, discards are laid down before cards are taken")
            what = f"{count} cards drawn, wanted {wanted}"
            self.rule(what, law, "a new deal by the same dealer (law vi)", seat=seat)
        elif not self._from_stock(event.cards):
            law = self.cite("section 118, cards come from the stock")
            wants = f", wanted {show(self.left[:count])}" if self.left else ""
            what = f"{show(event.cards)} drawn{wants}"
            self.rule(what, law, "the cards are set right in the order of the stock", seat=seat)
        self._take(seat, event.cards)
        self._next()

    def _from_stock(self, cards: bytes) -> bool:
        if self.left:
            pairs = zip(cards, self.left, strict=False)
            return all(got in (card, UNKNOWN) for got, card in pairs)
        return not any(card in self.out for card in cards if card != UNKNOWN)
