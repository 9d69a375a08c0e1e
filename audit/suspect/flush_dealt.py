"""A flush is dealt at five-card Loo, oftener to one place than a fair pack does.

Warning: W68, five cards of a suit take the pool unplayed; the knave that is Pam stands for any.
Null: a first hand is five of the cards beside the turn-up, alike; a flush with chance
33/16660 without Pam, about 11/3920 with the knave of clubs, told for each card turned.
Evidence: odds 4, 16 and 64 times the fair ones, for each place.  Pam is the one of the game's
own law, whatever was agreed: the cards have the same chance.
Misses: flushes made by drawing, which follow from what is thrown away.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np

from audit.law import Law
from audit.record import Batch
from audit.rules.loo import Loo
from audit.suspect._dealt import at, by_seat, dealt, lookup
from audit.suspicion import Scan, Suspicion
from audit.tally import Table


def _games(law: Law) -> bool:
    return isinstance(law.rules, Loo) and law.rules.flush == "suit"


@lru_cache(maxsize=256)
def chance(pam: int, turned: int, cards: int) -> Fraction:
    """Return the chance of a flush in a hand of *cards*, *pam* -1 for none, given the turn-up."""
    found = 0
    for suit in range(4):
        plain = [c for c in range(13 * suit, 13 * suit + 13) if c not in (turned, pam)]
        found += comb(len(plain), cards)
        if pam not in (-1, turned):
            found += comb(len(plain), cards - 1)
    return Fraction(found, comb(51, cards))


def _scan(batch: Batch, table: Table) -> Scan | None:
    d, rules = dealt(batch, table), table.law.rules
    if d is None or not isinstance(rules, Loo):
        return None
    pams = np.array([rules.pam_card(c // 13) for c in range(52)] + [-1] * 204, np.int64)
    pam = pams[d.turn]
    cards = d.hands.astype(np.int64)
    free = cards == pam[:, None, None]
    suit = np.where(free, -1, cards // 13)
    top = suit.max(axis=2, keepdims=True)
    hit = ((suit == top) | free).all(axis=2)
    chances = [chance(int(pams[c]), c, rules.cards) for c in range(52)]
    # A card turned that is not shown may be any: no hit has a larger chance.
    table_of = lookup([*chances, *[max(chances)] * 204])
    num, den = at(table_of, d.turn)
    return by_seat(d, hit, (num[:, None], den[:, None]), d.whole & (d.turn < 52)[:, None])


SUSPICION = Suspicion(
    id="flush_dealt",
    codes=("W68",),
    title="A flush is dealt",
    games=_games,
    fields=("deal_seq", "turnup", "order_after_cut"),
    per="seat",
    odds=(4, 16, 64),
    weight="events",
    part=Fraction(1, 2),
    null="the cards of a first hand are uniform cards beside the turn-up",
    says="{who}: a flush was dealt in {hits} of {trials} hands, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "hands written down after an exchange, with an order of the pack made up from them",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
