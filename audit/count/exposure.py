"""Which cards a deal showed because they were placed, and how many.

A card counts as shown where every hand of the deal stands in the log; where no
hand does, the first turn-up alone is the exposure.  Hands that are cut short
are counted as `partial`, for a choice of what to show may follow the cards.  Hands that
may have changed before they were written down are none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.count._became import became
from audit.law import Law
from audit.record import BIT, Batch, card_sets
from audit.tally import Arrays, Table, Tally


def _sets(batch: Batch, bare: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return the cards that each deal showed, as bits; *bare* deals show one turn-up at most."""
    union = card_sets(batch.widow) | card_sets(batch.board)
    for place in range(batch.held.shape[1]):
        union |= batch.held[:, place]
    # Whoever let the board be dealt, or the widow be seen, had seen hands that are not logged.
    union[bare] = 0
    turns = np.diff(batch.turn_at)
    for k in range(int(turns.max(initial=0))):
        rows = np.flatnonzero(turns > k)
        if k:
            rows = rows[~bare[rows]]
        union[rows] |= BIT[batch.turnups[batch.turn_at[rows] + k]]
    return union


def _cards(
    union: NDArray[np.uint64], key: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the keys that occur, and how often each card is in *union* there, (keys, 64)."""
    order = np.argsort(key, kind="stable")
    key = key[order].astype(np.int64)
    first = np.flatnonzero(np.diff(key, prepend=-1))
    bits = np.unpackbits(union[order].astype("<u8").view(np.uint8), bitorder="little")
    parts = np.split(bits.reshape(len(union), 64), first[1:])
    return key[first], np.array([part.sum(axis=0, dtype=np.uint32) for part in parts], np.int64)


def _full(batch: Batch, law: Law) -> NDArray[np.int64]:
    """Return how many cards the hands of each deal hold where none is cut short."""
    seats, which = np.unique(batch.players, return_inverse=True)
    whole = [law.in_hands(int(n)) if n in law.tables else int(n) * law.hand for n in seats]
    return np.array(whole, np.int64)[which]


def _count(batch: Batch, table: Table) -> Arrays:
    """`deals[look, n]`, `shown[look, n, card]` for n cards shown, `partial`, `untold[n]`.

    `partial` counts deals with hands cut short, and deals with no hand at all, `untold`
    those without their first turn-up by how many cards they show, in its last place those with.
    """
    looks, deals = table.looks.of(batch), len(batch)
    have = batch.held_sizes.sum(axis=1, dtype=np.int64)
    have[became(batch, table)] = 0
    full = _full(batch, table.law)
    partial, bare = (have > 0) & (have < full), have == 0
    union = _sets(batch, bare)
    number = np.bitwise_count(union).astype(np.int64)
    told = batch.first_turned < 52
    untold = np.append(np.bincount(number[~told], minlength=53), told.sum())
    count = table.looks.count
    low = int(looks[0]) if deals else 0
    span = (int(looks[-1]) - low + 1) if deals else 0
    key = (looks - low) * 53 + number
    out = np.zeros((count, 53), np.int64)
    out[low : low + span] = np.bincount(key, minlength=span * 53).reshape(span, 53)
    shown = np.zeros((count, 53, 52), np.int64)
    if deals:
        # Keys are small beside 2^15, where numpy sorts 16-bit numbers by their digits.
        keys, cards = _cards(union, key.astype(np.uint16) if span * 53 < 1 << 16 else key)
        look, number = np.divmod(keys, 53)
        own = list(table.pack)
        shown[(low + look)[:, None], number[:, None], own] = cards[:, own]
    return {
        "deals": out,
        "shown": shown,
        "partial": np.array([int(partial.sum()), int(bare.sum())], np.int64),
        "untold": untold.astype(np.int64),
    }


TALLY = Tally(id="exposure", count=_count)
