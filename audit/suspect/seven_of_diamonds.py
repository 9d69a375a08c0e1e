"""The seven of diamonds is turned by one dealer at Bierspiel, oftener than once in 32 deals.

Chance: E12, the second best trump of every suit; who turns it may take two trumps.
Null: the card turned is a uniform card of the pack.
Evidence: odds 2, 4 and 16 times the fair ones, for each dealer.
Misses: what is turned after it.
"""

from __future__ import annotations

from fractions import Fraction

from audit.cards import parse
from audit.law import Law
from audit.suspect._dealt import turned
from audit.suspicion import Suspicion

CARDS = parse("7D")


def _games(law: Law) -> bool:
    return law.id == "bierspiel"


SUSPICION = Suspicion(
    id="seven_of_diamonds",
    codes=("E12",),
    title="The seven of diamonds is turned",
    games=_games,
    fields=("turnup",),
    per="dealer",
    odds=(2, 4, 16),
    weight="events",
    part=Fraction(1, 2),
    null="the first card turned is a uniform card of the pack",
    says="{who}: the seven of diamonds was turned in {hits} of {trials} deals, {expected} expected",
    explains=(
        "deals thrown in and not recorded when another card was turned",
        "poor shuffling after face-up gathering",
    ),
    scan=turned(CARDS),
)
