"""The table of the All Fours family: who scores with whom, and what a deal is worth.

Source: Foster, "All Fours family", objects of the game and revokes.
"""

from __future__ import annotations

from msgspec.structs import replace

from audit.event import Event
from audit.law import Law
from audit.record import Deal
from audit.referee._points import JACK, high_low, pip_table, pips, taker
from audit.referee.machine import Due, Machine
from audit.referee.tricks import Tricks
from audit.rules.all_fours import AllFours
from audit.rules.options import chosen

HAND = 6


class AllFoursTable(Machine):
    """One deal as far as its points go.  Before "play" come the phases of each game.

    With no dealer on record, or a number of players that the game has not, nothing can be
    judged, nor anything that follows a card played unseen: `blind`.
    """

    rules: AllFours

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

    # -- who sits where ------------------------------------------------------------------------

    @property
    def cite(self) -> str:
        """The law of this game."""
        return f"{self.law.source.book}, {self.law.source.section}"

    @property
    def leader(self) -> int:
        """The seat that leads to the first trick."""
        return self.eldest

    def side(self, seat: int) -> int:
        """Return who scores for *seat*: himself, or the lower seat of his side."""
        return (seat - 1) % 2 + 1 if self.sides else seat

    def adversaries(self, seat: int) -> list[int]:
        """Return who scores against *seat*."""
        scorers = dict.fromkeys(map(self.side, range(1, self.players + 1)))
        return [s for s in scorers if s != self.side(seat)]

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
