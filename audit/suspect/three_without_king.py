"""Three trumps without the King are dealt at Écarté, oftener or seldomer than they should be.

Warning: W71, always stand on three trumps without the King.
Null: a first hand is five of the 31 cards beside the turn-up, alike: 218/6293 where no King is
turned, 167/2697 where one is.
Evidence: odds a quarter, half, twice and four times the fair ones, for each place.
Misses: whether anybody stood on them.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from audit.cards import RANKS
from audit.record import Batch
from audit.suspect._dealt import BOTH_WAYS
from audit.suspect._ecarte import HAND, by_turn, is_ecarte
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_games = is_ecarte
KING = RANKS.index("K")


def chance(turned: int) -> Fraction:
    """Return the chance of three trumps or more without the King, given the card *turned*."""
    able = 7 - (turned % 13 != KING)
    ways = sum(comb(able, k) * comb(24, HAND - k) for k in range(3, HAND + 1))
    return Fraction(ways, comb(31, HAND))


def _hit(hands: NDArray[np.uint8], turn: NDArray[np.int64]) -> NDArray[np.bool_]:
    trumps = hands // 13 == (turn // 13)[:, None, None]
    king = (trumps & (hands % 13 == KING)).any(axis=2)
    return np.asarray((trumps.sum(axis=2) >= 3) & ~king)


def _scan(batch: Batch, table: Table) -> Scan | None:
    return by_turn(batch, table, _hit, chance)


SUSPICION = Suspicion(
    id="three_without_king",
    codes=("W71",),
    title="Three trumps without the King are dealt",
    games=_games,
    fields=("deal_seq", "turnup", "order_after_cut"),
    per="seat",
    odds=BOTH_WAYS,
    weight="events",
    part=Fraction(1, 4),
    null="the cards of a first hand are uniform cards beside the turn-up",
    says="{who}: three trumps without the King were dealt in {hits} of {trials} deals,"
    " {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "hands written down after an exchange, with an order of the pack made up from them",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
