"""Whether first hands and turn-up are what the pack and the plan make them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

from audit.law import Law
from audit.plan import opening
from audit.record import Deal
from audit.referee._astray import other_than

_Places = tuple[tuple[Callable[[Any], Any], ...], int]
_kept: dict[tuple[str, int, int], _Places] = {}


def _places(law: Law, players: int) -> _Places:
    """Return how to take the hands off an order, in dealing order, and the place of the turn-up."""
    key = law.id, law.version, players
    if key not in _kept:
        zones = opening(law.plan, players, len(law.pack)).zones
        hands = tuple(itemgetter(*zones[f"hand {s}"]) for s in range(1, players + 1))
        _kept[key] = hands, zones.get("turnup", [-1])[0]
    return _kept[key]


def counts_wrong(deal: Deal, size: int) -> Iterator[tuple[int, int]]:
    """Yield (seat, cards) of every hand on record that is not of *size* cards."""
    for seat, hand in enumerate(deal.hands, start=1):
        if hand and len(hand) != size:
            yield seat, len(hand)


def order_wrong(law: Law, deal: Deal, players: int, dealer: int) -> Iterator[tuple[int, str, str]]:
    """Yield (seat, what, code) where hands or turn-up are not the cards at their places.

    Only where the record has the order after the cut of a whole pack.
    """
    order = deal.order_after_cut
    if order is None or len(order) != len(law.pack):
        return
    hands, turn = _places(law, players)
    for seat, hand in enumerate(deal.hands, start=1):
        wanted = bytes(hands[(seat - dealer - 1) % players](order))
        # Most hands are as dealt, in order: nothing more is looked at there.
        if hand and len(hand) == len(wanted) and hand != wanted and other_than(hand, set(wanted)):
            yield seat, "a hand is not the cards at its places of the pack", "W09"
    first = deal.turnups[:1]
    if turn >= 0 and first and first[0] != order[turn] and other_than(first, {order[turn]}):
        yield dealer, "the card turned is not the one at its place of the pack", "W01"
