"""A club is turned at Loo with club law, oftener or seldomer than one deal in four.

Warning: W67, when a club is turned everybody has to play, and more is lost (Loo, "club law").
Null: the card turned is a uniform card of the pack, a club with chance 1/4.
Evidence: odds a quarter, half, twice and four times the fair ones, for each dealer.
Misses: what the players' hands were; that a hand was given up after a club is a ruling.
"""

from __future__ import annotations

from fractions import Fraction

from audit.law import Law
from audit.rules.loo import Loo
from audit.suspect._dealt import BOTH_WAYS, turned
from audit.suspicion import Suspicion

#: All clubs.
CARDS = range(39, 52)


def _games(law: Law) -> bool:
    return isinstance(law.rules, Loo) and law.rules.club


SUSPICION = Suspicion(
    id="club_turned",
    codes=("W67",),
    title="A club is turned",
    games=_games,
    fields=("turnup",),
    per="dealer",
    odds=BOTH_WAYS,
    weight="events",
    part=Fraction(1, 2),
    null="the first card turned is a uniform card of the pack",
    says="{who}: a club was turned in {hits} of {trials} deals, {expected} expected",
    explains=(
        "deals thrown in and not recorded when another card was turned",
        "poor shuffling after face-up gathering",
    ),
    scan=turned(CARDS),
)
