"""Put: cards of any suit, a challenge at any time, five points or two tricks of three.

Source: the household book, sections 101-104.  Before he plays, a player may say "put"
or throw up ("throw", his cards go on the pack), else he says nothing or "play"; a
challenge is answered by "see" or "decline".  With four, "give" and "receive" say who
of a pair gives his best card; cards are exchanged with the words "discard" and "partner".
"""

from __future__ import annotations

from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee import _put_extra as extra
from audit.referee import _put_pairs as pairs
from audit.referee._put_hands import better
from audit.referee.machine import Due, Machine, Maker, Ruling
from audit.rules.options import chosen
from audit.rules.put import Put

BOOK = "household book"
LAWS = f"{BOOK}, section 104"
PLAY = f"{BOOK}, section 102"
FOUR = f"{BOOK}, section 103"


class PutDeal(Machine):
    """One deal; phases are extra, pairs, speak, answer, play, trick, redeal and over."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        if self.dealer > self.players:
            # A place that nobody has: the last one deals, and the record is in doubt.
            self.dealer, self.unjudged = self.players, self.unjudged + 1
        assert isinstance(law.rules, Put)
        rules, refused = chosen(law.rules, deal.options)
        self.rules: Put = rules
        self.unjudged += refused
        self.order = self.rules.ranks.order(-1)
        self.pairs = [self.eldest, self.dealer] if self.rules.sides else []
        self.giver, self.receiver, self.thrown, self.gave = 0, 0, False, False
        self.players_of: list[int] = []
        self.by, self.lead, self.winner = 0, 0, 0
        self.won: dict[int, int] = {}
        self.done = 0
        self.accepted = False
        self.points: list[tuple[int, str, int]] = []
        self.again, self.extra = False, 0
        self.may_redeal, self.gift = False, b""
        # From a card on that is not known, who has to play or has won is not known either.
        self.blind = False
        self.phase = "pairs" if self.rules.sides else "speak"
        extra.look_at_deal(self)
        if self.phase != "extra":
            self.resume()

    def resume(self) -> None:
        """Go on with hands of three: pairs change cards first, two players begin."""
        if self.won:
            self.phase = "speak"
        elif self.rules.sides:
            self.phase = "pairs"
        else:
            self.engage([self.eldest, self.dealer])

    def engage(self, seats: list[int]) -> None:
        """Let these two play, the first in dealing order leading."""
        self.players_of = sorted(seats, key=self.in_order().index)
        self.by = self.lead = self.players_of[0]
        self.won = dict.fromkeys(self.players_of, 0)
        self.phase = "speak"

    def other(self, seat: int) -> int:
        """Return the adversary of *seat* among the two who play."""
        return next((s for s in self.players_of if s != seat), 0)

    def side(self, seat: int) -> int:
        """Return who scores for *seat*: himself, or the lower seat of his pair."""
        return (seat - 1) % 2 + 1 if self.rules.sides else seat

    def hand(self, seat: int) -> list[int] | None:
        """Return what *seat* holds, None where it is not known."""
        if not 0 < seat < len(self.hands) or not self.deal.hands[seat - 1]:
            return None
        held = self.hands[seat]
        return None if any(c > 51 for c in held) else held

    # -- what is wanted -----------------------------------------------------------------------

    def wants(self) -> Want | None:
        match self.phase:
            case "redeal":
                return Want(kind="redeal", seat=0, words=("fresh deal",))
            case "extra":
                return extra.want(self)
            case "pairs":
                return pairs.want(self)
            case "speak":
                return Want(kind="call", seat=self.by, words=("play", "put", "throw"))
            case "answer":
                return Want(kind="call", seat=self.other(self.by), words=("see", "decline"))
            case "play":
                held = tuple(self.hand(self.by) or ())
                return Want(kind="play", seat=self.by, cards=held)
            case "trick":
                return Want(kind="trick", seat=0)
            case _:
                return None

    def nature(self, want: Want) -> Event:
        if want.kind == "trick":
            return Event(kind="trick", seat=self.winner)
        if want.kind == "draw":
            return Event(kind="draw", seat=self.receiver, cards=self.gift, word="partner")
        if want.kind == "redeal":
            return Event(kind="redeal", word=want.words[0])
        return super().nature(want)

    # -- events -------------------------------------------------------------------------------

    def step(self, event: Event) -> None:
        if self.blind:
            self.unjudged += 1
            return
        if self.phase == "redeal" and event.kind != "redeal":
            self.rule("play went on where a new deal was due", LAWS, "deal again", code="W83")
            self.resume()
        match event.kind:
            case "call":
                self._call(event)
            case "exchange":
                (extra.draw if self.phase == "extra" else pairs.exchange)(self, event)
            case "draw":
                pairs.draw(self, event)
            case "play":
                self._play(event)
            case "trick":
                self._trick(event)
            case "claim" if event.word == "retract":
                self._retract(event.seat)
            case "look" | "irregular":
                self._found(event)
            case "redeal":
                self._redeal(event)
            case _:
                self.unjudged += 1

    def _call(self, event: Event) -> None:
        self.calls.append(event)
        want = self.wants()
        seat, word = event.seat, event.word
        if word in ("fresh deal", "draw") and self.phase == "extra":
            extra.choose(self, event)
            return
        if word == "retract":
            self._retract(seat)
            return
        if want is None or want.kind != "call":
            self.rule(f"{word[:20]} when nothing is asked", PLAY, "it is void", seat=seat)
            return
        if seat != want.seat:
            self.rule(
                f"{word[:20]} by seat {seat}, wanted seat {want.seat}",
                FOUR if self.phase == "pairs" else PLAY,
                "only who has to play may put, and his adversary answers",
                seat=seat,
            )
        if word not in want.words:
            self.rule(
                f"{word[:20]}, wanted {' or '.join(want.words)}", PLAY, "it is void", seat=seat
            )
            return
        self._said(want.seat, word)

    def _said(self, seat: int, word: str) -> None:
        if word in ("give", "receive"):
            partner = self.after(seat, 2)
            self.giver, self.receiver = (seat, partner) if word == "give" else (partner, seat)
        elif word == "play":
            self.phase = "play"
        elif word == "put":
            if self.accepted:
                self.rule("a put after one was seen", PLAY, "it is void", seat=seat)
            self.phase = "answer"
        elif word == "see":
            self.accepted, self.phase = True, "play"
        elif word == "throw":
            self.points.append((self.other(seat), "thrown up", 1))
            self.phase = "over"
        elif word == "decline":
            self.points.append((self.by, "put", 1))
            self.phase = "over"

    def _retract(self, seat: int) -> None:
        self.rule(
            "a put was taken back",
            f"{LAWS}, vii",
            "he abides the event of the game, or pays the stakes",
            seat=seat,
            code="W84",
        )

    def _play(self, event: Event) -> None:
        seat, card = event.seat, event.cards[0] if event.cards else 255
        if self.phase in ("trick", "speak", "answer"):
            if self.phase == "answer":
                self.rule("a card before the challenge was answered", PLAY, "it is answered first")
            self.phase = "play"
        if self.phase != "play" or card > 51:
            self._stray(seat, card)
            return
        if seat != self.by:
            self.rule(
                f"played by seat {seat}, wanted seat {self.by}",
                PLAY,
                "the eldest leads, then the winner of the trick",
                seat=seat,
            )
        held = self.hand(seat)
        gone = card in {c for _, c in self.played}
        if gone or (held is not None and card not in held):
            self.rule("a card that was not in the hand", f"{BOOK}, section 101", "deal again")
        elif held is not None:
            held.remove(card)
        self._lay(seat, card)

    def _stray(self, seat: int, card: int) -> None:
        if card > 51 or self.phase == "pairs":
            self.unjudged += 1
            self.phase, self.blind = "over", self.blind or card > 51
        else:
            self.rule("a card when none is due", PLAY, "it is void", seat=seat)

    def _lay(self, seat: int, card: int) -> None:
        self.played.append((seat, card))
        self.trick.append(card)
        if len(self.trick) == 1:
            self.lead = seat
            self.by, self.phase = self.other(seat), "play" if self.accepted else "speak"
            return
        result = better(self.order, self.trick[0], self.trick[1])
        self.winner = 0 if not result else self.lead if result > 0 else self.other(self.lead)
        self.trick = []
        self.done += 1
        if self.winner:
            self.won[self.winner] = self.won.get(self.winner, 0) + 1
        # After a tie the same hand leads again.
        self.by = self.lead = self.winner or self.lead
        self.phase = "trick"

    def _trick(self, event: Event) -> None:
        if self.phase != "trick":
            self.unjudged += 1
            return
        if event.seat != self.winner:
            whom = f"seat {self.winner}" if self.winner else "nobody, it is a tie"
            self.rule(
                f"the trick taken by seat {event.seat}, won by {whom}",
                f"{BOOK}, section 101",
                "the trick belongs to the higher card, a tie to nobody",
                seat=event.seat,
            )
        if self.done == 3 or (self.accepted and 2 in self.won.values()):
            self.phase = "over"
        else:
            self.phase = "play" if self.accepted else "speak"

    def _found(self, event: Event) -> None:
        word = event.word
        if word == "faced card":
            self.phase = "redeal"
        elif word == "bystander":
            self.rule(
                "a bystander interfered",
                f"{LAWS}, vi",
                "he pays the stakes",
                seat=event.seat,
                code="W84",
            )
        elif word == "adversary's card" and event.seat == self.dealer:
            self.may_redeal = True
        elif word == "own card" and event.seat == self.dealer:
            self.may_redeal = False
        else:
            self.unjudged += 1

    def _redeal(self, event: Event) -> None:
        if self.phase != "redeal" and not self.may_redeal:
            self.rule(
                "a new deal that no law gives",
                f"{LAWS}, i and ii",
                "who sees his own cards in dealing abides by the deal",
                seat=event.seat,
                code="W81",
            )
        self.phase = "over"

    def give_up(self, event: Event) -> None:
        """Take cards out of a hand, as far as it is known."""
        if not 0 < event.seat < len(self.hands):
            return
        held = self.hands[event.seat]
        if any(c > 51 for c in event.cards):
            held[:] = [255] * (len(held) - len(event.cards))
        for card in event.cards:
            if card in held and card < 52:
                held.remove(card)
            elif self.hand(event.seat) is not None:
                self.rule("a card that was not in the hand", FOUR, "deal again", seat=event.seat)

    # -- points -------------------------------------------------------------------------------

    def finish(self) -> list[Ruling]:
        if self.blind:
            self.unjudged += len(self.settled)
            return self.rulings
        return super().finish()

    def due(self) -> list[Due]:
        out = [
            Due(kind="score", seat=self.side(seat), word=word, number=number)
            for seat, word, number in self.points
        ]
        taken = [seat for seat, tricks in self.won.items() if tricks >= 2]
        if self.accepted and taken:
            # The score is at an end: the tricks decide the whole game.
            out.append(
                Due(kind="score", seat=self.side(taken[0]), word="game", number=self.rules.game)
            )
        elif self.rules.unput and taken and self.done == 3:
            out.append(Due(kind="score", seat=self.side(taken[0]), word="tricks", number=1))
        return out


MACHINE = Maker(family="put", make=PutDeal)
