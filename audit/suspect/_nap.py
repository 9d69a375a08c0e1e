"""Hands of Napoleon, and what of a suit lies against each of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np

from audit.cards import UNKNOWN
from audit.law import Law
from audit.record import Batch
from audit.rules.nap import Nap
from audit.suspect._dealt import Dealt, Ints, Mask, dealt, suits
from audit.tally import Table

HAND = 5
#: With five or more at the table it is usual that the dealer takes no cards.  A log cannot tell
#: that from a dealer whose hand was not written down, perhaps because of what it was.
SITS_OUT = 5


def is_nap(law: Law) -> bool:
    """Whether the game is a form of Napoleon with the whole pack."""
    return isinstance(law.rules, Nap) and len(law.pack) == 52


@dataclass(frozen=True, kw_only=True)
class Napped:
    """Deals with *length* (deals, places, suits) cards of each suit, and *against* (deals,).

    *against* is how many hands stand against each; *shown* (deals,) says which deals show
    every hand; *sits* (deals, places) is a dealer who is left out.
    """

    d: Dealt
    length: Ints
    against: Ints
    shown: Mask
    sits: Mask


def napped(batch: Batch, table: Table, *, dealer: bool) -> Napped | None:
    """Return the deals of *batch*, None where it has none.

    Without the *dealer* he is left out at five or more, whether his hand is shown or not, and a
    deal that does not say who he is shows no hand; with him a hand that is not shown is hidden.
    Neither way does it matter which of his hands were written down.
    """
    d = dealt(batch, table)
    if d is None or len(table.pack) != 52:
        return None
    sits, against = np.zeros(d.seated.shape, np.bool_), d.players - 1
    if not dealer:
        many, place = d.players >= SITS_OUT, np.arange(d.seated.shape[1]) + 1
        # Whoever dealt: at another chance a hidden outcome may be better than the worst.
        against = against - many
        sits = (place == d.dealer[:, None]) & many[:, None]
        untold = (many & (d.dealer == 0))[:, None]
        d = replace(
            d,
            hands=np.where(sits[:, :, None], UNKNOWN, d.hands).astype(np.uint8),
            whole=d.whole & ~sits & ~untold,
        )
    return Napped(
        d=d,
        length=suits(d.hands),
        against=against,
        shown=np.asarray((d.whole | ~d.seated | sits).all(axis=1)),
        sits=sits,
    )


@lru_cache(maxsize=1 << 10)
def some_hand(marked: int, hands: int, least: int) -> Fraction:
    """Return the chance that one of *hands* hands off 47 cards holds *least* of *marked* ones."""

    def none(left: int, marks: int, n: int) -> int:
        if not n:
            return 1
        return sum(
            comb(marks, k) * comb(left - marks, HAND - k) * none(left - HAND, marks - k, n - 1)
            for k in range(min(least, marks + 1, HAND + 1))
            if HAND - k <= left - marks
        )

    ways = 1
    for n in range(hands):
        ways *= comb(47 - HAND * n, HAND)
    return 1 - Fraction(none(47, marked, hands), ways)
