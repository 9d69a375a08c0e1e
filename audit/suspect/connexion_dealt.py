"""Both cards of the first connexion are dealt, oftener or seldomer than a fair pack does.

Chance: E45, ace of spades and ace of clubs, the best of the three connexions.
Null: with c of 52 cards in hands, both are among them with chance c (c - 1) / (52 * 51):
145/442 for three players, 248/663 for four.
Evidence: odds a quarter, half, twice and four times the fair ones, for the table.
Misses: the other connexions, which share its cards; who took the tricks.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from audit.law import Law
from audit.record import Batch
from audit.rules.connexions import PAIRS, Connexions, both_dealt
from audit.suspect._dealt import BOTH_WAYS, at, by_deal, dealt, lookup
from audit.suspicion import Scan, Suspicion
from audit.tally import Table

FIRST = sorted(PAIRS[0][1])


def _games(law: Law) -> bool:
    return isinstance(law.rules, Connexions)


def _scan(batch: Batch, table: Table) -> Scan | None:
    d, law = dealt(batch, table), table.law
    if d is None:
        return None
    chances = [
        both_dealt(len(table.pack), law.in_hands(n)) if n in law.tables else Fraction(1)
        for n in range(max(law.tables) + 1)
    ]
    one, other = (np.asarray((d.hands == card).any(axis=(1, 2))) for card in FIRST)
    return by_deal(d, one & other, at(lookup(chances), d.players), d.all_whole)


SUSPICION = Suspicion(
    id="connexion_dealt",
    codes=("E45",),
    title="The first connexion is dealt",
    games=_games,
    fields=("deal_seq",),
    per="table",
    odds=BOTH_WAYS,
    weight="events",
    part=Fraction(1, 4),
    null="the cards of all hands are uniform cards of the pack",
    says="{who}: both cards of the first connexion were dealt in {hits} of {trials}"
    " deals, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
