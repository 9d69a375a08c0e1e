"""What a way of dealing in the laboratory is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from audit.law import Law

Orders: TypeAlias = NDArray[np.uint8]
Mask: TypeAlias = NDArray[np.bool_]
RawWords: TypeAlias = NDArray[np.uint64]
#: law, orders, deals of the crook, dial in 2**64ths, words (deals, 2) -> orders
Apply: TypeAlias = Callable[[Law, Orders, Mask, int, RawWords], Orders]


@dataclass(frozen=True, kw_only=True)
class Crook:
    """One way of dealing.

    *answers* are the warnings that speak of it, *apply* changes a copy of the
    orders, and *logs_order* says whether the cards as dealt are also the order
    after the cut, so that a log may show it.
    """

    name: str
    title: str
    answers: tuple[str, ...]
    apply: Apply
    logs_order: bool = False


def bring(orders: Orders, rows: NDArray[np.intp], place: int, card: NDArray[np.uint8]) -> None:
    """Swap *card* of each of *rows* into *place*, in the array itself."""
    at = np.argmax(orders[rows] == card[:, None], axis=1)
    orders[rows, at] = orders[rows, place]
    orders[rows, place] = card
