"""A program swaps each place with any place at all, from the sorted pack, in a share of all deals.

A well-known fault: n places with n choices each make n^n equal ways, which n! does not divide.
"""

from __future__ import annotations

import numpy as np

from audit.lab._crook import Crook, Handled, Mask, Orders
from audit.lab._random import Words
from audit.lab._shuffles import deals_below
from audit.law import Law


def swapped(deals: int, size: int, words: Words) -> Orders:
    """Return what the swaps make of the order 0, 1, ... size - 1, shape (deals, size)."""
    lies, row = np.tile(np.arange(size, dtype=np.uint8), (deals, 1)), np.arange(deals)
    for i in range(size):
        draw = words.words(deals) >> np.uint64(32)
        at = ((draw * np.uint64(size)) >> np.uint64(32)).astype(np.intp)
        moved = lies[row, at]
        lies[row, at] = lies[:, i]
        lies[:, i] = moved
    return lies


def _handle(law: Law, orders: Orders, own: Mask, dial: int, words: Words) -> Handled:
    bad = deals_below(words, len(orders), dial)
    pack = np.array(sorted(law.pack), np.uint8)
    made = pack[swapped(len(orders), len(pack), words)]
    return Handled(orders=np.where(bad[:, None], made, orders))


CROOK = Crook(
    name="swap_any",
    title="A program that swaps each card with any card",
    answers=(),
    handle=_handle,
    logs_order=True,
)
