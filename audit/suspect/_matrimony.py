"""Matrimony: the third card of each place, turned in order from the dealer's left."""

from __future__ import annotations

import numpy as np

from audit.cards import UNKNOWN
from audit.law import Law
from audit.record import Batch, put_in_order
from audit.rules.matrimony import Matrimony
from audit.suspect._dealt import Cards, Dealt, Mask, dealt
from audit.tally import Table


def is_matrimony(law: Law) -> bool:
    """Whether the game is Matrimony."""
    return isinstance(law.rules, Matrimony)


def shown_up(batch: Batch, table: Table) -> tuple[Dealt, Cards, Mask] | None:
    """Return the deals, the card turned for each place (deals, places), and which deals tell it.

    A deal tells it where it names its dealer and as many cards turned as there are players,
    and these do not stand by rank or suit: else they may have been put in order, and the best
    of them be written first, whoever had it.
    """
    d = dealt(batch, table)
    if d is None:
        return None
    third, dealt_out = np.full((2, *d.seated.shape), UNKNOWN, np.uint8)
    count = np.diff(batch.turn_at)[d.row]
    told = (count == d.players) & (d.dealer > 0)
    for k in range(d.seated.shape[1]):
        rows = np.flatnonzero(told & (k < d.players))
        place = (d.dealer[rows] + k) % d.players[rows]
        third[rows, place] = batch.turnups[batch.turn_at[d.row[rows]] + k]
        dealt_out[rows, k] = third[rows, place]
    told &= ((third < 52) | ~d.seated).all(axis=1)
    # Beside the order of the pack they stand as dealt: else the deal was set aside.
    whole = np.zeros(len(d.row), np.bool_)
    if batch.order is not None and batch.order.shape[1]:
        whole = np.asarray((batch.order[d.row] < 52).all(axis=1))
    told &= whole | ~put_in_order(dealt_out, d.players)
    return d, third, told
