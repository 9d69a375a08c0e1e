"""The dealer of Écarté deals himself the King of trumps, oftener than a fair pack does.

Chance: E02, the King of trumps in hand marks a point, as one that is turned does (W79).
Null: given that no King is turned, the dealer's first hand holds it with chance 5/31.
Evidence: odds 3/2, 2 and 4 times the fair ones, for each dealer, in hands as dealt.
Misses: a King drawn, which scores as well.
"""

from __future__ import annotations

from fractions import Fraction

from audit.cards import RANKS
from audit.record import Batch
from audit.suspect._dealt import by_deal, dealt, of_dealer, one
from audit.suspect._ecarte import HAND, is_ecarte
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

_games = is_ecarte
KING = RANKS.index("K")


def _scan(batch: Batch, table: Table) -> Scan | None:
    d = dealt(batch, table)
    if d is None:
        return None
    known = d.turn < 52
    held = (d.hands == (d.turn // 13 * 13 + KING)[:, None, None]).any(axis=2)
    trial = ~known | (d.turn % 13 != KING)
    shown = known & of_dealer(d, d.whole)
    return by_deal(d, of_dealer(d, held), one(Fraction(HAND, 31)), shown, trial)


SUSPICION = Suspicion(
    id="king_dealt",
    codes=("E02",),
    title="The King of trumps is dealt to the dealer",
    games=_games,
    fields=("deal_seq", "turnup", "order_after_cut"),
    per="dealer",
    odds=(Fraction(3, 2), 2, 4),
    weight="events",
    part=Fraction(1, 4),
    null="the cards of the dealer's first hand are uniform cards beside the turn-up",
    says="{who}: the King of trumps lay in the own hand in {hits} of {trials} deals,"
    " {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "hands written down after an exchange, with an order of the pack made up from them",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
