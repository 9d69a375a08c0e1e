"""The highest trump dealt comes to one place at Speculation, oftener than to the others.

Chance: E30, it wins the pool, or its price.
Null: given which cards were dealt and turned, the hands are alike: where a trump was dealt, the
highest lies in each of n hands with chance 1/n.
Evidence: odds 3/2, 2 and 4 times the fair ones and "always", for each place.
Misses: prices, and trumps that were sold.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from audit.law import Law
from audit.record import Batch
from audit.rules.speculation import Speculation
from audit.suspect._dealt import by_seat, dealt
from audit.suspicion import Scan, Suspicion
from audit.tally import Table


def _games(law: Law) -> bool:
    return isinstance(law.rules, Speculation)


def _scan(batch: Batch, table: Table) -> Scan | None:
    d = dealt(batch, table)
    if d is None:
        return None
    trumps = (d.hands // 13 == (d.turn // 13)[:, None, None]) & (d.hands < 52)
    best = np.where(trumps, d.hands.astype(np.int64), -1).max(axis=2)
    top = best.max(axis=1)
    known = d.all_whole & (d.turn < 52)
    shown = np.broadcast_to(known[:, None], best.shape)
    chances = np.ones((1, 1), np.int64), d.players[:, None]
    trial = (~known | (top >= 0))[:, None]
    return by_seat(d, best == top[:, None], chances, shown, trial)


SUSPICION = Suspicion(
    id="top_trump",
    codes=("E30",),
    title="The highest trump is dealt to one place",
    games=_games,
    fields=("deal_seq", "turnup"),
    per="seat",
    odds=(Fraction(3, 2), 2, 4, None),
    weight="events",
    part=Fraction(1, 2),
    null="the hands of a deal are alike, whatever cards were dealt",
    says="{who}: the highest trump dealt in {hits} of {trials} deals, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "a log that keeps only some deals",
        "hands written down after trumps were sold, with a card put in for each",
    ),
    scan=_scan,
)
