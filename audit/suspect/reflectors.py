"""The dealer's answer to a beg goes with hands that he dealt to others and may not see.

Warning: W08, reflectors (Seven-Up, "cheating"): the dealer sees the faces as he deals.
Null: the dealer answers when only the eldest has acted; the cards of the others are uniform
ones of the 39 that are neither his, nor the eldest's, nor turned.
Statistic: with three players a gift is a hit where the third holds at most one trump, a run
where he holds more.  With four a gift is a hit where the dealer's partner holds more trumps
than the pone, a run where he holds fewer: the one as likely as the other, whatever else is
known; where they hold as many there is no trial.
Evidence: odds 2, 4 and 16 times the fair ones and "always", for each place of a dealer.
Hands and turn-ups that the log does not show are no hits.
Misses: the eldest's hand, and every hand of a game of two, for the eldest has acted: what
he begged on tells of his cards, and a dealer who heard it needs no reflector.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from audit.law import Law
from audit.record import Deal
from audit.suspect._table import (
    HAND,
    UNKNOWN,
    Placed,
    begs,
    dealer_answers,
    exactly,
    of_suit,
    placed,
)
from audit.suspicion import Suspicion, Trial

UNSEEN = 52 - 2 * HAND - 1
EVEN = Fraction(1, 2)


def _mute(law: Law) -> str:
    return "the eldest has acted, and with two players there is no other hand" * (
        law.players[1] == 2
    )


@lru_cache(maxsize=16)
def chance_of_few(trumps: int) -> Fraction:
    """Return the chance that the third of three holds at most one of *trumps* of 39 cards."""
    return sum((exactly(y, of=UNSEEN, marked=trumps, drawn=HAND) for y in (0, 1)), Fraction(0))


@lru_cache(maxsize=2)
def _most(said: str) -> Fraction:
    """Return the largest chance of an answer of the dealer of three, at which a miss costs most."""
    few = [p for k in range(13) if (p := chance_of_few(k)) < 1]
    return max(few) if said == "give" else 1 - min(few)


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    table = placed(deal, law) if len(deal.events) > 1 else None
    said = dealer_answers(table) if table is not None else ""
    if table is None or not said:
        return
    if table.players == 3:
        yield _of_three(said, table)
    elif table.players == 4:
        yield from _of_four(said, table)


def _of_three(said: str, table: Placed) -> Trial:
    suit, place = table.turnup // 13, (table.dealer + 1) % 3 + 1
    mine, eldest, pone = (table.hand(p) for p in (table.dealer, table.eldest, place))
    if mine is None or eldest is None or table.turnup == UNKNOWN:
        return Trial(chance=_most(said), hit=False, subject=table.dealer)
    few = chance_of_few(12 - of_suit(mine + eldest, suit))
    gives = pone is not None and of_suit(pone, suit) <= 1
    if said == "give":
        return Trial(chance=few, hit=gives, subject=table.dealer)
    return Trial(chance=1 - few, hit=pone is not None and not gives, subject=table.dealer)


def _of_four(said: str, table: Placed) -> Iterable[Trial]:
    suit = table.turnup // 13
    places = [(table.dealer + k) % 4 + 1 for k in (1, 2)]
    partner, pone = (table.hand(place) for place in places)
    if partner is None or pone is None or table.turnup == UNKNOWN:
        yield Trial(chance=EVEN, hit=False, subject=table.dealer)
        return
    more = of_suit(partner, suit) - of_suit(pone, suit)
    if more:
        yield Trial(chance=EVEN, hit=(more > 0) == (said == "give"), subject=table.dealer)


SUSPICION = Suspicion(
    id="reflectors",
    codes=("W08", "T14"),
    title="The dealer's answer goes with hands that he may not see",
    games=begs,
    mute=_mute,
    fields=("bids", "deal_seq", "turnup"),
    per="seat",
    odds=(2, 4, 16, None),
    weight="decisions",
    part=Fraction(1, 8),
    null="the dealer gives or runs without knowing the hands of those who have not acted",
    says="{who}: as dealer, {hits} of {trials} answers to a beg went with the trumps of those"
    " who had not acted, at most {expected} expected",
    explains=(
        "hands written down in other places than those who held them, as in dealing order",
        "cards that were seen by accident as they were dealt",
        "a shuffle so poor that a good memory tells where cards lie",
        "a log that keeps only some deals",
    ),
    find=_find,
)
