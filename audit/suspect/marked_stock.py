"""Begs go with the card that would be turned next, though its face is down.

Warning: W05, marked cards (Seven-Up, "cheating"): who can tell the cards of the stock by
their backs begs when the next turn-up will suit his hand.
Null: the eldest decides before anybody else has acted, from his hand and the turn-up; the
card that a run would turn is a uniform one of the 45 others.
Statistic: the card is of a suit in which he is stronger than in that turned (more cards
above the nine, then more cards) and no Jack: a hit of a beg; else a hit of a stand.
Evidence: odds 2, 4 and 16 times the fair ones and "always", for each place.  Where two play,
the odds of a hit of a beg are taken to be twice the fair ones: they may bunch a deal whose
second turn-up pleases neither, and such deals may not have been written down.
Misses: deals whose order is not on record; signs that tell other cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from audit.law import Law
from audit.record import Deal
from audit.suspect._table import (
    HAND,
    JACK,
    UNKNOWN,
    begs,
    better_suits,
    eldest_says,
    not_held,
    odds_times,
    placed,
    turn_places,
)
from audit.suspicion import Suspicion, Trial

#: Cards that the eldest has not seen: all but his hand and the turn-up.
UNSEEN = 52 - HAND - 1
#: The chance that a card not seen is one of so many.
OF_UNSEEN = tuple(Fraction(k, UNSEEN) for k in range(UNSEEN + 1))
#: At most half of the deals that turned what the eldest did not want are missing.
BUNCHED = 2


@lru_cache(maxsize=16)
def suiting(better: frozenset[int]) -> frozenset[int]:
    """Return the cards that suit a hand that is better in the suits *better* when turned."""
    return frozenset(c for c in range(52) if c // 13 in better and c % 13 != JACK)


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    if not deal.events or deal.order_after_cut is None:
        return
    table = placed(deal, law)
    if table is None or not table.order or table.turnup == UNKNOWN:
        return
    said, hand = eldest_says(table), table.hand(table.eldest)
    if not said or hand is None:
        return
    suits_him = suiting(better_suits(hand, table.turnup // 13))
    unseen = not_held(suits_him, hand)
    good = table.order[turn_places(law, table.players)[1]] in suits_him
    if said == "beg":
        p = OF_UNSEEN[unseen]
        p = odds_times(BUNCHED, p) if table.players == 2 else p
        yield Trial(chance=p, hit=good, subject=table.eldest)
    else:
        yield Trial(chance=OF_UNSEEN[UNSEEN - unseen], hit=not good, subject=table.eldest)


SUSPICION = Suspicion(
    id="marked_stock",
    codes=("W05", "T14"),
    title="Begs go with the card that would be turned next",
    games=begs,
    fields=("bids", "order_after_cut"),
    per="seat",
    odds=(2, 4, 16, None),
    weight="decisions",
    part=Fraction(1, 4),
    null="the eldest begs or stands without knowing the card that a run would turn",
    says="{who}: {hits} of {trials} begs and stands went with the card that would be turned"
    " next, {expected} expected",
    explains=(
        "a shuffle so poor that a good memory tells cards of the stock",
        "a card of the stock that was seen by accident",
        "a log that keeps only some deals",
    ),
    find=_find,
)
