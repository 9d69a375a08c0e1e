"""Misdeals come after deals that gave the dealer a poor hand.

Warning: W23, in games where a misdeal costs nothing it is a free new deal (Pitch, Auction
Pitch); also faced cards and imperfect packs of Seven-Up, after which the same dealer deals.
Null: a misdeal is independent of the dealer's hand, or found at most three times as readily
when that is poor.
Statistic: the dealer's hand holds no ace, King or Queen (chance .1885, with that care .4107).
Evidence: odds 2, 4 and 16 times the bound, for each dealer.  A misdeal whose cards the
log does not show is no hit.
Misses: misdeals that are not on record; those declared by others than the dealer.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from audit.law import Law
from audit.record import Deal
from audit.suspect._misdeal import POOR, poor, said, with_care
from audit.suspect._table import is_all_fours, placed
from audit.suspicion import Suspicion, Trial

WORDS = frozenset({"misdeal", "faced card", "imperfect pack", "no cut", "foul hand"})
CHANCE = with_care(POOR)


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    if any(e.kind == "play" for e in deal.events):
        return
    if said(deal, WORDS, frozenset((0, deal.dealer_seat or 0))):
        table = placed(deal, law)
        yield Trial(chance=CHANCE, hit=table is not None and poor(table))


SUSPICION = Suspicion(
    id="convenient_misdeals",
    codes=("W23", "T16"),
    title="Misdeals follow poor hands of the dealer",
    games=is_all_fours,
    fields=("irregularity", "deal_seq"),
    per="dealer",
    odds=(2, 4, 16),
    weight="events",
    part=Fraction(1, 4),
    null="misdeals are independent of the dealer's hand, or found at most three times as readily"
    " when it is poor",
    says="{who}: {hits} of {trials} misdeals came after a hand without ace, King or Queen,"
    " at most {expected} expected",
    explains=(
        "misdeals that were written down only after some hands",
        "a dealer who counts or looks for faced cards with more care when his hand is poor",
    ),
    find=_find,
)
