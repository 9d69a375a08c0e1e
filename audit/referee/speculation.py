"""Speculation: cards shown one at a time, trumps sold to the highest bidder, and the pool.

Source: household book, section 105.
"""

from __future__ import annotations

from audit.cards import UNKNOWN
from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee._asked import Asked
from audit.referee.machine import Due, Maker
from audit.rules.options import chosen
from audit.rules.speculation import Speculation

#: How far above the last bid a simulated one may go; no law.
STEP = 10


class SpeculationDeal(Asked):
    """One deal; *asked* are the seats that a simulation lets bid for the trump just shown.

    *selling*: that trump is still its owner's to sell.  "The company speculating as they
    please", bids come in any order, a pass binds nobody and a price refused may be raised.
    """

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(law.rules, Speculation)
        self.rules, refused = chosen(law.rules, deal.options)
        self.unjudged += refused
        told = bool(self.turnups) and self.turnups[0] != UNKNOWN
        self.trump = self.turnups[0] // 13 if told else -1
        self.blind |= not told
        self.sizes(self.rules.hand)
        # Cards are dealt one upon another, so the last is uppermost, where the order is known.
        self.ordered = bool(deal.order_after_cut)
        self.line = self.in_order() * self.rules.hand
        self.owner: dict[int, int] = {}
        self.sales: list[Due] = []
        self.card, self.asked = -1, list[int]()
        self.bid: Event | None = None
        self.selling = False
        self.stray = False
        self.passed: dict[int, int] = {}

    def wants(self) -> Want | None:
        if self.asked:
            best = self.bid.number if self.bid else 0
            numbers = (best + 1, best + STEP)
            return Want(kind="call", seat=self.asked[0], words=("pass", "bid"), numbers=numbers)
        if self.bid is not None:
            return Want(kind="call", seat=self.owner[self.card], words=("keep", "sell"))
        if not self.line or self.over:
            return None
        seat = self.line[0]
        hand = self.hands[seat]
        return Want(kind="play", seat=seat, cards=tuple(hand[-1:] if self.ordered else hand))

    def said(self, event: Event) -> bool:
        if event.kind == "look":
            self.breach(
                "a card was looked at before it was shown",
                "cards are seen only as they are shown",
                seat=event.seat,
                code="W86",
            )
            return True
        return super().said(event)

    def step(self, event: Event) -> None:
        if self.aside(event) or self.unseen(event):
            return
        if event.kind == "call":
            self._call(event)
        elif event.kind == "play":
            self._show(event)
        else:
            self.fits(event, self.wants())

    def _show(self, event: Event) -> None:
        card = event.cards[0] if len(event.cards) == 1 else UNKNOWN
        if (card, event.seat) in self.played:
            self.breach("a card that was shown before", "the pack is foul", seat=event.seat)
            return
        sale = self.asked, self.bid, self.selling
        self.asked, self.bid, self.selling, self.stray = [], None, False, False
        if self.passed.get(event.seat) == card:
            # His turn was passed over, and that is ruled on.
            del self.passed[event.seat]
            self._put(card, event.seat)
            return
        want = self.wants()
        if not self.fits(event, want) or want is None:
            return
        if card == UNKNOWN:
            self.breach("no one card was shown", "show the uppermost", seat=event.seat)
            self.blind = self.partial = True
            return
        # The card tells whose turn it is where the seat does not fit.
        mine = event.seat in self.line and card not in want.cards
        seat = event.seat if mine else want.seat
        hand = self.hands[seat]
        clear = bool(hand) and UNKNOWN not in hand
        if clear and card not in hand:
            self.breach("a card shown, of no card of his hand", "it is void", seat=event.seat)
            self.asked, self.bid, self.selling = sale
            return
        self._go_on(seat)
        if not clear:
            self.unjudged += 1
        elif self.ordered and card != hand[-1]:
            self.breach(
                "a card shown, not the uppermost", "show the uppermost card", seat=event.seat
            )
        if card in hand:
            hand.remove(card)
        if any(card == c for c, _ in self.played):
            self.breach("a card that was shown before", "the pack is foul", seat=event.seat)
        self._put(card, seat)

    def _go_on(self, seat: int) -> None:
        """Go on to the turn of *seat*, past those whose cards were not shown."""
        while self.line[0] != seat:
            missed = self.line.pop(0)
            if self.hands[missed]:
                self.passed[missed] = self.hands[missed].pop()
            self.partial = True
        self.line.pop(0)

    def _put(self, card: int, seat: int) -> None:
        """Lay *card* on the table, for sale if it is a trump."""
        self.played.append((card, seat))
        if card // 13 == self.trump:
            self.card, self.owner[card], self.selling = card, seat, True
            self.asked = [self.after(seat, k) for k in range(1, self.players)]

    def _call(self, event: Event) -> None:
        self.calls.append(event)
        owner = self.owner.get(self.card, 0)
        if event.word == "pass":
            self._asked(event.seat)
        elif self.stray and not self.selling:
            # The same as the one before it: a sale that is not where it should be.
            self.unjudged += 1
        elif event.word not in ("bid", "sell", "keep") or not self.selling:
            self.stray = event.word in ("bid", "sell", "keep")
            self.breach(f"{event.word} when no trump is for sale", "it is void", seat=event.seat)
        elif event.word != "bid":
            self._answer(event, owner)
        elif event.seat == owner:
            self.breach("a bid for one's own trump", "it is void", seat=event.seat)
        elif event.number < 1 or not 1 <= event.seat <= self.players:
            self.breach("a bid of nothing or of nobody", "it is void", seat=event.seat)
        else:
            # The highest bidder buys; who bids less breaks no rule.
            if self.bid is None or event.number > self.bid.number:
                self.bid = event
            self._asked(event.seat)

    def _asked(self, seat: int) -> None:
        """Ask *seat* no more in a simulation."""
        if seat in self.asked:
            self.asked.remove(seat)

    def _answer(self, event: Event, owner: int) -> None:
        if event.seat != owner or (event.word == "sell" and self.bid is None):
            self.breach(
                f"{event.word} by seat {event.seat}, wanted the owner's answer to a bid",
                "only the seller approves a price",
                seat=event.seat,
            )
            return
        if event.word == "sell" and self.bid is not None:
            self.sales += self.pays(self.bid.seat, "trump bought", self.bid.number, owner)
            self.owner[self.card] = self.bid.seat
            self.selling = False
        self.bid, self.asked = None, []

    def due(self) -> list[Due]:
        """Return stakes, sales, and the pool to whoever owns the highest trump shown."""
        if self.line or self.trump < 0:
            self.partial = True
            return []
        paid: list[Due] = []
        for seat in self.in_order():
            dealing = seat == self.dealer
            stake = self.rules.dealer_stake if dealing else self.rules.other_stake
            paid += self.pays(seat, "stake", stake)
        before = self.before() + self.counted()
        pool = before + sum(d.number for d in paid)
        owners = dict(self.owner)
        if self.rules.turnup == "dealer":
            owners[self.turnups[0]] = self.dealer
        won = self.pays(0, "highest trump", pool, owners[max(owners)]) if owners else []
        return self.pooled(before, [*paid, *self.sales, *won])


MACHINE = Maker(family="speculation", make=SpeculationDeal)
