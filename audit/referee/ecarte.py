"""Écarté: propose, give or refuse, change cards, five tricks, King, point and vole.

Sources: the household book, sections 118-119; Foster, Écarté and Pool Écarté.
Where Foster's page is lost, the household book's law is cited for his game too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.cards import RANKS, UNKNOWN, show
from audit.duty import Duty, head
from audit.event import Event, Want
from audit.law import Law
from audit.ranks import Order
from audit.record import Deal
from audit.referee._changing import Changing
from audit.referee._five import CARDS
from audit.referee._pool import Pool
from audit.referee.machine import Due, Maker, Ruling

KING = RANKS.index("K")
#: Irregularities after which law vi or iii of the household book wants a new deal.
SPOILS = ("faced card", "incorrect deal", "play out of turn", "cards exposed in cutting")


def follow_else_trump(order: Order, hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """Follow suit; void, win with a trump; else any card (household book, 118, narrow reading)."""
    if not trick:
        return list(hand)
    led = order.group[trick[0]]
    able = [c for c in hand if order.group[c] == led]
    return able or [c for c in hand if order.group[c] == 4] or list(hand)


#: The group of trumps in an order of cards.
TRUMPS = 4


class EcarteDeal(Changing):
    """One deal; phases are propose, answer, play and over."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        self.must_win = self.choice("must_win", ("yes", "report", "no"), self.rules.must_win)
        self.proposed = self.refused = False
        self.kings: list[int] = []
        self.announced = False
        self.first: dict[int, int] = {}
        #: What the table found wrong, as the record says, and what is a ground for a new deal.
        self.found = deal.irregularity or ""
        self.spoiled = "incorrect deal" if self.misdealt else self.found
        self.redealt = False
        self.pool = Pool.of(self)
        if self.turnups and self.turnups[0] % 13 == KING and self.turnups[0] < 52:
            self.kings.append(self.dealer)
        self.end_if_won()

    # -- the law ------------------------------------------------------------------------------

    @property
    def deal_law(self) -> tuple[str, str]:
        return self.cite("law vi"), "a new deal by the same dealer"

    def packets_code(self, order: bytes, said: str | None) -> str:
        other = said is not None and not all(self._deviates(order, first) for first in (2, 3))
        return "W75" if other else "LAW"

    @property
    def duty(self) -> Duty:
        return follow_else_trump if self.must_win == "no" else head

    def law_order(self) -> Order:
        return self.rules.ranks.order(self.trump)

    def round_of_play(self) -> list[int]:
        return self.in_order()

    def revoked(self, seat: int, card: int) -> None:
        tricks = self.table()
        narrow = follow_else_trump(tricks.order, self.known(seat), tricks.cards)
        replay = "the cards are taken back and the hand is played again"
        if card in narrow and self.must_win == "report":
            self.rule(
                f"{show([card])} followed without winning, though able",
                'household book, Écarté, section 118, "or win the trick if he can"',
                "reported only: the words may be read so that to follow is enough",
                seat=seat,
            )
        elif card in narrow:
            law = "Foster, Écarté (a follower must win the trick if he can)"
            self.rule(f"{show([card])} did not win, though able", law, replay, seat=seat)
        elif tricks.order.group[card] == TRUMPS and self.must_win == "report":
            self.rule(
                f"{show([card])} trumped, though able to follow suit",
                'household book, Écarté, section 118, "or win the trick if he can"',
                "reported only: the words may be read so that to win is enough",
                seat=seat,
            )
        else:
            law = f"{self.cite('section 118, follow suit or win')}; Foster, Napoleon, Revokes"
            void = not any(
                tricks.order.group[c] == tricks.order.group[tricks.cards[0]]
                for c in self.known(seat)
            )
            failed = "did not trump" if void else "did not follow suit"
            self.rule(f"{show([card])} {failed}, though able", law, replay, seat=seat)

    # -- what is wanted -----------------------------------------------------------------------

    def wants(self) -> Want | None:
        if self.phase == "over":
            return None
        if self.owed or self.queue:
            return self.want_change()
        if self.phase == "propose":
            return Want(kind="call", seat=self.eldest, words=("play", "propose"))
        if self.phase == "answer":
            return Want(kind="call", seat=self.dealer, words=("refuse", "accept"))
        want = self.want_play()
        if want is not None and self._has_king_to_name(want.seat):
            return Want(kind="claim", seat=want.seat, words=("king",))
        return want

    def _has_king_to_name(self, seat: int) -> bool:
        king = 13 * self.trump + KING
        return not self.announced and seat not in self.first and king in self.hands[seat]

    # -- events -------------------------------------------------------------------------------

    def step(self, event: Event) -> None:
        if not self.at_table(event):
            return
        self.pass_over(event)
        match event.kind:
            case "call":
                self._call(event)
            case "exchange":
                self.exchange(event)
            case "draw":
                self.draw(event)
            case "claim":
                self._claim(event)
            case "play":
                self._play(event)
            case "trick":
                self.gather(event)
            case "look" if event.word == "discard" and self.phase != "over":
                law, remedy = self.cite("law xi"), "discards lie face down till the round is over"
                self.rule("looked at a discard", law, remedy, seat=event.seat, code="W76")
            case "irregular" if event.word in SPOILS:
                self.found = self.spoiled = event.word
            case "irregular" if event.word == "advice" and self.pool.first_game:
                law = "Foster, Pool Écarté"
                remedy = "the outsider says nothing in the first game"
                self.rule("the outsider advised", law, remedy, seat=event.seat, code="W80")
            case "redeal":
                self._redeal(event)
            case _:
                self.unjudged += 1

    def _redeal(self, event: Event) -> None:
        if not self.spoiled:
            law = self.cite("laws iii and vi")
            self.rule(f"a new deal for {event.word}", law, "the deal stands", seat=event.seat)
        self.redealt, self.phase = True, "over"
        self.queue, self.owed = [], {}

    def _call(self, event: Event) -> None:
        want = self.wants()
        self.calls.append(event)
        law, void = self.cite("law x"), "it is void: nothing said is retracted or altered"
        if want is None or want.kind != "call" or event.word not in want.words:
            asked = " or ".join(want.words) if want is not None and want.kind == "call" else ""
            got = f"{event.word!r}, wanted {asked}" if asked else f"{event.word!r} when not asked"
            self.rule(got, law, void, seat=event.seat)
            return
        if event.seat != want.seat:
            said = self.cite("section 118, the non-dealer proposes and the dealer gives")
            what = f"{event.word!r} by seat {event.seat}, wanted seat {want.seat}"
            self.rule(what, said, "it is void", seat=event.seat)
        if event.word == "propose":
            self.phase, self.proposed = "answer", True
        elif event.word == "accept":
            self.accepted()
        else:
            first = self.rounds == 0 or self.rules.refusal == "any"
            self.refused |= event.word == "refuse" and first
            self.phase = "play"

    def _claim(self, event: Event) -> None:
        seat, king = event.seat, 13 * self.trump + KING
        if event.word != "king" or self.trump < 0:
            self.unjudged += 1
            return
        law = self.cite("law ix")
        first = self.first.get(seat)
        holds = king in self.hands[seat] or (seat, king) in self.played
        if not holds and UNKNOWN in self.hands[seat]:
            self.unjudged += 1
        elif not holds:
            self.rule("a King named that is not held", law, "it is not marked", seat=seat)
            return
        if first is not None and (first != king or self.played[-1:] != [(seat, king)]):
            remedy = "the right to mark it is lost"
            late = self.cite("law ix, before his first card")
            self.rule("the King was named too late", late, remedy, seat=seat, code="W78")
            return
        self.announced = True
        self.kings.append(seat)
        self.end_if_won()

    def _play(self, event: Event) -> None:
        if self.phase in ("propose", "answer"):
            # A log may leave "play" unsaid; a lead says it.
            if self.phase == "propose" and event.seat == self.eldest:
                self.unjudged += 1
            else:
                law, remedy = self.says("turn")
                self.rule("a card before the hands stand", law, remedy, seat=event.seat)
            self.phase = "play"
        rulings = len(self.rulings)
        if event.cards:
            self.first.setdefault(event.seat, event.cards[0])
        self.play(event)
        law = self.says("turn")[0]
        if any(r.law == law for r in self.rulings[rulings:]):
            self.spoiled = self.spoiled or "play out of turn"

    # -- points -------------------------------------------------------------------------------

    def end_if_won(self) -> None:
        """End the deal where a King marked makes the game."""
        if any(self.gained(seat) >= self.rules.game for seat in (1, 2)):
            self.phase = "over"

    def gained(self, seat: int) -> int:
        """Return the score of *seat* with the Kings of this deal."""
        return self.scores[seat] + self.rules.king * self.kings.count(seat)

    def marks(self) -> Iterator[Due]:
        """Yield the points of the deal in the order in which they are marked."""
        for seat in self.kings:
            yield Due(kind="score", seat=seat, word="king", number=self.rules.king)
        if not self.complete:
            return
        winner = max((1, 2), key=lambda seat: self.won_by([seat]))
        vole = self.won_by([winner]) == CARDS
        stood = winner == self.dealer and not self.proposed
        failed = stood or (winner == self.eldest and self.refused)
        number = self.rules.vole if vole else self.rules.point
        # Two, once, even where all five tricks were made against a hand that stood.
        number = max(number, self.rules.penalty) if failed else number
        yield Due(kind="score", seat=winner, word="vole" if vole else "point", number=number)

    def due(self) -> list[Due]:
        out: list[Due] = []
        totals = {seat: self.scores[seat] for seat in (1, 2)}
        for mark in [] if self.redealt else self.marks():
            totals[mark.seat] += mark.number
            out.append(mark)
            if totals[mark.seat] >= self.rules.game:
                break
        return out + self.pool.due(totals)

    def finish(self) -> list[Ruling]:
        self._king_without_a_claim()
        if not self.pool.known:
            paid = [pair for pair in self.settled if pair[1].kind != "score"]
            self.unjudged += len(paid)
            self.settled = [pair for pair in self.settled if pair[1].kind == "score"]
        if self.found in SPOILS and self.played and not self.redealt:
            self.at = -1
            law = self.cite("law iii" if "cutting" in self.found else "law vi")
            self.rule(f"{self.found}, yet played on", law, "a new deal by the same dealer")
        return super().finish()

    def _king_without_a_claim(self) -> None:
        """Take a King as named where a log marks it for its holder and records no naming."""
        king = 13 * self.trump + KING
        if self.announced or any(e.kind == "claim" for e in self.deal.events):
            return
        for _, event in self.settled:
            if event.word == "king" and (event.seat, king) in self.played:
                self.kings.append(event.seat)
                self.unjudged += 1
                return


MACHINE = Maker(family="ecarte", make=EcarteDeal)
