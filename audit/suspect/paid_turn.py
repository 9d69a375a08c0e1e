"""An ace or a King is turned by one dealer, oftener than in two deals of thirteen.

Warning: W53, where it is so agreed five points go to the side that turns an ace or King
(Forty-Five).
Null: the card turned is a uniform card of the pack, an ace or King with chance 2/13.
Evidence: odds 3/2, 2 and 4 times the fair ones, for each dealer, whether it was agreed or not.
Misses: a dealer who turns one of them in a few deals of a long log only.
"""

from __future__ import annotations

from fractions import Fraction

from audit.cards import RANKS
from audit.law import Law
from audit.suspect._dealt import turned
from audit.suspicion import Suspicion

#: Kings and aces.
CARDS = [c for c in range(52) if RANKS[c % 13] in "KA"]


def _games(law: Law) -> bool:
    return law.id.startswith("forty_five")


SUSPICION = Suspicion(
    id="paid_turn",
    codes=("W53",),
    title="An ace or a King is turned",
    games=_games,
    fields=("turnup",),
    per="dealer",
    odds=(Fraction(3, 2), 2, 4),
    weight="events",
    part=Fraction(1, 2),
    null="the first card turned is a uniform card of the pack",
    says="{who}: an ace or King was turned in {hits} of {trials} deals, {expected} expected",
    explains=(
        "deals thrown in and not recorded when another card was turned",
        "poor shuffling after face-up gathering",
    ),
    scan=turned(CARDS),
)
