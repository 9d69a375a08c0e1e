"""The King of each plain suit with a queen is dealt at Écarté, oftener than it should be.

Warning: W70, of all hands to stand on this has the best odds; the book gives no figure.
Null: a first hand is five of the 31 cards beside the turn-up, alike: C(28,2) - C(28 - q,2) of
169,911 hands, q being the queens that may be held: 102 (6.0 in 10,000) or, a queen turned, 78.
Evidence: odds 4, 16 and 64 times the fair ones, for each place.
Misses: how it went for him who stood on it, which follows from the play.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from audit.cards import RANKS
from audit.record import Batch
from audit.suspect._ecarte import HAND, by_turn, is_ecarte
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_games = is_ecarte
QUEEN, KING = RANKS.index("Q"), RANKS.index("K")


def chance(turned: int) -> Fraction:
    """Return the chance of three plain Kings and a queen or more, given the card *turned*."""
    queens = 4 - (turned % 13 == QUEEN)
    return Fraction(comb(28, 2) - comb(28 - queens, 2), comb(31, HAND))


def _hit(hands: NDArray[np.uint8], turn: NDArray[np.int64]) -> NDArray[np.bool_]:
    plain = hands // 13 != (turn // 13)[:, None, None]
    kings = (plain & (hands % 13 == KING) & (hands < 52)).sum(axis=2)
    queens = ((hands % 13 == QUEEN) & (hands < 52)).any(axis=2)
    return np.asarray((kings == 3) & queens)


def _scan(batch: Batch, table: Table) -> Scan | None:
    return by_turn(batch, table, _hit, chance)


SUSPICION = Suspicion(
    id="kings_and_queen",
    codes=("W70",),
    title="The Kings of the plain suits and a queen are dealt",
    games=_games,
    fields=("deal_seq", "turnup", "order_after_cut"),
    per="seat",
    odds=(4, 16, 64),
    weight="events",
    part=Fraction(1, 4),
    null="the cards of a first hand are uniform cards beside the turn-up",
    says="{who}: the three plain Kings and a queen were dealt in {hits} of {trials}"
    " deals, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "hands written down after an exchange, with an order of the pack made up from them",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
