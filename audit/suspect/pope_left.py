"""Pope lies in the stock at Pope Joan, oftener or seldomer than the stock's share of the pack.

Chance: E38, nobody has it then, and its stake stays on the board.
Null: Pope is each of the 51 cards of the pack alike; s of them are left in the stock.
Evidence: odds a quarter, half, twice and four times the fair ones, for the table.
Misses: what the dealer did who may look at the stock.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from audit.law import Law
from audit.record import Batch
from audit.rules.pope_joan import POPE, PopeJoan, in_stock, stock_of
from audit.suspect._dealt import BOTH_WAYS, at, by_deal, dealt, lookup
from audit.suspicion import Scan, Suspicion
from audit.tally import Table


def _games(law: Law) -> bool:
    return isinstance(law.rules, PopeJoan)


def _scan(batch: Batch, table: Table) -> Scan | None:
    d, law = dealt(batch, table), table.law
    if d is None:
        return None
    size = len(table.pack)
    chances = [
        in_stock(size, stock_of(size, n, law.hand_of(n))) if n in law.tables else Fraction(1)
        for n in range(max(law.tables) + 1)
    ]
    out = (d.hands != POPE).all(axis=(1, 2)) & (d.turn != POPE)
    known = np.asarray(d.all_whole & (d.turn < 52))
    return by_deal(d, out, at(lookup(chances), d.players), known)


SUSPICION = Suspicion(
    id="pope_left",
    codes=("E38",),
    title="Pope lies in the stock",
    games=_games,
    fields=("deal_seq", "turnup"),
    per="table",
    odds=BOTH_WAYS,
    weight="events",
    part=Fraction(1, 4),
    null="Pope is each card of the pack alike",
    says="{who}: Pope lay in the stock in {hits} of {trials} deals, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
