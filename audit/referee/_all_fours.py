"""The play of the All Fours family: follow or trump, revokes, exposed cards, misdeals.

Source: Foster, "All Fours family", from Seven-Up to Pedro.  What goes before the first
lead, and what the points are worth, each game adds.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from msgspec.structs import replace

from audit.duty import follow_or_trump
from audit.event import Event, Want
from audit.ranks import NO_TRUMP
from audit.referee._all_fours_table import HAND, AllFoursTable
from audit.referee._dealt import counts_wrong, order_wrong
from audit.referee.machine import Ruling
from audit.referee.tricks import Tricks, foreign

#: Faults that end a deal before it is played, and whether the misdealer may lose the deal by it.
FAULTS = {"foul hand": True, "no cut": True, "faced card": False, "imperfect pack": False}
#: What may be claimed at the end, and the warning that a false claim answers.
CLAIMS = {"high": "LAW", "low": "W16", "catch jack": "LAW", "game": "LAW"}


class AllFoursDeal(AllFoursTable):
    """One deal, event by event; "redeal" and "over" end it."""

    #: Whether a run of plays needs nothing between two tricks.
    quick = True

    # -- what each game says ------------------------------------------------------------------

    @abstractmethod
    def ready(self, event: Event) -> None:
        """Leave whatever goes before the first lead, for it has been made."""

    @abstractmethod
    def call(self, event: Event) -> None:
        """Take a call before the play."""

    def exchange(self, event: Event) -> None:
        """Take cards given up, or drawn; most games have none."""
        self.rule(
            f"{event.kind} that the game does not have", self.cite, "it is void", seat=event.seat
        )

    def look(self, event: Event) -> None:
        """Take a look at a hand or a card; no fault in most games."""

    def allowed(self, seat: int, card: int, legal: list[int]) -> None:
        """Rule on a card that the duty allows, where more is asked of *seat*."""
        wanted = self.called.pop(seat, card)
        if wanted != card and wanted in legal:
            self.rule(
                "an exposed card was called and another played",
                f"{self.cite}, exposed cards",
                "the card called is to be played",
                seat=seat,
            )

    # -- wants --------------------------------------------------------------------------------

    def wants(self) -> Want | None:
        if self.phase == "redeal":
            return Want(kind="redeal", seat=0, words=(self.fault,))
        if self.phase != "play":
            return None
        tricks = self.begin()
        return Want(kind="play", seat=tricks.turn, cards=tuple(tricks.legal(tricks.turn) or ()))

    def nature(self, want: Want) -> Event:
        word = want.words[0]
        return Event(kind="redeal", word=word, to=self.next_dealer(word))

    def next_dealer(self, word: str) -> int:
        """Return the place of who deals after a deal that ended for *word*."""
        lost = FAULTS.get(word, False) and self.rules.misdeal == "passes"
        return self.after(self.dealer) if lost else self.dealer

    # -- taking events ------------------------------------------------------------------------

    def take_all(self, events: Sequence[Event]) -> None:
        at, last = 0, len(events)
        while at < last:
            event = events[at]
            if self.phase == "over" and event.kind == "score" and self._heard(event):
                self.at = at
                self.settled.append((at, event))
            elif self.phase == "play" and (new := self._straight(events, at)) > at:
                self.played += [(e.seat, e.cards[0]) for e in events[at:new]]
                self.at, at = new - 1, new
                self._go_on()
                continue
            else:
                self.take(event)
            at += 1

    def _heard(self, event: Event) -> bool:
        """Whether *event* is of a seat that there is, in a deal that can be followed."""
        return not self.blind and 0 <= event.seat <= self.players

    def _straight(self, events: Sequence[Event], at: int) -> int:
        """Take as many right plays as follow at once, when nothing else has to be watched."""
        known = self.quick and self.trump != NO_TRUMP and events[at].kind == "play"
        if not known or self.blind or self.called or self.pending:
            return at
        return self.begin().straight(events, at, self.size)

    def take(self, event: Event) -> None:
        if self._heard(event):
            super().take(event)
        else:
            self.at += 1
            self.unjudged += 1

    def step(self, event: Event) -> None:
        if self.phase == "redeal" and event.kind in ("call", "exchange", "draw", "play"):
            self.rule(
                f"the deal went on after: {self.fault}",
                f"{self.cite}, misdealing",
                "a new deal",
                seat=event.seat,
            )
            self.phase = self._before
        match event.kind:
            case "play":
                self._play(event)
            case "call" if event.word == "call card":
                self._call_card(event)
            case "call":
                self.call(event)
            case "exchange" | "draw":
                self.exchange(event)
            case "trick":
                self._trick(event)
            case "look":
                self.look(event)
            case "claim" if event.word in CLAIMS:
                self.claims.append((self.at, event))
            case "irregular":
                self._irregular(event)
            case "redeal":
                self._redeal(event)
            case _:
                self.unjudged += 1

    # -- tricks -------------------------------------------------------------------------------

    def begin(self) -> Tricks:
        """Return the tricks, begun if they were not."""
        if self.tricks is None:
            first, n = self.leader - 1, self.players
            seats = [(first + k) % n + 1 for k in range(n)]
            hands = {s: self._known(s) for s in seats}
            order = self.rules.ranks.order(self.trump)
            self.tricks = Tricks(order=order, duty=follow_or_trump, seats=seats, hands=hands)
        return self.tricks

    def _known(self, seat: int) -> list[int] | None:
        hand = self.hands[seat] if seat < len(self.hands) else []
        return hand if hand and max(hand) < 52 and seat not in self.hidden else None

    def _play(self, event: Event) -> None:
        if len(event.cards) != 1 or event.cards[0] > 51 or not event.seat:
            self.blind = True
        elif self.phase != "over":
            self.ready(event)
        if self.blind:
            self.unjudged += 1
            return
        if self.phase == "over":
            self.rule(
                "a card played after the last trick",
                f"{self.cite}, methods of play",
                "it is out of play",
                seat=event.seat,
            )
            return
        tricks, card = self.begin(), event.cards[0]
        if self.trump == NO_TRUMP:
            self.trump = card // 13
            tricks.order = self.rules.ranks.order(self.trump)
        seat = self._whose(tricks, event, card)
        if seat:
            self._judge(tricks, seat, card)
            self._put(tricks, seat, card)

    def _whose(self, tricks: Tricks, event: Event, card: int) -> int:
        """Return for whom a card goes on the trick, 0 where it goes back to its owner."""
        seat, turn = event.seat, tricks.turn
        if seat == turn:
            return seat
        owner = tricks.hands[turn]
        if foreign(card, tricks.hands[seat]) and owner is not None and card in owner:
            self._turn_broken(seat, turn)
            return turn
        played = tricks.seats[: len(tricks.cards)]
        if seat in played:
            return self._second(tricks, seat, card)
        self._turn_broken(seat, turn)
        if any(
            e.kind == "play" and e.seat == seat and e.cards == event.cards
            for e in self.deal.events[self.at + 1 :]
        ):
            self.exposed.add((seat, card))
            return 0
        return seat

    def _turn_broken(self, seat: int, turn: int) -> None:
        self.rule(
            f"played by seat {seat}, wanted seat {turn}",
            f"{self.cite}, leading and playing out of turn",
            "the card is exposed and may be called",
            seat=seat,
        )

    def _second(self, tricks: Tricks, seat: int, card: int) -> int:
        """Rule on a second card of one seat to a trick; a revoke may be mended by it."""
        at = tricks.seats.index(seat)
        first, hand = tricks.cards[at], tricks.hands[seat]
        self.exposed.add((seat, card))
        if seat in self.pending and hand is not None and card in hand:
            self.pending.remove(seat)
            self.exposed = self.exposed - {(seat, card)} | {(seat, first)}
            hand[hand.index(card)] = first
            tricks.cards[at] = card
            self.played[self.played.index((seat, first))] = (seat, card)
            self.rule(
                "a card taken back to mend a revoke before the trick was quitted",
                f"{self.cite}, revokes",
                "no revoke; the card taken back is exposed",
                seat=seat,
            )
        else:
            self.rule(
                "a second card of one player to a trick",
                f"{self.cite}, exposed cards",
                "the adversaries choose which remains, the other is exposed",
                seat=seat,
            )
        return 0

    def _judge(self, tricks: Tricks, seat: int, card: int) -> None:
        hand = tricks.hands[seat]
        if hand is None:
            self.unjudged += 1
        elif card not in hand:
            self.hidden.add(seat)
            self.rule(
                "a card that was not in the hand",
                f"{self.cite}, misdealing",
                "the pack or the hand is foul",
                seat=seat,
            )
        elif card not in (legal := tricks.legal(seat) or []):
            self.pending.append(seat)
            self.rule(
                "neither followed suit nor trumped, though able to",
                f"{self.cite}, revokes",
                self.penalty,
                seat=seat,
                code="W26",
            )
        else:
            self.allowed(seat, card, legal)

    #: What a revoke costs.
    penalty = "2 points where the Jack is in play, else 1; no score for Jack and Game; stop at six"

    def _put(self, tricks: Tricks, seat: int, card: int) -> None:
        self.exposed.discard((seat, card))
        self.played.append((seat, card))
        if tricks.play(seat, card) is not None:
            self.revokes += self.pending
            self.pending = []
        self._go_on()

    def _go_on(self) -> None:
        assert self.tricks is not None
        self.trick = self.tricks.cards
        if len(self.tricks.taken) >= self.size:
            self.phase = "over"

    def _trick(self, event: Event) -> None:
        """Compare who gathers a trick, and what is in it, with what was played."""
        if self.tricks is None or self.tricks.cards or not self.tricks.taken:
            self.rule(
                "a trick gathered before it was complete",
                f"{self.cite}, methods of play",
                "it is put back",
                seat=event.seat,
            )
            return
        best, cards = self.tricks.taken[-1]
        if event.seat != best:
            self.rule(
                f"the trick was gathered by seat {event.seat}, won by seat {best}",
                f"{self.cite}, methods of play",
                "the trick is its winner's",
                seat=event.seat,
            )
        if len(event.cards) > len(cards) or not set(event.cards) <= set(cards):
            # Fewer may be a Low kept before its owner, as the book advises.
            self.rule(
                "a trick with cards that were not played to it",
                f"{self.cite}, methods of cheating",
                "they do not count",
                seat=event.seat,
                code="W03",
            )

    # -- what goes wrong ----------------------------------------------------------------------

    def _call_card(self, event: Event) -> None:
        card = event.cards[0] if event.cards else -1
        owner = next((s for s, c in self.exposed if c == card), 0)
        if not self.sides or not owner or self.side(owner) == self.side(event.seat):
            self.rule(
                "a card called that may not be called",
                f"{self.cite}, exposed cards",
                "only exposed cards, by the adversaries, when four play",
                seat=event.seat,
            )
        else:
            self.called[owner] = card

    def _irregular(self, event: Event) -> None:
        if event.word == "exposed":
            self.exposed |= {(event.seat, card) for card in event.cards}
        elif event.word == "foul hand" and self.played:
            # The book settles only that the Jack turned now counts.
            self.unjudged += 1
        elif event.word in FAULTS:
            hand = self.deal.hands[event.seat - 1] if event.seat <= len(self.deal.hands) else b""
            if event.word == "foul hand" and event.seat and len(hand) == HAND:
                self.rule(
                    "a wrong number of cards announced of a hand that has six",
                    f"{self.cite}, dealing",
                    "the announcement is void",
                    seat=event.seat,
                    code="W18",
                )
                return
            self.fault, self._before, self.phase = event.word, self.phase, "redeal"
        elif event.word != "exposed card":
            self.unjudged += 1

    def _redeal(self, event: Event) -> None:
        if event.word == "foul hand" and self.played:
            self.unjudged += 1
        elif event.word in FAULTS or event.word == "exposed card":
            self.fault = event.word
        elif not self.redealt(event):
            self.unjudged += 1
        wanted = self.next_dealer(event.word)
        if event.to and event.to != wanted:
            self.rule(
                f"dealt again by seat {event.to}, wanted seat {wanted}",
                f"{self.cite}, misdealing",
                f"seat {wanted} deals",
                seat=event.to,
            )
        self.phase = "over"

    def redealt(self, event: Event) -> bool:
        """Judge a new deal for another reason; whether the game knows the reason."""
        return False

    # -- the end ------------------------------------------------------------------------------

    def finish(self) -> list[Ruling]:
        self.at = -1
        self._check_deal()
        if self.blind:
            return self.rulings
        self._check_claims()
        if self.sides:
            # Points are the side's, whichever partner is written down for them.
            self.settled = [
                (k, e if e.seat < 3 else replace(e, seat=self.side(e.seat)))
                for k, e in self.settled
            ]
        self.at = -1
        return super().finish()

    def _check_deal(self) -> None:
        if self.fault not in FAULTS:
            for seat, cards in counts_wrong(self.deal, HAND):
                self.rule(
                    f"{cards} cards were dealt, wanted {HAND}",
                    f"{self.cite}, misdealing",
                    "a misdeal",
                    seat=seat,
                    code="W03" if cards > HAND else "W18",
                )
        if not self.blind:
            for seat, what, code in order_wrong(self.law, self.deal, self.players, self.dealer):
                self.rule(what, f"{self.cite}, dealing", "a misdeal", seat=seat, code=code)

    def _check_claims(self) -> None:
        if self.claims and not self.complete:
            self.unjudged += len(self.claims)
            return
        made = self.made() if self.claims else {}
        for at, event in self.claims:
            if made.get(event.word, 0) != self.side(event.seat):
                self.at = at
                self.rule(
                    f"{event.word} was claimed by seat {event.seat}, who has it not",
                    f"{self.cite}, objects of the game",
                    "the claim is void",
                    seat=event.seat,
                    code=CLAIMS[event.word],
                )
