"""Three of a suit lie against an ace or King guarded two or three times, oftener than they should.

Warning: W34, such a card is very safe in a misère, for nobody is likely to lead the suit more
than twice (Napoleon).
Null: given the own five cards with k of the suit, the other 13 - k lie among 47 cards; with
four players some hand holds three or more of them with chance .168 for k = 3, .123 for k = 4.
Evidence: odds 3/2, 2 and 4 times the fair ones, for each place, whether he bids or not; of two
such suits the first in the order S H D C.
Misses: how often the suit was led.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from audit.cards import RANKS
from audit.record import Batch
from audit.suspect._dealt import at, by_seat, lookup
from audit.suspect._nap import HAND, is_nap, napped, some_hand
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_games = is_nap
KING = RANKS.index("K")


def _scan(batch: Batch, table: Table, *, dealer: bool) -> Scan | None:
    n = napped(batch, table, dealer=dealer)
    if n is None:
        return None
    hands, rows = n.d.hands, np.arange(len(n.d.row))
    high = np.stack(
        [((hands // 13 == s) & (hands % 13 >= KING)).any(axis=2) for s in range(4)], axis=2
    )
    fits = high & (n.length >= 3) & (n.length <= 4)
    suit = fits.argmax(axis=2)
    held = np.take_along_axis(n.length, suit[:, :, None], axis=2)[:, :, 0]
    hit = np.zeros(n.d.seated.shape, np.bool_)
    for place in range(n.d.seated.shape[1]):
        others = n.length[rows, :, suit[:, place]] >= 3
        others[:, place] = False
        hit[:, place] = others.any(axis=1)
    some = n.d.whole & fits.any(axis=2)
    ways = [some_hand(13 - k, m, 3) for m in range(9) for k in range(HAND + 1)]
    chances = at(lookup(ways), n.against[:, None] * (HAND + 1) + np.where(some, held, 3))
    trial = (some | ~n.d.whole) & ~n.sits
    return by_seat(n.d, hit, chances, n.d.whole & n.shown[:, None], trial)


SUSPICION = Suspicion(
    id="guard_drawn",
    codes=("W34",),
    title="Three of a guarded suit lie in one hand against",
    games=_games,
    fields=("deal_seq",),
    per="seat",
    odds=(Fraction(3, 2), 2, 4),
    weight="events",
    part=Fraction(1, 4),
    null="given one hand, the others are uniform cards of the rest",
    says="{who}: in {hits} of {trials} deals a hand against held three of the guarded"
    " suit, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "hands written down after cards were bought",
        "deals thrown in when nobody bid, and not recorded",
    ),
    scan=partial(_scan, dealer=False),
    again=partial(_scan, dealer=True),
)
