"""Rules of Napoleon and its variants (Foster, "Napoleon, or Nap").

Bids are words: "1" to "4", "misere", "nap", "wellington", "blucher", and "widow",
which is a bid of nap with the best five of ten cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from audit.ranks import AS_USUAL, Ranks
from audit.rules import Rules

#: Tricks that a bid needs; of a misere the bidder may win none.
TRICKS = {"1": 1, "2": 2, "3": 3, "misere": 0, "4": 4}
ALL = 5

#: "A counter for every trick bid": the book spells out three, four and nap, and its rule
#: gives one and two for the bids below, which it does not name but for the dealer's one.
PLAIN = {"1": 1, "2": 2, "3": 3, "misere": 3, "4": 4}
WON = {**PLAIN, "nap": 10, "wellington": 10, "blucher": 10}
LOST = {**PLAIN, "nap": 5, "wellington": 10, "blucher": 20}


@dataclass(frozen=True, kw_only=True)
class Nap(Rules):
    """Bids from low to high, and what each adversary pays or is paid.

    *replay*: after a revoke the cards are taken back and played again, the
    revoker paying (England); the main text abandons the hands, which is the default.
    *coin*: nap wins twelve pence and loses six, where ten and five counters are the rule.
    *pool*: *stake* from each at the first deal of a pool, then from each dealer.
    *double*: whoever bids nap and fails doubles the pool ("usually", so the default is yes).
    *lead_fine*: a lead out of turn pays three, which in a pool game go to the pool
    and not to the bidder: the book names the same figure for both and does not say
    that it is paid twice.  *revoke_fine* goes to the pool beside what the revoke costs.
    """

    family: ClassVar[str] = "nap"
    ranks: Ranks = AS_USUAL
    ladder: tuple[str, ...] = ("1", "2", "3", "4", "nap")
    won: Mapping[str, int] = field(default_factory=lambda: WON)
    lost: Mapping[str, int] = field(default_factory=lambda: LOST)
    extra: Literal["", "purchase", "widow", "peep"] = ""
    pool: bool = False
    stake: int = 2
    double: bool = True
    replay: bool = False
    coin: bool = False
    out_of_turn: int = 3
    lead_fine: int = 3
    revoke_fine: int = 5

    def needs(self, bid: str) -> int:
        """Return the tricks that *bid* has to win."""
        return TRICKS.get(bid, ALL)

    def value(self, bid: str, *, made: bool) -> int:
        """Return what each adversary pays the bidder of *bid*, or is paid by him."""
        word = "nap" if bid == "widow" else bid
        if self.coin and word == "nap":
            return 12 if made else 6
        return (self.won if made else self.lost).get(word, 0)
