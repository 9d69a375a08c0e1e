"""King and queen are dealt to one place at Matrimony, oftener than a fair pack does.

Chance: E33, matrimony itself: any King and any queen among the three cards of a place.
Null: they are uniform cards of the pack: 188/5525.
Evidence: odds 3/2, 3 and 9 times the fair ones, for each place.
Misses: confederacy and intrigue, which have the same chance.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from audit.record import Batch
from audit.rules.matrimony import KING, QUEEN
from audit.suspect._dealt import by_seat, one
from audit.suspect._matrimony import is_matrimony, shown_up
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_games = is_matrimony
#: All hands, less those without a King, those without a queen, and once those without both.
CHANCE = 1 - Fraction(2 * comb(48, 3) - comb(44, 3), comb(52, 3))


def _scan(batch: Batch, table: Table) -> Scan | None:
    up = shown_up(batch, table)
    if up is None or len(table.pack) != 52:
        return None
    d, third, told = up
    ranks = np.concatenate([d.hands, third[:, :, None]], axis=2) % 13
    hit = (ranks == KING).any(axis=2) & (ranks == QUEEN).any(axis=2)
    return by_seat(d, hit, one(CHANCE), d.whole & told[:, None])


SUSPICION = Suspicion(
    id="king_and_queen",
    codes=("E33",),
    title="King and queen are dealt to one place",
    games=_games,
    fields=("deal_seq",),
    per="seat",
    odds=(Fraction(3, 2), 3, 9),
    weight="events",
    part=Fraction(1, 4),
    null="the cards of a place are uniform cards of the pack",
    says="{who}: King and queen in {hits} of {trials} deals, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "a log that keeps only some deals",
        "cards turned that were written in another order than dealt",
    ),
    scan=_scan,
)
