"""What the games of the All Fours family share in play and count (Foster, "All Fours family")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from audit.ranks import AS_USUAL, Ranks
from audit.rules import Rules


@dataclass(frozen=True, kw_only=True)
class AllFours(Rules):
    """High, Low, Jack and Game.

    *game* is the points that win.  *captured*: every point goes to who wins the card; else High
    and Low go to who was dealt it.  *sides*: four players are two sides.  *tie* is who scores a
    tied Game: the non-dealer where a Jack may be turned, nobody where no trump is turned; of
    three players with two non-dealers tied, or all three, neither (the book gives the first; we
    extend it).  *plain_honours* off leaves Game to the trumps alone, as some older Hoyles had it,
    which Foster calls an error.  *trump_five* is what the five of trumps counts toward Game.

    *revoke* is how the penalty is taken; the book lets the adversary add or deduct where the
    Jack is not in play and is silent where it is; adding is its first choice.  With three
    players each adversary adds, as with the gift; the book is silent.  *stop_at_six* is
    printed where the Jack is in play; without it the revoker may mark only High or Low, and
    we stop him too.  *misdeal*: whether a misdeal loses the deal; in Pitch it never does, the deal
    being no advantage.
    """

    ranks: Ranks = AS_USUAL
    game: int = 7
    captured: bool = False
    sides: bool = True
    tie: Literal["non-dealer", "nobody"] = "non-dealer"
    plain_honours: bool = True
    trump_five: int = 0
    revoke: Literal["add", "deduct"] = "add"
    stop_at_six: Literal["both", "jack"] = "both"
    misdeal: Literal["passes", "same dealer"] = "passes"
