"""Declaring to play at Loo, the extra hand, and flushes that take the pool unplayed.

Source: Foster, Loo ("In Double Pools", "Flushes"), Irish Loo, Five-card Loo; the
household book, sections 99 and 100.
"""

from __future__ import annotations

from audit.event import Event
from audit.referee import _loo_words as say
from audit.referee._loo_table import LooTable

CLUBS = 3


class LooDeclaring(LooTable):
    """From the first call to the exchanges or the first lead."""

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
            mine = {
                c for e in self.deal.events if e.kind == "play" and e.seat == seat for c in e.cards
            }
            if not mine <= set(self.hands[seat]):
                self.blind.add(seat)
        self.account.playing = [s for s in self.seats if self.answers[s] in say.IN]
        self.account.playing = self.account.playing or list(self.seats)
        if self._changing():
            self.phase = "exchange"
        else:
            self._first_lead()

    # -- flushes ----------------------------------------------------------------------------

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
