"""The cut is undone, in a share of the crook's own deals: the log tells it and the order does not.

The shuffle is fair; what the cut is shifted for comes on top of this.  Each such deal is a
contradiction of the record, without any chance.
"""

from __future__ import annotations

import numpy as np

from audit.lab._crook import Crook, Handled, Mask, Orders
from audit.lab._random import Words
from audit.lab._shuffles import at_table, deals_below
from audit.law import Law


def _handle(law: Law, orders: Orders, own: Mask, dial: int, words: Words) -> Handled:
    shifts = own & deals_below(words, len(orders), dial)
    fairly = np.zeros(len(orders), np.bool_)
    made = at_table(law, orders, fairly, words, lambda row, draws: row, draws=0, cuts=~shifts)
    assert made.given is not None
    assert made.cut is not None
    told = np.where(shifts, len(law.pack) // 2, made.cut).astype(np.int16)
    return Handled(orders=made.orders, gathered=made.gathered, given=made.given, cut=told)


CROOK = Crook(
    name="shifted_cut",
    title="A cut that is undone",
    answers=("W10",),
    handle=_handle,
    logs_order=True,
)
