"""The dealer deals himself naturals at vingt-un, oftener than the cards left deal them.

Warning: W94, what the book says of naturals is too much; the dealer's own is paid twice by all.
Null: the dealer's two cards are uniform ones of those that the coups before and the other hands
of this one have left.
Evidence: odds 2, 4 and 8 times the fair ones, for each dealer.
Misses: naturals of a friend; see `naturals`.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from audit.law import Law
from audit.record import Deal
from audit.rules.vingt_un import natural
from audit.suspect._coups import Coup, coups, is_vingt_un, left_for, natural_next, unknown
from audit.suspicion import Suspicion, Trial

_games = is_vingt_un


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    for coup in coups(deal, law):
        if not isinstance(coup, Coup):
            continue
        if not coup.hands:
            yield from unknown()
            continue
        others = b"".join(h for k, h in enumerate(coup.hands) if k != coup.dealer)
        chance = natural_next(left_for(coup.left, others))
        yield Trial(chance=chance, hit=natural(coup.hands[coup.dealer]))


SUSPICION = Suspicion(
    id="dealer_naturals",
    codes=("W94",),
    title="The dealer deals himself naturals",
    games=_games,
    fields=("deal_seq", "order_after_cut"),
    per="dealer",
    odds=(2, 4, 8),
    weight="events",
    part=Fraction(1, 4),
    null="the next cards are uniform among those that are not out",
    says="{who}: {hits} naturals in {trials} own hands, {expected} expected",
    explains=(
        "a pack that was not shuffled before it was begun",
        "records that break off because of what was drawn",
    ),
    find=_find,
)
