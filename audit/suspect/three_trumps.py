"""Three trumps are dealt at Loo, oftener to one place than a fair pack does.

Chance: E14, a hand of three trumps takes the pool (double pools of Loo, Irish Loo).
Null: a first hand is three of the cards beside the turn-up, alike: C(12,3)/C(51,3) = 44/4165.
Evidence: odds 4, 16 and 64 times the fair ones, for each place, in hands as dealt.
Misses: three trumps in the widow, or drawn.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from audit.law import Law
from audit.record import Batch
from audit.rules.loo import Loo
from audit.suspect._dealt import by_seat, dealt, one
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

CHANCE = Fraction(comb(12, 3), comb(51, 3))


def _games(law: Law) -> bool:
    return isinstance(law.rules, Loo) and law.rules.flush == "trumps" and law.turnup


def _scan(batch: Batch, table: Table) -> Scan | None:
    d = dealt(batch, table)
    if d is None:
        return None
    hit = (d.hands // 13 == (d.turn // 13)[:, None, None]).all(axis=2)
    return by_seat(d, hit, one(CHANCE), d.whole & (d.turn < 52)[:, None])


SUSPICION = Suspicion(
    id="three_trumps",
    codes=("E14",),
    title="Three trumps are dealt",
    games=_games,
    fields=("deal_seq", "turnup", "order_after_cut"),
    per="seat",
    odds=(4, 16, 64),
    weight="events",
    part=Fraction(1, 2),
    null="the cards of a first hand are uniform cards beside the turn-up",
    says="{who}: three trumps were dealt in {hits} of {trials} hands, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "hands written down after an exchange, with an order of the pack made up from them",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
