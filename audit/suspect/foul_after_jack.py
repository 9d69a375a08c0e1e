"""A wrong number of cards is announced when a Jack has been turned.

Warning: W18, a foul hand announced before the first play cancels the Jack turned, so that
announcing it at the right moment helps the adversary (Seven-Up, "dealing").
Null: foul hands are announced whatever card was turned, or at most three times as readily
after a Jack, for who is sorry for it counts his cards.
Statistic: the card turned is a Jack (chance 1/13, with that care 1/5).
Evidence: odds 2, 4 and 16 times the bound, for the table.  Where the log does not show the
card turned there is no hit.
Misses: foul hands that were kept quiet.  An announcement of a hand that the log shows to have
six cards is a ruling of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from audit.law import Law
from audit.record import Deal
from audit.suspect._misdeal import ANYBODY, said, with_care
from audit.suspect._table import HAND, JACK, UNKNOWN, begs
from audit.suspicion import Suspicion, Trial

WORDS = frozenset({"foul hand"})
CHANCE = with_care(Fraction(1, 13))


def _turned(deal: Deal) -> int:
    """Return the first card turned, off the pack where only that is known, 255 for none."""
    if deal.turnups:
        return deal.turnups[0]
    order, at = deal.order_after_cut or b"", HAND * (deal.players or len(deal.hands))
    return order[at] if at and len(order) > at else UNKNOWN


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    if said(deal, WORDS, ANYBODY):
        card = _turned(deal)
        yield Trial(chance=CHANCE, hit=card < 52 and card % 13 == JACK)


SUSPICION = Suspicion(
    id="foul_after_jack",
    codes=("W18",),
    title="Foul hands are announced after a Jack",
    games=begs,
    fields=("irregularity", "turnup"),
    per="table",
    odds=(2, 4, 16),
    weight="events",
    part=Fraction(1, 8),
    null="foul hands are announced whatever card is turned, or at most three times as readily"
    " after a Jack",
    says="{who}: {hits} of {trials} foul hands were announced after a Jack was turned,"
    " at most {expected} expected",
    explains=(
        "players who count their cards only after a Jack",
        "misdeals that were written down only after a Jack",
    ),
    find=_find,
)
