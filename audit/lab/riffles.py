"""Seven riffles are all the shuffle there is, in a share of all deals: honest, and too little.

Every table that was ever told to riffle seven times does so.  The pack is gathered as the
tricks fell, riffled, and cut.
"""

from __future__ import annotations

from audit.lab._crook import Crook, Handled, Mask, Orders
from audit.lab._random import Words
from audit.lab._shuffles import at_table, deals_below, riffle
from audit.law import Law

TIMES = 7


def _handle(law: Law, orders: Orders, own: Mask, dial: int, words: Words) -> Handled:
    lazy = deals_below(words, len(orders), dial)
    return at_table(
        law,
        orders,
        lazy,
        words,
        lambda row, draws: riffle(row, draws, TIMES),
        draws=len(law.pack),
    )


CROOK = Crook(
    name="riffles",
    title="Seven riffles and a cut",
    answers=("W43",),
    handle=_handle,
    logs_order=True,
    honest=True,
)
