"""Which card beats which: orders of rank in plain suits and in trumps.

Cards are numbers 13 x suit + rank (`cards.py`); -1 is "no trump".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

SUITS = "SHDC"
RANKS = "23456789TJQKA"
NO_TRUMP = -1


@dataclass(frozen=True, kw_only=True)
class Order:
    """The pack seen under one trump: *group* of each card (suit 0-3, trumps 4), and *worth*.

    Within a group the card of greater worth wins; cards outside the pack have worth -1.
    """

    group: tuple[int, ...]
    worth: tuple[int, ...]
    trump: int


@dataclass(frozen=True, kw_only=True)
class Ranks:
    """Orders of rank, high to low.

    *plain* gives the ranks of a suit (letter), "" those of every suit not named.
    *trumps* gives for a trump suit all its trumps, best first, as card names; a
    suit not named there has its own cards as trumps, in the order of *trump*, or
    of the plain suits where that is empty.
    """

    plain: Mapping[str, str] = field(default_factory=lambda: {"": "AKQJT98765432"})
    trump: str = ""
    trumps: Mapping[str, str] = field(default_factory=dict)

    def order(self, trump: int) -> Order:
        """Return the order of all cards under *trump* (0-3, or -1 for none)."""
        found = self._orders.get(trump)
        if found is None:
            found = self._orders[trump] = _order(self, trump)
        return found

    @cached_property
    def _orders(self) -> dict[int, Order]:
        """The orders that were asked for, by trump."""
        return {}


#: Ace high in every suit, trumps as the other suits.
AS_USUAL = Ranks()


def _order(of: Ranks, trump: int) -> Order:
    plain, trump_ranks, trumps = of.plain, of.trump, of.trumps
    group = [card // 13 for card in range(52)]
    worth = [-1] * 52
    for suit in range(4):
        ranks = plain.get(SUITS[suit], plain.get("", ""))
        for place, rank in enumerate(ranks):
            worth[13 * suit + RANKS.index(rank)] = len(ranks) - place
    if trump != NO_TRUMP:
        named = trumps.get(SUITS[trump], "").split()
        ranks = trump_ranks or plain.get(SUITS[trump], plain.get("", ""))
        names = named or [rank + SUITS[trump] for rank in ranks]
        for place, name in enumerate(names):
            card = 13 * SUITS.index(name[1]) + RANKS.index(name[0])
            group[card], worth[card] = 4, 100 + len(names) - place
    return Order(group=tuple(group), worth=tuple(worth), trump=trump)


def winner(order: Order, cards: list[int]) -> int:
    """Return the index of the card that wins a trick, *cards* in the order played."""
    group, worth = order.group, order.worth
    top, best = cards[0], 0
    for at in range(1, len(cards)):
        mine = cards[at]
        if group[mine] == group[top]:
            if worth[mine] > worth[top]:
                top, best = mine, at
        elif group[mine] == 4:
            top, best = mine, at
    return best
