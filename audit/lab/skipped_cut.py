"""The cut is left out, in a share of all deals; the shuffle is fair: honest, and odd."""

from __future__ import annotations

import numpy as np

from audit.lab._crook import Crook, Handled, Mask, Orders
from audit.lab._random import Words
from audit.lab._shuffles import at_table, deals_below
from audit.law import Law


def _handle(law: Law, orders: Orders, own: Mask, dial: int, words: Words) -> Handled:
    cuts = ~deals_below(words, len(orders), dial)
    fairly = np.zeros(len(orders), np.bool_)
    return at_table(law, orders, fairly, words, lambda row, draws: row, draws=0, cuts=cuts)


CROOK = Crook(
    name="skipped_cut",
    title="A fair shuffle without a cut",
    answers=("W10",),
    handle=_handle,
    logs_order=True,
    honest=True,
)
