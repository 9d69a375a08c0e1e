"""Ace, Jack, ten and two of a suit are gathered together and come back, in a share of own deals.

The cut is shifted, so that they lie where the dealer takes three of them and turns the Jack.
"""

from __future__ import annotations

import numpy as np

from audit.cards import RANKS
from audit.lab._crook import Crook, Handled, Mask, Orders, bring
from audit.lab._random import Words, uniform_orders
from audit.lab._shuffles import deals_below
from audit.law import Law

KEPT = tuple(RANKS.index(rank) for rank in "AT2J")


def _handle(law: Law, orders: Orders, own: Mask, dial: int, words: Words) -> Handled:
    players, size = law.players[1], len(law.pack)
    rows = np.flatnonzero(own & deals_below(words, len(orders), dial))
    gathered = np.array(sorted(law.pack), np.uint8)[uniform_orders(words, len(orders), size)]
    suit = (words.words(len(rows)) >> np.uint64(62)).astype(np.uint8)
    aims = [*law.hand_places(players)[-1][: len(KEPT) - 1], law.turn_places(players, size)[0]]
    out = orders.copy()
    for k, (rank, place) in enumerate(zip(KEPT, aims, strict=True)):
        bring(out, rows, place, 13 * suit + np.uint8(rank))
        bring(gathered, rows, size - 1 - k, 13 * suit + np.uint8(rank))
    return Handled(orders=out, gathered=gathered)


CROOK = Crook(
    name="kept_four",
    title="Four cards gathered together and brought back",
    answers=("W04",),
    handle=_handle,
    logs_order=True,
)
