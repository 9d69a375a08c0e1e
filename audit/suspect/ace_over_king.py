"""The ace lies against a King held without it at Napoleon, oftener or seldomer than it should.

Warning: W32, with King and queen of a plain suit the ace is not out at about two to one; W40,
one doubtful trick, such as a King alone, may be risked in a nap.
Null: given the own five cards, the ace is one of the 47 others, and in one of m hands against
with chance 5m/47: 15/47 where four play.
Evidence: odds a quarter, half, twice and four times the fair ones, for each place; of several
such suits the first with the queen too, else the first, in the order S H D C.
Misses: whether the holder of the ace kept it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from audit.cards import RANKS
from audit.record import Batch
from audit.suspect._dealt import BOTH_WAYS, at, by_seat, lookup
from audit.suspect._nap import HAND, is_nap, napped
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_games = is_nap
QUEEN, KING, ACE = (RANKS.index(rank) for rank in "QKA")


def _scan(batch: Batch, table: Table, *, dealer: bool) -> Scan | None:
    n = napped(batch, table, dealer=dealer)
    if n is None:
        return None
    hands = n.d.hands
    # (deals, places, suits): whether a hand holds the queen, the King, the ace of the suit.
    queen, king, ace = (
        np.stack([(hands == 13 * s + rank).any(axis=2) for s in range(4)], axis=2)
        for rank in (QUEEN, KING, ACE)
    )
    fits = king & ~ace
    suit = (fits.astype(np.int64) + (fits & queen)).argmax(axis=2)
    out = np.asarray(ace.any(axis=1))[np.arange(len(hands))[:, None], suit]
    num, den = at(lookup([Fraction(HAND * m, 47) for m in range(9)]), n.against)
    trial = (~n.d.whole | fits.any(axis=2)) & ~n.sits
    shown = n.d.whole & n.shown[:, None]
    return by_seat(n.d, out, (num[:, None], den[:, None]), shown, trial)


SUSPICION = Suspicion(
    id="ace_over_king",
    codes=("W32", "W40"),
    title="The ace is out against the King",
    games=_games,
    fields=("deal_seq",),
    per="seat",
    odds=BOTH_WAYS,
    weight="events",
    part=Fraction(1, 4),
    null="given one hand, the ace is as likely each of the other cards",
    says="{who}: the ace was in a hand against the King in {hits} of {trials} deals,"
    " {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "hands written down after cards were bought",
        "deals thrown in when nobody bid, and not recorded",
    ),
    scan=partial(_scan, dealer=False),
    again=partial(_scan, dealer=True),
)
