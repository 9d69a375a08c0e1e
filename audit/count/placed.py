"""Which card lay in which group of the deal: each hand, widow, board, and the first turn-up."""

from __future__ import annotations

import numpy as np

from audit.record import Batch
from audit.tally import Arrays, Table, Tally, blocks


def _count(batch: Batch, table: Table) -> Arrays:
    """`placed[group, card]`: deals whose group holds the card; `rows[group, cards]`: of that size.

    Groups as `tally.groups`, the first turn-up last.  A deal that shows nothing
    of a group is in `rows[group, 0]`.  Assumes no card twice in a deal.
    """
    turned = np.full((len(batch), 1), 255, np.uint8)
    some = np.flatnonzero(batch.turn_at[1:] > batch.turn_at[:-1])
    turned[some, 0] = batch.turnups[batch.turn_at[some]]
    parts = [*blocks(batch, table), turned]
    placed = np.zeros((len(parts), 52), np.int64)
    rows = np.zeros((len(parts), 53), np.int64)
    for g, block in enumerate(parts):
        known = block < 52
        placed[g] = np.bincount(block[known], minlength=52)
        rows[g] = np.bincount(known.sum(axis=1), minlength=53)[:53]
    return {"placed": placed, "rows": rows}


TALLY = Tally(id="placed", count=_count)
