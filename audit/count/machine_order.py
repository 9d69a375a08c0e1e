"""Orders as a badly written shuffle makes them, from the sorted pack or the order gathered.

For each START, `sorted` or `gathered`, and each RESULT, the order `dealt` or that `given` to the
cut: `bets:START:RESULT` (looks, bets) holds the fixed-point ln of `stats.places.FAULTS`, then of
`stats.draws.FAULTS`, then of the first two of them in every other deal by lot;
`hand:START:RESULT` (looks, 23) that of `stats.cut_orders` for riffles, and for kept neighbours
ahead and backward; `shown:START:RESULT` (looks, 4) deals as `_orders.shown`.  Only the first
`MOST` deals of the log are bet on: every fault named is found in far fewer, and going on costs
time.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.count._orders import early, labelled, shown, sums, whole
from audit.record import Batch
from audit.stats import cut_orders, draws, places
from audit.stats.evalue import SCALE
from audit.tally import Arrays, Table, Tally

MOST = 1 << 12
_GUARD = 1e-9


def half(logs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the fixed-point ln of (1 + LR) / 2 for those of LR, shape as *logs*, rounded down.

    The deal is as likely to be fair as to be made by the fault; the mean stays at most 1.
    """
    both = np.logaddexp(0.0, logs / SCALE) - np.log(2.0)
    return np.asarray(np.floor((both - _GUARD) * SCALE), np.int64)


def _count(batch: Batch, table: Table) -> Arrays:
    deals, size = len(batch), len(table.pack)
    everybody = replace(table, machine=True)
    soon = early(batch, MOST)
    pack = np.broadcast_to(np.array(sorted(table.pack), np.uint8), (deals, size))
    known = {
        "sorted": (pack, np.ones(deals, np.bool_)),
        "gathered": (batch.gathered, whole(batch.gathered, deals, table.pack, soon=soon)),
        "dealt": (batch.order, whole(batch.order, deals, table.pack, soon=soon)),
        "given": (batch.pack, whole(batch.pack, deals, table.pack, soon=soon)),
    }
    out = {}
    for start in ("sorted", "gathered"):
        for result in ("dealt", "given"):
            (before, has), (after, got) = known[start], known[result]
            both = has & got
            counts = shown(both, batch, everybody, wanted=soon)
            out[f"shown:{start}:{result}"] = counts[:, 0]
            rows = np.flatnonzero(both & soon)
            if before is None or after is None or not len(rows):
                continue
            labels = labelled(after[rows, :size], before[rows, :size])
            ways = places.log_faults(labels)
            bets = np.concatenate([ways, draws.log_faults(labels), half(ways[:, :2])], axis=1)
            out[f"bets:{start}:{result}"] = sums(bets, rows, batch, everybody)[:, 0]
            kept = [cut_orders.log_kept(way) for way in (labels, size - 1 - labels)]
            hand = np.concatenate([cut_orders.log_riffles(labels), *kept], axis=1)
            out[f"hand:{start}:{result}"] = sums(hand, rows, batch, everybody)[:, 0]
    return out


TALLY = Tally(id="machine_order", count=_count)
