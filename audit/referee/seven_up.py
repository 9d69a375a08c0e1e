"""Seven-Up, old All Fours, All Fives and Pitch: beg, gift or run, six tricks, the points.

Source: Foster, "All Fours family", Seven-Up.
"""

from __future__ import annotations

from msgspec import structs

from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee._all_fours import AllFoursDeal
from audit.referee._all_fours_table import HAND
from audit.referee._points import JACK, pip_table
from audit.referee.machine import Due, Maker, Ruling
from audit.rules.seven_up import SevenUp

#: Who is asked what in each phase before the discard, and what phase the answer leads to.
CALLS: dict[str, tuple[str, dict[str, str]]] = {
    "beg": ("eldest", {"stand": "play", "beg": "answer"}),
    "answer": ("dealer", {"give": "play", "run": "run"}),
    "bunch": ("eldest", {"keep": "bunch too", "bunch": "agree"}),
    "agree": ("dealer", {"refuse": "bunch too", "agree": "bunched"}),
    "bunch too": ("dealer", {"keep": "discard", "bunch": "agree too"}),
    "agree too": ("eldest", {"refuse": "discard", "agree": "bunched"}),
}
BUNCHED = "bunched"
MOST_POINTS = 5
#: What points are made for in a deal; penalties and pegs apart.
POINTS = ("jack", "gift", "high", "low", "catch jack", "game")


