"""No card that counts for Game is in any hand, oftener than a fair pack deals it.

Warning: W20, that no Game is out happens rarely (Seven-Up); it gives the point to the
non-dealer.
Null: the hands are uniform cards of the pack; none of 6n cards is an ace, King, Queen, Jack or
ten with chance C(32, 6n) / C(52, 6n): .0011 for two, 1.1e-5 for three, 2.5e-8 for four players.
Evidence: odds 4, 32 and 1,000 times the fair ones, for the table.
Misses: hands shortened by a few counting cards.  Deals that do not show every hand whole count
as deals in which somebody held such a card.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from audit.law import Law
from audit.record import Batch
from audit.rules.seven_up import SevenUp
from audit.suspect._table import HAND, is_all_fours
from audit.suspicion import Scan, Suspicion, rounded_up
from audit.tally import Table

#: The ten; it and every rank above it counts for Game.
TEN = 8
COUNTING = 20
_COUNTING = np.uint64(sum(1 << c for c in range(52) if c % 13 >= TEN))


def _games(law: Law) -> bool:
    return is_all_fours(law) and isinstance(law.rules, SevenUp)


def chance(players: int) -> Fraction:
    """Return the chance that no hand of *players* holds a card that counts for Game."""
    return Fraction(comb(52 - COUNTING, HAND * players), comb(52, HAND * players))


def _scan(batch: Batch, table: Table) -> Scan | None:
    places = batch.hands.shape[1]
    players = batch.players.astype(np.int64)
    full = batch.held_sizes == HAND
    seated = np.arange(places) < players[:, None]
    fits = np.isin(players, table.law.tables)
    # Whether hands, or the players, stand in the log may follow what the hands were.
    shown = fits & (players <= places) & (full | ~seated).all(axis=1)
    players = np.where(fits, players, min(table.law.tables))
    row = np.arange(len(batch))
    if not len(row):
        return None
    counts = (batch.held[row] & _COUNTING) != 0
    num, den = np.ones((2, 256), np.int64)
    for n in table.law.tables:
        num[n], den[n] = rounded_up(chance(n))
    return Scan(
        row=row,
        hit=np.asarray(shown & ~counts.any(axis=1)),
        num=num[players[row]],
        den=den[players[row]],
        subject=np.zeros(len(row), np.int64),
        shown=shown,
    )


SUSPICION = Suspicion(
    id="no_game",
    codes=("W20",),
    title="No card that counts for Game is dealt to anybody",
    games=_games,
    fields=("deal_seq",),
    per="table",
    odds=(4, 32, 1_000),
    weight="events",
    part=Fraction(1, 16),
    null="the cards of the hands are uniform cards of the pack",
    says="{who}: in {hits} of {trials} deals nobody held an ace, King, Queen, Jack or ten;"
    " {expected} expected",
    explains=("a pack from which cards are missing", "a log that keeps remarkable deals"),
    scan=_scan,
)
