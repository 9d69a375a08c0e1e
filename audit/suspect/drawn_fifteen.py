"""Cards drawn to a hand of fifteen at vingt-un do not take it above 21, oftener than they should.

Warning: W96, seven to six that the next card passes 21.
Null: the next card is a uniform one of those that are not out: 6/13 do not take it above 21 off
a full pack, 23/50 beside a ten and a five, told from all cards that are out.
Evidence: odds a quarter, half, twice and four times the fair ones, for each place that draws.
Misses: hands in which an ace still counts eleven, which cannot pass 21.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from audit.law import Law
from audit.record import Deal
from audit.suspect._coups import drawn_to, is_vingt_un
from audit.suspect._dealt import BOTH_WAYS
from audit.suspicion import Suspicion, Trial

_games = is_vingt_un
POINTS = 15


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    return drawn_to(POINTS, deal, law)


SUSPICION = Suspicion(
    id="drawn_fifteen",
    codes=("W96",),
    title="Cards drawn to fifteen do not pass 21",
    games=_games,
    fields=("deal_seq", "order_after_cut", "draw"),
    per="seat",
    odds=BOTH_WAYS,
    weight="events",
    part=Fraction(1, 8),
    null="the next cards are uniform among those that are not out",
    says="{who}: {hits} of {trials} cards drawn to fifteen did not pass 21, {expected} expected",
    explains=(
        "a pack that was not shuffled before it was begun",
        "records that break off because of what was drawn",
    ),
    find=_find,
)
