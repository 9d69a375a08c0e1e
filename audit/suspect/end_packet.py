"""The dealer's hand is made from one end of the pack as it was gathered.

Warning: T13, a hand made from the best cards of the deal before; they are gathered together and
left on top or at the bottom.
Null: the hand is a uniform draw from the pack, so that it has a hypergeometric number of the
cards that lay at an end: four or more of six are dealt in 0.00078 of deals, for each end.
Evidence: odds five, fifty and five hundred times the fair ones, for each dealer.  The chance is
the sum for both ends, which lies above the true one.  A hand is no hit where the other cards
of the pack kept more neighbours than a good shuffle leaves, for then `successions` and
`riffles` speak of the whole pack, and of nobody's hand.
Misses: cards gathered in the middle of the pack; fewer than two thirds of a hand; a log
without the order after the shuffle.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.law import Law
from audit.record import Batch
from audit.stats.hypergeometric import pmf
from audit.suspicion import Scan, Suspicion, rounded_up
from audit.tally import Table

_FEWEST, _MOST = 3, 13
#: A fair shuffle leaves more neighbours than these, of cards in no end packet, once in fifty.
MOST_KEPT = 3


def least(hand: int) -> int:
    """Return how many cards of one end make a hand of *hand* cards a hit: two thirds."""
    return -(-2 * hand // 3)


@lru_cache(maxsize=64)
def chance(size: int, hand: int) -> Fraction:
    """Return a bound of the chance of a hit, hand and end of *hand* cards of *size*."""
    law = pmf(population=size, marked=hand, drawn=hand)
    return 2 * sum((p for x, p in law.items() if x >= least(hand)), start=Fraction(0))


def _games(law: Law) -> bool:
    return all(_FEWEST <= law.hand_of(n) <= _MOST for n in law.tables)


def _scan(batch: Batch, table: Table) -> Scan | None:
    hand, size = table.law.hand_of(table.players), len(table.pack)
    if 2 * hand > size or (some := chance(size, hand)) >= 1:
        return None
    trial = np.flatnonzero(batch.players == table.players)
    shown = _whole(batch, hand, size, table.players)[trial]
    hit = np.zeros(len(trial), np.bool_)
    row = trial[shown]
    if batch.gathered is not None and len(row):
        held, lay = batch.hands[row, batch.dealer_seat[row] - 1], batch.gathered[row]
        common = np.maximum(_common(held, lay[:, :hand]), _common(held, lay[:, -hand:]))
        found = common >= least(hand)
        near = np.flatnonzero(found)
        found[near] = kept_elsewhere(batch, row[near], held[near]) <= MOST_KEPT
        hit[shown] = found
    num, den = rounded_up(some)
    return Scan(
        row=trial,
        hit=hit,
        num=np.full(len(trial), num, np.int64),
        den=np.full(len(trial), den, np.int64),
        subject=batch.dealer_seat[trial].astype(np.int64),
        shown=shown,
    )


def _whole(batch: Batch, hand: int, size: int, players: int) -> NDArray[np.bool_]:
    """Return which deals show every hand, the order as gathered and where the dealer sat.

    Whether they do may follow what the hands were: where not, a trial hides how it came out.
    """
    none = np.zeros(len(batch), np.bool_)
    if batch.gathered is None or batch.gathered.shape[1] != size:
        return none
    if batch.hands.shape[1] < players or batch.hands.shape[2] < hand:
        return none
    whole = (batch.held_sizes[:, :players] == hand).all(axis=1)
    whole &= (batch.gathered < 52).all(axis=1)
    return np.asarray(whole & (batch.dealer_seat >= 1) & (batch.dealer_seat <= players))


def kept_elsewhere(
    batch: Batch, row: NDArray[np.intp], held: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Return how many cards still lie before the same card on the circle, none of them *held*.

    Where the log does not show the order after the shuffle, the size of the pack.
    """
    gathered, size = batch.gathered, 0 if batch.gathered is None else batch.gathered.shape[1]
    out = np.full(len(row), size, np.int64)
    for orders in (batch.order, batch.pack):
        if gathered is None or orders is None or orders.shape[1] != size:
            continue
        known = np.flatnonzero((orders[row] < 52).all(axis=1))
        mine = np.arange(len(known))[:, None]
        follows = np.full((len(known), 256), 255, np.uint8)
        follows[mine, gathered[row[known]]] = np.roll(gathered[row[known]], -1, axis=1)
        one, other = orders[row[known]], np.roll(orders[row[known]], -1, axis=1)
        free = np.ones((len(known), 256), np.bool_)
        free[mine, held[known]] = False
        kept = (follows[mine, one] == other) & free[mine, one] & free[mine, other]
        out[known] = kept.sum(axis=1)
    return out


def _common(held: NDArray[np.uint8], end: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return how many cards of *held* (deals, any) are in *end* (deals, cards)."""
    same = (held[:, :, None] == end[:, None, :]) & (held < 52)[:, :, None]
    return np.asarray(same.sum(axis=(1, 2)), np.int64)


SUSPICION = Suspicion(
    id="end_packet",
    codes=("T13",),
    title="The dealer's hand comes from an end of the pack as gathered",
    games=_games,
    fields=("gathered_order", "deal_seq"),
    per="dealer",
    odds=(5, 50, 500),
    weight="order",
    part=Fraction(1, 30),
    null="the dealer's hand is a uniform draw from the pack, whatever was gathered before",
    says="{who}: two thirds of his hand or more lay together at one end of the pack as gathered,"
    " in {hits} of {trials} hands; a fair pack deals no more than {expected}",
    explains=(
        "a pack that was shuffled too little, which says nothing of intent",
        "the order as gathered was written down from the pack as it was dealt next",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
