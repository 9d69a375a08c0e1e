"""Begs go with the hand of the eldest's partner, who has not acted.

Warning: W15, a hand looked at before beg and gift are settled gives signals of pleasure or
disappointment (Seven-Up, "begging"); that it was looked at is a ruling.
Null: the eldest of four decides before anybody else has acted, from his hand and the turn-up;
his partner's six cards are uniform ones of the 45 others.
Statistic: at most one trump in the partner's hand: a hit of a beg; more: of a stand.
Evidence: odds 2, 4 and 16 times the fair ones and "always", for each place of an eldest.
Misses: signals of the dealer's partner, see `reflectors`, and any sent after others have acted.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from audit.law import Law
from audit.record import Deal
from audit.suspect._table import HAND, UNKNOWN, begs, eldest_says, exactly, of_suit, placed
from audit.suspicion import Suspicion, Trial

UNSEEN = 52 - HAND - 1


def _games(law: Law) -> bool:
    return begs(law) and law.players[1] > 3


@lru_cache(maxsize=64)
def chance(said: str, trumps: int) -> Fraction:
    """Return the chance of a hit of "beg" or "stand" where *trumps* of 45 cards are trumps."""
    few = sum(exactly(k, of=UNSEEN, marked=trumps, drawn=HAND) for k in (0, 1))
    return Fraction(few if said == "beg" else 1 - few)


@lru_cache(maxsize=2)
def _most(said: str) -> Fraction:
    return max(p for k in range(6, 13) if (p := chance(said, k)) < 1)


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    table = placed(deal, law) if deal.events else None
    if table is None or table.players != 4:
        return
    said = eldest_says(table)
    if not said:
        return
    partner = (table.eldest + 1) % 4 + 1
    hand, his = table.hand(table.eldest), table.hand(partner)
    if hand is None or table.turnup == UNKNOWN:
        yield Trial(chance=_most(said), hit=False, subject=table.eldest)
        return
    suit = table.turnup // 13
    few = his is not None and of_suit(his, suit) <= 1
    hit = few if said == "beg" else his is not None and not few
    yield Trial(chance=chance(said, 12 - of_suit(hand, suit)), hit=hit, subject=table.eldest)


SUSPICION = Suspicion(
    id="signals",
    codes=("W15", "T15"),
    title="Begs go with the partner's hand",
    games=_games,
    fields=("bids", "deal_seq", "turnup"),
    per="seat",
    odds=(2, 4, 16, None),
    weight="decisions",
    part=Fraction(1, 16),
    null="the eldest begs or stands without knowing his partner's cards",
    says="{who}: {hits} of {trials} begs and stands went with the partner's trumps,"
    " at most {expected} expected",
    explains=(
        "hands written down in other places than those who held them, as in dealing order",
        "cards of the partner that were seen by accident",
        "a shuffle so poor that a good memory tells where cards lie",
        "a log that keeps only some deals",
    ),
    find=_find,
)
