"""How many cards of each rank and suit are dealt into hands.

`bets` (looks, bets) holds the fixed-point ln of the bets on each of `groups`, at each of `ODDS`;
`held` (groups,) cards of each group and `seen` (2,) deals and cards; `shown` (looks, 4) deals
as `_orders.shown`, of everybody.  Only the first `_orders.DEAR` deals
are counted, and of them those in which every hand is whole; where hands may change in the
game, those that show the order of the pack beside.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.count._became import became
from audit.count._orders import early, shown, sums
from audit.ends import DEALT_ODDS as ODDS
from audit.ends import makeup
from audit.record import Batch
from audit.stats.evalue import log_fixed
from audit.stats.hypergeometric import tilt
from audit.tally import Arrays, Table, Tally

Ints = NDArray[np.int64]


@lru_cache(maxsize=256)
def _tilts(size: int, marked: int, drawn: int) -> Ints:
    """Return the fixed-point ln of the bets for 0, 1, ... cards of a group, (marked + 1, odds)."""
    out = np.zeros((marked + 1, len(ODDS)), np.int64)
    for x in range(max(0, marked + drawn - size), min(marked, drawn) + 1):
        for j, odds in enumerate(ODDS):
            one = tilt(x, population=size, marked=marked, drawn=drawn, odds=odds)
            out[x, j] = log_fixed(one.numerator, one.denominator)
    return out


def _count(batch: Batch, table: Table) -> Arrays:
    everybody, size = replace(table, machine=True), len(table.pack)
    law, n = table.law, table.players
    each = law.hand_of(n) if n in law.tables else 0
    known, soon = np.zeros(len(batch), np.bool_), early(batch)
    if soon.any() and each and batch.hands.shape[1] >= n and batch.hands.shape[2] >= each:
        held = (batch.hands < 52).sum(axis=2)
        known = (held[:, :n] == each).all(axis=1) & (batch.players == n)
        known &= held.sum(axis=1) == n * each
    known &= soon
    known &= ~became(batch, table, claimed=False)
    out = {"shown": shown(known, batch, everybody, wanted=soon)[:, 0]}
    rows = np.flatnonzero(known)
    if not len(rows) or n * each >= size:
        return out
    cards = batch.hands[rows, :n].reshape(len(rows), -1)
    bets, counts = [], []
    for _, group in makeup(table.pack):
        member = np.zeros(256, np.bool_)
        member[list(group)] = True
        x = member[cards].sum(axis=1)
        counts.append(int(x.sum()))
        bets.append(_tilts(size, len(group), n * each)[x])
    out["bets"] = sums(np.concatenate(bets, axis=1), rows, batch, everybody)[:, 0]
    out["held"] = np.array(counts, np.int64)
    out["seen"] = np.array([len(rows), len(rows) * n * each], np.int64)
    return out


TALLY = Tally(id="makeup", count=_count)
