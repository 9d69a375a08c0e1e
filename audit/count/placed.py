"""Which card lay in which group of the deal: each hand, widow, board, and the first turn-up."""

from __future__ import annotations

import numpy as np

from audit.record import Batch, card_sets
from audit.tally import Arrays, Table, Tally, blocks


def _count(batch: Batch, table: Table) -> Arrays:
    """`placed[group, card]`: deals whose group holds the card; `rows[group, cards]`: of that size.

    Groups as `tally.groups`, the first turn-up last.  A deal that shows nothing
    of a group is in `rows[group, 0]`.  Assumes no card twice in a deal.
    """
    parts = [*blocks(batch, table), batch.first_turned[:, None]]
    placed = np.zeros((len(parts), 52), np.int64)
    rows = np.zeros((len(parts), 53), np.int64)
    for g, block in enumerate(parts):
        placed[g] = np.bincount(block.ravel(), minlength=256)[:52]
        size = np.bitwise_count(card_sets(block))
        rows[g] = np.bincount(size, minlength=53)[:53]
    return {"placed": placed, "rows": rows}


TALLY = Tally(id="placed", count=_count)
