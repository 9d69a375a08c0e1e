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
    if not block.shape[1]:
        return 0
    turned = batch.first_turned
    return int(((turned < 52) & (turned == block[:, 0])).sum())


def _pairs(cards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return how often card a stands directly before card b in the rows of *cards*, (52, 52)."""
    # A card that is not known counts as 63, with which no known one can be mistaken.
    few = np.minimum(cards, np.uint8(63)).astype(np.uint16)
    counts = np.bincount(((few[:, :-1] << 6) | few[:, 1:]).ravel(), minlength=64 * 64)
    return counts.astype(np.int64).reshape(64, 64)[:52, :52]


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
        if known.all():
            cards, size = block, np.full(len(block), block.shape[1])
        else:
            size = known.sum(axis=1)
            gapless = (known == (np.arange(block.shape[1]) < size[:, None])).all(axis=1)
            cards, size = block[gapless], size[gapless]
        sizes[g] = np.bincount(size, minlength=53)[:53]
        if block.shape[1] > 1:
            adjacent[g] = _pairs(cards)
        heads[g] = _heads(batch, block)
    return {"adjacent": adjacent, "sizes": sizes, "heads": heads}


TALLY = Tally(id="adjacency", count=_count)
