"""The tricks of Loo: whose turn it is, what he may lead or play, who wins.

Source: Foster, Loo ("Leading", "In Simple Pools", "Revokes"), Five-card Loo (Pam).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from audit.duty import follow, head
from audit.ranks import NO_TRUMP, Order, winner
from audit.rules.loo import ACE

TRUMPS = 4


@dataclass(kw_only=True)
class LooTricks:
    """The tricks among *seats* (in dealing order), *leader* having the next lead.

    *trick* is the seat and card of each play on the table; *taken* the tricks won.
    """

    order: Order
    seats: list[int]
    leader: int
    trick: list[tuple[int, int]] = field(default_factory=list)
    taken: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)

    @property
    def cards(self) -> list[int]:
        """The cards of the trick on the table, in the order played."""
        return [card for _, card in self.trick]

    @property
    def turn(self) -> int:
        """The seat that has to play; those who follow a lead out of turn play in turn after it."""
        at = self.seats.index(self.trick[0][0] if self.trick else self.leader)
        done = {seat for seat, _ in self.trick}
        return next(s for s in self.seats[at:] + self.seats[:at] if s not in done)

    @property
    def full(self) -> bool:
        """Whether everybody has played to the trick on the table."""
        return len(self.trick) >= len(self.seats)

    @property
    def followed(self) -> bool:
        """Whether every card of the trick on the table is of the suit led."""
        group = self.order.group
        return len({group[card] for card in self.cards}) == 1

    def quit(self) -> int:
        """Turn the trick on the table; its winner has the lead."""
        best = self.trick[winner(self.order, self.cards)][0]
        self.taken.append((best, tuple(self.cards)))
        self.trick, self.leader = [], best
        return best

    def count(self) -> dict[int, int]:
        """Return the tricks won by each of those who play."""
        won = dict.fromkeys(self.seats, 0)
        for seat, _ in self.taken:
            won[seat] += 1
        return won


def leads(order: Order, hand: Sequence[int], top: int) -> list[int]:
    """Return the cards that may be led: a trump if able, and *top* where it must be led."""
    if top in hand:
        return [top]
    return [c for c in hand if order.group[c] == TRUMPS] or list(hand)


def ace_led(order: Order, trick: Sequence[int]) -> bool:
    """Whether the trick began with the ace of trumps."""
    return order.trump != NO_TRUMP and bool(trick) and trick[0] == 13 * order.trump + ACE


def plays(order: Order, hand: Sequence[int], trick: Sequence[int], passing: int) -> list[int]:
    """Return the cards that may be played to *trick*.

    Pam (*passing*, -1 for none) lets a led ace of trumps pass where the hand holds
    another trump; alone he has to follow suit.
    """
    if passing in hand and ace_led(order, trick):
        others = [c for c in hand if c != passing]
        if any(order.group[c] == TRUMPS for c in others):
            return head(order, others, trick)
    return head(order, hand, trick)


def breach(order: Order, hand: Sequence[int], trick: Sequence[int], card: int, pam: int) -> str:
    """Return in words which duty *card* failed, it being none of those allowed."""
    if not trick:
        return "did not lead the trump that has to be led"
    if card == pam and ace_led(order, trick):
        return "played Pam on the ace of trumps, though able to pass it"
    able = follow(order, hand, trick)
    if card not in able:
        return "did not follow suit, though able to"
    if order.group[able[0]] == order.group[trick[0]]:
        return "did not head the trick, though able to"
    if order.group[card] == TRUMPS:
        return "did not over-trump, though able to"
    return "did not trump, though able to"
