"""The high hand: ace, King, Jack, ten, nine and two of trumps together in one hand.

Warning: W12, the hand that tempts its holder to wager on all four points, though he can
save only one of Jack and Game (Seven-Up, "cheating").
Null: the six cards of a hand and the turn-up are uniform in the pack: a named place is
dealt it once in 33,446,140 deals (C(52,6) hands, 4 suits, 7 of 46 cards turn the suit).
Evidence: odds a thousand, 10^5 and 10^7 times the fair ones, for each place.
Misses: a planted hand that differs in one card.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.law import Law
from audit.record import Batch
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_RANKS = "AKJT92"
#: 4 suits, one hand of C(52, 6), and 7 of the other 46 cards turn its suit.
CHANCE = Fraction(4 * 7, 20_358_520 * 46)
_BIT = np.zeros(256, np.uint64)
_BIT[:52] = np.uint64(1) << np.arange(52, dtype=np.uint64)
_HIGH = np.array(
    [sum(1 << (13 * s + "23456789TJQKA".index(r)) for r in _RANKS) for s in range(4)], np.uint64
)


def _games(law: Law) -> bool:
    return law.id.startswith("seven_up")


def _scan(batch: Batch, table: Table) -> Scan | None:
    turns = np.diff(batch.turn_at) > 0
    places = min(batch.hands.shape[1], table.players)
    if not turns.any() or not places or batch.hands.shape[2] < 6:
        return None
    first = np.full(len(batch), 255, np.uint8)
    first[turns] = batch.turnups[batch.turn_at[:-1][turns]]
    # Whether a hand stands in the log may follow what it was: only deals that show all of them.
    seats = batch.players[:, None]
    whole = (batch.hands[:, :places, 5] < 52) | (np.arange(places) >= seats)
    shown = (first < 52) & whole.all(axis=1)
    row, place = np.nonzero(shown[:, None] & (np.arange(places) < seats))
    suit: NDArray[np.int64] = first[row].astype(np.int64) // 13
    # Few hands begin with one of the six.
    high = _HIGH[suit]
    hit = (_BIT[batch.hands[row, place, 0]] & high) != 0
    near = np.flatnonzero(hit)
    held = np.bitwise_or.reduce(_BIT[batch.hands[row[near], place[near]]], axis=1)
    hit[near] = held == high[near]
    return Scan(
        row=row,
        hit=hit,
        num=np.full(len(row), CHANCE.numerator, np.int64),
        den=np.full(len(row), CHANCE.denominator, np.int64),
        subject=place + 1,
    )


SUSPICION = Suspicion(
    id="high_hand",
    codes=("W12",),
    title="The high hand is dealt",
    games=_games,
    fields=("deal_seq", "turnup"),
    per="seat",
    odds=(1_000, 100_000, 10_000_000),
    weight="events",
    part=Fraction(1, 8),
    null="the cards of a hand and the turn-up are uniform cards of the pack",
    says="{who}: ace, King, Jack, ten, nine and two of trumps in {hits} of {trials} hands;"
    " a fair pack deals them once in 33,446,140",
    explains=("a hand made up for a lesson or a story",),
    scan=_scan,
)