class SevenUpDeal(AllFoursDeal):
    """One deal: the phases of `CALLS`, then discard, play and over; "bunched" ends it too."""

    rules: SevenUp

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(self.rules, SevenUp)
        self.turned = self.rules.trump == "turned"
        self.gift = self.refused = False
        self.jacks = self.runs = 0
        self.peekers: list[int] = []
        self._run_cards = b""
        if self.turned:
            self.phase = "beg"
            self._turn_first()

    # -- the deal -----------------------------------------------------------------------------

    def _turn_first(self) -> None:
        """Take the turn-up, off the pack where only that is known."""
        order = self.deal.order_after_cut
        at = self.players * HAND
        if not self.turnups and order is not None and len(order) > at:
            self.turnups = [order[at]]
        if not self.turnups or self.turnups[0] > 51:
            self.blind = True
            return
        self._set_trump()

    def _from_stock(self) -> tuple[list[int], list[int]]:
        """Return what the pack would turn and give if it were run to its end."""
        more, cards, n = [], [], self.players * 3
        left = list((self.deal.order_after_cut or b"")[self.players * HAND + 1 :])
        while len(left) > n:
            cards += left[:n]
            more.append(left[n])
            left = left[n + 1 :]
        return more, cards

    def record(self, dealt: Deal, events: tuple[Event, ...]) -> Deal:
        turned = bytes(self.turnups)
        return structs.replace(dealt, events=events, turnups=turned, runs=self._run_cards)

    def _set_trump(self) -> None:
        """Take the last card turned as trumps; a Jack of a new suit scores for the dealer."""
        card = self.turnups[-1]
        if len(self.turnups) > 1 and card // 13 == self.turnups[0] // 13:
            return
        self.trump = card // 13
        self.jacks += card % 13 == JACK

    def _run(self) -> None:
        """Give three more cards to each and turn the next, until another suit is turned."""
        n = self.players * 3
        more, cards = list(self.deal.turnups[1:]), list(self.deal.runs)
        if not more and self.deal.order_after_cut:
            more, cards = self._from_stock()
        for k, card in enumerate(more):
            self.runs += 1
            self._give(cards[n * k : n * k + n], n)
            self.turnups.append(card)
            if self.turnups[-1] > 51:
                self.blind = True
                return
            if self.turnups[-1] // 13 != self.turnups[0] // 13:
                self._set_trump()
                self.phase = "bunch" if self.players == 2 else "discard"
                if self.rules.keep_nine and self.runs == 1:
                    self.size = HAND + 3
                return
        self.fault, self._before, self.phase = BUNCHED, "over", "redeal"
        if self.deal.order_after_cut is None and len(self.turnups) < self._most_turned():
            # The record ends before the pack did: what was turned next is not known.
            self.blind = True

    def _most_turned(self) -> int:
        return 1 + (51 - HAND * self.players) // (3 * self.players + 1)

    def _give(self, cards: list[int], wanted: int) -> None:
        self._run_cards += bytes(cards)
        for k, seat in enumerate(self.in_order()):
            mine = cards[3 * k : 3 * k + 3]
            if len(cards) < wanted or max(mine) > 51 or self._known(seat) is None:
                self.hidden.add(seat)
            else:
                self.hands[seat] += mine

    # -- before the play ----------------------------------------------------------------------

    def _asked(self, phase: str) -> tuple[int, tuple[str, ...]]:
        """Return who is asked, and what he may say."""
        who, answers = CALLS[phase]
        words = tuple(answers)
        if phase == "answer" and self._gift_goes_out():
            words = ("run",)
        return (self.eldest if who == "eldest" else self.dealer), words

    def wants(self) -> Want | None:
        if self.phase in CALLS:
            seat, words = self._asked(self.phase)
            return Want(kind="call", seat=seat, words=words)
        if self.phase == "discard":
            for seat in self.in_order():
                extra = self._extra(seat)
                if extra > 0:
                    cards = tuple(self.hands[seat])
                    return Want(kind="exchange", seat=seat, cards=cards, count=extra)
            self.phase = "play"
        return super().wants()

    def _extra(self, seat: int) -> int:
        """Return how many cards *seat* has to lay aside, 0 where his hand is not known."""
        return 0 if self._known(seat) is None else len(self.hands[seat]) - self.size

    def _gift_goes_out(self) -> bool:
        """Whether a gift would put a player out, which the dealer may not give."""
        least = self.rules.game - 1
        if max(self.scores) < least:
            return False
        return any(self.scores[s] >= least for s in range(1, self.players + 1) if self._gains(s))

    def _gains(self, seat: int) -> bool:
        """Whether a gift counts for *seat*: the eldest, his side, or both adversaries of three."""
        if self.players == 3:
            return seat != self.dealer
        return self.side(seat) == self.side(self.eldest)

    def call(self, event: Event) -> None:
        self.calls.append(event)
        answers = CALLS[self.phase][1] if self.phase in CALLS else {}
        if event.word not in answers:
            again = event.word == "beg" and self.turned
            self.rule(
                "a second beg" if again else f"{event.word} when nothing of the kind is asked",
                f"{self.cite}, begging",
                "it is void",
                seat=event.seat,
            )
            return
        seat, words = self._asked(self.phase)
        if event.seat != seat:
            self.rule(
                f"{event.word} by seat {event.seat}, wanted seat {seat}",
                f"{self.cite}, begging",
                "only the eldest may beg and only the dealer answers",
                seat=event.seat,
            )
        if event.word not in words:
            self.rule(
                "a gift that would put a player out",
                f"{self.cite}, begging",
                "the dealer must run the cards",
                seat=event.seat,
            )
        self._next(event.word, answers[event.word])

    def _next(self, word: str, phase: str) -> None:
        self.phase = phase
        self.refused = self.refused or word == "refuse"
        if word == "give":
            self.gift = True
        elif word == "run":
            self._run()
        elif phase == BUNCHED:
            self.fault, self._before, self.phase = BUNCHED, "discard", "redeal"

    def exchange(self, event: Event) -> None:
        seat = event.seat
        if event.kind == "draw" or not self.turned:
            super().exchange(event)
            return
        if self.phase.startswith(("bunch", "agree")):
            self.phase = "discard"
        hand = self._known(seat)
        extra = self._extra(seat)
        if self.phase != "discard" or (hand is not None and len(event.cards) != extra):
            self.rule(
                f"{len(event.cards)} cards laid aside, wanted {max(0, extra)}",
                f"{self.cite}, discarding",
                "the hand is made right before the first lead",
                seat=seat,
            )
        if hand is None:
            return
        for card in event.cards:
            if card > 51:
                self.hidden.add(seat)
            elif card in hand:
                hand.remove(card)
            else:
                self.rule(
                    "a card laid aside that was not held",
                    f"{self.cite}, discarding",
                    "the hand is foul",
                    seat=seat,
                )

    def look(self, event: Event) -> None:
        """A hand looked at too soon: by the pone and the dealer's partner of three or four."""
        early = self.phase in ("beg", "answer")
        if not early or self.players == 2 or event.seat in (self.eldest, self.dealer, 0):
            return
        self.peekers.append(event.seat)
        self.rule(
            "a hand was looked at before the dealer and the eldest were agreed",
            f"{self.cite}, begging",
            "among strict players the adversaries score a point",
            seat=event.seat,
            code="W15",
        )

    def ready(self, event: Event) -> None:
        if self.phase == "play":
            return
        if self.phase == "answer":
            # A beg without an answer: the record leaves it out.
            self.unjudged += 1
        short = {s for s in range(1, len(self.hands)) if self._extra(s) > 0} if self.runs else ()
        if short:
            # What was laid aside is not on record.
            self.unjudged += 1
            self.hidden.update(short)
        self.phase = "play"

    def redealt(self, event: Event) -> bool:
        if event.word != BUNCHED:
            return False
        if self.fault == BUNCHED:
            return True
        if self.players == 2 and self.runs and not self.refused and not self.played:
            return False
        self.rule(
            "the cards were bunched without both being agreed",
            f"{self.cite}, begging",
            "the deal stands",
            seat=event.seat,
            code="W25",
        )
        return True

    def closed(self, event: Event) -> bool:
        """Bunching after the last proposal was refused, which no call left out can mend."""
        bunched = event.kind == "redeal" and event.word == BUNCHED
        return bunched and self.refused and self.phase == "discard"

    # -- points -------------------------------------------------------------------------------

    def due(self) -> list[Due]:
        if self.blind:
            return []
        out: list[Due] = []
        dealer = self.side(self.dealer)
        if self.fault in ("", BUNCHED):
            out += [Due(kind="score", seat=dealer, word="jack", number=1)] * self.jacks
        if self.rules.strict:
            out += [self.point(s, "look") for p in self.peekers for s in self.adversaries(p)]
        if self.gift:
            to = dict.fromkeys(self.side(s) for s in range(1, self.players + 1) if self._gains(s))
            out += [self.point(s, "gift") for s in to]
        if self.complete:
            out += self._pegs() if self.rules.pegs else []
            out += self.at_the_end()
        return self.until_out(self.stopped(out))

    def _pegs(self) -> list[Due]:
        """Return what is pegged for the trumps of each trick (All Fives)."""
        assert self.tricks is not None
        table = pip_table(self.trump, plain_honours=False, trump_five=5)
        counts = [(seat, sum(table[c] for c in cards)) for seat, cards in self.tricks.taken]
        return [self.point(self.side(s), "peg", n) for s, n in counts if n]

    def finish(self) -> list[Ruling]:
        super().finish()
        self.at = -1
        if self.deal.order_after_cut and self.runs and not self.blind:
            self._check_runs()
        if self.blind or self.unjudged or self.rulings:
            # Else the scores are those due, which are never so many.
            self._check_most()
        return self.rulings

    def _check_most(self) -> None:
        """Rule on more points for one seat than can be made in a deal, whatever else is known."""
        counted: dict[int, int] = {}
        for event in self.deal.events:
            if event.kind == "score" and event.word in POINTS and 0 < event.seat <= self.players:
                seat = self.side(event.seat)
                counted[seat] = counted.get(seat, 0) + event.number
        for seat, number in counted.items():
            if number > MOST_POINTS:
                self.rule(
                    f"{number} points in one deal, at most {MOST_POINTS} can be made",
                    f"{self.cite}, objects of the game",
                    "correct the score",
                    seat=seat,
                    code="W19",
                )

    def _check_runs(self) -> None:
        more, cards = self._from_stock()
        turned, run = list(self.deal.turnups[1:]), list(self.deal.runs)
        if turned != more[: len(turned)] or run != cards[: len(run)]:
            self.rule(
                "the cards run are not those that followed in the pack",
                f"{self.cite}, begging",
                "a misdeal",
                seat=self.dealer,
                code="W02",
            )


MACHINE = Maker(family="seven_up", make=SevenUpDeal)
