"""Loo with three or five cards: declaring, flushes, exchanges, tricks and the pool.

Source: Foster, "Loo", "Irish Loo", "Five-card Loo"; the household book, end of Loo to
section 100.  Numbers are white counters.

Events of a deal: `pool` (word "start": what is in it with the dealer's stake), `call`
(stand, play, pass, widow, miss, defend), `claim` (flush), `exchange` and `draw`,
`turn` in a simple pool, `play`, `trick` (optional), then what is paid, and `pool`
(word "left").  A record that lacks some of these is judged as far as it goes.
"""

from __future__ import annotations

from audit.event import Event, Want
from audit.law import Law
from audit.ranks import NO_TRUMP
from audit.record import Deal
from audit.referee import _loo_words as say
from audit.referee._loo_draw import LooDrawing
from audit.referee._loo_play import ace_led, breach, leads, plays
from audit.referee._loo_table import NOTHING
from audit.referee.machine import Maker
from audit.rules.loo import ACE


class LooDeal(LooDrawing):
    """One deal, event by event."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        self.asked = False

    # -- what is wanted ----------------------------------------------------------------------

    def wants(self) -> Want | None:
        match self.phase:
            case "pool":
                return Want(kind="pool", seat=0)
            case "declare":
                seat = self._waiting()[0]
                if self.rules.claim == "at once" and self.flush(seat):
                    return Want(kind="claim", seat=seat, words=("flush",))
                return Want(kind="call", seat=seat, words=self.words(seat))
            case "claim":
                return Want(kind="claim", seat=self.pending[0], words=("flush",))
            case "exchange":
                return self._want_exchange()
            case "draw":
                return Want(kind="draw", seat=0, count=self.owed)
            case "turn":
                return Want(kind="turn", seat=0)
            case "play":
                return self._want_play()
        return None

    def _want_exchange(self) -> Want:
        seat = self._changing()[0]
        hand = tuple(self.hands[seat])
        most = min(len(hand), self.stock_size)
        return Want(kind="exchange", seat=seat, cards=hand, count=most, least=0)

    def _want_play(self) -> Want:
        seat = self.tricks.turn
        legal = tuple(self.legal(seat) or ())
        words: tuple[str, ...] = ()
        if self.rules.civil == "asked" and not self.tricks.trick and self._is_ace(legal):
            words = ("", say.CIVIL)
        return Want(kind="play", seat=seat, cards=legal, words=words)

    def _is_ace(self, legal: tuple[int, ...]) -> bool:
        return self.trump != NO_TRUMP and legal == (13 * self.trump + ACE,)

    def nature(self, want: Want) -> Event:
        if want.kind == "pool":
            least = self.rules.stake + (self.rules.pool == "double") * self.rules.loo
            said = self.said_pool()
            return Event(kind="pool", word="start", number=least if said is None else said)
        stock = self.left or []
        seat = self.drawer if want.kind == "draw" else 0
        return Event(kind=want.kind, seat=seat, cards=bytes(stock[: want.count]))

    # -- events ------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        if event.kind == "pool" and self.phase == "pool":
            self.at += 1
            self.start_pool(event.number)
        else:
            super().take(event)

    def step(self, event: Event) -> None:
        if self.phase == "pool":
            self.start_pool(self.said_pool())
        if self.phase == "unknown" and event.kind == "turn":
            self._turned_late()
        if self.phase == "unknown" or not self.sound(event):
            self.unjudged += 1
            return
        match event.kind:
            case "call":
                self._call(event)
            case "claim":
                self._claim(event)
            case "exchange":
                self._exchange(event)
            case "draw":
                self._draw(event)
            case "turn":
                self._turn(event)
            case "play":
                self._play(event)
            case "trick":
                self._gathered(event)
            case "look":
                self.look(event)
            case "irregular":
                self.irregular(event)
            case "redeal":
                self.account.end = self.account.end or "misdeal"
                self.phase = "over"
            case _:
                self.unjudged += 1

    def start_pool(self, number: int | None) -> None:
        super().start_pool(number)
        self._simple_turned()

    def _simple_turned(self) -> None:
        if self.rules.pool == "simple" and self.turnups and self.trump == NO_TRUMP:
            self.turnups.clear()
            self._turned_by_mistake()

    # -- play --------------------------------------------------------------------------------

    def legal(self, seat: int) -> list[int] | None:
        """Return what *seat* may play to the trick, None where its hand is not known."""
        hand, cards = self.hands[seat], self.tricks.cards
        if seat in self.blind:
            return None
        if self.rules.play == "lost":
            return list(hand)
        if not cards and seat != self.tricks.leader:
            # "The eldest hand" and "the winner of a trick" must lead a trump, nobody else.
            return list(hand)
        if not cards:
            return leads(self.tricks.order, hand, self._top())
        passing = self.pam() if self.rules.civil == "always" or self.asked else NOTHING
        return plays(self.tricks.order, hand, cards, passing)

    def _top(self) -> int:
        """Return the trump that has to be led now, -1 where none is named."""
        first = not self.tricks.taken or self.rules.ace_lead == "every"
        if not first or self.trump == NO_TRUMP or self.rules.pool == "simple":
            return NOTHING
        return self.rules.top(self.trump, self.turnups[0] if self.turnups else NOTHING)

    def _play(self, event: Event) -> None:
        self._to_play(event)
        if self.phase == "unknown":
            self.unjudged += 1
            return
        if self.phase in ("over", "turn"):
            self.rule("a card after the last trick", say.OFFENCES, "it is void", seat=event.seat)
            return
        seat, card = self.tricks.turn, event.cards[0]
        if event.seat != seat:
            what = f"played by seat {event.seat}, wanted seat {seat}"
            self.foul(event.seat, what, say.OFFENCES)
            if self._holds_turn(event.seat, card):
                seat = event.seat
        self._judge(seat, card)
        if not self.tricks.trick:
            self.asked = event.word == say.CIVIL
        if card in self.hands[seat]:
            self.hands[seat].remove(card)
        self.played.append((seat, card))
        self.tricks.trick.append((seat, card))
        self.trick = self.tricks.cards
        if self.tricks.full:
            self._complete()

    def _holds_turn(self, seat: int, card: int) -> bool:
        done = {s for s, _ in self.tricks.trick}
        return seat in self.tricks.seats and seat not in done and card in self.hands[seat]

    def _judge(self, seat: int, card: int) -> None:
        legal = self.legal(seat)
        if legal is None:
            # A card of an unknown hand is only known not to be another's, or played before.
            if any(card == c for _, c in self.played):
                self.rule("a card that was played before", say.OFFENCES, "foul hand", seat=seat)
            return
        if card not in self.hands[seat]:
            self.foul(seat, "a card that was not in the hand", say.OFFENCES)
            return
        if card in legal:
            return
        order, hand, trick = self.tricks.order, self.hands[seat], self.tricks.cards
        passed = card == self.pam() and ace_led(order, trick)
        self.revoked.add(seat)
        self.rule(
            breach(order, hand, trick, card, self.pam()),
            say.PAM if passed else say.REVOKES,
            say.SPLIT,
            seat=seat,
            code="W64" if passed else "W61",
        )

    def _complete(self) -> None:
        simple = self.rules.pool == "simple" and self.trump == NO_TRUMP
        late = self.rules.turn_after == "first two" and len(self.tricks.taken) == 2
        if simple and not self.tricks.followed and not late:
            self.phase = "turn"
        else:
            self._quit()

    def _quit(self) -> None:
        self.tricks.quit()
        self.trick = []
        if len(self.tricks.taken) == self.rules.cards:
            self.account.playing = list(self.tricks.seats)
            self.account.end, self.phase = "tricks", "over"
        else:
            self.phase = "play"

    def _turn(self, event: Event) -> None:
        if self.phase != "turn":
            if self.rules.pool == "simple" and self.trump == NO_TRUMP:
                self._turned_by_mistake()
            else:
                self.rule("a second card turned", say.DECLARING, "it is void", seat=self.dealer)
            return
        card = event.cards[0]
        lies = [c for _, c in self.played] + [c for hand in self.hands for c in hand]
        if self.from_stock([card]) or card in lies:
            self.rule(
                "the card turned is not the top of the pack",
                say.SIMPLE,
                "the top card is the trump",
                seat=self.dealer,
            )
        self.turnups, self.trump = [card], card // 13
        self.tricks.order = self.rules.order(self.trump)
        self._quit()

    def _turned_by_mistake(self) -> None:
        self.rule(
            "a trump turned in a simple pool",
            say.SIMPLE,
            "three reds to the current pool, which remains a simple",
            seat=self.dealer,
            code="W65",
        )
        self.account.forfeits.append(self.dealer)

    def _turned_late(self) -> None:
        """Rule on a trump shown after a card of the next trick; unlike one the log leaves out."""
        if self.unturned:
            self.unturned = False
            self.rule(
                "the trump was turned up late, after the next trick had begun",
                say.SIMPLE,
                "it is turned as soon as a trick is complete that not all followed; no penalty",
                seat=self.dealer,
            )

    def _gathered(self, event: Event) -> None:
        taken = self.tricks.taken
        if self.phase == "turn":
            # Who wins the trick is not known before the trump is turned.
            self.unjudged += 1
        elif not taken or self.tricks.trick:
            self.rule(
                "a trick gathered that is not complete", say.SIMPLE, "it is void", seat=event.seat
            )
        elif event.seat != taken[-1][0]:
            what = f"trick gathered by seat {event.seat}, wanted seat {taken[-1][0]}"
            self.rule(what, say.SIMPLE, "it is the winner's", seat=event.seat)

    # -- records that lack something ---------------------------------------------------------

    def _to_play(self, event: Event) -> None:
        """Reach the play of the cards from any phase, counting what was not recorded."""
        if self.phase == "declare":
            self._undeclared()
        if self.phase == "claim":
            self._unclaimed()
        if self.phase == "draw":
            self.unjudged += 1
            self.blind.add(self.drawer)
            self.phase = "exchange"
        if self.phase == "exchange":
            self.unjudged += len(self._changing())
            self.blind |= set(self._changing())
            self._first_lead()
        if self.phase == "turn" and len(self.tricks.taken) + 1 < self.rules.cards:
            # The trump that took the last trick was not recorded, or is turned late.
            self.phase, self.unturned = "unknown", True


MACHINE = Maker(family="loo", make=LooDeal)
