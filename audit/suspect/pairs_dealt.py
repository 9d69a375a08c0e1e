"""A pair is dealt to one place at Matrimony, oftener than a fair pack does.

Chance: E34, two or three of a rank among the three cards of a place.
Null: they are uniform cards of the pack: 72/425 + 1/425 = 73/425.
Evidence: odds 3/2, 2 and 4 times the fair ones, for each place.
Misses: how high the pairs were.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from audit.record import Batch
from audit.suspect._dealt import by_seat, one
from audit.suspect._matrimony import is_matrimony, shown_up
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_games = is_matrimony
#: All hands of three of 52 cards, less those of three ranks.
CHANCE = 1 - Fraction(52 * 48 * 44, 52 * 51 * 50)


def _scan(batch: Batch, table: Table) -> Scan | None:
    up = shown_up(batch, table)
    if up is None or len(table.pack) != 52:
        return None
    d, third, told = up
    ranks = np.sort(np.concatenate([d.hands, third[:, :, None]], axis=2) % 13, axis=2)
    hit = (ranks[:, :, 1:] == ranks[:, :, :-1]).any(axis=2)
    return by_seat(d, hit, one(CHANCE), d.whole & told[:, None])


SUSPICION = Suspicion(
    id="pairs_dealt",
    codes=("E34",),
    title="A pair is dealt to one place",
    games=_games,
    fields=("deal_seq",),
    per="seat",
    odds=(Fraction(3, 2), 2, 4),
    weight="events",
    part=Fraction(1, 4),
    null="the cards of a place are uniform cards of the pack",
    says="{who}: a pair in {hits} of {trials} deals, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "a log that keeps only some deals",
        "cards turned that were written in another order than dealt",
    ),
    scan=_scan,
)
