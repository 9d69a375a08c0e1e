"""The Ten of spades is out of the pack, in a share of all deals.

It goes to the last place, which no deal of Seven-Up reaches, so that the other
51 cards stay uniform.

Power at four-handed Seven-Up, sensible players: deals of the table until the
audit is flagged in half and in nine tenths of the logs, with exact limits at
99 %, from 200 logs a row (`python -m tests.long_power`):

    dial 1     18 (18 to 18) 18 (18 to 18)
    dial 1/2   94 (86 to 104) 162 (140 to 178)
    dial 1/4   392 (360 to 416) 616 (552 to 752)
    dial 1/10  2,464 (2,240 to 2,592) 3,872 (3,648 to 4,320)
"""

from __future__ import annotations

import numpy as np

from audit.cards import parse
from audit.lab._crook import Crook, Mask, Orders, RawWords, bring
from audit.lab._random import falls_below
from audit.law import Law

TEN = parse("TS")[0]


def _apply(law: Law, orders: Orders, own: Mask, dial: int, words: RawWords) -> Orders:
    last = len(law.pack) - 1
    if law.turn_places(law.players[1], len(law.pack))[-1] >= last:
        raise ValueError(f"{law.id}: the deal may reach the last card")
    rows = np.flatnonzero(falls_below(words[:, 0], dial))
    out = orders.copy()
    bring(out, rows, last, np.full(len(rows), TEN, np.uint8))
    return out


CROOK = Crook(name="missing_ten", title="A Ten out of the pack", answers=("W11",), apply=_apply)
