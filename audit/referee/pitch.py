"""Auction Pitch in its three forms, Smudge, and what is left of Pedro.

Source: Foster, "Auction Pitch", "Smudge", "Pedro".
"""

from __future__ import annotations

from msgspec.structs import replace

from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee._all_fours import AllFoursDeal
from audit.referee._points import TEN, taker
from audit.referee.machine import Due, Maker, Ruling
from audit.referee.tricks import Tricks
from audit.rules.pitch import Pitch

BIDS = {"one": 1, "two": 2, "three": 3, "four": 4}
MOST = 4
#: What is set back for a revoke where no bid was made.
NO_BID = 2
KNOWN = ("high", "low", "catch jack", "game", "penalty")
#: What the pitcher may ask of who plays out of turn.
ASKS = ("highest", "lowest", "trump", "no trump")


class PitchDeal(AllFoursDeal):
    """One deal; phases are sell, bid, answer, play, over.

    *pitcher* leads and must make *promised*; *bid* is the highest of the auction; *paid*
    is what the seller scores for his acceptance.
    """

    rules: Pitch
    penalty = "the offender counts nothing and is set back the number bid, or two without a bid"

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(self.rules, Pitch)
        form = self.rules.auction
        self.phase = {"board": "bid", "lost": "play"}.get(form, "sell")
        order = self.in_order()
        self._turns = order if form == "board" else order[1:]
        self.pitcher, self.promised, self.paid = self.eldest, 0, 0
        self.bid, self.bidder = 0, 0
        self.asked: dict[int, str] = {}

    @property
    def leader(self) -> int:
        return self.pitcher

    # -- the auction --------------------------------------------------------------------------

    def wants(self) -> Want | None:
        if self.phase == "sell":
            return Want(kind="call", seat=self.eldest, words=("sell", "pitch"))
        if self.phase == "bid":
            words = ("pass", *(w for w, n in BIDS.items() if self.bid < n <= self._most()))
            return Want(kind="call", seat=self._turns[0], words=words)
        if self.phase == "answer":
            return Want(kind="call", seat=self.eldest, words=("accept", "refuse"))
        return super().wants()

    def _to_go(self) -> int:
        return self.rules.game - self.scores[self.eldest]

    def _most(self) -> int:
        """Return the highest bid that the seller's score allows."""
        return min(MOST, self._to_go() - 1) if self.rules.auction == "sell" else MOST

    def call(self, event: Event) -> None:
        self.calls.append(event)
        word = event.word
        if word in ASKS and self.phase == "play" and self.played:
            self._ask(event)
        elif self.rules.auction == "lost":
            self.unjudged += 1
        elif self.phase == "sell" and word in ("sell", "pitch"):
            self._by_eldest(event)
            self._sold(word)
        elif self.phase in ("sell", "bid") and (word in BIDS or word == "pass"):
            self._bid(event)
        elif self.phase == "answer" and word in ("accept", "refuse"):
            self._by_eldest(event)
            self._answer(word)
        else:
            self.rule(
                f"{word} when nothing of the kind is asked",
                f"{self.cite}, bidding",
                "it is void",
                seat=event.seat,
            )

    def _by_eldest(self, event: Event) -> None:
        if event.seat != self.eldest:
            self.rule(
                f"{event.word} by seat {event.seat}, wanted seat {self.eldest}",
                f"{self.cite}, bidding",
                "only the eldest sells",
                seat=event.seat,
            )

    def _sold(self, word: str) -> None:
        if word == "pitch":
            self.promised, self.phase = MOST, "play"
        else:
            self.phase = "bid"

    def _bid(self, event: Event) -> None:
        self.phase = "bid"
        seat, number = event.seat, BIDS.get(event.word, 0)
        if seat not in self._turns:
            self.rule(
                "a second bid, or a bid of one who has none",
                f"{self.cite}, bidding",
                "it is void",
                seat=seat,
            )
            return
        if seat != self._turns[0]:
            self.rule(
                f"{event.word} by seat {seat}, wanted seat {self._turns[0]}",
                f"{self.cite}, bidding",
                "no penalty; the bid stands",
                seat=seat,
                code="W27",
            )
        self._turns.remove(seat)
        if self._good(seat, number):
            self.bid, self.bidder = number, seat
        if not self._turns:
            self._bids_made()

    def _good(self, seat: int, number: int) -> bool:
        """Whether a bid counts; a pass never does."""
        if number > self._most():
            self.rule(
                f"a bid of {number} that would put the seller out",
                f"{self.cite}, bidding",
                "the bidder forfeits his right to bid for this deal",
                seat=seat,
                code="W28",
            )
            return False
        if 0 < number <= self.bid:
            self.rule(
                f"a bid of {number} after {self.bid}",
                f"{self.cite}, bidding",
                "bid higher or pass; it is void",
                seat=seat,
            )
        return number > self.bid

    def _bids_made(self) -> None:
        selling = self.rules.auction != "board"
        self.phase = "answer" if self.bid and selling else "play"
        if self.bid and not selling:
            self.pitcher, self.promised = self.bidder, self.bid

    def _answer(self, word: str) -> None:
        self.phase, self.promised = "play", self.bid
        if word == "accept":
            self.pitcher = self.bidder
            self.paid = max(0, min(self.bid, self._to_go() - 1))

    # -- the play -----------------------------------------------------------------------------

    def ready(self, event: Event) -> None:
        if self.phase == "play":
            return
        if self.phase == "sell" and event.seat == self.eldest:
            self.promised = MOST
        elif self.phase == "bid" and self.rules.auction == "board":
            self.unjudged += bool(self._turns)
            self._bids_made()
        elif self.phase == "answer":
            # The answer is not on record: who pitches says what it was.
            self.unjudged += 1
            self._answer("accept" if event.seat == self.bidder else "refuse")
        elif self.phase == "bid" and self.bid:
            self.unjudged += 1
            self._answer("accept" if event.seat == self.bidder else "refuse")
        elif self.phase in ("sell", "bid"):
            # Somebody leads though nobody is known to have bid.
            self.unjudged += 1
        self.phase = "play"

    def begin(self) -> Tricks:
        if self.tricks is None and self.rules.auction == "lost" and self.deal.events:
            # How the pitch was won is lost: whoever leads first has it.
            first = next((e.seat for e in self.deal.events if e.kind == "play" and e.seat), 0)
            self.pitcher = first or self.eldest
        return super().begin()

    def _ask(self, event: Event) -> None:
        """The pitcher may say what an adversary who was out of turn has to play."""
        offender = event.to
        broke = any("wanted seat" in r.what and r.seat == offender for r in self.rulings)
        if event.seat != self.pitcher or not broke or offender == self.pitcher:
            self.rule(
                f"{event.word} asked of one of whom it may not be",
                f"{self.cite}, irregularities",
                "only the pitcher, of an adversary who led or played out of turn",
                seat=event.seat,
            )
        else:
            self.asked[offender] = event.word

    def allowed(self, seat: int, card: int, legal: list[int]) -> None:
        super().allowed(seat, card, legal)
        word = self.asked.pop(seat, "")
        tricks = self.tricks
        if not word or tricks is None or not tricks.cards:
            return
        order = tricks.order
        led = order.group[tricks.cards[0]]
        suit = [c for c in legal if order.group[c] == led]
        wanted = {
            "highest": [max(suit, key=order.worth.__getitem__)] if suit else [],
            "lowest": [min(suit, key=order.worth.__getitem__)] if suit else [],
            "trump": [c for c in legal if order.group[c] == 4],
            "no trump": [c for c in legal if order.group[c] != 4],
        }[word]
        if wanted and card not in wanted:
            self.rule(
                f"{word} was asked for and not played",
                f"{self.cite}, irregularities",
                "the card asked for is to be played",
                seat=seat,
            )

    # -- points -------------------------------------------------------------------------------

    def game(self) -> int:
        if not self.rules.ten:
            return super().game()
        assert self.tricks is not None
        return taker(self.tricks.taken, 13 * self.trump + TEN)

    def due(self) -> list[Due]:
        if self.blind:
            return []
        out = [self.point(self.eldest, "sale", self.paid)] if self.paid else []
        if not self.complete:
            return out
        made = self.made()
        count = sum(seat == self.pitcher for seat in made.values())
        failed = count < self.promised and not self.revokes
        nothing = {*self.revokes, *([self.pitcher] if failed else [])}
        backs = [(s, self.bid or NO_BID, "revoke") for s in self.revokes]
        backs += [(self.pitcher, self.promised, "set back")] if failed else []
        for seat, number, why in backs:
            out.append(self.point(seat, "penalty", number))
            if self.rules.reds and ((why == "revoke" and self.bid) or self._red(why)):
                out.append(Due(kind="pay", seat=seat, word=why, number=1))
        points = [self.point(s, word) for word, s in made.items() if s not in nothing]
        smudged = self._smudged(count)
        if smudged:
            points.append(replace(self.point(self.pitcher, "smudge", smudged), may=True))
        return self._bidder_first(out, points, made_good=count >= self.promised > 0)

    def _red(self, why: str) -> bool:
        return why == "set back" and self.rules.red_set_back

    def _smudged(self, count: int) -> int:
        """Return the points still to go of who bid four, made it, and wins by that; else 0."""
        score = self.scores[self.pitcher]
        won = (
            self.rules.smudge
            and self.pitcher == self.bidder
            and self.bid == MOST == count
            and self.pitcher not in self.revokes
            and score >= 0
        )
        return max(0, self.rules.game - score - MOST) if won else 0

    def _bidder_first(self, first: list[Due], points: list[Due], *, made_good: bool) -> list[Due]:
        """Return the dues; the bidder who made his bid goes out before anybody else."""
        mine = [d for d in points if d.seat == self.pitcher and made_good]
        others = [d for d in points if not (d.seat == self.pitcher and made_good)]
        return first + self.until_out(mine + others)

    def finish(self) -> list[Ruling]:
        if self.rules.auction == "lost":
            # Points of cards whose names are lost are not judged.
            lost = [s for s in self.settled if s[1].word not in KNOWN or s[1].word == "penalty"]
            self.settled = [s for s in self.settled if s not in lost]
            self.unjudged += len(lost)
        return super().finish()


MACHINE = Maker(family="pitch", make=PitchDeal)
