"""In what order each group of cards stands in the log: each hand, widow, board.

A group with an unknown card between known ones says nothing of order and is left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.record import Batch
from audit.tally import Arrays, Table, Tally, blocks


def _heads(batch: Batch, block: NDArray[np.uint8]) -> int:
    """Return in how many deals the first turn-up stands first in *block*."""
    some = np.flatnonzero(batch.turn_at[1:] > batch.turn_at[:-1])
    if not block.shape[1]:
        return 0
    turned = batch.turnups[batch.turn_at[some]]
    return int(((turned < 52) & (turned == block[some, 0])).sum())


def _count(batch: Batch, table: Table) -> Arrays:
    """`adjacent[group, a, b]`, `sizes[group, cards]`, `heads[group]`; groups as `tally.groups`.

    adjacent: how often card a stands directly before card b; heads: deals whose
    first turn-up is the first card of the group.
    """
    parts = blocks(batch, table)
    adjacent = np.zeros((len(parts), 52, 52), np.int64)
    sizes = np.zeros((len(parts), 53), np.int64)
    heads = np.zeros(len(parts), np.int64)
    for g, block in enumerate(parts):
        known = block < 52
        size = known.sum(axis=1)
        gapless = (known == (np.arange(block.shape[1]) < size[:, None])).all(axis=1)
        cards = block[gapless].astype(np.int64)
        sizes[g] = np.bincount(size[gapless], minlength=53)[:53]
        a, b = cards[:, :-1], cards[:, 1:]
        pair = (a < 52) & (b < 52)
        flat = np.bincount(a[pair] * 52 + b[pair], minlength=52 * 52)
        adjacent[g] = flat.reshape(52, 52)
        heads[g] = _heads(batch, block)
    return {"adjacent": adjacent, "sizes": sizes, "heads": heads}


TALLY = Tally(id="adjacency", count=_count)
