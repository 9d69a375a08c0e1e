"""An ace is turned by one dealer, oftener than in one deal of thirteen.

Chance: E09, a dealer who turns an ace may rob: he takes it for any card of his hand
(Spoil Five).
Null: the card turned is a uniform card of the pack, an ace with chance 1/13.
Evidence: odds 3/2, 2 and 4 times the fair ones, for each dealer.
Misses: whether he robbed, which is his to choose.
"""

from __future__ import annotations

from fractions import Fraction

from audit.cards import RANKS
from audit.law import Law
from audit.rules.spoil_five import SpoilFive
from audit.suspect._dealt import turned
from audit.suspicion import Suspicion

CARDS = [c for c in range(52) if RANKS[c % 13] == "A"]


def _games(law: Law) -> bool:
    return isinstance(law.rules, SpoilFive)


SUSPICION = Suspicion(
    id="ace_to_rob",
    codes=("E09",),
    title="An ace is turned",
    games=_games,
    fields=("turnup",),
    per="dealer",
    odds=(Fraction(3, 2), 2, 4),
    weight="events",
    part=Fraction(1, 2),
    null="the first card turned is a uniform card of the pack",
    says="{who}: an ace was turned in {hits} of {trials} deals, {expected} expected",
    explains=(
        "deals thrown in and not recorded when another card was turned",
        "poor shuffling after face-up gathering",
    ),
    scan=turned(CARDS),
)
