"""Rules of California Jack and Shasta Sam (Foster, "California Jack")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from audit.rules.all_fours import AllFours


@dataclass(frozen=True, kw_only=True)
class California(AllFours):
    """Six cards restored from the stock after every trick; everything counts to who wins it.

    *stock_from* is the end of the pack that is drawn first once the stock lies face up: the
    packet turned over bodily brings its last card on top.  The book does not say; a
    record that draws from the other end from the first is no fault.  *face_up*: both see the
    next card.  *tie*: no trump is turned, so nobody scores a tied Game ("as in Pitch"),
    though the points are otherwise those of Seven-Up.
    """

    family: ClassVar[str] = "california"
    captured: bool = True
    sides: bool = False
    tie: Literal["non-dealer", "nobody"] = "nobody"
    stock_from: Literal["top", "bottom"] = "top"
    face_up: bool = True
