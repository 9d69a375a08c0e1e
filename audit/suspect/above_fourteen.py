"""Two cards count more than fourteen at vingt-un, oftener or seldomer than they should.

Warning: W97, that the adversary's do is rather above an even bet: 26/51, the ace as eleven.
Null: two uniform ones of the cards that are not out before the coup.
Evidence: odds a quarter, half, twice and four times the fair ones, for each place.
Misses: what was drawn to them; see `drawn_fourteen` and `drawn_fifteen`.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from audit.law import Law
from audit.record import Deal
from audit.rules.vingt_un import total
from audit.suspect._coups import Coup, above, coups, is_vingt_un, unknown
from audit.suspect._dealt import BOTH_WAYS
from audit.suspicion import Suspicion, Trial

_games = is_vingt_un
POINTS = 14


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    seats = range(1, (deal.players or len(deal.hands)) + 1)
    for coup in coups(deal, law):
        if not isinstance(coup, Coup):
            continue
        if not coup.hands:
            for seat in seats:
                yield from unknown(seat)
            continue
        chance = above(coup.left, POINTS)
        for seat in seats:
            yield Trial(chance=chance, hit=total(coup.hands[seat]) > POINTS, subject=seat)


SUSPICION = Suspicion(
    id="above_fourteen",
    codes=("W97",),
    title="Two cards count more than fourteen",
    games=_games,
    fields=("deal_seq", "order_after_cut"),
    per="seat",
    odds=BOTH_WAYS,
    weight="events",
    part=Fraction(1, 4),
    null="the next cards are uniform among those that are not out",
    says="{who}: two cards above fourteen in {hits} of {trials} coups, {expected} expected",
    explains=(
        "a pack that was not shuffled before it was begun",
        "records that break off because of what was drawn",
    ),
    find=_find,
)
