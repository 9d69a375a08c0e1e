"""Two of the own best suit lie in one hand against at Napoleon, oftener than they should.

Warning: W33, the bidder should expect at least two trumps in one hand against him.
Null: given the own five cards with k of the longest suit, the other 13 - k lie among 47 cards;
with four players some hand holds two or more of them with chance .741, .673, .595, .510 for
k = 2 to 5.
Evidence: odds 3/2, 2 and 4 times the fair ones, for each place, whether he bids or not; of
suits of one length the first in the order S H D C.
Misses: the suit that was made trumps, which is for the bidder to choose.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from audit.record import Batch
from audit.suspect._dealt import at, by_seat, lookup
from audit.suspect._nap import HAND, is_nap, napped, some_hand
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_games = is_nap


def _scan(batch: Batch, table: Table, *, dealer: bool) -> Scan | None:
    n = napped(batch, table, dealer=dealer)
    if n is None:
        return None
    rows, places = np.arange(len(n.d.row)), n.length.shape[1]
    suit, best = n.length.argmax(axis=2), n.length.max(axis=2)
    hit = np.zeros(n.d.seated.shape, np.bool_)
    for place in range(places):
        others = n.length[rows, :, suit[:, place]] >= 2
        others[:, place] = False
        hit[:, place] = others.any(axis=1)
    # A hand that is not shown may hold two only of its best suit, the likeliest case.
    held = np.where(n.d.whole, best, 2)
    ways = [some_hand(13 - k, m, 2) for m in range(9) for k in range(HAND + 1)]
    chances = at(lookup(ways), n.against[:, None] * (HAND + 1) + held)
    return by_seat(n.d, hit, chances, n.d.whole & n.shown[:, None], ~n.sits)


SUSPICION = Suspicion(
    id="trumps_against",
    codes=("W33",),
    title="Two of the best suit lie in one hand against",
    games=_games,
    fields=("deal_seq",),
    per="seat",
    odds=(Fraction(3, 2), 2, 4),
    weight="events",
    part=Fraction(1, 4),
    null="given one hand, the others are uniform cards of the rest",
    says="{who}: in {hits} of {trials} deals a hand against held two of the longest suit,"
    " {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "hands written down after cards were bought",
        "deals thrown in when nobody bid, and not recorded",
    ),
    scan=partial(_scan, dealer=False),
    again=partial(_scan, dealer=True),
)
