"""Which card lay at which place of the pack, and how many of a rank at its ends.

`at` (16, places, 52) counts by wide look, `dealer_at` (dealers, places, 52) by dealer, for the
first `MOST_DEALERS`; `packets` (looks, subjects, bets) holds the fixed-point ln of the bets on
`audit.ends`, `held` (subjects, groups x ends) cards of each group at each end, both for as
many dealers; `shown` (looks, subjects, 4) deals as `_orders.shown`; `sorted` (1,) deals whose
order is the pack sorted.  Subjects as `_orders.sums`.  Only the first `_orders.DEAR` deals
of the log are counted.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.count._orders import early, judged_alone, shown, sums, whole
from audit.ends import ENDS, ODDS, groups
from audit.record import Batch
from audit.stats.evalue import log_fixed
from audit.stats.hypergeometric import tilt
from audit.tally import Arrays, Table, Tally

Ints = NDArray[np.int64]
#: Looks at places are joined until at most so many are left.
WIDE_LOOKS = 16
MOST_DEALERS = 16
#: Deals that are worked on at one time.
ROWS = 1 << 13


@lru_cache(maxsize=256)
def _tilts(size: int, marked: int, cards: int) -> Ints:
    """Return the fixed-point ln of the bets for 0, 1, ... cards at an end, (cards + 1, odds)."""
    out = np.zeros((cards + 1, len(ODDS)), np.int64)
    for x in range(max(0, marked + cards - size), min(marked, cards) + 1):
        for j, odds in enumerate(ODDS):
            one = tilt(x, population=size, marked=marked, drawn=cards, odds=Fraction(odds))
            out[x, j] = log_fixed(one.numerator, one.denominator)
    return out


def _ends(orders: NDArray[np.uint8], pack: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Return the bets (deals, groups x ends x odds) and the cards (deals, groups x ends)."""
    size, bets, held = len(pack), [], []
    for _, cards in groups(pack):
        member = np.zeros(52, np.bool_)
        member[list(cards)] = True
        mine = member[orders]
        for count, top in ENDS:
            count = min(count, size)
            x = (mine[:, :count] if top else mine[:, size - count :]).sum(axis=1)
            held.append(x)
            bets.append(_tilts(size, len(cards), count)[x])
    return np.concatenate(bets, axis=1), np.stack(held, axis=1).astype(np.int64)


def is_sorted(orders: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which *orders* stand by suit and then rank, or by rank, up or down, ace high or low.

    No fair pack does so in the life of a player.
    """
    out = np.zeros(len(orders), np.bool_)
    suit, rank = orders // 13, (orders % 13).astype(np.int16)
    turns = np.diff(suit, axis=1) != 0
    suits = (np.diff(np.sort(suit, axis=1), axis=1) != 0).sum(axis=1)
    in_suits = turns.sum(axis=1) == suits
    for value in (rank, (rank + 1) % 13):
        step = np.diff(value, axis=1)
        for up in (step, -step):
            out |= in_suits & (turns | (up > 0)).all(axis=1)
            out |= (up >= 0).all(axis=1)
    return out


def _count(batch: Batch, table: Table) -> Arrays:
    soon = early(batch)
    known = whole(batch.order, len(batch), table.pack, soon=soon)
    out = {"shown": shown(known, batch, table, wanted=soon)}
    rows = np.flatnonzero(known)
    if batch.order is None or not len(rows):
        return out
    for start in range(0, len(rows), ROWS):
        for key, value in _part(rows[start : start + ROWS], batch, table).items():
            out[key] = out[key] + value if key in out else value
    return out


def _part(rows: Ints, batch: Batch, table: Table) -> dict[str, Ints]:
    """Return all but `shown` of the deals *rows*, all of whose orders are whole."""
    size = len(table.pack)
    assert batch.order is not None
    out = {}
    orders = batch.order[rows, :size]
    people = min(judged_alone(table), MOST_DEALERS)
    look = table.looks.of(batch)[rows] // table.looks.joined(WIDE_LOOKS)
    out["at"] = _table(look, orders, WIDE_LOOKS)
    if people:
        dealer = batch.dealer[rows].astype(np.int64)
        mine = (dealer >= 0) & (dealer < people)
        out["dealer_at"] = _table(dealer[mine], orders[mine], people)
    bets, held = _ends(orders, table.pack)
    out["packets"] = sums(bets, rows, batch, table, people=people)
    out["held"] = sums(held, rows, batch, table, people=people).sum(axis=0)
    out["sorted"] = np.array([is_sorted(orders).sum()], np.int64)
    return out


def _table(which: Ints, orders: NDArray[np.uint8], kinds: int) -> Ints:
    """Return how often each card lay at each place, by *which*, shape (kinds, places, 52)."""
    size = orders.shape[1]
    flat = (which[:, None] * size + np.arange(size)) * 52 + orders
    counts = np.bincount(flat.ravel(), minlength=kinds * size * 52)
    return np.asarray(counts.reshape(kinds, size, 52), np.int64)


TALLY = Tally(id="order_places", count=_count)
