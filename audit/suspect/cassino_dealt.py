"""Great or little Cassino is dealt to the dealer, oftener than a fair pack does.

Chance: as E47, for four cards in a hand instead of on the board: the ten of diamonds counts two
points and the two of spades one to whoever takes it, and its holder is the first who may.
Null: four cards dealt to a place, in whatever round, are uniform cards of the pack: one of the two
or both with chance 1 - C(50,4)/C(52,4) = 33/221.
Evidence: odds 3/2, 2 and 4 times the fair ones, for each dealer.  A deal that does not show the
dealer's four cards is one that hides how it came out.
Misses: cards dealt to a partner; what lies on the board, see `cassino_on_board`.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from audit.record import Batch
from audit.rules.cassino import GREAT, LITTLE
from audit.suspect._dealt import by_deal, dealt, holds, of_dealer, one
from audit.suspect.cassino_on_board import AT_ONCE, CHANCE, is_cassino
from audit.suspicion import Scan, Suspicion
from audit.tally import Table


def _scan(batch: Batch, table: Table) -> Scan | None:
    d = dealt(batch, table)
    if d is None:
        return None
    # Nobody chooses what comes in a later round, so four cards will do without the pack's order.
    whole = np.asarray((d.hands < 52).sum(axis=2) == AT_ONCE)
    shown = of_dealer(d, whole & d.seated)
    return by_deal(d, of_dealer(d, holds(d.hands, (GREAT, LITTLE))), one(CHANCE), shown)


SUSPICION = Suspicion(
    id="cassino_dealt",
    codes=("E47",),
    title="Great or little Cassino is dealt to the dealer",
    games=is_cassino,
    fields=("deal_seq",),
    per="dealer",
    odds=(Fraction(3, 2), 2, 4),
    weight="events",
    part=Fraction(1, 2),
    null="four cards dealt to a place are uniform cards of the pack",
    says="{who}: great or little Cassino lay in the own hand in {hits} of {trials} deals,"
    " {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "a log that keeps only some deals",
        "hands that were written down as they were held later in the deal",
    ),
    scan=_scan,
)
