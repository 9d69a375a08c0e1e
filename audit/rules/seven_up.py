"""Rules of Seven-Up, old All Fours, All Fives and Pitch (Foster, "All Fours family")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from audit.rules.all_fours import AllFours


@dataclass(frozen=True, kw_only=True)
class SevenUp(AllFours):
    """How the trump is found, and what may follow.

    *trump*: a card is turned and the eldest may beg, or the first card led makes its suit
    trumps.  *keep_nine*: hands of nine are kept after one run ("in some clubs"; the usual
    practice is to discard).  *strict*: a look at the hand too soon costs a point ("among strict
    players").  *pegs*: trumps are pegged as they are taken (All Fives).
    """

    family: ClassVar[str] = "seven_up"
    trump: Literal["turned", "led"] = "turned"
    keep_nine: bool = False
    strict: bool = False
    pegs: bool = False
