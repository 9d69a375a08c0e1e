"""Naturals are dealt at vingt-un, oftener or seldomer than the cards left deal them.

Warning: W94, the book expects one in seven coups of two, two in seven of four; it is 64/663
and 128/663 off a fresh pack.
Null: hand by hand in dealing order, two uniform ones of the cards that are not out: 32/663
for the first, then by the aces and tens that are left.
Evidence: odds a quarter, half, twice and four times the fair ones, for the table.
Misses: records without the order of the pack, which do not tell whether it was fresh.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from audit.law import Law
from audit.record import Deal
from audit.rules.vingt_un import natural
from audit.suspect._coups import Coup, coups, in_order, is_vingt_un, left_for, natural_next, unknown
from audit.suspect._dealt import BOTH_WAYS
from audit.suspicion import Suspicion, Trial

_games = is_vingt_un


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    for coup in coups(deal, law):
        if not isinstance(coup, Coup):
            continue
        if not coup.hands:
            yield from unknown()
            continue
        left = coup.left
        for seat in in_order(len(coup.hands) - 1, coup.dealer):
            hand = coup.hands[seat]
            yield Trial(chance=natural_next(left), hit=natural(hand))
            left = left_for(left, hand)


SUSPICION = Suspicion(
    id="naturals",
    codes=("W94",),
    title="Naturals are dealt",
    games=_games,
    fields=("deal_seq", "order_after_cut"),
    per="table",
    odds=BOTH_WAYS,
    weight="events",
    part=Fraction(1, 8),
    null="the next cards are uniform among those that are not out",
    says="{who}: {hits} naturals in {trials} hands, {expected} expected",
    explains=(
        "a pack that was not shuffled before it was begun",
        "records that break off because of what was drawn",
    ),
    find=_find,
)
