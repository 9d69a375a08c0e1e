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
from audit.referee._loo_play import LooTricks, ace_led, breach, leads, plays
from audit.referee._loo_table import FACES, NOTHING, LooTable
from audit.referee.machine import Maker
from audit.rules.loo import ACE

CLUBS = 3


class LooDeal(LooTable):
    """One deal, event by event."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        self.pending: list[int] = []
        self.changed: dict[int, int] = {}
        self.drawer, self.owed = 0, 0
        self.asked = False

    # -- what is wanted ---------------------------------------------------------------------

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

    # -- events -----------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        if event.kind == "pool" and self.phase == "pool":
            self.at += 1
            self.start_pool(event.number)
        else:
            super().take(event)

    def step(self, event: Event) -> None:
        if self.phase == "pool":
            self.start_pool(self.said_pool())
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

    # -- declaring --------------------------------------------------------------------------

    def _waiting(self) -> list[int]:
        return [s for s in self.seats if s not in self.answers]

    def words(self, seat: int) -> tuple[str, ...]:
        """Return what *seat* may declare, given what was declared before."""
        if self.rules.club and self.trump == CLUBS:
            return ("stand",)
        if self.rules.draw:
            return ("play", "pass")
        said = [self.answers[s] for s in self.seats if s in self.answers and s != seat]
        extra = self.rules.extra
        free = extra not in said and "defend" not in said
        if (
            seat == self.dealer
            and len(said) == self.players - 1
            and [word for word in said if word in say.IN] == ["stand"]
            and self.rules.play != "lost"
        ):
            return ("stand", extra, "defend")
        return ("stand", "pass", extra) if free else ("stand", "pass")

    def _call(self, event: Event) -> None:
        seat, word = event.seat, event.word
        self.calls.append(event)
        if self.phase != "declare" or seat not in self._waiting():
            self.rule(f"{word} when nothing is asked", say.DECLARING, "it is void", seat=seat)
            return
        first = self._waiting()[0]
        if seat != first:
            self.forfeit(seat, f"{word} out of turn, wanted seat {first}", say.OFFENCES, "W58")
        allowed = self.words(seat)
        if word not in allowed:
            self._misspoken(seat, word, allowed)
        self.answers[seat] = word
        self._hand_of(seat, word)
        if not self._waiting():
            self._declared()

    def _misspoken(self, seat: int, word: str, allowed: tuple[str, ...]) -> None:
        what = f"{word}, wanted {' or '.join(allowed)}"
        if self.rules.club and self.trump == CLUBS:
            self.rule(what, say.CLUB, "everybody has to play", seat=seat, code="W67")
        elif "defend" in allowed:
            self.rule(what, say.DECLARING, "the dealer has to play against one", seat=seat)
        else:
            self.rule(what, say.DECLARING, "the call is void", seat=seat)

    def _hand_of(self, seat: int, word: str) -> None:
        """Give up the hand of who passes, give the extra one to who takes it."""
        if word in (self.rules.extra, "defend") and self.rules.extra:
            self.hands[seat] = list(self.deal.widow)
            self.blind.discard(seat)
            if len(self.deal.widow) != self.rules.cards:
                self.blind.add(seat)
        elif word not in say.IN:
            self.hands[seat] = []

    def _declared(self) -> None:
        a = self.account
        a.playing = [s for s in self.seats if self.answers.get(s) in say.IN]
        a.keeper = next((s for s, w in self.answers.items() if w == "defend"), 0)
        if not a.playing:
            a.end, self.phase = "nobody", "over"
        elif self.rules.claim == "declared" and self._holders():
            self.pending, self.phase = self._holders(), "claim"
        else:
            self._after_claims()

    def _after_claims(self) -> None:
        """Go on with exchanges or play, or end a deal that only one player plays."""
        a = self.account
        if len(a.playing) == 1 and self._unopposed(a.playing[0]):
            a.winner, a.end, self.phase = a.playing[0], "alone", "over"
        elif self._changing():
            self.phase = "exchange"
        elif self.rules.claim == "changed" and self._holders():
            self.pending, self.phase = self._holders(), "claim"
        else:
            self._first_lead()

    def _unopposed(self, seat: int) -> bool:
        return self.answers[seat] == self.rules.extra or self.rules.alone == "takes the pool"

    # -- flushes ----------------------------------------------------------------------------

    def _holders(self) -> list[int]:
        held = self.account.holders
        return [s for s in self.account.playing if s not in held and self.flush(s)]

    def _claim(self, event: Event) -> None:
        seat = event.seat
        if self.account.end == "flush" and seat in self.blind:
            self.unjudged += 1
            self._win(seat)
        elif self.played or self.phase == "over":
            self.rule("a claim after the first lead", say.FLUSHES, "it is void", seat=seat)
        elif self.phase == "declare" and not self.answers and seat != self.seats[0]:
            # Who plays was not recorded.
            self.unjudged += len(self.seats)
            if self.rules.claim == "at once":
                self._win(seat)
            else:
                self.phase = "unknown"
        elif seat in self.blind:
            self.unjudged += 1
            self._win(seat)
        elif not self.flush(seat):
            self.foul(seat, "a flush claimed that is not held", say.FLUSHES, "W68")
        elif self._too_early(seat):
            self.rule(
                "a flush claimed before it may be", say.FLUSHES, "it is shown later", seat=seat
            )
        else:
            self._win(seat)

    def _too_early(self, seat: int) -> bool:
        if self.rules.claim == "at once":
            return self.phase == "declare" and self._waiting()[0] != seat
        return self.phase != "claim"

    def _win(self, seat: int) -> None:
        a = self.account
        if self.phase == "declare":
            a.playing = [s for s in self.seats if self.answers.get(s) in say.IN] + [seat]
        a.holders.append(seat)
        # The first to show it ends the deal where no other holder gains by showing his.
        alone = self.rules.claim == "at once" and self.rules.younger == "pays"
        self.pending = [] if alone else self._others()
        if self.pending:
            self.phase = "claim"
            return
        a.winner, a.end, self.phase = self._best(), "flush", "over"

    def _others(self) -> list[int]:
        """Return who else holds a flush, in order: those who have not thrown up their hands."""
        held = self.account.holders
        return [
            s
            for s in self.seats
            if self.answers.get(s, "play") in say.IN and s not in held and self.flush(s)
        ]

    def _best(self) -> int:
        """Return whose flush wins: the elder's, or first one in trumps where that is superior."""
        held = [s for s in self.seats if s in self.account.holders]
        if self.rules.best == "superior":
            pam = self.pam()
            for seat in held:
                if {c // 13 for c in self.hands[seat] if c != pam} == {self.trump}:
                    return seat
        return held[0]

    def _unclaimed(self) -> None:
        """Go on where a flush that is held was not claimed."""
        if self.rules.must:
            for seat in self.pending:
                self.rule(
                    "three trumps not announced", say.FLUSHES, "to be announced at once", seat=seat
                )
        self.pending = []
        if self.account.holders:
            self.account.winner, self.account.end, self.phase = self._best(), "flush", "over"
        elif self._changing():
            self.phase = "exchange"
        else:
            self._first_lead()

    # -- exchanges --------------------------------------------------------------------------

    def _changing(self) -> list[int]:
        if not self.rules.draw:
            return []
        return [s for s in self.account.playing if s not in self.changed]

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

    # -- play -------------------------------------------------------------------------------

    def _first_lead(self) -> None:
        playing = self.account.playing
        order = self.rules.ranks.order(self.trump)
        self.tricks = LooTricks(order=order, seats=playing, leader=playing[0])
        # Without the turn-up nobody can say who wins a trick.
        known = self.trump != NO_TRUMP or self.rules.pool == "simple"
        self.phase = "play" if known else "unknown"

    def legal(self, seat: int) -> list[int] | None:
        """Return what *seat* may play to the trick, None where its hand is not known."""
        hand, cards = self.hands[seat], self.tricks.cards
        if seat in self.blind:
            return None
        if self.rules.play == "lost":
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
        if self.phase == "over":
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
        self.tricks.order = self.rules.ranks.order(self.trump)
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

    def _gathered(self, event: Event) -> None:
        taken = self.tricks.taken
        if not taken or self.tricks.trick:
            self.rule(
                "a trick gathered that is not complete", say.SIMPLE, "it is void", seat=event.seat
            )
        elif event.seat != taken[-1][0]:
            what = f"trick gathered by seat {event.seat}, wanted seat {taken[-1][0]}"
            self.rule(what, say.SIMPLE, "it is the winner's", seat=event.seat)

    # -- records that lack something ----------------------------------------------------------

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
        if self.phase == "turn":
            # The trump that took the last trick was not recorded.
            self.phase = "unknown"

    def _undeclared(self) -> None:
        """Take those who play a card as in, where declarations are missing."""
        missing = self._waiting()
        by = {e.seat for e in self.deal.events if e.kind in ("play", "exchange")}
        if self.answers:
            what = f"play began before seat {missing[0]} had declared"
            self.rule(what, say.DECLARING, "all declare before the first lead", seat=missing[0])
        else:
            self.unjudged += len(missing)
        for seat in missing:
            self.answers[seat] = "stand" if seat in by else "pass"
            mine = {e.cards[0] for e in self.deal.events if e.kind == "play" and e.seat == seat}
            if not mine <= set(self.hands[seat]):
                self.blind.add(seat)
        self.account.playing = [s for s in self.seats if self.answers[s] in say.IN]
        self.account.playing = self.account.playing or list(self.seats)
        if self._changing():
            self.phase = "exchange"
        else:
            self._first_lead()


MACHINE = Maker(family="loo", make=LooDeal)
