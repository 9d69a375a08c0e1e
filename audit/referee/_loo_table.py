"""The table of a deal of Loo: hands as far as they are known, the stock, irregularities, the pool.

Source: Foster, Loo ("Irregularities in the Deal", "Irregularities and Penalties").
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.event import Event
from audit.law import Law
from audit.ranks import NO_TRUMP
from audit.record import Deal
from audit.referee import _loo_words as say
from audit.referee._loo_play import LooTricks
from audit.referee._loo_pool import OF_THE_POOL, Account, differences, dues
from audit.referee.machine import Due, Machine, Ruling
from audit.rules.loo import Loo

NOTHING = -1
#: Cards from here on are face down in the record.
FACES = 52
#: A pool of more digits than this was never on a table.
DIGITS = 10


class LooTable(Machine):
    """What both halves of the game need; phases are pool, declare, claim, exchange, draw,
    play, turn, over.

    *blind* are the seats whose hands are not known: they are not judged.  *left* are
    the cards of the stock, next one first, None where not known; *stock_size* how many.
    """

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(law.rules, Loo)
        self.rules, wrong = law.rules.chosen(deal.options)
        self.unjudged += wrong
        self.phase = "pool"
        self.seats = self.in_order()
        self.hands += [[] for _ in range(self.players + 1 - len(self.hands))]
        self.dealer = self.seats[-1]
        self.blind = {s for s in self.seats if not self._whole(self.hands[s])}
        self.left = self.stock() if deal.order_after_cut else None
        lying = self.rules.cards * self.players + len(self.turnups)
        lying += 3 if self.rules.extra else 0
        self.stock_size = max(0, len(law.pack) - lying)
        self.answers: dict[int, str] = {}
        self.account = Account(rules=self.rules, seats=self.seats)
        self.turnups = [card for card in self.turnups if card < FACES]
        if self.turnups and self.rules.pool != "simple":
            self.trump = self.turnups[0] // 13
        self.tricks = LooTricks(
            order=self.rules.order(self.trump), seats=self.seats, leader=self.seats[0]
        )
        self.unturned = False
        self.revoked: set[int] = set()
        self.pending: list[int] = []
        self.changed: dict[int, int] = {}

    def _whole(self, hand: Sequence[int]) -> bool:
        return len(hand) == self.rules.cards and max(hand) < FACES

    def said_pool(self) -> int | None:
        """Return what the deal says is in the pool, None where it says nothing."""
        said = self.deal.options.get("pool", "")
        return int(said) if said.isdecimal() and len(said) < DIGITS else None

    def sound(self, event: Event) -> bool:
        """Whether *event* names a seat and cards that there are."""
        if event.kind in ("turn", "play") and (len(event.cards) != 1 or event.cards[0] >= FACES):
            # Nobody can say how the rest of the deal went.
            self.phase = "unknown"
            return False
        least = 0 if event.kind in ("irregular", "turn", "redeal") else 1
        return least <= event.seat <= self.players

    # -- cards ------------------------------------------------------------------------------

    def pam(self) -> int:
        """Return the card that is Pam, -1 where there is none."""
        return self.rules.pam_card(self.trump) if self.trump != NO_TRUMP else NOTHING

    def flush(self, seat: int) -> bool:
        """Whether the hand of *seat* is known and takes the pool unplayed."""
        if seat in self.blind or self.trump == NO_TRUMP:
            return False
        return self.rules.is_flush(self.hands[seat], self.trump)

    def from_stock(self, cards: Sequence[int]) -> bool:
        """Take *cards* off the stock; return whether they are known not to be the next."""
        self.stock_size = max(0, self.stock_size - len(cards))
        if self.left is None:
            return any(c in hand for c in cards for hand in (*self.hands, self.turnups))
        wanted, self.left = self.left[: len(cards)], self.left[len(cards) :]
        return list(cards) != wanted

    def _waiting(self) -> list[int]:
        return [s for s in self.seats if s not in self.answers]

    def _holders(self) -> list[int]:
        held = self.account.holders
        return [s for s in self.account.playing if s not in held and self.flush(s)]

    def _changing(self) -> list[int]:
        if not self.rules.draw:
            return []
        return [s for s in self.account.playing if s not in self.changed]

    def _first_lead(self) -> None:
        playing = self.account.playing
        order = self.rules.order(self.trump)
        self.tricks = LooTricks(order=order, seats=playing, leader=playing[0])
        # Without the turn-up nobody can say who wins a trick.
        known = self.trump != NO_TRUMP or self.rules.pool == "simple"
        self.phase = "play" if known else "unknown"

    # -- breaches ---------------------------------------------------------------------------

    def forfeit(self, seat: int, what: str, law: str, code: str) -> None:
        """Rule a breach that costs three reds to the current pool and all winnings."""
        self.rule(what, law, say.EARLY, seat=seat, code=code)
        self.account.forfeits.append(seat)
        self.account.fined.add(seat)

    def foul(self, seat: int, what: str, law: str, code: str = "LAW") -> None:
        """Rule a breach that costs three reds to the next pool and all winnings."""
        self.rule(what, law, say.LOOED, seat=seat, code=code)
        self.account.fouled.add(seat)

    def look(self, event: Event) -> None:
        """Judge a look at a hand before its owner's turn to declare."""
        if self.rules.pool == "simple" or event.word not in ("", "hand"):
            return
        waiting = [s for s in self.seats if s not in self.answers]
        if self.phase in ("pool", "declare") and event.seat in waiting[1:]:
            self.forfeit(
                event.seat, "looked at a hand before the turn to declare", say.OFFENCES, "W58"
            )

    def irregular(self, event: Event) -> None:
        """Judge what was found at the table."""
        word, seat = event.word, event.seat
        if word in say.AGAIN:
            self.rule(word, say.DEALING, "the same dealer deals again without penalty")
            self.account.end, self.phase = "misdeal", "over"
        elif word in say.MISDEALS and (word != "widow dealt" or not self.rules.extra):
            code = "W59" if word == "reshuffled" else "LAW"
            remedy = "misdeal: the deal is lost, and three reds go to the current pool"
            self.rule(word, say.DEALING, remedy, seat=self.dealer, code=code)
            self.account.forfeits.append(self.dealer)
            self.account.end, self.phase = "misdeal", "over"
        elif word in say.FOULS:
            self.foul(seat, word, say.OFFENCES)
        elif word == "revoke":
            self._discovered(seat)
        else:
            self.unjudged += 1

    def _discovered(self, seat: int) -> None:
        if seat not in self.revoked and not self.blind:
            self.rule("a revoke that the plays do not show", say.REVOKES, "play goes on", seat=seat)
            return
        a = self.account
        a.offender, a.end, self.phase = seat, "revoke", "over"
        a.playing = list(self.tricks.seats)

    # -- the pool ---------------------------------------------------------------------------

    def start_pool(self, number: int | None) -> None:
        """Take what is in the pool, the dealer's stake being in it."""
        self.account.pool = number
        self.phase = "play" if self.rules.pool == "simple" else "declare"
        if number is None:
            return
        stake = self.rules.stake
        if self.rules.pool == "simple" and number != stake:
            self.rule(
                f"a simple pool of {number}, wanted {stake}",
                say.SIMPLE,
                "more than the dealer's three reds makes a double: deal again",
            )
        if self.rules.pool == "double" and number <= stake and self.rules.play != "lost":
            self.rule(
                f"a double pool of {number}, wanted more than {stake}",
                say.DECLARING,
                "the dealer's three reds alone make a simple: deal again",
            )

    def due(self) -> list[Due]:
        if self.account.end == "tricks":
            self.account.tricks = self.tricks.count()
        return dues(self.account)

    def finish(self) -> list[Ruling]:
        settled, known = self.settled, self.account.pool is not None
        if not self.account.end or not settled:
            # A deal that breaks off, or a log without payments, leaves them unjudged.
            self.unjudged += len(settled) + bool(self.due())
            return self.rulings
        if not known or self.rules.play == "lost":
            told = [p for p in settled if p[1].word not in OF_THE_POOL]
            self.unjudged += len(settled) - len(told)
            settled = told
        due = self.due()
        if not known and self.rules.unlimited:
            told = [p for p in settled if p[1].word != "loo"]
            self.unjudged += len(settled) - len(told)
            settled, due = told, [d for d in due if d.word != "loo"]
        source = f"{self.law.source.book}, {self.law.source.section}"
        for at, seat, what, lacks in differences(due, settled):
            self.at = at
            self.rule(what, source, "correct the payment", seat=seat, lacks=lacks)
        return self.rulings
