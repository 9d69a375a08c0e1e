"""Which cards a deal showed because they were placed, and how many.

A card counts as shown where every hand of the deal stands in the log; where no
hand does, the first turn-up alone is the exposure.  Hands that are cut short
are counted as `partial`, for a choice of what to show may follow the cards.
"""

from __future__ import annotations

import numpy as np

from audit.record import Batch
from audit.tally import Arrays, Table, Tally


def _count(batch: Batch, table: Table) -> Arrays:
    """`deals[look, n]`, `shown[look, n, card]` for n cards shown, `partial[0]`."""
    looks = table.looks.of(batch)
    n_deals, shown_by = len(batch), np.zeros((len(batch), 52), bool)
    row = np.arange(n_deals)
    hands = batch.hands.reshape(n_deals, batch.hands.shape[1] * batch.hands.shape[2])
    have = (hands < 52).sum(axis=1)
    full = batch.players.astype(np.int64) * table.law.hand
    partial = (have > 0) & (have < full)
    bare = have == 0
    mixed = bool(bare.any()) and not bool(bare.all())
    for block in (hands, batch.widow, batch.board):
        for column in range(block.shape[1]):
            cards = block[:, column]
            known = cards < 52
            shown_by[row[known], cards[known]] = True
    turns = batch.turn_at[1:] - batch.turn_at[:-1]
    owner = np.repeat(row, turns)
    nth = np.arange(len(owner)) - np.repeat(batch.turn_at[:-1], turns)
    use = (batch.turnups < 52) & ((nth == 0) | ~bare[owner])
    shown_by[owner[use], batch.turnups[use]] = True
    number = shown_by.sum(axis=1)
    deals = np.zeros((table.looks.count, 53), np.int64)
    np.add.at(deals, (looks, number), 1)
    shown = np.zeros((table.looks.count, 53, 52), np.int64)
    for n in np.unique(number):
        of_n = number == n
        for look in np.unique(looks[of_n]):
            shown[look, n] = shown_by[of_n & (looks == look)].sum(axis=0)
    return {
        "deals": deals,
        "shown": shown,
        "partial": np.array([int(partial.sum()) + (int(bare.sum()) if mixed else 0)], np.int64),
    }


TALLY = Tally(id="exposure", count=_count)
