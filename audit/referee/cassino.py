"""Cassino: four cards at a time, pairs and combinations, and the points of the deal.

Source: household book, sections 110-112.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.cards import UNKNOWN
from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee._asked import Asked
from audit.referee._astray import other_than
from audit.referee.machine import Due, Maker, Ruling
from audit.rules.cassino import ACE, GREAT, LITTLE, Cassino, fits, groups, takings
from audit.rules.options import chosen

SPADES = range(13)
#: Words of irregularities after which the book deals again, if the board is not yet turned.
AGAIN = ("card faced by the dealer before the board", "card faced in the pack before the board")


class CassinoDeal(Asked):
    """One deal through the whole pack; *to_draw* are seats still to get their next four."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(law.rules, Cassino)
        self.rules, refused = chosen(law.rules, deal.options)
        self.unjudged += refused
        self.sizes(self.rules.hand)
        self.board = list(deal.board)
        self.whole = [self.known(s, self.rules.hand) for s in range(self.players + 1)]
        size = len(law.pack_of(deal.options))
        cards = self.players * self.rules.hand
        self.rounds = (size - self.rules.board) // cards
        self.round, self.plays, self.cards_a_round = 1, 0, cards
        self.line = self.in_order()
        self.to_draw: list[int] = []
        self.next = self._dealt(self.below(cards + self.rules.board))
        self.taken: dict[int, list[int]] = {s: [] for s in self.line}
        self.clears: dict[int, int] = dict.fromkeys(self.line, 0)
        self.last, self.final, self.place = 0, -1, 0
        self.board_known = len(self.board) == self.rules.board and UNKNOWN not in self.board

    def _dealt(self, stock: Sequence[int]) -> dict[tuple[int, int], bytes]:
        """Return for each (round from 2, seat) the four cards that the pack gives."""
        n, out = self.players, {}
        for number in range(2, self.rounds + 1):
            lot = stock[(number - 2) * self.cards_a_round : (number - 1) * self.cards_a_round]
            for k, seat in enumerate(self.line):
                if len(lot) == self.cards_a_round:
                    out[number, seat] = bytes(lot[k::n])
        return out

    @property
    def turn(self) -> int:
        """The seat that has to play."""
        return self.line[self.place % self.players]

    def side(self, seat: int) -> int:
        """Return the seat that scores for *seat*: of partners the lower number."""
        return (seat - 1) % 2 + 1 if self.rules.partners else seat

    def wants(self) -> Want | None:
        if self.over:
            return None
        if self.to_draw:
            return Want(kind="draw", seat=0)
        if self.plays == self.rounds * self.cards_a_round:
            return None
        hand = self.hands[self.turn]
        sets = [bytes((c, *taken)) for c in hand for taken in takings(c, self.board)]
        free = self.rules.lay == "freely"
        sets += [bytes((c,)) for c in hand if free or not any(groups(c, self.board))]
        return Want(kind="play", seat=self.turn, sets=tuple(sets))

    def nature(self, want: Want) -> Event:
        seat = self.to_draw[0]
        return Event(kind="draw", seat=seat, cards=self.next[self.round, seat])

    def said(self, event: Event) -> bool:
        if event.kind == "look":
            if event.word != "last trick":
                self.breach(
                    "a trick that was not the last won was looked at",
                    "only the last may be looked at",
                    seat=event.seat,
                    code="W92",
                )
            return True
        if event.kind == "irregular" and event.word in AGAIN and not self.plays:
            self.lost = event.word
            return True
        return super().said(event)

    def step(self, event: Event) -> None:
        if self.aside(event) or self.unseen(event):
            return
        if event.kind == "draw":
            self._draw(event)
        elif event.kind == "play":
            self._play(event)
        else:
            self.fits(event, self.wants())

    # -- the deal -----------------------------------------------------------------------------

    def _draw(self, event: Event) -> None:
        seat, cards = event.seat, event.cards
        held = sum(map(len, self.hands))
        if seat == self.line[0] and not self.to_draw and self.round < self.rounds and held == 1:
            # One play is not recorded: what it took is not known, and the rest is judged.
            self.breach("cards dealt before all were played", "play them first", seat=self.dealer)
            self.plays, self.round = self.round * self.cards_a_round, self.round + 1
            self.to_draw, self.place = list(self.line), 0
            self.board_known, self.partial = False, True
        if not self.to_draw or seat not in self.to_draw:
            self.breach("cards dealt when none were due", "they are taken back", seat=seat)
            return
        if seat != self.to_draw[0]:
            self.breach(f"dealt to seat {seat}, wanted {self.to_draw[0]}", "out of turn", seat=seat)
        self.to_draw.remove(seat)
        wanted = self.next.get((self.round, seat))
        if len(cards) != self.rules.hand:
            self.breach(
                f"{len(cards)} cards dealt, wanted {self.rules.hand}",
                "who plays with fewer abides by the loss",
                seat=seat,
                code="W90",
            )
        elif wanted is not None and other_than(bytes(cards), set(wanted)):
            self.breach("the cards dealt are not the next of the pack", "deal again", seat=seat)
        if set(cards) & (self._seen() - {UNKNOWN}):
            self.breach("a card was dealt that is out already", "the pack is foul", seat=seat)
        self.hands[seat] = list(cards)
        self.whole[seat] = self.known(seat, self.rules.hand)

    def _seen(self) -> set[int]:
        held = {c for hand in self.hands for c in hand}
        return held | set(self.board) | {c for c, _ in self.played}

    # -- play -----------------------------------------------------------------------------------

    def _play(self, event: Event) -> None:
        seat = event.seat
        ended = self.plays == self.rounds * self.cards_a_round
        if self.to_draw or ended or not event.cards or seat not in self.taken:
            self.breach("a card played when none was due", "it is taken back", seat=seat)
            return
        if seat != self.turn:
            self.breach(f"seat {seat} played, wanted seat {self.turn}", "out of turn", seat=seat)
        card, taken = event.cards[0], list(event.cards[1:])
        if (card, seat) in self.played:
            self.breach("a card that was played before", "the pack is foul", seat=seat)
            return
        self._judge(card, taken, seat)
        if card in self.hands[seat]:
            self.hands[seat].remove(card)
        self.played.append((card, seat))
        self.plays += 1
        self.final, self.place = self.at, self.line.index(seat) + 1
        self._take(card, taken, seat)
        if self.plays % self.cards_a_round == 0 and self.round < self.rounds:
            self.round += 1
            self.to_draw, self.place = list(self.line), 0

    def _judge(self, card: int, taken: list[int], seat: int) -> None:
        if not self.whole[seat] and any(card == c for c, _ in self.played):
            self.breach("a card that was played before", "the pack is foul", seat=seat)
        if not self.whole[seat] or not self.board_known:
            self.unjudged += 1
        if self.whole[seat] and card not in self.hands[seat]:
            self.breach("a card that is not of his hand", "the pack is foul", seat=seat)
        if not self.board_known:
            return
        if not set(taken) <= set(self.board) or len(set(taken)) < len(taken):
            self.breach("cards taken that are not on the board", "put them back", seat=seat)
        elif not fits(card, taken):
            self.breach(
                "cards taken that neither pair nor add to the card played",
                "put them back",
                seat=seat,
            )
        elif not taken and self.rules.lay == "unfit" and any(groups(card, self.board)):
            self.breach("a card put down that takes", "challenge at once", seat=seat)

    def _take(self, card: int, taken: list[int], seat: int) -> None:
        mine = [c for c in taken if c in self.board]
        if not taken:
            self.board.append(card)
            return
        self.board = [c for c in self.board if c not in mine]
        self.taken[seat] += [card, *mine]
        self.last = seat
        # The last card of the deal sweeps the board anyhow, so it scores no clearing.
        ended = self.plays == self.rounds * self.cards_a_round
        self.clears[seat] += self.board_known and not self.board and not ended

    # -- points -----------------------------------------------------------------------------------

    def points(self) -> dict[int, int]:
        """Return the points of each side before the smaller are taken from the larger."""
        rules = self.rules
        taken = {s: list(cards) for s, cards in self.taken.items()}
        if self.last:
            taken[self.last] += self.board
        sides: dict[int, list[int]] = {}
        points: dict[int, int] = {}
        for seat, cards in taken.items():
            side = self.side(seat)
            sides.setdefault(side, []).extend(cards)
            points[side] = points.get(side, 0) + rules.clear * self.clears[seat]
        for side, cards in sides.items():
            points[side] += rules.great * (GREAT in cards) + rules.little * (LITTLE in cards)
            points[side] += rules.ace * sum(c % 13 == ACE for c in cards)
        for number, counts in (
            (rules.cards, {s: len(c) for s, c in sides.items()}),
            (rules.spades, {s: sum(x in SPADES for x in c) for s, c in sides.items()}),
        ):
            top = [s for s, n in counts.items() if n == max(counts.values())]
            if len(top) == 1:
                points[top[0]] += number
        return points

    def due(self) -> list[Due]:
        """Return the points by which the best side exceeds the others together, if it does."""
        if self.plays < self.rounds * self.cards_a_round or not self.board_known:
            self.partial = True
            return []
        points = self.points()
        best = max(points, key=lambda s: points[s])
        more = 2 * points[best] - sum(points.values())
        return [Due(kind="score", seat=best, word="points", number=more)] if more > 0 else []

    def finish(self) -> list[Ruling]:
        super().finish()
        early = [(at, e.seat) for at, e in self.settled if e.kind == "score" and at < self.final]
        for at, seat in early if not self.partial else ():
            self.at = at
            self.breach(
                "tricks counted before all the cards were played", "count them after", seat=seat
            )
        return self.rulings


MACHINE = Maker(family="cassino", make=CassinoDeal)
