"""Pam is dealt to the dealer at five-card Loo, oftener than a fair pack does.

Chance: E19, Pam beats every card and makes a flush of any four.
Null: Pam lies in the dealer's first hand with chance 5/51, given that another card is turned.
Evidence: odds 2, 4 and 8 times the fair ones, for each dealer, in hands as dealt.
Misses: Pam drawn, or dealt to a friend.  Pam is the one of the game's own law.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from audit.law import Law
from audit.record import Batch
from audit.rules.loo import Loo
from audit.suspect._dealt import by_deal, dealt, of_dealer, one
from audit.suspicion import Scan, Suspicion
from audit.tally import Table


def _games(law: Law) -> bool:
    return isinstance(law.rules, Loo) and law.rules.pam != "none"


def _scan(batch: Batch, table: Table) -> Scan | None:
    d, rules = dealt(batch, table), table.law.rules
    if d is None or not isinstance(rules, Loo):
        return None
    pams = np.array([rules.pam_card(c // 13) for c in range(52)] + [-1] * 204, np.int64)
    pam = pams[d.turn]
    held = (d.hands == pam[:, None, None]).any(axis=2)
    shown = (d.turn < 52) & of_dealer(d, d.whole)
    chance = one(Fraction(rules.cards, 51))
    return by_deal(d, of_dealer(d, held), chance, shown, trial=d.turn != pam)


SUSPICION = Suspicion(
    id="pam_dealt",
    codes=("E19",),
    title="Pam is dealt to the dealer",
    games=_games,
    fields=("deal_seq", "turnup", "order_after_cut"),
    per="dealer",
    odds=(2, 4, 8),
    weight="events",
    part=Fraction(1, 4),
    null="the cards of the dealer's first hand are uniform cards beside the turn-up",
    says="{who}: Pam lay in the own hand in {hits} of {trials} deals, {expected} expected",
    explains=(
        "a shuffle so poor that cards of the last deal stay together",
        "hands written down after an exchange, with an order of the pack made up from them",
        "a log that keeps only some deals",
    ),
    scan=_scan,
)
