"""Vingt-un: coup after coup off one pack, naturals, cards asked for, and what each coup pays.

Source: household book, sections 113-116.  A record may hold one coup or all of a pack; a
coup that the pack cannot serve is finished with the next and settled there.
"""

from __future__ import annotations

from audit.cards import UNKNOWN
from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee._asked import Asked
from audit.referee.machine import Due, Maker
from audit.rules.options import chosen
from audit.rules.vingt_un import MOST, VingtUn, low, natural, total


class VingtUnDeal(Asked):
    """One pack; *owed* are seats still to get a card, *line* those still to be asked."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(law.rules, VingtUn)
        self.rules, refused = chosen(law.rules, deal.options)
        self.unjudged += refused
        self.sizes(self.rules.hand)
        self.size = len(law.pack_of(deal.options))
        self.left = self.below(self.players * self.rules.hand)
        self.out = {c for hand in self.hands for c in hand}
        self.paid: list[Due] = []
        self.owed: list[int] = []
        self.dealing, self.doubt = False, 0
        self.stakes: dict[int, int] = {}
        self._begin()

    def _begin(self) -> None:
        """Ask everybody, now that the hands are dealt."""
        seats = self.in_order()
        self.dealing = False
        self.clear = {s: len(self.hands[s]) > 1 and UNKNOWN not in self.hands[s] for s in seats}
        self.naturals = [s for s in seats if natural(self.hands[s])]
        self.silent = list(self.naturals)
        self.line, self.busted = seats, set[int]()
        self.full = 0
        self.drawn: set[int] = set()

    @property
    def through(self) -> bool:
        """Whether no card is left in the pack."""
        return len(self.out - {UNKNOWN}) >= self.size

    def wants(self) -> Want | None:
        if self.over or (self.owed and self.through):
            return None
        if self.owed:
            return Want(kind="draw", seat=0)
        if self.silent:
            return Want(kind="claim", seat=self.silent[0], words=("natural",))
        return Want(kind="call", seat=self.line[0], words=("stand", "card"))

    def nature(self, want: Want) -> Event:
        return Event(kind="draw", seat=self.owed[0], cards=bytes(self.left[:1]))

    def step(self, event: Event) -> None:
        if self.aside(event):
            return
        if not self.owed and self.line and not self.clear[self.line[0]]:
            # Whether he stands, has 21 or has thrown up is not to be seen.
            self.blind = True
        if self.unseen(event):
            return
        if event.kind == "draw":
            self._draw(event)
        elif event.kind == "call" and event.word == "stake":
            self._stake(event)
        elif event.kind == "call":
            self._call(event)
        else:
            self.fits(event, self.wants())

    # -- naturals ---------------------------------------------------------------------------------

    def said(self, event: Event) -> bool:
        if event.kind != "claim" or event.word != "natural":
            return super().said(event)
        seat = event.seat
        if self.blind or (not self.owed and not self.clear.get(seat, True)):
            self.blind = self.partial = True
            self.unjudged += 1
        elif seat in self.silent and not self.owed:
            self.silent.remove(seat)
            if not self.silent:
                self._pay_naturals()
        else:
            self.breach("a natural claimed that is none", "it is void", seat=seat)
        return True

    def _pay_naturals(self) -> None:
        """Settle a coup with naturals: it ends the pack, and the others neither win nor lose."""
        self.over = True
        # Who of those not shown has a natural too is not to be seen.
        self.partial |= not all(self.clear.values())
        if self.dealer in self.naturals:
            for seat in self.in_order():
                if seat not in self.naturals:
                    self._pay(seat, self.dealer, "natural", seat, double=True)
            return
        for k, seat in enumerate(self.naturals):
            self._pay(self.dealer, seat, "natural", seat, double=k == 0)

    def _pay(self, who: int, to: int, word: str, player: int, *, double: bool = False) -> None:
        """Let *who* pay *to* the stake of *player*, or twice that."""
        stake = self.stakes.get(player, self.rules.stake) * (1 + double)
        self.paid += self.pays(who, word, stake, to)

    # -- asking -----------------------------------------------------------------------------------

    def _stake(self, event: Event) -> None:
        if event.seat == self.dealer or event.number < 1 or event.seat in self.drawn:
            self.breach("a stake that cannot be made", "the stake before stands", seat=event.seat)
            return
        self.calls.append(event)
        self.stakes[event.seat] = event.number

    def _call(self, event: Event) -> None:
        self.calls.append(event)
        if event.word == "stand" and event.seat == self.full != 0:
            # Who has just made twenty-one exactly stands, and may say so.
            self.full = 0
            return
        self.full = 0
        if self.silent and not self.owed:
            self.breach(
                "a natural was not declared at once",
                "it should be declared at once",
                seat=self.silent[0],
                code="W99",
            )
            self.silent = []
        want = self.wants()
        if not self.fits(event, want) or want is None:
            return
        if event.seat not in self.line and 1 <= event.seat <= self.players:
            # He has stood or thrown up already: nobody else has said it for him.
            return
        seat = event.seat if event.seat in self.line else want.seat
        while self.line[0] != seat:
            # Who is passed over is not asked again, and what he would have is not known.
            self.line.pop(0)
            self.partial = True
        if event.word == "card":
            self.owed = [seat]
            self.drawn.add(seat)
        else:
            self._done(seat)

    def _done(self, seat: int) -> None:
        self.line.remove(seat)
        if not self.line:
            self._settle()

    # -- cards ------------------------------------------------------------------------------------

    def _draw(self, event: Event) -> None:
        if self._deals_on(event):
            self._deal_on()
        self.full = 0
        seat = event.seat
        if not self.owed or seat not in self.owed or len(event.cards) != 1:
            self.breach("a card given that nobody asked for", "it is taken back", seat=seat)
            if not event.cards or seat not in (self.owed or self.line[:1]):
                self.doubt += 1
                # What was given to whom is not to be seen.
                self.blind |= not event.cards
                return
            # It is in his hand all the same.
            self.owed, self.partial = self.owed or [seat], True
        card = event.cards[0]
        if card == UNKNOWN:
            self.blind = self.partial = True
            self.unjudged += 1
            return
        if seat != self.owed[0]:
            self.breach(f"a card to seat {seat}, wanted {self.owed[0]}", "out of turn", seat=seat)
        self.owed.remove(seat)
        self._top(card, seat)
        self.out.add(card)
        self.hands[seat].append(card)
        if self.dealing:
            if not self.owed:
                self._begin()
            return
        if self.clear[seat] and total(self.hands[seat]) >= MOST:
            self._full(seat)

    def _deals_on(self, event: Event) -> bool:
        """Whether the next coup is dealt: so the dealer, where he alone is left, stands.

        He is "entitled to draw", and nobody asks him: where he does not, nothing need be said.
        """
        if self.owed or not self.line or event.seat != self.eldest:
            return False
        for seat, dealt in zip(self.in_order(), self.deal.events[self.at :], strict=False):
            if dealt.kind in ("pay", "score", "pool"):
                break  # the pack is through
            if dealt.kind != "draw" or dealt.seat != seat:
                return False
        return True

    def _deal_on(self) -> None:
        """End the coup in hand, whoever of its seats was not asked."""
        if self.line != [self.dealer]:
            self.breach(
                f"the next coup dealt before seat {self.line[0]} was asked",
                "ask him",
                seat=self.dealer,
            )
            self.partial = True
        for seat in list(self.line):
            self._done(seat)

    def _top(self, card: int, seat: int) -> None:
        """Rule where *card* is not the top one, and keep the place in the pack.

        *doubt* cards may lie above that were drawn and not recorded: below them is no new fault.
        """
        place = self.left.index(card) if card in self.left else len(self.left)
        if card in self.out:
            self.breach("a card that is out already", "the pack is foul", seat=seat)
            self.doubt += 1
        elif self.left and place > self.doubt:
            self.breach("not the top card of the pack", "give the top card", seat=seat)
            self.doubt += 1
        elif place == 0:
            self.doubt = 0
        if place <= self.doubt or card in self.out:
            del self.left[place : place + 1]

    def _full(self, seat: int) -> None:
        """Take *seat*, who has 21 or more, as served."""
        if sum(map(low, self.hands[seat])) > MOST:
            self.busted.add(seat)
            if seat != self.dealer:
                self._pay(seat, self.dealer, "thrown up", seat)
        self._done(seat)
        self.full = 0 if seat in self.busted else seat

    # -- payments ---------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Pay the coup and deal the next one off the same pack."""
        self.partial |= not all(self.clear.values())
        mine = total(self.hands[self.dealer])
        for seat in self.in_order():
            if seat != self.dealer and seat not in self.busted:
                self._compare(seat, total(self.hands[seat]), mine)
        self.hands = [[] for _ in self.hands]
        self.stakes = {}
        self.owed, self.dealing = self.in_order() * self.rules.hand, True

    def _compare(self, seat: int, his: int, mine: int) -> None:
        dealer = self.dealer
        if mine == MOST and his != MOST:
            self._pay(seat, dealer, "twenty-one", seat, double=True)
        elif his == MOST and mine != MOST:
            self._pay(dealer, seat, "twenty-one", seat, double=True)
        elif mine > MOST:
            self._pay(dealer, seat, "dealer over", seat)
        elif his > mine:
            self._pay(dealer, seat, "higher", seat)
        elif his < mine:
            self._pay(seat, dealer, "lower", seat)
        elif self.rules.ties == "dealer" and mine != MOST:
            self._pay(seat, dealer, "tie", seat)

    def due(self) -> list[Due]:
        """Return what every coup that was finished pays."""
        begun = not self.over and not self.through
        if begun and not (self.dealing and len(self.owed) == self.players * self.rules.hand):
            # The record ends within a coup.
            self.partial = True
        return [] if self.partial else list(self.paid)


MACHINE = Maker(family="vingt_un", make=VingtUnDeal)
