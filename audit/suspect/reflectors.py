"""The dealer's answer to a beg goes with hands that he dealt to others and may not see.

Warning: W08, reflectors (Seven-Up, "cheating"): the dealer sees the faces as he deals.
Null: the dealer answers when only the eldest has acted; the cards of the others are uniform
ones of the 39 that are neither his, nor the eldest's, nor turned.
Statistic: with three players a gift is a hit where the third holds at most one trump, a run
where he holds more; with four a gift where the dealer's partner holds more trumps than the
pone, a run where he holds fewer.
Evidence: odds 2, 4 and 16 times the fair ones and "always", for each place of a dealer.
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


def _mute(law: Law) -> str:
    return "the eldest has acted, and with two players there is no other hand" * (
        law.players[1] == 2
    )


@lru_cache(maxsize=64)
def chance(said: str, trumps: int, players: int) -> Fraction:
    """Return the chance of a hit of "give" or "run" where *trumps* of 39 cards are trumps."""
    if players == 3:
        few = sum(exactly(y, of=UNSEEN, marked=trumps, drawn=HAND) for y in (0, 1))
        return Fraction(few if said == "give" else 1 - few)
    both = sum(
        exactly(x, of=UNSEEN, marked=trumps, drawn=HAND)
        * exactly(x, of=UNSEEN - HAND, marked=trumps - x, drawn=HAND)
        for x in range(HAND + 1)
    )
    return Fraction(1 - both) / 2


@lru_cache(maxsize=8)
def _most(said: str, players: int) -> Fraction:
    return max(p for k in range(13) if (p := chance(said, k, players)) < 1)


def _find(deal: Deal, law: Law) -> Iterable[Trial]:
    table = placed(deal, law) if len(deal.events) > 1 else None
    said = dealer_answers(deal, table) if table is not None else ""
    if table is None or not said or table.players not in (3, 4):
        return
    mine, eldest = table.hand(table.dealer), table.hand(table.eldest)
    if mine is None or eldest is None or table.turnup == UNKNOWN:
        p = _most(said, table.players)
        yield Trial(chance=p, hit=False, subject=table.dealer)
        return
    suit = table.turnup // 13
    trumps = 12 - of_suit(mine + eldest, suit)
    p = chance(said, trumps, table.players)
    hit = hits(said, suit, [table.hand(place) for place in others(table)])
    yield Trial(chance=p, hit=hit, subject=table.dealer)


def others(table: Placed) -> list[int]:
    """Return the places that have not acted: the dealer's partner, if he has one, and the pone."""
    return [(table.dealer + k - 1) % table.players + 1 for k in range(2, table.players)]


def hits(said: str, suit: int, hands: list[bytes | None]) -> bool:
    """Whether the answer goes with *hands*, the pone's last; never where one is not shown."""
    counts = [of_suit(h, suit) for h in hands if h is not None]
    if len(counts) < len(hands):
        return False
    gives = counts[-1] <= 1 if len(counts) == 1 else counts[0] > counts[1]
    runs = counts[-1] > 1 if len(counts) == 1 else counts[0] < counts[1]
    return gives if said == "give" else runs


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
        "cards that were seen by accident as they were dealt",
        "a shuffle so poor that a good memory tells where cards lie",
        "a log that keeps only some deals",
    ),
    find=_find,
)
