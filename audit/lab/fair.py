"""The fair dealer: every order of the pack is equally likely."""

from __future__ import annotations

from audit.lab._crook import Crook, Mask, Orders, RawWords
from audit.law import Law


def _apply(law: Law, orders: Orders, own: Mask, dial: int, words: RawWords) -> Orders:
    return orders


CROOK = Crook(name="fair", title="Fair deal", answers=(), apply=_apply, logs_order=True)
