"""First hands of Écarté, judged given the card turned."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.cards import pack
from audit.law import Law
from audit.record import Batch
from audit.rules.ecarte import Ecarte
from audit.suspect._dealt import at, both, by_seat, dealt, lookup
from audit.suspicion import Scan
from audit.tally import Table

HAND = 5
PACK = pack("789TJQKA")


def is_ecarte(law: Law) -> bool:
    """Whether the game is Écarté or one of its pools."""
    return isinstance(law.rules, Ecarte) and len(law.pack) == len(PACK)


def by_turn(
    batch: Batch,
    table: Table,
    hit: Callable[[NDArray[np.uint8], NDArray[np.int64]], NDArray[np.bool_]],
    chance: Callable[[int], Fraction],
) -> Scan | None:
    """Return a trial for each hand: *hit* of hands and turn-ups, *chance* by the card turned."""
    d = dealt(batch, table)
    if d is None or set(table.pack) != set(PACK):
        return None
    chances = {c: chance(c) for c in PACK}
    num, den = at(lookup([chances.get(c, Fraction(1)) for c in range(256)]), d.turn)
    known = np.isin(d.turn, PACK)
    shown = d.whole & known[:, None]
    told = by_seat(d, hit(d.hands, d.turn), (num[:, None], den[:, None]), shown)
    if known.all():
        return told
    # A turn-up that is not shown leaves any of the chances: each bet takes the worst of them.
    lost, none = ~known[:, None], np.zeros(d.seated.shape, np.bool_)
    for extreme in (min(chances.values()), max(chances.values())):
        num, den = at(lookup([extreme]), np.zeros((1, 1), np.int64))
        told = both(told, by_seat(d, none, (num, den), none, lost))
    return told
