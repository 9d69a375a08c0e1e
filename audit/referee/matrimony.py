"""Matrimony: stakes on five chances, and who takes them by the cards; nobody plays a card.

Source: household book, section 108.
"""

from __future__ import annotations

from audit.cards import UNKNOWN
from audit.event import Event, Want
from audit.law import Law
from audit.record import Deal
from audit.referee._asked import Asked
from audit.referee.machine import Due, Maker
from audit.rules.matrimony import CHANCES, DIAMOND_ACE, UNIONS, Matrimony, holds, pair
from audit.rules.options import chosen

#: The most that a simulated dealer stakes, the book's example; no law.
STAKE = 12


class MatrimonyDeal(Asked):
    """One deal; the dealer says his stake on each chance (`call`, the chance, counters)."""

    def __init__(self, law: Law, deal: Deal, scores: tuple[int, ...] = ()) -> None:
        super().__init__(law, deal, scores)
        assert isinstance(law.rules, Matrimony)
        self.rules, refused = chosen(law.rules, deal.options)
        self.unjudged += refused
        self.sizes(2)
        self.turnups = list(deal.turnups)
        self.stakes: dict[str, int] = {}

    def wants(self) -> Want | None:
        left = [c for c in CHANCES if c not in self.stakes]
        if not left or self.over:
            return None
        return Want(kind="call", seat=self.dealer, words=(left[0],), numbers=(0, STAKE))

    def step(self, event: Event) -> None:
        if self.aside(event):
            return
        if event.kind != "call" or event.word not in CHANCES:
            self.fits(event, self.wants())
            return
        if event.seat != self.dealer:
            self.breach(
                f"the stake named by seat {event.seat}, wanted the dealer, seat {self.dealer}",
                "the dealer names the stakes",
                seat=event.seat,
            )
        if event.word in self.stakes:
            self.breach("a second stake on one chance", "the first stands", seat=event.seat)
            return
        if event.number < 0:
            self.breach("a stake below nothing", "it is void", seat=event.seat)
        self.stakes[event.word] = max(0, event.number)
        self.calls.append(event)

    def due(self) -> list[Due]:
        """Return stakes and winnings; what nobody won stands over to the next deal.

        The dealer stakes "on each or any chance": on one that he does not name, nothing.
        """
        cards = [*self.turnups, *(c for h in self.hands for c in h)]
        seats = range(1, self.players + 1)
        whole = len(self.turnups) == self.players and all(len(self.hands[s]) == 2 for s in seats)
        if not self.stakes or not whole or UNKNOWN in cards:
            self.partial = True
            return []
        paid: list[Due] = []
        lying = {c: self.before(f"pool {c}") for c in CHANCES}
        before = sum(lying.values())
        for chance in CHANCES:
            for seat in self.in_order():
                number = self.stakes.get(chance, 0) - (seat != self.dealer)
                paid += self.pays(seat, f"stake {chance}", number)
                lying[chance] += max(0, number)
        winners = self._winners()
        before += self.counted()
        rest = self.stood_over(list(winners.items()), lying)
        if DIAMOND_ACE in self.turnups:
            # The ace turned "sweeps all", so nothing may be left of what stood there.
            lying["best"] += rest
        for chance, seat in winners.items():
            paid += self.pays(0, chance, lying[chance], seat)
        return self.pooled(before, paid)

    def _winners(self) -> dict[str, int]:
        """Return who takes each chance: of equals the elder."""
        turned = dict(zip(self.in_order(), self.turnups, strict=True))
        for seat, card in turned.items():
            if card == DIAMOND_ACE:
                return dict.fromkeys(CHANCES, seat)
        extra = self.rules.cards == "three"
        hands = {s: self.hands[s] + ([turned[s]] if extra else []) for s in self.in_order()}
        # The first of equals is the eldest, for the seats stand in order and max() keeps him.
        found = {"best": max(hands, key=lambda s: max(c % 13 for c in hands[s]))}
        for chance in UNIONS:
            having = [s for s, cards in hands.items() if holds(cards, chance)]
            if having:
                found[chance] = having[0]
        paired = max(hands, key=lambda s: pair(hands[s]))
        if pair(hands[paired]) >= 0:
            found["pairs"] = paired
        return found


MACHINE = Maker(family="matrimony", make=MatrimonyDeal)
