"""Four cards of one suit are dealt to a hand at Napoleon, oftener than a fair pack does.

Warning: W43, cards dealt in twos and threes are said to make hands livelier than single ones;
after a fair shuffle the packets make no difference.
Null: a hand is five uniform cards of the pack, four or five of one suit with chance
4 (C(13,4) 39 + C(13,5)) / C(52,5), whatever the packets.
Evidence: odds 3/2, 3 and 9 times the fair ones, for each place.
Misses: ranks that lie together.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import comb

from audit.record import Batch
from audit.suspect._dealt import by_seat, one
from audit.suspect._nap import HAND, is_nap, napped
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_games = is_nap
CHANCE = Fraction(4 * (comb(13, 4) * 39 + comb(13, HAND)), comb(52, HAND))


def _scan(batch: Batch, table: Table, *, dealer: bool) -> Scan | None:
    n = napped(batch, table, dealer=dealer)
    if n is None:
        return None
    return by_seat(n.d, n.length.max(axis=2) >= 4, one(CHANCE), n.d.whole, ~n.sits)


SUSPICION = Suspicion(
    id="suits_together",
    codes=("W43",),
    title="Four cards of a suit are dealt to a hand",
    games=_games,
    fields=("deal_seq",),
    per="seat",
    odds=(Fraction(3, 2), 3, 9),
    weight="events",
    part=Fraction(1, 4),
    null="the cards of a hand are uniform cards of the pack",
    says="{who}: four cards of a suit in {hits} of {trials} hands, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "tricks gathered by suit and not shuffled enough",
        "deals thrown in when nobody bid, and not recorded",
    ),
    scan=partial(_scan, dealer=False),
    again=partial(_scan, dealer=True),
)
