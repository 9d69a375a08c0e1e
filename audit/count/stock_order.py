"""How high cards lie in the stock, by depth, given which cards the stock holds.

`bets` (looks, subjects, 6) holds the fixed-point ln of the bets of `_zones`: high cards in the
part of the stock that is used first, high cards in its upper half, and a card that pays at the
place of the next turn-up, each at the two `ODDS`.  `seen` (subjects, 4) holds deals, high
cards in the upper half, high cards in the stock, and cards that pay at that place; `shown`
(looks, subjects, 4) deals as `_orders.shown`.  Subjects as `_orders.sums`.  Only the first
`_orders.DEAR` deals of the log are counted.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.cards import RANKS
from audit.count._orders import early, shown, sums, whole
from audit.law import Law
from audit.plan import opening
from audit.record import Batch
from audit.stats.evalue import log_fixed
from audit.stats.hypergeometric import tilt
from audit.tally import Arrays, Table, Tally

Ints = NDArray[np.int64]
ODDS = (2, 8)
#: A smaller stock is not looked at.
LEAST = 8


@lru_cache(maxsize=64)
def _tilts(size: int, drawn: int, most: int) -> Ints:
    """Return the fixed-point ln of the bets, (marked + 1, cards + 1, odds), 0 where impossible."""
    out = np.zeros((most + 1, drawn + 1, len(ODDS)), np.int64)
    for marked in range(most + 1):
        for x in range(max(0, marked + drawn - size), min(marked, drawn) + 1):
            for j, odds in enumerate(ODDS):
                one = tilt(x, population=size, marked=marked, drawn=drawn, odds=Fraction(odds))
                out[marked, x, j] = log_fixed(one.numerator, one.denominator)
    return out


def _first_stock(law: Law, players: int, size: int) -> int:
    """Return the place of the first card of the stock after the first deal."""
    zones = opening(law.plan, players, size).zones
    return 1 + max((p for name, at in zones.items() if name != "stock" for p in at), default=-1)


def _count(batch: Batch, table: Table) -> Arrays:
    law, deals, size = table.law, len(batch), len(table.pack)
    soon = early(batch)
    known = whole(batch.order, deals, table.pack, soon=soon) & (batch.players == table.players)
    known &= table.players in law.tables
    out = {"shown": shown(known, batch, table, wanted=soon)}
    rows = np.flatnonzero(known)
    start = _first_stock(law, table.players, size)
    left = size - start
    if batch.order is None or not len(rows) or left < LEAST:
        return out
    stock = batch.order[rows, start:size]
    high, pays = (
        np.isin(stock % 13, [RANKS.index(r) for r in ranks])
        for ranks in (law.strength or "AKQJT", law.honours)
    )
    turns = [p - start for p in law.turn_places(table.players, size) if p >= start]
    used = (turns[0] + 1) if turns else left // 4
    parts = [(high, slice(0, used)), (high, slice(0, left // 2))]
    if turns and law.honours:
        parts.append((pays, slice(turns[0], turns[0] + 1)))
    bets = np.zeros((len(rows), 3 * len(ODDS)), np.int64)
    for k, (marked, where) in enumerate(parts):
        drawn = where.stop - where.start
        most = sum(RANKS[c % 13] in (law.strength or "AKQJT") for c in table.pack)
        most = max(most, sum(RANKS[c % 13] in law.honours for c in table.pack))
        held, x = marked.sum(axis=1), marked[:, where].sum(axis=1)
        bets[:, k * len(ODDS) : (k + 1) * len(ODDS)] = _tilts(left, drawn, min(most, left))[held, x]
    out["bets"] = sums(bets, rows, batch, table)
    paid = pays[:, turns[0]] if turns else np.zeros(len(rows), np.bool_)
    seen = [np.ones(len(rows)), high[:, : left // 2].sum(axis=1), high.sum(axis=1), paid]
    out["seen"] = sums(np.stack(seen, axis=1).astype(np.int64), rows, batch, table).sum(axis=0)
    return out


TALLY = Tally(id="stock_order", count=_count)
