"""A three, the best card at Put, is dealt to one place, oftener than a fair pack does.

Chance: E46, one three or more in a hand of three cards.
Null: a hand is three uniform cards of the pack: 1 - C(48,3)/C(52,3) = 1201/5525.
Evidence: odds 3/2, 2 and 4 times the fair ones, for each place, in hands as dealt.
Misses: how many threes there were.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from audit.cards import RANKS
from audit.law import Law
from audit.record import Batch
from audit.rules.put import Put
from audit.suspect._dealt import by_seat, dealt, holds, one
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

HAND = 3
CHANCE = 1 - Fraction(comb(48, HAND), comb(52, HAND))
THREES = [c for c in range(52) if RANKS[c % 13] == "3"]


def _games(law: Law) -> bool:
    return isinstance(law.rules, Put) and len(law.pack) == 52


def _scan(batch: Batch, table: Table) -> Scan | None:
    d = dealt(batch, table)
    if d is None:
        return None
    return by_seat(d, holds(d.hands, THREES), one(CHANCE), d.whole)


SUSPICION = Suspicion(
    id="threes_at_put",
    codes=("E46",),
    title="A three is dealt to one place",
    games=_games,
    fields=("deal_seq", "order_after_cut"),
    per="seat",
    odds=(Fraction(3, 2), 2, 4),
    weight="events",
    part=Fraction(1, 2),
    null="the cards of a hand are uniform cards of the pack",
    says="{who}: a three in {hits} of {trials} hands, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
