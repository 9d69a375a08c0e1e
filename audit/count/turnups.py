"""First turn-ups, by look, dealer and card."""

from __future__ import annotations

import numpy as np

from audit.record import Batch
from audit.tally import NOT_JUDGED, Arrays, Table, Tally, add_at


def _count(batch: Batch, table: Table) -> Arrays:
    """`first[look, dealer, card]`: deals whose first turn-up is that card; `blank[dealer]`.

    `blank` counts deals of the dealer without a turn-up, in its last place deals of nobody.
    """
    some = np.flatnonzero(batch.turn_at[1:] > batch.turn_at[:-1])
    people = max(1, len(table.dealers))
    dealer = np.zeros(len(batch), np.int64) if table.machine else batch.dealer.astype(np.int64)
    named = some[dealer[some] >= 0]
    cards = batch.turnups[batch.turn_at[named]].astype(np.int64)
    known = cards < 52
    shown = np.zeros(len(batch), np.bool_)
    shown[named[known]] = True
    untold = dealer[~shown & (dealer != NOT_JUDGED)]
    blank = np.bincount(np.where(untold < 0, people, untold), minlength=people + 1)
    where = (table.looks.of(batch)[named][known], dealer[named][known], cards[known])
    return {"first": add_at((table.looks.count, people, 52), where), "blank": blank}


TALLY = Tally(id="turnups", count=_count)
