"""Five tricks of five cards: what Spoil Five, Forty-Five, Rams, Rounce and Bierspiel share.

The games say what may be played and what a breach costs; this says who plays,
keeps the tricks, and goes on with what was played where it should not have been.
"""

from __future__ import annotations

from abc import abstractmethod

from audit.cards import NAMES
from audit.duty import Duty
from audit.event import Event, Want
from audit.law import Law
from audit.ranks import Order
from audit.record import Deal
from audit.referee import _misdeal as misdeal
from audit.referee.machine import Due, Machine, Ruling
from audit.referee.tricks import Tricks, foreign

HAND = 5
OVER = "over"


class FiveTricks(Machine):
    """One deal; *phase* is the game's own word until "play", then "over"."""

    book = ""
    keeps = False
    sits_out: tuple[int, ...] = ()

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        self.hands += [[] for _ in range(self.players + 1 - len(self.hands))]
        self.scores += [0] * (self.players + 1 - len(self.scores))
        self.known = {s for s in range(1, self.players + 1) if self.hands[s]}
        self.phase = "play"
        self.tricks: Tricks | None = None
        self.gather = 0
        self.fouls: set[int] = set()
        self.abandoned: set[int] = set()
        self.offenders: set[int] = set()
        self.blind = False
        self.tells_pool = True
        self.why = ""
        self.void = False
        self._check_deal()

    # -- the deal -----------------------------------------------------------------------------

    def served(self) -> list[int]:
        """Return the seats that are dealt cards, from the eldest."""
        out = {self.dealer} if self.players in self.sits_out else set()
        return [s for s in self.in_order() if s not in out]

    def _check_deal(self) -> None:
        cards = [c for hand in self.hands for c in hand]
        cards += [*self.deal.widow, *self.deal.turnups]
        for card in misdeal.doubled(cards, frozenset(self.law.pack)):
            self._misdealt(f"{NAMES[card]} stands twice, or is none of the pack", "imperfect pack")
        if self.deal.cut_short:
            return
        for seat in range(1, self.players + 1):
            wanted = HAND if seat in self.served() else 0
            if seat in self.known and len(self.hands[seat]) != wanted:
                what = f"{len(self.hands[seat])} cards dealt to seat {seat}, wanted {wanted}"
                self._misdealt(what, "wrong number of cards")

    def _misdealt(self, what: str, why: str) -> None:
        code = misdeal.DEAL_PASSES.get(why, "LAW")
        asked = misdeal.remedy(why, keeps=self.keeps)
        self.rule(what, misdeal.SOURCE, asked, seat=self.dealer, code=code)

    # -- what a game says ---------------------------------------------------------------------

    @abstractmethod
    def duty(self) -> Duty:
        """Return what followers have to play."""

    @abstractmethod
    def first_leaders(self) -> list[int]:
        """Return the seats that play, the leader of the first trick first."""

    @abstractmethod
    def breach(self, seat: int, card: int) -> None:
        """Rule on a card of *seat* that was in his hand and not allowed."""

    @abstractmethod
    def offence(self, what: str, seat: int, *, code: str = "LAW") -> None:
        """Rule on an irregularity in play that the game punishes in its one way."""

    @abstractmethod
    def call(self, event: Event) -> None:
        """Take a call."""

    @abstractmethod
    def exchange(self, event: Event) -> None:
        """Take an exchange."""

    def leads(self, seat: int) -> list[int]:
        """Return what *seat* may lead."""
        return list(self.hands[seat])

    def wrong_count(self, seat: int) -> None:
        """Rule on a hand that is played with too many or too few cards."""

    def before_play(self, seat: int) -> None:
        """Do what the game asks for when *seat* plays, before his card is judged."""

    def accept(self, seat: int, card: int) -> None:
        """Do what the game asks for when a card, judged, goes on the trick."""

    def gathered(self, seat: int) -> None:
        """Do what the game asks for when *seat* has won a trick."""

    def side(self, seat: int) -> int:
        """Return who stands for *seat*: himself, or the lower seat of his side.

        "Each player gathers his own tricks, as there are no partnerships"; where there are,
        either partner may gather (Foster, Spoil Five, Method of Playing; Forty-Five).
        """
        return seat

    # -- play ---------------------------------------------------------------------------------

    def table(self) -> Tricks:
        """Return the tricks, begun with the cards as they stand."""
        if self.tricks is None:
            seats = self.first_leaders()
            hands = {s: self.hands[s] if s in self.known else None for s in seats}
            order = self.order()
            self.tricks = Tricks(order=order, duty=self.duty(), seats=seats, hands=dict(hands))
            for seat in seats:
                if seat in self.known and len(self.hands[seat]) != HAND:
                    self.wrong_count(seat)
        return self.tricks

    @abstractmethod
    def order(self) -> Order:
        """Return the order of the cards under the trump."""

    def legal(self, seat: int) -> list[int] | None:
        """Return what *seat* may play now, None where his hand is not known."""
        tricks = self.table()
        if seat not in self.known or self.blind:
            return None
        return tricks.legal(seat) if tricks.cards else self.leads(seat)

    def play_want(self) -> Want | None:
        """Return the card, or the gathering of a trick, that comes next."""
        if self.gather:
            return Want(kind="trick", seat=self.gather)
        if self.phase != "play":
            return None
        tricks = self.table()
        if not tricks.seats or len(tricks.taken) >= HAND:
            return None
        seat = tricks.turn
        cards = self.legal(seat)
        return Want(kind="play", seat=seat, cards=tuple(cards or ()))

    def step(self, event: Event) -> None:
        if self.blind and event.kind in ("call", "exchange"):
            self.unjudged += 1
            return
        match event.kind:
            case "call":
                # Not every record tells when a trick was gathered.
                self.gather = 0
                self.call(event)
            case "exchange":
                self.gather = 0
                self.exchange(event)
            case "play":
                self._play(event)
            case "trick":
                self._trick(event)
            case "irregular":
                self._irregular(event)
            case "redeal":
                self._redeal(event)
            case _:
                self.unjudged += 1

    def _play(self, event: Event) -> None:
        self.gather = 0
        if self.blind or len(event.cards) != 1 or event.cards[0] >= 52:
            self.blind = True
            self.unjudged += 1
            return
        if self.phase == OVER:
            self.rule(
                f"seat {event.seat} plays when the deal is over",
                self.book,
                "the card does not count",
                seat=event.seat,
            )
            return
        tricks, card = self.table(), event.cards[0]
        if not tricks.seats or len(tricks.taken) >= HAND:
            self.rule("a card after the last trick", self.book, "it is void", seat=event.seat)
            return
        seat = self._who(tricks, event, card)
        if not seat:
            return
        self.before_play(seat)
        legal = self.legal(seat)
        if seat not in self.known:
            self.unjudged += 1
        elif foreign(card, self.hands[seat]):
            self.rule("a card that was not in the hand", self.book, "a foul hand", seat=seat)
        elif legal is not None and card not in legal:
            self.breach(seat, card)
        self.accept(seat, card)
        self.played.append((seat, card))
        self._put(tricks, seat, card)

    def _who(self, tricks: Tricks, event: Event, card: int) -> int:
        """Return whose card it is, 0 where it cannot be taken; rule on play out of turn.

        A card played out of turn stays in the trick, and the others follow in their order;
        the next trick goes round as usual.
        """
        turn, seat = tricks.turn, event.seat
        if seat == turn:
            return seat
        self.offence(f"seat {seat} played out of turn, wanted seat {turn}", seat)
        his = card in self.hands[turn] or seat not in tricks.seats[len(tricks.cards) :]
        return turn if his else seat

    def _put(self, tricks: Tricks, seat: int, card: int) -> None:
        won = tricks.play(seat, card)
        self.trick = tricks.cards
        if won is not None:
            self._won(won)

    def _won(self, seat: int) -> None:
        self.gather = seat
        assert self.tricks is not None
        for foul in self.abandoned & set(self.tricks.seats):
            self.tricks.seats.remove(foul)
        self.gathered(seat)
        if len(self.tricks.taken) >= HAND or not self.tricks.seats:
            self.phase = OVER

    def _trick(self, event: Event) -> None:
        if not self.gather:
            self.unjudged += self.blind
            if not self.blind:
                self.rule("a trick gathered before it is full", self.book, "void", seat=event.seat)
            return
        partner = event.seat in self.served() and self.side(event.seat) == self.side(self.gather)
        if event.seat != self.gather and not partner:
            self.rule(
                f"trick gathered by seat {event.seat}, wanted seat {self.gather}",
                self.book,
                "it belongs to who played the best card",
                seat=event.seat,
            )
        self.gather = 0

    def won(self) -> dict[int, int]:
        """Return how many tricks each seat has taken."""
        out = dict.fromkeys(range(1, self.players + 1), 0)
        for seat, _ in self.tricks.taken if self.tricks else ():
            out[seat] += 1
        return out

    def finish(self) -> list[Ruling]:
        """Judge what was paid where the record shows the whole deal; else it is not judged."""
        if self.blind or self.phase not in (OVER, "jink"):
            self.unjudged += len(self.settled)
            return self.rulings
        self.tells_pool = not self.settled or any(e.kind == "pool" for _, e in self.settled)
        return super().finish()

    def told(self, due: list[Due]) -> list[Due]:
        """Return *due* without the counters in the pool where the record never tells them."""
        return [d for d in due if self.tells_pool or d.kind != "pool"]

    # -- what is found ------------------------------------------------------------------------

    def _irregular(self, event: Event) -> None:
        if event.word in misdeal.DEALS_AGAIN or event.word in misdeal.DEAL_PASSES:
            self.why = event.word
            self._misdealt(event.word, event.word)
        elif event.word == misdeal.THIN:
            self.rule(
                f"a packet of the cut held fewer than {self.players} cards",
                misdeal.DEALING,
                "as many cards as players are left in each packet; no penalty is named",
                seat=event.seat,
                code="W102",
            )
        elif not self.irregular(event):
            self.unjudged += 1

    def irregular(self, event: Event) -> bool:
        """Rule on what was found in play; return whether the game knows of it."""
        return False

    def abandon(self, seat: int) -> None:
        """Take a foul hand out of play; tricks that it won remain its own."""
        self.fouls.add(seat)
        self.abandoned.add(seat)
        tricks = self.table()
        at = tricks.seats.index(seat) if seat in tricks.seats else -1
        if at < len(tricks.cards) or at < 0:
            return
        tricks.seats.remove(seat)
        if tricks.cards and len(tricks.cards) == len(tricks.seats):
            # His card was the last one wanted: the trick is full without it.
            last = tricks.cards.pop()
            self._put(tricks, tricks.seats[-1], last)

    def _redeal(self, event: Event) -> None:
        why = event.word or self.why
        wanted = misdeal.next_dealer(why, self.dealer, self.players, keeps=self.keeps)
        if wanted is None:
            self.unjudged += 1
        else:
            if not self.why and not self.rulings:
                self._misdealt(why, why)
            if event.seat not in (0, wanted):
                self.rule(
                    f"seat {event.seat} deals next after {why}, wanted seat {wanted}",
                    misdeal.SOURCE,
                    misdeal.remedy(why, keeps=self.keeps),
                    seat=event.seat,
                )
        self.void, self.phase, self.gather = True, OVER, 0
