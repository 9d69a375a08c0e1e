"""Pope Joan: the board, sequences up to a stop, and who is out first.

Source: household book, section 109.
"""

from __future__ import annotations

from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee._asked import Asked
from audit.referee.machine import Due, Maker
from audit.rules.options import chosen
from audit.rules.pope_joan import HONOURS, JACK, KING, POPE, QUEEN, PopeJoan, next_up


class PopeJoanDeal(Asked):
    """One deal; *leader* leads while *top* is -1, else the card above *top* follows it."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(law.rules, PopeJoan)
        self.rules, refused = chosen(law.rules, deal.options)
        self.unjudged += refused
        low, high = law.players
        # A number of players that the law does not know has no number of cards either.
        fair = low <= self.players <= high
        self.size = size = law.hand_of(self.players) if fair else max(map(len, self.hands))
        self.partial |= not fair
        self.sizes(size)
        self.whole = all(self.known(s, size) for s in range(1, self.players + 1))
        self.trump = self.turnups[0] // 13 if self.turnups else -1
        self.left = [0] + [size] * self.players
        self.leader, self.top = self.eldest, -1
        self.by: dict[int, int] = {}
        self.over = POPE in self.turnups
        if self.whole and self.turnups:
            self._pack()

    def _pack(self) -> None:
        cards = [c for hand in self.hands for c in hand] + self.turnups
        if len(set(cards)) < len(cards) or not set(cards) <= set(self.law.pack):
            self.breach("a card stands twice, or is none of the pack", "deal again")

    def holder(self, card: int) -> int:
        """Return the seat that holds *card*, 0 where nobody does."""
        return next((s for s in range(1, self.players + 1) if card in self.hands[s]), 0)

    def wants(self) -> Want | None:
        if self.over:
            # A deal that Pope ends by being turned is told by the dealer, so that it has an event.
            told = not self.calls and POPE in self.turnups
            return Want(kind="call", seat=self.dealer, words=("pope turned",)) if told else None
        follow = next_up(self.top) if self.top >= 0 else -1
        holder = self.holder(follow) if follow >= 0 else 0
        if holder:
            return Want(kind="play", seat=holder, cards=(follow,))
        return Want(kind="play", seat=self.leader, cards=tuple(self.hands[self.leader]))

    def said(self, event: Event) -> bool:
        if event.kind == "look" and event.word == "stock":
            if event.seat != self.dealer:
                self.breach(
                    "the stock was looked at by another than the dealer",
                    "the dealer alone may look",
                    seat=event.seat,
                    code="W89",
                )
            return True
        return super().said(event)

    def step(self, event: Event) -> None:
        if self.aside(event) or self.unseen(event):
            return
        want = self.wants()
        if event.kind == "call" and want is not None and want.kind == "call":
            self.fits(event, want)
            self.calls.append(event)
        elif event.kind == "play" and not self.over:
            self._play(event)
        else:
            self.fits(event, want)

    def _play(self, event: Event) -> None:
        seat = event.seat
        if len(event.cards) != 1 or not 1 <= seat <= self.players:
            self.breach("one card of one seat was wanted", "it is void", seat=seat)
            return
        card = event.cards[0]
        if card in self.by or card not in self.law.pack or card in self.turnups:
            self.breach("a card that cannot be in his hand", "the pack is foul", seat=seat)
            return
        if self.whole:
            self._judge(card, seat)
        elif self.top < 0 and seat != self.leader:
            self.breach(f"seat {seat} led, wanted seat {self.leader}", "out of turn", seat=seat)
        else:
            self._half_judged(card, seat)
        self._put(card, seat)

    def _judge(self, card: int, seat: int) -> None:
        want = self.wants()
        assert want is not None
        if card not in self.hands[seat]:
            self.breach("a card that is not of his hand", "the pack is foul", seat=seat)
        elif card not in want.cards:
            self.breach(
                "the sequence could go on, and another card was played",
                "the next card of the suit follows",
                seat=seat,
            )
        elif seat != want.seat:
            self.breach(f"seat {seat} led, wanted seat {want.seat}", "out of turn", seat=seat)

    def _half_judged(self, card: int, seat: int) -> None:
        """Where hands are not known: the next card by anybody, or a new lead by the last."""
        if self.top >= 0 and card == next_up(self.top):
            return
        if seat != self.leader:
            self.breach(f"seat {seat} led, wanted seat {self.leader}", "out of turn", seat=seat)
        self.unjudged += self.top >= 0

    def _put(self, card: int, seat: int) -> None:
        for hand in self.hands:
            if card in hand:
                hand.remove(card)
        self.by[card] = seat
        self.played.append((card, seat))
        self.left[seat] -= 1
        self.leader, self.top = seat, card
        self.over = self.left[seat] == 0

    # -- counters -----------------------------------------------------------------------------

    def due(self) -> list[Due]:
        """Return the dressing, what the card turned and the cards played take, and the end."""
        excuse = self.whole or POPE in self.by or POPE in self.turnups
        if not self.over or self.trump < 0 or not excuse:
            # Who still holds Pope pays nothing, and that is not to be seen.
            self.partial = True
        if self.partial:
            return []
        board = {c: n + self.before(f"pool {c}") for c, n in self.rules.dressing.items()}
        before = sum(board.values()) - sum(self.rules.dressing.values())
        paid = self.pays(self.dealer, "dressing", sum(self.rules.dressing.values()))
        if self.rules.dress == "shared":
            for seat in self.in_order():
                paid += self.pays(seat, "share of the dressing", self.rules.share, self.dealer)
        takes, stakes = self._turned() if POPE in self.turnups else self._out()
        before += self.counted()
        self.stood_over(takes, board)
        for compartment, seat in takes:
            paid += self.pays(0, compartment, board.pop(compartment, 0), seat)
        return self.pooled(before, paid + stakes)

    def _turned(self) -> tuple[list[tuple[str, int]], list[Due]]:
        takes = [("pope", self.dealer), ("game", self.dealer)]
        stakes = [
            due
            for seat in self.in_order()
            for due in self.pays(seat, "a stake a card dealt", self.size, self.dealer)
        ]
        return takes, stakes

    def _out(self) -> tuple[list[tuple[str, int]], list[Due]]:
        rank = self.turnups[0] % 13
        takes = [(HONOURS[rank], self.dealer)] if rank in HONOURS else []
        mine = {r: self.by.get(13 * self.trump + r, 0) for r in HONOURS}
        takes += [(HONOURS[r], seat) for r, seat in mine.items() if seat]
        for name, ranks in (("matrimony", (KING, QUEEN)), ("intrigue", (QUEEN, JACK))):
            one, other = (mine[r] for r in ranks)
            takes += [(name, one)] * (one == other != 0)
        if POPE in self.by:
            takes.append(("pope", self.by[POPE]))
        out = self.leader
        takes.append(("game", out))
        stakes: list[Due] = []
        for seat in self.in_order():
            if seat != out and not self._excused(seat):
                stakes += self.pays(seat, "cards left", self.left[seat], out)
        return takes, stakes

    def _excused(self, seat: int) -> bool:
        """Whether *seat* still holds Pope."""
        return POPE in self.hands[seat]


MACHINE = Maker(family="pope_joan", make=PopeJoanDeal)
