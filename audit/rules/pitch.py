"""Rules of Auction Pitch, Smudge and Pedro (Foster, "Auction Pitch")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from audit.rules.all_fours import AllFours


@dataclass(frozen=True, kw_only=True)
class Pitch(AllFours):
    """Who bids for the pitch and what becomes of the bid.

    *auction* "sell": the eldest sells, and no bid may put him out; "full bid": any bid up to
    four, and a seller who accepts scores to within one of game; "board": the eldest bids first
    and the bid is paid to nobody; "lost": the book breaks off before it says how.
    *smudge*: who bids four and makes it, his score not below nothing ("in the hole" is not
    explained; we read it so), wins the game.  *ten*: the Game point is the Ten of trumps'
    (Pedro).  *reds*: red counters are played for, so that who revokes pays one;
    *red_set_back* has who is set back pay one too ("in many clubs").
    Where no bid is made the eldest pitches and has nothing to make, nor to lose; the book
    names no number.
    """

    family: ClassVar[str] = "pitch"
    sides: bool = False
    tie: Literal["non-dealer", "nobody"] = "nobody"
    misdeal: Literal["passes", "same dealer"] = "same dealer"
    auction: Literal["sell", "full bid", "board", "lost"] = "sell"
    smudge: bool = False
    ten: bool = False
    reds: bool = False
    red_set_back: bool = False
