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

from audit.law import Law
from audit.record import Batch
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_RANKS = "AKJT92"
#: 4 suits, one hand of C(52, 6), and 7 of the other 46 cards turn its suit.
CHANCE = Fraction(4 * 7, 20_358_520 * 46)
_HIGH = np.array(
    [sum(1 << (13 * s + "23456789TJQKA".index(r)) for r in _RANKS) for s in range(4)], np.uint64
)


def _games(law: Law) -> bool:
    return law.id.startswith("seven_up")


def _scan(batch: Batch, table: Table) -> Scan | None:
    row, place = np.nonzero(np.arange(table.players) < batch.players[:, None])
    first = batch.first_turned
    # Whether hand and turn-up stand in the log may follow what they were.
    shown, hit = first[row] < 52, np.zeros(len(row), np.bool_)
    if batch.hands.shape[2] < 6:
        shown[:] = False
    else:
        held = np.flatnonzero(shown & (place < batch.hands.shape[1]))
        known = np.zeros(len(row), np.bool_)
        known[held] = batch.hands[row[held], place[held], 5] < 52
        shown &= known
        at = np.flatnonzero(shown)
        hit[at] = batch.held[row[at], place[at]] == _HIGH[first[row[at]] // 13]
    return Scan(
        row=row,
        hit=hit,
        num=np.full(len(row), CHANCE.numerator, np.int64),
        den=np.full(len(row), CHANCE.denominator, np.int64),
        subject=place + 1,
        shown=shown,
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
    explains=("a hand made up for a lesson or a story", "a log that keeps remarkable deals"),
    scan=_scan,
)
