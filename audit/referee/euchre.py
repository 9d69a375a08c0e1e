"""Euchre: ordering up, playing, naming, the dealer's exchange, five tricks.

Source: the household book, sections 120-121.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.cards import SUITS, UNKNOWN, show
from audit.duty import Duty, anything, follow
from audit.event import Event, Want
from audit.law import Law
from audit.ranks import NO_TRUMP, Order
from audit.record import Deal
from audit.referee._five import CARDS, FiveCards
from audit.referee.machine import Due, Maker
from audit.rules.euchre import Euchre

BOOK = "household book, Euchre, "
VOID = "it is void"


class EuchreDeal(FiveCards):
    """One deal; phases are order, name, alone, exchange, play, passed and over."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        assert isinstance(law.rules, Euchre)
        self.rules: Euchre = law.rules
        super().__init__(law, deal, scores)
        rules = self.rules
        self.turned = self.trump
        self.trump = NO_TRUMP
        self.follows = self.choice("must_follow", ("yes", "no"), rules.must_follow) == "yes"
        self.naming = self.choice("naming", ("first", "each"), rules.naming)
        self.unnamed = self.choice("unnamed", ("redeal", "must name"), rules.unnamed)
        self.lone_hands = self.choice("alone", ("no", "yes"), rules.alone) == "yes"
        leads = ("left of dealer", "left of loner")
        self.lead = self.choice("lead", leads, rules.lead)
        self.phase = "order"
        self.asked = self.in_order()
        self.maker = 0
        self.alone = self.takes = False
        self.spoiled = bool(deal.irregularity)

    # -- the law ------------------------------------------------------------------------------

    @property
    def deal_law(self) -> tuple[str, str]:
        return f"{BOOK}rules ii and iii", "not given: the book is silent on misdeals"

    def says(self, breach: str) -> tuple[str, str]:
        if breach == "turn":
            return f"{BOOK}rule viii, order of play", "not given: the book is silent"
        if breach == "foreign":
            return f"{BOOK}rule ii, each having five", "not given: the book is silent"
        if breach == "extra":
            return f"{BOOK}rule viii, all the five cards in each hand", "the card is void"
        return f"{BOOK}rule viii, the winner of the trick", "the trick goes to its winner"

    @property
    def duty(self) -> Duty:
        return follow if self.follows else anything

    def law_order(self) -> Order:
        return self.rules.ranks.order(self.trump)

    def revoked(self, seat: int, card: int) -> None:
        what = f"{show([card])} did not follow suit, though able"
        law = f"{BOOK}rule viii, follow suit or trump, or throw away"
        self.rule(what, law, "not given: the book is silent on revokes", seat=seat)

    # -- seats --------------------------------------------------------------------------------

    def partner(self, seat: int) -> int:
        """Return the partner of *seat*, 0 where each plays for himself."""
        return self.after(seat, 2) if self.rules.sides else 0

    def side(self, seat: int) -> int:
        """Return who marks for *seat*: himself, or the lower place of his side."""
        return (seat - 1) % 2 + 1 if self.rules.sides else seat

    def round_of_play(self) -> list[int]:
        out = self.partner(self.maker) if self.alone else 0
        first = self.eldest
        if self.alone and self.lead == "left of loner":
            first = self.after(self.maker)
        ring = [self.after(first, k) for k in range(self.players)]
        return [seat for seat in ring if seat != out]

    # -- what is wanted -----------------------------------------------------------------------

    def wants(self) -> Want | None:
        if self.phase == "order":
            word = "play" if self.asked[0] == self.dealer else "order"
            return Want(kind="call", seat=self.asked[0], words=("pass", word))
        if self.phase == "name":
            return Want(kind="call", seat=self.asked[0], words=self._names())
        if self.phase == "alone":
            return Want(kind="call", seat=self.maker, words=("with partner", "alone"))
        if self.phase == "exchange":
            return Want(kind="exchange", seat=self.dealer, cards=tuple(self.hands[self.dealer]))
        if self.phase == "passed":
            return Want(kind="redeal", seat=0)
        return self.want_play() if self.phase == "play" else None

    def _names(self) -> tuple[str, ...]:
        suits = tuple(s for k, s in enumerate(SUITS) if k != self.turned)
        forced = self.unnamed == "must name" and len(self.asked) == 1
        return suits if forced else ("pass", *suits)

    def nature(self, want: Want) -> Event:
        return Event(kind="redeal", word="all passed")

    # -- events -------------------------------------------------------------------------------

    def take_all(self, events: Sequence[Event]) -> None:
        at = 0
        while at < len(events):
            if self.phase == "play" and events[at].kind == "play":
                end = self.straight(events, at)
                if end > at:
                    self.at, at = end - 1, end
                    continue
            self.take(events[at])
            at += 1

    def step(self, event: Event) -> None:
        if not self.at_table(event):
            return
        if self.phase == "alone" and (event.kind != "call" or event.seat != self.maker):
            self._stand()
        if self.phase == "exchange" and event.kind == "play":
            self._unseen_exchange()
        match event.kind:
            case "call":
                self._call(event)
            case "exchange":
                self._exchange(event)
            case "play":
                self._play(event)
            case "trick":
                self.gather(event)
            case "irregular":
                # The book knows no irregularity; a new deal for one is the table's affair.
                self.spoiled = True
                self.unjudged += 1
            case "redeal":
                self._redeal(event)
            case _:
                self.unjudged += 1

    def _redeal(self, event: Event) -> None:
        if self.spoiled:
            self.unjudged += 1
        elif self.phase != "passed":
            law = f"{BOOK}rules vi to xi"
            self.rule(f"a new deal for {event.word}", law, "the deal stands", seat=event.seat)
        self.phase, self.maker = "over", 0

    def _call(self, event: Event) -> None:
        want = self.wants()
        self.calls.append(event)
        if event.word == "alone" and not self.lone_hands:
            law = f"{BOOK}section 120 (knows no lone hand)"
            self.rule("a lone hand", law, "not given: the book is silent", seat=event.seat)
            return
        if want is None or want.kind != "call":
            law = f"{BOOK}rules vi to xi"
            self.rule(f"{event.word!r} when not asked", law, VOID, seat=event.seat)
            return
        if event.seat != want.seat:
            law = f"{BOOK}rules vi, x and xi, order of the calls"
            what = f"{event.word!r} by seat {event.seat}, wanted seat {want.seat}"
            self.rule(what, law, VOID, seat=event.seat)
        if event.word not in want.words:
            law, remedy = self._forbidden(event.word)
            got = f"{event.word!r}, wanted {' or '.join(want.words)}"
            self.rule(got, law, remedy, seat=event.seat)
            return
        self._said(event.word)

    def _forbidden(self, word: str) -> tuple[str, str]:
        if self.phase == "name" and word in SUITS:
            return f"{BOOK}rule xi, the trump is altered", "another suit is named"
        return f"{BOOK}rules vi to xi", VOID

    def _said(self, word: str) -> None:
        if self.phase == "alone":
            self.alone = word == "alone"
            self._stand()
        elif word == "pass":
            self._passed()
        else:
            self.maker = self.asked[0]
            self.takes = word in ("order", "play")
            self.trump = self.turned if self.takes else SUITS.index(word)
            self.phase = "alone"
            if not self.lone_hands:
                self._stand()

    def _passed(self) -> None:
        self.asked = self.asked[1:]
        if self.asked:
            return
        if self.phase == "order":
            self.phase = "name"
            self.asked = self.in_order() if self.naming == "each" else [self.eldest]
        else:
            self.phase = "passed"

    def _stand(self) -> None:
        self.phase = "exchange" if self.takes else "play"

    def _exchange(self, event: Event) -> None:
        law = f"{BOOK}rules vi and x"
        if self.phase != "exchange" or event.seat != self.dealer:
            what = "a card exchanged by whom the turn-up is not for"
            self.rule(what, law, "the hand is played as it was dealt", seat=event.seat)
            return
        if len(event.cards) != 1:
            what = f"{len(event.cards)} cards put out, wanted 1"
            self.rule(what, law, "one card for the turn-up", seat=event.seat)
        foreign = self.give_up(self.dealer, event.cards)
        if foreign:
            why = f"{law}, one of his cards"
            remedy = "one of the five dealt is put out"
            self.rule(f"{show(foreign)} put out, but not held", why, remedy, seat=event.seat)
            # Whatever he put out in truth is not seen.
            self.give_up(self.dealer, bytes([UNKNOWN] * len(foreign)))
        self._take_up()

    def _unseen_exchange(self) -> None:
        self.unjudged += 1
        self.give_up(self.dealer, bytes([UNKNOWN]))
        self._take_up()

    def _take_up(self) -> None:
        self.hands[self.dealer] += self.turnups or [UNKNOWN]
        self.phase = "play"

    def _play(self, event: Event) -> None:
        if self.phase in ("order", "name") and self.trump == NO_TRUMP:
            law = f"{BOOK}rule viii, the game begins when the trump is made"
            if self.calls:
                self.rule("a card before the trump is made", law, VOID, seat=event.seat)
        self.play(event)

    # -- points -------------------------------------------------------------------------------

    def due(self) -> list[Due]:
        if not self.complete or not self.maker:
            return []
        made = self.won_by([self.maker, self.partner(self.maker)])
        rules = self.rules
        if made < 3:
            to = self.side(self.after(self.maker))
            return [Due(kind="score", seat=to, word="euchre", number=rules.euchre)]
        to = self.side(self.maker)
        if made < CARDS:
            return [Due(kind="score", seat=to, word="point", number=rules.point)]
        number = rules.lone_march if self.alone else rules.march
        return [Due(kind="score", seat=to, word="march", number=number)]


MACHINE = Maker(family="euchre", make=EuchreDeal)
