"""Hands on which Foster's player stands are dealt, oftener or seldomer than a fair pack does.

Warning: W69, the dealer refuses on hands that were counted against all 65,780 hands which
the other may hold: those five cards are uniform.
Null: a first hand is five of the 31 cards beside the turn-up, alike; it stands by the words of
Foster's advice (three trumps; four court cards, not all Jacks; or three cards to keep without
the King of trumps) with a chance that is counted over all 169,911 hands for each card turned.
Evidence: odds a quarter, half, twice and four times the fair ones, for each place.
Misses: whether anybody stood; that is for him to choose.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from audit.cards import RANKS
from audit.record import Batch
from audit.suspect._dealt import BOTH_WAYS
from audit.suspect._ecarte import PACK, by_turn, is_ecarte
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_games = is_ecarte
JACK, KING = RANKS.index("J"), RANKS.index("K")


def stands(hands: NDArray[np.uint8], trump: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which *hands* (..., 5) stand under *trump* (...), by what is left of Foster."""
    suit, rank = hands // 13, hands % 13
    trumps = suit == trump[..., None]
    courts = (rank >= JACK) & (rank <= KING)
    jacks = (rank == JACK).sum(axis=-1)
    pictures = courts.sum(axis=-1)
    kept = (trumps | (rank == KING)).sum(axis=-1)
    master = (trumps & (rank == KING)).any(axis=-1)
    return np.asarray(
        (trumps.sum(axis=-1) >= 3)
        | ((pictures >= 4) & (jacks < pictures))
        | ((kept >= 3) & ~master)
    )


@lru_cache(maxsize=1)
def _every() -> NDArray[np.intp]:
    """Return all hands of five of 31 cards, as places, (169911, 5)."""
    return np.array(list(combinations(range(31), 5)))


@lru_cache(maxsize=64)
def chance(turned: int) -> Fraction:
    """Return the chance that a first hand stands, given the card *turned*."""
    left = [c for c in PACK if c != turned]
    hands = np.array(left, np.uint8)[_every()]
    found = int(stands(hands, np.full(len(hands), turned // 13)).sum())
    return Fraction(found, len(hands))


def _hit(hands: NDArray[np.uint8], turn: NDArray[np.int64]) -> NDArray[np.bool_]:
    return stands(hands, np.broadcast_to((turn // 13)[:, None], hands.shape[:2]))


def _chance(turned: int) -> Fraction:
    # Suits are alike: the card of the same rank in spades stands for all.
    return chance(turned % 13)


def _scan(batch: Batch, table: Table) -> Scan | None:
    return by_turn(batch, table, _hit, _chance)


SUSPICION = Suspicion(
    id="standing_hand",
    codes=("W69",),
    title="Hands to stand on are dealt",
    games=_games,
    fields=("deal_seq", "turnup", "order_after_cut"),
    per="seat",
    odds=BOTH_WAYS,
    weight="events",
    part=Fraction(1, 4),
    null="the cards of a first hand are uniform cards beside the turn-up",
    says="{who}: a hand to stand on was dealt in {hits} of {trials} deals, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "hands written down after an exchange, with an order of the pack made up from them",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
