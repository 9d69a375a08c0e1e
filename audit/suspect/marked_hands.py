"""Begs go with the trumps in the dealer's hand, which nobody but he may see.

Warning: W05, marked cards (Seven-Up, "cheating"): who can tell the dealer's cards by
their backs begs when a high trump lies there, and stands when none does.
Null: the eldest decides before anybody else has acted, from his hand and the turn-up; the
dealer's six cards are uniform ones of the 45 others.
Statistic: a trump above the nine in the dealer's hand: a hit of a beg; none: of a stand.
Evidence: odds 2, 4 and 16 times the fair ones and "always", for each place.  A hand
that the log does not show, or a deal played without the call on record, is no hit.
Misses: who uses what he knows in other ways; leads, see `marked_lead`.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from audit.law import Law
from audit.record import Deal
from audit.suspect._table import (
    HAND,
    NINE,
    UNKNOWN,
    Placed,
    begs,
    eldest_says,
    exactly,
    of_suit,
    placed,
)
from audit.suspicion import Suspicion, Trial

UNSEEN = 52 - HAND - 1
#: The high trumps: ten, Jack, Queen, King and ace.
HIGH = 5


@lru_cache(maxsize=32)
def chance(said: str, high: int) -> Fraction:
    """Return the chance of a hit of "beg" or "stand" where *high* high trumps are out of sight."""
    none = exactly(0, of=UNSEEN, marked=high, drawn=HAND)
    return none if said == "stand" else 1 - none


#: The largest chances that are below 1: all five high trumps out of sight, or one.
MOST = {"beg": chance("beg", HIGH), "stand": chance("stand", 1)}
#: A deal played without the call on record.
UNSAID = max(MOST.values())


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    table = placed(deal, law) if deal.events else None
    if table is None:
        return
    said = eldest_says(table)
    if said:
        yield _trial(said, table)
    elif table.acts and table.acts[0].kind == "play":
        # Played with no call on record: which calls are written down may follow the answer.
        yield Trial(chance=UNSAID, hit=False, subject=table.eldest)


def _trial(said: str, table: Placed) -> Trial:
    hand, his = table.hand(table.eldest), table.hand(table.dealer)
    if hand is None or table.turnup == UNKNOWN:
        return Trial(chance=MOST[said], hit=False, subject=table.eldest)
    suit = table.turnup // 13
    p = chance(said, HIGH - of_suit(hand + bytes([table.turnup]), suit, NINE))
    none = his is not None and of_suit(his, suit, NINE) == 0
    hit = none if said == "stand" else his is not None and not none
    return Trial(chance=p, hit=hit, subject=table.eldest)


SUSPICION = Suspicion(
    id="marked_hands",
    codes=("W05", "T14"),
    title="Begs go with the trumps in the dealer's hand",
    games=begs,
    fields=("bids", "deal_seq", "turnup"),
    per="seat",
    odds=(2, 4, 16, None),
    weight="decisions",
    part=Fraction(1, 4),
    null="the eldest begs or stands without knowing the dealer's cards",
    says="{who}: {hits} of {trials} begs and stands went with the dealer's high trumps,"
    " at most {expected} expected; cards that the log does not show count as none",
    explains=(
        "hands written down in other places than those who held them, as in dealing order",
        "cards of the dealer that were seen by accident or in a mirror",
        "a shuffle so poor that a good memory tells where cards lie",
        "a log that keeps only deals in which a beg was answered in one way",
    ),
    find=_find,
)
