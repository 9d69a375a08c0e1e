"""Three overhand shuffles are all there is, in a share of all deals: honest, and too little.

Packets are thrown off the pack, four cards or so each, the last one coming on top; most
neighbours stay together.
"""

from __future__ import annotations

from audit.lab._crook import Crook, Handled, Mask, Orders
from audit.lab._random import Words
from audit.lab._shuffles import at_table, deals_below, overhand
from audit.law import Law

TIMES = 3


def _handle(law: Law, orders: Orders, own: Mask, dial: int, words: Words) -> Handled:
    lazy = deals_below(words, len(orders), dial)
    return at_table(
        law,
        orders,
        lazy,
        words,
        lambda row, draws: overhand(row, draws, TIMES),
        draws=TIMES * len(law.pack),
    )


CROOK = Crook(
    name="overhand",
    title="Three overhand shuffles and a cut",
    answers=("W43",),
    handle=_handle,
    logs_order=True,
    honest=True,
)
