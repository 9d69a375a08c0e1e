"""What is left of the order in which the pack was gathered, whatever was cut.

`riffles` (looks, subjects, 11) holds the fixed-point ln of 0 .. 10 riffles, `kept`
(looks, subjects, 14) that of the bets on neighbours, `shown` (looks, subjects, 4) deals as
`_orders.shown`, `seen` (subjects, 4) deals, circular descents, and neighbours that were kept
and that were kept the other way round.
Subjects as `_orders.sums`.
"""

from __future__ import annotations

import numpy as np

from audit.count._orders import labelled, shown, sums, whole
from audit.record import Batch
from audit.stats import cut_orders
from audit.tally import Arrays, Table, Tally


def _count(batch: Batch, table: Table) -> Arrays:
    deals, size = len(batch), len(table.pack)
    before = whole(batch.gathered, deals, table.pack)
    after, given = (
        whole(orders, deals, table.pack) if before.any() else before
        for orders in (batch.order, batch.pack)
    )
    known = before & (after | given)
    out = {"shown": shown(known, batch, table)}
    rows = np.flatnonzero(known)
    if batch.gathered is None or not len(rows):
        return out
    # The pack as given and as cut lie in one circle, so that either will do.
    orders = np.zeros((deals, size), np.uint8)
    if batch.pack is not None and given.any():
        orders[given] = batch.pack[given, :size]
    if batch.order is not None and after.any():
        orders[after] = batch.order[after, :size]
    labels = labelled(orders[rows], batch.gathered[rows, :size])
    kept = np.concatenate([cut_orders.log_kept(way) for way in (labels, size - 1 - labels)], axis=1)
    kept = np.concatenate([kept, cut_orders.log_sometimes(kept)], axis=1)
    out["riffles"] = sums(cut_orders.log_riffles(labels), rows, batch, table)
    out["kept"] = sums(kept, rows, batch, table)
    falls, _ = cut_orders.circular_descents(labels)
    step = (np.roll(labels, -1, axis=1) - labels) % size
    ahead, back = ((step == way).sum(axis=1) for way in (1, size - 1))
    seen = np.stack([np.ones(len(rows), np.int64), falls, ahead, back], axis=1)
    out["seen"] = sums(seen, rows, batch, table).sum(axis=0)
    return out


TALLY = Tally(id="known_order", count=_count)
