"""What the storage of a log says about the turn-ups that it claims."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from audit.cards import NAMES
from audit.format import Reader
from audit.record import Deal
from audit.stats.binomial import log_lower, log_upper
from audit.stats.sortedness import log_chance


def total_order(groups: Sequence[bytes]) -> list[int] | None:
    """Return an order of cards that every one of *groups* follows, None where there is none."""
    after: dict[int, set[int]] = {}
    for group in groups:
        for a, b in pairwise(group):
            after.setdefault(a, set()).add(b)
            after.setdefault(b, set())
    indegree = dict.fromkeys(after, 0)
    for targets in after.values():
        for b in targets:
            indegree[b] += 1
    ready = sorted(c for c, d in indegree.items() if d == 0)
    order = []
    while ready:
        card = ready.pop(0)
        order.append(card)
        for b in sorted(after[card]):
            indegree[b] -= 1
            if indegree[b] == 0:
                ready.append(b)
    return order if len(order) == len(after) else None


def _fair_set(groups: Sequence[bytes], hands: int) -> bool:
    """Return whether no card lies in the groups oftener or less often than chance allows.

    A card lies in a kitty of k cards of n with chance k/n in each deal; the
    least tail over cards, times twice their number, has to exceed 1/1000.
    """
    size, rows = len(groups[0]), len(groups)
    cards = sorted({c for g in groups for c in g})
    chance = Fraction(size, hands + size)
    least = 0.0
    for card in cards:
        seen = sum(card in g for g in groups)
        least = min(least, log_upper(rows, seen, chance), log_lower(rows, seen, chance))
    return least + math.log(2 * len(cards)) > math.log(1 / 1000)


def storage(deals: Sequence[Deal], reader: Reader) -> str:
    """Return a sentence about sorted storage of the group that the turn-up belongs to, or ''.

    That some order of K cards is followed by r groups of k cards has chance at
    most K!/(k!)^r when each group stands as dealt; it is said only where that
    is below 1e-9.
    """
    groups = [d.widow for d in deals if len(d.widow) > 1]
    if reader.holds.turnup != "claimed" or not groups:
        return ""
    cards = len({c for g in groups for c in g})
    if log_chance(pack=cards, groups=Counter(map(len, groups))) > math.log(1e-9):
        return ""
    stated = [d for d in deals if d.widow and d.turnups[:1] == d.widow[:1]]
    order = total_order(groups)
    if order is None:
        return (
            f"The kitty is not sorted: no order of the cards is followed by all of"
            f" {len(groups)} rows"
        )
    if len(stated) != len(deals):
        return ""
    before = sum(len(h) for h in deals[0].hands)
    fair = "fair as a set" if _fair_set(groups, before) else "not fair as a set either"
    return (
        f"Card {before + 1} is the lowest card of a kitty that stands sorted in"
        f" {len(groups)} of {len(groups)} rows ({NAMES[order[0]]} first), while the kitty is {fair}"
        " (how often each card lies in it); so either the rows were sorted when they"
        " were stored, or the lowest card of the kitty was turned; the file cannot tell which"
    )
