"""Ace, Jack, ten and two of a suit, gathered together, come to the dealer, who turns the Jack.

Warning: W04, the four kept together in play and brought back by shifting the cut (Seven-Up,
"cheating").
Null: the dealer's six cards and the turn-up are uniform in the pack: he is dealt the ace, ten
and two of the suit whose Jack he turns in 4 of 54,145 deals.
Evidence: odds a hundred, a thousand and ten thousand times the fair ones, for each dealer.  A
deal counts as none of these where the log shows that the four did not lie together as gathered.
Misses: the four brought to a partner.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.law import Law
from audit.record import Batch
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

#: 4 suits, three more of the 48 other cards beside three that are named, one of 46 turned:
#: 4 C(48, 3) / (46 C(52, 6)).
CHANCE = Fraction(4 * 17_296, 46 * 20_358_520)
_RANKS = "23456789TJQKA"
_THREE = tuple(_RANKS.index(r) for r in "AT2")
_FOUR = tuple(_RANKS.index(r) for r in "AJT2")
_JACK = _RANKS.index("J")
_WITH = np.array([sum(1 << (13 * s + r) for r in _THREE) for s in range(4)], np.uint64)


def _games(law: Law) -> bool:
    return law.id.startswith("seven_up")


def apart(gathered: NDArray[np.uint8] | None, suit: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return where the four of *suit* (deals,) are known not to lie side by side."""
    if gathered is None or gathered.shape[1] < 52:
        return np.zeros(len(suit), np.bool_)
    four = 13 * suit[:, None] + np.array(_FOUR)
    there = gathered[:, None, :] == four[:, :, None]
    where = there.argmax(axis=2)
    far: NDArray[np.bool_] = where.max(axis=1) - where.min(axis=1) > 3
    return np.asarray(there.any(axis=2).all(axis=1) & far)


def _scan(batch: Batch, table: Table) -> Scan | None:
    first, deals = batch.first_turned, len(batch)
    places, seats = np.arange(batch.hands.shape[1]), batch.players[:, None]
    # Whether a hand stands in the log may follow what it was: a deal that does not show all
    # of them, or where the dealer sat, is a trial that hides how it came out.
    shown = (first < 52) & ((batch.held_sizes == 6) | (places >= seats)).all(axis=1)
    shown &= (batch.dealer_seat >= 1) & (batch.dealer_seat <= batch.players)
    shown &= batch.players <= batch.hands.shape[1]
    row, hit = np.flatnonzero(shown), np.zeros(deals, np.bool_)
    place = batch.dealer_seat[row].astype(np.int64) - 1
    suit = first[row].astype(np.int64) // 13
    found = (first[row] % 13 == _JACK) & ((batch.held[row, place] & _WITH[suit]) == _WITH[suit])
    near = np.flatnonzero(found)
    if batch.gathered is not None:
        found[near] &= ~apart(batch.gathered[row[near]], suit[near])
    hit[row] = found
    return Scan(
        row=np.arange(deals),
        hit=hit,
        num=np.full(deals, CHANCE.numerator, np.int64),
        den=np.full(deals, CHANCE.denominator, np.int64),
        subject=batch.dealer_seat.astype(np.int64),
        shown=shown,
    )


SUSPICION = Suspicion(
    id="kept_four",
    codes=("W04",),
    title="Ace, ten and two come to the dealer who turns their Jack",
    games=_games,
    fields=("deal_seq", "turnup"),
    per="dealer",
    odds=(100, 1_000, 10_000),
    weight="order",
    part=Fraction(1, 30),
    null="the dealer's cards and the turn-up are uniform cards of the pack",
    says="{who}: ace, ten and two of the suit of the Jack turned, in {hits} of {trials} hands;"
    " a fair pack deals them in 4 of 54,145",
    explains=(
        "a pack that was hardly shuffled after these four fell to one trick",
        "a log that keeps remarkable deals",
    ),
    scan=_scan,
)
