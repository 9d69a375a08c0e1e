"""Whole orders of the pack in a batch, and sums of what they say by look and subject.

Subject 0 is everybody, the others are the dealers of the table, none where a machine deals.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.record import ENDED, Batch, card_sets
from audit.tally import Table

Ints = NDArray[np.int64]
#: Only so many deals of a log are bet on where a bet is dear: going on costs more time than
#: everything else, and what shows in an order shows in far fewer.
DEAR = 1 << 14


def early(batch: Batch, most: int = DEAR) -> NDArray[np.bool_]:
    """Return which deals of *batch* are among the first *most* of the log."""
    return np.asarray(batch.first + np.arange(len(batch)) < most)


def whole(
    orders: NDArray[np.uint8] | None,
    deals: int,
    pack: tuple[int, ...],
    *,
    soon: NDArray[np.bool_] | None = None,
) -> NDArray[np.bool_]:
    """Return which rows of *orders* hold every card of *pack* once and nothing else.

    With *soon*, which is true up to some row, only of the rows up to there.
    """
    size, asked = len(pack), deals if soon is None else int(soon.sum())
    if orders is None or orders.shape[1] < size or size < 2 or not asked:
        return np.zeros(deals, np.bool_)
    if asked < deals:
        some = whole(orders[:asked], asked, pack)
        return np.append(some, np.zeros(deals - asked, np.bool_))
    # So many cards are the whole pack only when all are different.
    right = card_sets(orders[:, :size]) == np.uint64(sum(1 << c for c in pack))
    right &= (orders[:, size:] > 51).all(axis=1)
    return np.asarray(right)


def labelled(orders: NDArray[np.uint8], before: NDArray[np.uint8]) -> Ints:
    """Return whole *orders* (deals, n) by the place that each card had in *before*, (deals, n)."""
    deals, size = orders.shape
    row = np.arange(deals)[:, None]
    label = np.zeros((deals, 52), np.int64)
    label[row, before] = np.arange(size)
    return np.asarray(label[row, orders])


def judged_alone(table: Table) -> int:
    """Return how many dealers are subjects."""
    return 0 if table.machine else len(table.dealers)


def sums(
    values: Ints, rows: Ints, batch: Batch, table: Table, *, people: int | None = None
) -> Ints:
    """Return *values* (rows, columns) of the deals *rows* added up, (looks, subjects, columns).

    *rows* rise, so that the rows of a look stand together.  *people* is how many dealers
    are subjects, by default all of the table.
    """
    people = judged_alone(table) if people is None else people
    out = np.zeros((table.looks.count, 1 + people, values.shape[1]), np.int64)
    look, dealer = table.looks.of(batch)[rows], batch.dealer[rows]
    if len(rows):
        starts = np.flatnonzero(np.diff(look, prepend=-1))
        out[look[starts], 0] = np.add.reduceat(values, starts, axis=0)
    known = (dealer >= 0) & (dealer < people)
    if people:
        np.add.at(out, (look[known], 1 + dealer[known]), values[known])
    return out


def shown(
    rows: NDArray[np.bool_],
    batch: Batch,
    table: Table,
    *,
    wanted: NDArray[np.bool_] | None = None,
) -> Ints:
    """Return how many deals show and do not show what is counted, (looks, subjects, 4).

    The last two columns are those of the first deal of the log, which is in none of the
    others.  A deal of a dealer who is not known shows nothing for any of the dealers.
    Deals that are not *wanted* are in no column, nor are packs that were void before any
    card of them was fixed.
    """
    people = judged_alone(table)
    counts = np.ones(len(batch), np.bool_) if wanted is None else wanted.copy()
    if batch.endings is not None:
        counts &= rows | (batch.endings.ended != ENDED.index("void"))
    at = np.flatnonzero(counts)
    first = 2 * (batch.first + at == 0)
    out = sums(np.eye(4, dtype=np.int64)[first + ~rows[at]], at, batch, table)
    unknown = batch.dealer[at] == -1
    if people and unknown.any():
        values = np.eye(4, dtype=np.int64)[first[unknown] + 1]
        look = table.looks.of(batch)[at][unknown]
        for dealer in range(1, 1 + people):
            np.add.at(out[:, dealer], look, values)
    return out
