"""Great or little Cassino lies on the board, oftener than a fair pack lays it there.

Chance: E47, ten of diamonds and two of spades are each on the board with chance 1/13.
Null: the four cards of the board are uniform cards of the pack: one of the two or both with
chance 1 - C(50,4)/C(52,4) = 33/221.
Evidence: odds 3/2, 2 and 4 times the fair ones, for each dealer, who lays them out.
Misses: who took them.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from audit.law import Law
from audit.record import Batch
from audit.rules.cassino import GREAT, LITTLE, Cassino
from audit.suspect._dealt import among, by_deal, dealt, one
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

#: Cards dealt at once, to the board and to each hand.
AT_ONCE = 4
CHANCE = 1 - Fraction(comb(50, AT_ONCE), comb(52, AT_ONCE))


def is_cassino(law: Law) -> bool:
    """Whether *law* is of Cassino with the whole pack."""
    return isinstance(law.rules, Cassino) and len(law.pack) == 52


def _scan(batch: Batch, table: Table) -> Scan | None:
    d = dealt(batch, table)
    if d is None:
        return None
    board = batch.board[d.row]
    shown = np.asarray((board < 52).sum(axis=1) == AT_ONCE)
    hit = np.asarray(among((GREAT, LITTLE))[board].any(axis=1))
    return by_deal(d, hit, one(CHANCE), shown)


SUSPICION = Suspicion(
    id="cassino_on_board",
    codes=("E47",),
    title="Great or little Cassino lies on the board",
    games=is_cassino,
    fields=("deal_seq",),
    per="dealer",
    odds=(Fraction(3, 2), 2, 4),
    weight="events",
    part=Fraction(1, 2),
    null="the cards of the board are uniform cards of the pack",
    says="{who}: great or little Cassino lay on the board in {hits} of {trials} deals,"
    " {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
