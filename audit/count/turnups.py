"""First turn-ups, by look, dealer and card."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.cards import UNKNOWN
from audit.law import Law
from audit.record import Batch, put_in_order
from audit.tally import NOT_JUDGED, Arrays, Table, Tally, add_at


def _picked(batch: Batch, law: Law) -> NDArray[np.bool_]:
    """Return which deals may show not the first card turned first, where each place has one.

    They show the cards in an order of the cards, or not one for each place: then the best alone,
    or what it paid for, may have been written.  None of them shows the order of the pack, beside
    which cards stand as dealt.
    """
    count = np.diff(batch.turn_at)
    cards = np.full((len(batch), int(count.max(initial=1))), UNKNOWN, np.uint8)
    row = np.repeat(np.arange(len(batch)), count)
    cards[row, np.arange(len(row)) - np.repeat(batch.turn_at[:-1], count)] = batch.turnups
    found = put_in_order(cards, count) | (count < np.maximum(batch.players, law.players[0]))
    if batch.order is not None and batch.order.shape[1]:
        found &= (batch.order > 51).any(axis=1)
    return found


def _count(batch: Batch, table: Table) -> Arrays:
    """`first[look, dealer, card]`: deals whose first turn-up is that card; `blank[dealer]`.

    `blank` counts deals of the dealer without a turn-up, in its last place deals of nobody.
    Where several cards are turned at once and stand in an order, or not all of them are written,
    which was first is not told.
    """
    some = np.flatnonzero(batch.turn_at[1:] > batch.turn_at[:-1])
    people = max(1, len(table.dealers))
    dealer = np.zeros(len(batch), np.int64) if table.machine else batch.dealer.astype(np.int64)
    named = some[dealer[some] >= 0]
    cards = batch.turnups[batch.turn_at[named]].astype(np.int64)
    known = cards < 52
    if table.law.several_turned:
        known &= ~_picked(batch, table.law)[named]
    shown = np.zeros(len(batch), np.bool_)
    shown[named[known]] = True
    untold = dealer[~shown & (dealer != NOT_JUDGED)]
    blank = np.bincount(np.where(untold < 0, people, untold), minlength=people + 1)
    where = (table.looks.of(batch)[named][known], dealer[named][known], cards[known])
    return {"first": add_at((table.looks.count, people, 52), where), "blank": blank}


TALLY = Tally(id="turnups", count=_count)
