"""The highest trump of a deal of Speculation lay high in the pack as it was gathered, or low.

Warning: W85, one is to remember which high trumps came out in earlier deals; after a fair
shuffle they tell nothing.
Null: the order of the pack is independent of how it was gathered, so that the highest trump
dealt is each card with a chance of its own rank: it is one of the top 3n + 1 cards as gathered
with the sum of their chances.
Evidence: odds a quarter, half, twice and four times the fair ones, for the table.
Misses: logs that do not say how the cards were gathered.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np

from audit.cards import UNKNOWN
from audit.law import Law
from audit.record import Batch
from audit.rules.speculation import Speculation
from audit.suspect._dealt import BOTH_WAYS, Ints, at, both, by_deal, dealt, lookup, one
from audit.suspicion import Scan, Suspicion
from audit.tally import Table


def _games(law: Law) -> bool:
    return isinstance(law.rules, Speculation) and len(law.pack) == 52


@lru_cache(maxsize=32)
def tops(cards: int) -> tuple[int, ...]:
    """Return for each rank in how many ways a card of it is the highest of *cards* dealt.

    Ways of 52 C(51, cards): the card turned, and which of the others are dealt.
    """
    out = []
    for above in range(12, -1, -1):
        # The card itself is dealt and the better ones are not; one of them may be turned.
        one_turned = above * comb(51 - above, cards - 1)
        out.append(one_turned + (12 - above) * comb(50 - above, cards - 1))
    return tuple(out)


def chance(ranks: Ints, cards: int) -> Fraction:
    """Return the chance that the highest trump dealt is one of the cards with these *ranks*."""
    ways = tops(cards)
    return Fraction(sum(ways[r] for r in ranks.tolist()), 52 * comb(51, cards))


@lru_cache(maxsize=32)
def extremes(cards: int) -> tuple[Fraction, Fraction]:
    """Return the least and the largest chance of any cards + 1 cards of the pack."""
    ranks = np.arange(52) // 4
    return chance(ranks[: cards + 1], cards), chance(ranks[51 - cards :], cards)


def _scan(batch: Batch, table: Table) -> Scan | None:
    d = dealt(batch, table)
    if d is None:
        return None
    gathered = np.full((len(d.row), 52), UNKNOWN, np.uint8)
    if batch.gathered is not None and batch.gathered.shape[1] == 52:
        gathered[:] = batch.gathered[d.row]
    trumps = (d.hands // 13 == (d.turn // 13)[:, None, None]) & (d.hands < 52)
    top = np.where(trumps, d.hands.astype(np.int64), -1).max(axis=(1, 2))
    told = (np.sort(gathered, axis=1) == np.arange(52)).all(axis=1)
    shown = d.all_whole & (d.turn < 52)
    found: Scan | None = None
    none = np.zeros(len(d.row), np.bool_)
    for n in np.unique(d.players):
        of_n, cards = d.players == n, 3 * int(n)
        upper = gathered[:, : cards + 1]
        hit = (upper == top[:, None]).any(axis=1)
        rows = np.flatnonzero(of_n & told)
        chances = [Fraction(1)] * len(d.row)
        for i in rows:
            chances[i] = chance(upper[i].astype(np.int64) % 13, cards)
        mine = by_deal(d, hit, at(lookup(chances), np.arange(len(d.row))), shown, of_n & told)
        for extreme in extremes(cards):
            mine = both(mine, by_deal(d, none, one(extreme), none, of_n & ~told))
        found = mine if found is None else both(found, mine)
    return found


SUSPICION = Suspicion(
    id="trumps_again",
    codes=("W85",),
    title="High trumps come again as the cards were gathered",
    games=_games,
    fields=("deal_seq", "turnup", "gathered_order"),
    per="table",
    odds=BOTH_WAYS,
    weight="events",
    part=Fraction(1, 2),
    null="the order of the pack is independent of how it was gathered",
    says="{who}: in {hits} of {trials} deals the highest trump had lain in the upper part"
    " of the pack as gathered, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "cards gathered face up and dealt again unshuffled",
        "an order as gathered that was copied from the order dealt",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
