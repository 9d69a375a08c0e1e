"""The tens are drawn out of the pack and laid at its bottom, in a share of the crook's own deals.

They are trimmed, so that it is done in one movement after the cut.
"""

from __future__ import annotations

import numpy as np

from audit.cards import RANKS
from audit.lab._crook import Crook, Mask, Orders, RawWords
from audit.lab._random import falls_below
from audit.law import Law

TEN = RANKS.index("T")


def _apply(law: Law, orders: Orders, own: Mask, dial: int, words: RawWords) -> Orders:
    rows = np.flatnonzero(own & falls_below(words[:, 0], dial))
    out = orders.copy()
    last = np.argsort(out[rows] % 13 == TEN, axis=1, kind="stable")
    out[rows] = np.take_along_axis(out[rows], last, axis=1)
    return out


CROOK = Crook(
    name="strippers",
    title="Tens drawn out of the pack to its bottom",
    answers=("W06",),
    apply=_apply,
    logs_order=True,
)
