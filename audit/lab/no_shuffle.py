"""The pack is gathered and cut, and not shuffled, in a share of all deals: honest, and odd."""

from __future__ import annotations

from audit.lab._crook import Crook, Handled, Mask, Orders
from audit.lab._random import Words
from audit.lab._shuffles import at_table, deals_below
from audit.law import Law


def _handle(law: Law, orders: Orders, own: Mask, dial: int, words: Words) -> Handled:
    lazy = deals_below(words, len(orders), dial)
    return at_table(law, orders, lazy, words, lambda row, draws: row, draws=0)


CROOK = Crook(
    name="no_shuffle",
    title="No shuffle, a cut only",
    answers=("W43",),
    handle=_handle,
    logs_order=True,
    honest=True,
)
