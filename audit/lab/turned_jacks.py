"""A Jack from the bottom is turned, in a share of the crook's own deals.

Power at four-handed Seven-Up: the chance that he is named by his own 400th and
800th deal when he is the fourth dealer to appear, exact, with a look after
every deal (`python -m tests.long_power`):

    dial 1/6   x3    1.000 1.000
    dial 1/12  x2    0.544 0.973
    dial 1/24  x1.5  0.016 0.117
"""

from __future__ import annotations

import numpy as np

from audit.cards import RANKS
from audit.lab._crook import Crook, Mask, Orders, RawWords, bring
from audit.lab._random import falls_below
from audit.law import Law

JACK = RANKS.index("J")


def _apply(law: Law, orders: Orders, own: Mask, dial: int, words: RawWords) -> Orders:
    rows = np.flatnonzero(own & falls_below(words[:, 0], dial))
    out = orders.copy()
    jacks = ((words[rows, 1] >> np.uint64(62)) * np.uint64(13) + np.uint64(JACK)).astype(np.uint8)
    bring(out, rows, law.turn_places(law.players[1], len(law.pack))[0], jacks)
    return out


CROOK = Crook(
    name="turned_jacks",
    title="Jacks turned from the bottom",
    answers=("W01", "W13"),
    apply=_apply,
)
