"""Cards are exposed in dealing when the dealer's hand is poor.

Warning: W24, a card exposed by the dealer leaves the choice of a new deal to his adversaries,
so that he should never gain by it (Seven-Up, "misdealing").
Null: that a card is exposed is independent of the dealer's hand, or written down at most
three times as readily when that is poor; whether the deal stands is not asked.
Statistic: the dealer's hand holds no ace, King or Queen (chance .1885, with that care .4107).
Evidence: odds 2, 4 and 16 times the bound, for each dealer.  Where the log does not
show the dealer's hand there is no hit.
Misses: what the adversaries choose, which may follow their cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from audit.law import Law
from audit.record import Deal
from audit.suspect._misdeal import ANYBODY, POOR, poor, said, with_care
from audit.suspect._table import is_all_fours, placed
from audit.suspicion import Suspicion, Trial

WORDS = frozenset({"exposed card"})
CHANCE = with_care(POOR)


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    if said(deal, WORDS, ANYBODY):
        table = placed(deal, law)
        yield Trial(chance=CHANCE, hit=table is not None and poor(table))


SUSPICION = Suspicion(
    id="exposed_card",
    codes=("W24",),
    title="Cards are exposed when the dealer's hand is poor",
    games=is_all_fours,
    fields=("irregularity", "deal_seq"),
    per="dealer",
    odds=(2, 4, 16),
    weight="events",
    part=Fraction(1, 16),
    null="exposed cards are independent of the dealer's hand, or written down at most three times"
    " as readily when it is poor",
    says="{who}: {hits} of {trials} deals with an exposed card gave the dealer no ace, King or"
    " Queen, at most {expected} expected",
    explains=("exposed cards that were written down only after some hands",),
    find=_find,
)
