"""Coups in which a player has a natural are seldom under one dealer at vingt-un, or frequent.

Warning: W93, the deal is an advantage and lasts until a player has a natural.
Null: the players' hands are uniform ones of the cards that are not out; none is a natural with
a chance that follows from the aces and tens among these (E41 off a fresh pack).
Evidence: odds a quarter, half, twice and four times the fair ones, for each dealer.
Misses: who was the first dealer, by the first ace or knave (E07): a record has no field for
the cards that were turned for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from audit.law import Law
from audit.record import Deal
from audit.rules.vingt_un import natural
from audit.suspect._coups import Coup, coups, is_vingt_un, kinds, no_natural, unknown
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
        players = [h for k, h in enumerate(coup.hands) if k and k != coup.dealer]
        chance = 1 - no_natural(*kinds(coup.left), len(players))
        yield Trial(chance=chance, hit=any(map(natural, players)))


SUSPICION = Suspicion(
    id="long_deals",
    codes=("W93",),
    title="Naturals of the players, that end a deal",
    games=_games,
    fields=("deal_seq", "order_after_cut"),
    per="dealer",
    odds=BOTH_WAYS,
    weight="events",
    part=Fraction(1, 8),
    null="the next cards are uniform among those that are not out",
    says="{who}: a player had a natural in {hits} of {trials} coups, {expected} expected",
    explains=(
        "a pack that was not shuffled before it was begun",
        "records that break off because of what was drawn",
    ),
    find=_find,
)
