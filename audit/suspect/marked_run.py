"""The dealer's answer to a beg goes with the card that a run would turn.

Warning: W05, marked cards (Seven-Up, "cheating"): who can tell the cards of the stock by
their backs runs them when the next turn-up will serve him.
Null: the dealer answers when only the eldest has acted; the card that a run would turn is a
uniform one of the 39 that neither of them holds.
Statistic: the card is a Jack of another suit than that turned, or of a suit in which the
dealer is stronger: a hit of a run; else a hit of a gift.
Evidence: odds 2, 4 and 16 times the fair ones and "always", for each place of a dealer.  Where
two play, the odds of a hit of a run are taken to be twice the fair ones, as in `marked_stock`.
Misses: deals whose order is not on record; signs that tell other cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from audit.law import Law
from audit.record import Deal
from audit.suspect._table import (
    HAND,
    JACK,
    UNKNOWN,
    begs,
    better_suits,
    dealer_answers,
    not_held,
    odds_times,
    placed,
    turn_places,
)
from audit.suspicion import Suspicion, Trial

UNSEEN = 52 - 2 * HAND - 1
#: The chance that a card not seen is one of so many.
OF_UNSEEN = tuple(Fraction(k, UNSEEN) for k in range(UNSEEN + 1))
#: At most half of the deals that turned what the dealer did not want are missing.
BUNCHED = 2


@lru_cache(maxsize=64)
def serving(better: frozenset[int], turned: int) -> frozenset[int]:
    """Return the cards that serve the dealer, who is better in the suits *better*, when turned.

    Whole suits and the Jacks of the others; nothing of the suit *turned* serves him.
    """
    return frozenset(
        c for c in range(52) if c // 13 in better or (c % 13 == JACK and c // 13 != turned)
    )


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    if len(deal.events) < 2 or deal.order_after_cut is None:
        return
    table = placed(deal, law)
    said = dealer_answers(table) if table is not None else ""
    if table is None or not table.order or not said or table.turnup == UNKNOWN:
        return
    mine, eldest, turned = table.hand(table.dealer), table.hand(table.eldest), table.turnup // 13
    if mine is None or eldest is None:
        return
    good = serving(better_suits(mine, turned), turned)
    unseen = not_held(good, mine + eldest)
    hit = table.order[turn_places(law, table.players)[1]] in good
    if said == "give":
        yield Trial(chance=OF_UNSEEN[UNSEEN - unseen], hit=not hit, subject=table.dealer)
    else:
        p = OF_UNSEEN[unseen]
        p = odds_times(BUNCHED, p) if table.players == 2 else p
        yield Trial(chance=p, hit=hit, subject=table.dealer)


SUSPICION = Suspicion(
    id="marked_run",
    codes=("W05", "T14"),
    title="The dealer's answer goes with the card that a run would turn",
    games=begs,
    fields=("bids", "order_after_cut"),
    per="seat",
    odds=(2, 4, 16, None),
    weight="decisions",
    part=Fraction(1, 8),
    null="the dealer gives or runs without knowing the card that a run would turn",
    says="{who}: as dealer, {hits} of {trials} answers to a beg went with the card that a run"
    " would turn, at most {expected} expected",
    explains=(
        "a shuffle so poor that a good memory tells cards of the stock",
        "a card of the stock that was seen by accident",
        "a log that keeps only some deals",
    ),
    find=_find,
)
