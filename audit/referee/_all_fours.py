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
from audit.law import Law
from audit.ranks import NO_TRUMP
from audit.record import Deal
from audit.referee._dealt import counts_wrong, order_wrong
from audit.referee._points import JACK, high_low, pip_table, pips, taker
from audit.referee.machine import Due, Machine, Ruling
from audit.referee.tricks import Tricks, foreign
from audit.rules.all_fours import AllFours
from audit.rules.options import chosen

HAND = 6
#: Faults that end a deal before it is played, and whether the misdealer may lose the deal by it.
FAULTS = {"foul hand": True, "no cut": True, "faced card": False, "imperfect pack": False}
#: What may be claimed at the end, and the warning that a false claim answers.
CLAIMS = {"high": "LAW", "low": "W16", "catch jack": "LAW", "game": "LAW"}


class AllFoursDeal(Machine):
    """One deal.  Before "play" come the phases of each game; "redeal" and "over" end it.

    With no dealer on record, or a number of players that the game has not, nothing can be
    judged, nor anything that follows a card played unseen: `blind`.
    """

    rules: AllFours
    #: Whether a run of plays needs nothing between two tricks.
    quick = True

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(law.rules, AllFours)
        self.rules, self.unjudged = chosen(law.rules, deal.options)
        self.sides = self.rules.sides and self.players == 4
        self.size = HAND
        self.phase = "play"
        self.fault, self._before = "", "play"
        self.tricks: Tricks | None = None
        self.hidden: set[int] = set()
        self.pending: list[int] = []
        self.revokes: list[int] = []
        self.exposed: set[tuple[int, int]] = set()
        self.called: dict[int, int] = {}
        self.claims: list[tuple[int, Event]] = []
        self.scores += [0] * (self.players + 1 - len(self.scores))
        seated = law.players[0] <= self.players <= law.players[1]
        if not seated:
            self.rule(
                f"{self.players} players, wanted {law.players[0]} to {law.players[1]}",
                f"{self.cite}, players",
                "another game",
            )
        self.blind = not seated or not 1 <= (deal.dealer_seat or 0) <= self.players

    # -- what each game says ------------------------------------------------------------------

    @property
    def cite(self) -> str:
        """The law of this game."""
        return f"{self.law.source.book}, {self.law.source.section}"

    @property
    def leader(self) -> int:
        """The seat that leads to the first trick."""
        return self.eldest

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

    def side(self, seat: int) -> int:
        """Return who scores for *seat*: himself, or the lower seat of his side."""
        return (seat - 1) % 2 + 1 if self.sides else seat

    def adversaries(self, seat: int) -> list[int]:
        """Return who scores against *seat*."""
        scorers = dict.fromkeys(map(self.side, range(1, self.players + 1)))
        return [s for s in scorers if s != self.side(seat)]

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
            if self.phase == "over" and events[at].kind == "score":
                self.at = at
                self.settled.append((at, events[at]))
            elif self.phase == "play" and (new := self._straight(events, at)) > at:
                self.played += [(e.seat, e.cards[0]) for e in events[at:new]]
                self.at, at = new - 1, new
                self._go_on()
                continue
            else:
                self.take(events[at])
            at += 1

    def _straight(self, events: Sequence[Event], at: int) -> int:
        """Take as many right plays as follow at once, when nothing else has to be watched."""
        known = self.quick and self.trump != NO_TRUMP and events[at].kind == "play"
        if not known or self.blind or self.called or self.pending:
            return at
        return self.begin().straight(events, at, self.size)

    def take(self, event: Event) -> None:
        if self.blind or not 0 <= event.seat <= self.players:
            self.at += 1
            self.unjudged += 1
        else:
            super().take(event)

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

    # -- points -------------------------------------------------------------------------------

    @property
    def complete(self) -> bool:
        """Whether every trick was played, so that points can be counted."""
        return not self.blind and self.tricks is not None and len(self.tricks.taken) == self.size

    def made(self) -> dict[str, int]:
        """Return who scores High, Low, Jack and Game of a complete deal, in that order."""
        assert self.tricks is not None
        rules, taken, trump = self.rules, self.tricks.taken, self.trump
        high, low = high_low(self.played, taken, trump, captured=rules.captured)
        jack = taker(taken, 13 * trump + JACK)
        out = {"high": self.side(high), "low": self.side(low)} if high else {}
        if jack:
            out["catch jack"] = self.side(jack)
        game = self.game()
        if game:
            out["game"] = game
        return out

    def game(self) -> int:
        """Return who scores Game, 0 for nobody."""
        top = self.most_for_game()
        if len(top) > 1:
            others = [s for s in top if s != self.side(self.dealer)]
            top = others if self.rules.tie == "non-dealer" else []
        return top[0] if len(top) == 1 else 0

    def most_for_game(self) -> list[int]:
        """Return the sides that took most toward Game, more than one where they are level."""
        assert self.tricks is not None
        rules = self.rules
        table = pip_table(
            self.trump, plain_honours=rules.plain_honours, trump_five=rules.trump_five
        )
        counts: dict[int, int] = {}
        for seat, number in pips(self.tricks.taken, table).items():
            side = self.side(seat)
            counts[side] = counts.get(side, 0) + number
        most = max(counts.values())
        top = [s for s, number in counts.items() if number == most]
        if not most:
            # No card that counts was in play: all are level, who took no trick too.
            top = [*self.adversaries(self.dealer), self.side(self.dealer)]
        return top

    def score_code(self, word: str) -> str:
        """Return W22 for a wrong score of a Game that was tied."""
        if word != "game" or self.rules.tie != "non-dealer" or not self.complete:
            return "LAW"
        return "W22" if len(self.most_for_game()) > 1 else "LAW"

    @property
    def jack_in_play(self) -> bool:
        """Whether the Jack of trumps was played."""
        return any(card == 13 * self.trump + JACK for _, card in self.played)

    def point(self, seat: int, word: str, number: int = 1) -> Due:
        """Return points to mark."""
        return Due(kind="score", seat=seat, word=word, number=number)

    def at_the_end(self) -> list[Due]:
        """Return what a complete deal scores, with the penalties of revokes."""
        made = self.made()
        out: list[Due] = []
        for seat in self.revokes:
            out += self._revoked(seat)
            loses = ("catch jack", "game")
            made = {w: s for w, s in made.items() if w not in loses or s != self.side(seat)}
        return out + [self.point(seat, word) for word, seat in made.items()]

    def _revoked(self, seat: int) -> list[Due]:
        """Return the penalty of a revoke, taken as the record takes it where it may choose."""
        number = 2 if self.jack_in_play else 1
        deducted = any(
            e.word == "penalty" and self.side(e.seat) == self.side(seat) for _, e in self.settled
        )
        if number == 1 and (deducted or self.rules.revoke == "deduct"):
            return [self.point(self.side(seat), "penalty")]
        return [self.point(s, "revoke", number) for s in self.adversaries(seat)]

    def stopped(self, dues: list[Due]) -> list[Due]:
        """Return *dues* without what would put a revoker out, who must stop at one less."""
        if not self.revokes or not (self.rules.stop_at_six == "both" or self.jack_in_play):
            return dues
        totals, out = dict(enumerate(self.scores)), []
        stopped = {self.side(s) for s in self.revokes}
        for due in dues:
            if due.word != "penalty" and due.seat in stopped:
                if totals.get(due.seat, 0) + due.number >= self.rules.game:
                    continue
                totals[due.seat] = totals.get(due.seat, 0) + due.number
            out.append(due)
        return out

    def until_out(self, dues: list[Due]) -> list[Due]:
        """Return *dues*, those that come after somebody is out marked as needless."""
        if not any(self.scores):
            return dues
        totals, out = dict(enumerate(self.scores)), []
        won = False
        for due in dues:
            out.append(replace(due, may=True) if won else due)
            if due.kind == "score":
                sign = -1 if due.word == "penalty" else 1
                totals[due.seat] = totals.get(due.seat, 0) + sign * due.number
                won = won or totals[due.seat] >= self.rules.game
        return out

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
