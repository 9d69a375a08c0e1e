"""Pope, an ace, King, Queen or Jack is turned by one dealer, oftener than in a third of deals.

Warning: W88, each of them turned draws a stake for the dealer (Pope Joan).
Null: the card turned is a uniform card of the pack of 51; 17 cards pay.
Evidence: odds 3/2, 2 and 4 times the fair ones, for each dealer.
Misses: a preference for one of the ranks; each is turned with chance 4/51, and `turned_card`
looks at every rank.
"""

from __future__ import annotations

from fractions import Fraction

from audit.law import Law
from audit.rules.pope_joan import PopeJoan, paying
from audit.suspect._dealt import turned
from audit.suspicion import Suspicion

CARDS = paying(range(52))


def _games(law: Law) -> bool:
    return isinstance(law.rules, PopeJoan)


SUSPICION = Suspicion(
    id="stakes_turned",
    codes=("W88",),
    title="A card is turned that pays the dealer",
    games=_games,
    fields=("turnup",),
    per="dealer",
    odds=(Fraction(3, 2), 2, 4),
    weight="events",
    part=Fraction(1, 4),
    null="the first card turned is a uniform card of the pack",
    says="{who}: a card that pays was turned in {hits} of {trials} deals, {expected} expected",
    explains=(
        "deals thrown in and not recorded when another card was turned",
        "poor shuffling after face-up gathering",
    ),
    scan=turned(CARDS),
)
