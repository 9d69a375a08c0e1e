"""What a way of dealing in the laboratory is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from audit.lab._habit import Habit
from audit.lab._random import Words
from audit.law import Law

Orders: TypeAlias = NDArray[np.uint8]
Mask: TypeAlias = NDArray[np.bool_]
RawWords: TypeAlias = NDArray[np.uint64]
#: law, orders, deals of the crook, dial in 2**64ths, words (deals, 2) -> orders
Apply: TypeAlias = Callable[[Law, Orders, Mask, int, RawWords], Orders]


@dataclass(frozen=True, kw_only=True)
class Handled:
    """The pack from one deal to the next, one row a deal.

    *gathered* and *given* are the orders before shuffle and cut, (deals, cards), *cut* how many
    cards were lifted, (deals,), and *orders* the pack as it is dealt.  What a log is not to
    show is None.
    """

    orders: Orders
    gathered: Orders | None = None
    given: Orders | None = None
    cut: NDArray[np.int16] | None = None


#: law, fair orders, deals of the crook, dial in 2**64ths, the words of the seed -> the pack
Handle: TypeAlias = Callable[[Law, Orders, Mask, int, Words], Handled]


def as_dealt(law: Law, orders: Orders, own: Mask, dial: int, words: RawWords) -> Orders:
    """Return *orders*: what is done to the pack is done before it is dealt."""
    return orders


@dataclass(frozen=True, kw_only=True)
class Crook:
    """One way of dealing.

    *answers* are the warnings that speak of it, *apply* changes a copy of the
    orders, and *logs_order* says whether the cards as dealt are also the order
    after the cut, so that a log may show it.  *handle* is how the pack is gathered,
    shuffled and cut, where it is more than a fair order; *apply* then changes nothing.  With
    *honest* the dealer means no harm.
    *habit* is what he does at the table beside dealing, where it is that which a log
    shows.  *players* are the tables at which there is room for it, all where none are named.
    """

    name: str
    title: str
    answers: tuple[str, ...]
    apply: Apply = as_dealt
    logs_order: bool = False
    handle: Handle | None = field(default=None)
    honest: bool = False
    habit: Habit | None = None
    players: tuple[int, ...] = ()


def bring(orders: Orders, rows: NDArray[np.intp], place: int, card: NDArray[np.uint8]) -> None:
    """Swap *card* of each of *rows* into *place*, in the array itself."""
    at = np.argmax(orders[rows] == card[:, None], axis=1)
    orders[rows, at] = orders[rows, place]
    orders[rows, place] = card
