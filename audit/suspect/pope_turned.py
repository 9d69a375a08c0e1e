"""Pope, the nine of diamonds, is turned by one dealer, oftener than once in 51 deals.

Warning: W88, Pope turned takes Pope and Game and ends the deal (Pope Joan).
Null: the card turned is a uniform card of the pack of 51.
Evidence: odds 2, 8 and 32 times the fair ones, for each dealer.
Misses: aces and court cards that are turned; see `stakes_turned`.
"""

from __future__ import annotations

from fractions import Fraction

from audit.law import Law
from audit.rules.pope_joan import POPE, PopeJoan
from audit.suspect._dealt import turned
from audit.suspicion import Suspicion

CARDS = (POPE,)


def _games(law: Law) -> bool:
    return isinstance(law.rules, PopeJoan)


SUSPICION = Suspicion(
    id="pope_turned",
    codes=("W88",),
    title="Pope is turned",
    games=_games,
    fields=("turnup",),
    per="dealer",
    odds=(2, 8, 32),
    weight="events",
    part=Fraction(1, 4),
    null="the first card turned is a uniform card of the pack",
    says="{who}: Pope was turned in {hits} of {trials} deals, {expected} expected",
    explains=(
        "deals thrown in and not recorded when another card was turned",
        "poor shuffling after face-up gathering",
    ),
    scan=turned(CARDS),
)
