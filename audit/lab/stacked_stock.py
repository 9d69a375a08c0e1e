"""The half-stock is set for the beg, in a share of the crook's own deals.

The second turn-up is made a Jack of another suit than the first, and the
dealer's three run cards A, T and K of that Jack's suit, each where it still
lies in the undealt stock; dealt cards never change.

Power at four-handed Seven-Up, sensible players: deals of the table until the
audit is flagged in half and in nine tenths of the logs, with exact limits at
99 %, from 200 logs a row (`python -m tests.long_power`):

    dial 1     45 (41 to 49) 69 (61 to 73)
    dial 1/2   136 (120 to 156) 240 (216 to 272)
    dial 1/4   472 (424 to 520) 776 (720 to 888)
    dial 1/10  2,528 (2,304 to 2,656) 3,680 (3,392 to 4,032)
"""

from __future__ import annotations

import numpy as np

from audit.cards import RANKS
from audit.lab._crook import Crook, Mask, Orders, RawWords, bring
from audit.lab._random import falls_below
from audit.law import Law

JACK = RANKS.index("J")


def _apply(law: Law, orders: Orders, own: Mask, dial: int, words: RawWords) -> Orders:
    players = law.players[1]
    first, second = law.turn_places(players, len(law.pack))[:2]
    rows = np.flatnonzero(own & falls_below(words[:, 0], dial))
    out = orders.copy()
    place = np.argsort(out[rows], axis=1)
    jacks = place[:, JACK::13] > first
    jacks &= (out[rows, first] // 13)[:, None] != np.arange(4)
    # Sixteen bits of the word rank each suit; those not at hand rank last.
    keys = (words[rows, 1][:, None] >> (np.uint64(16) * np.arange(4, dtype=np.uint64))) & np.uint64(
        0xFFFF
    )
    suit = np.argmax(np.where(jacks, keys + np.uint64(1), np.uint64(0)), axis=1)
    found = jacks.any(axis=1)
    rows, suit, place = rows[found], suit[found], place[found]
    bring(out, rows, second, (13 * suit + JACK).astype(np.uint8))
    for rank, at in zip("ATK", law.run_places(players, 1)[-1], strict=True):
        card = 13 * suit + RANKS.index(rank)
        here = place[np.arange(len(rows)), card] > first
        bring(out, rows[here], at, card[here].astype(np.uint8))
    return out


CROOK = Crook(
    name="stacked_stock",
    title="Half-stock set for the beg",
    answers=("W02",),
    apply=_apply,
    logs_order=True,
)
