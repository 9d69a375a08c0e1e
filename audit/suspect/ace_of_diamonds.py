"""The ace of diamonds is turned for one place at Matrimony, oftener than once in 52 deals.

Warning: W87, it sweeps all stakes for whom it is turned.
Null: the card turned for a place is a uniform card of the pack.
Evidence: odds 2, 8 and 32 times the fair ones, for each place.
Misses: for which deals the stakes were high.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from audit.record import Batch
from audit.rules.matrimony import DIAMOND_ACE
from audit.suspect._dealt import by_seat, one
from audit.suspect._matrimony import is_matrimony, shown_up
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_games = is_matrimony


def _scan(batch: Batch, table: Table) -> Scan | None:
    up = shown_up(batch, table)
    if up is None:
        return None
    d, third, told = up
    shown = np.broadcast_to(told[:, None], third.shape)
    return by_seat(d, third == DIAMOND_ACE, one(Fraction(1, len(table.pack))), shown)


SUSPICION = Suspicion(
    id="ace_of_diamonds",
    codes=("W87",),
    title="The ace of diamonds is turned for one place",
    games=_games,
    fields=("deal_seq",),
    per="seat",
    odds=(2, 8, 32),
    weight="events",
    part=Fraction(1, 2),
    null="the card turned for a place is a uniform card of the pack",
    says="{who}: the ace of diamonds was turned in {hits} of {trials} deals, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "a log that keeps only some deals",
        "cards turned that were written in another order than dealt",
    ),
    scan=_scan,
)
