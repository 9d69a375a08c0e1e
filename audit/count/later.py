"""Later turn-ups of a deal: chance and outcome of a paying card, dealer by dealer.

Only Seven-Up and its kin run the cards.  The chance is that of the cards that
the log shows to be unseen where every first hand is logged, else the largest
that any begging and running can bring about: three Jacks in the 41-k cards
that nobody who decided has seen, at the k-th turn-up.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from audit.cards import UNKNOWN
from audit.record import Batch
from audit.stats.bets import LATER_ODDS
from audit.stats.tilt import hit_and_miss
from audit.tally import Arrays, Table, Tally


def _count(batch: Batch, table: Table) -> Arrays:
    """Fixed-point ln of the bets, `log[look, dealer, odds]`, and `seen[dealer, (turns, hits)]`."""
    people = max(1, len(table.dealers))
    log = np.zeros((table.looks.count, people, len(LATER_ODDS)), np.int64)
    seen = np.zeros((people, 2), np.int64)
    if not table.law.run or not table.law.honours:
        return {"log": log, "seen": seen}
    looks = table.looks.of(batch)
    ranks = {"23456789TJQKA".index(r) for r in table.law.honours}
    turns = batch.turn_at[1:] - batch.turn_at[:-1]
    for i in np.flatnonzero(turns > 1):
        who = 0 if table.machine else int(batch.dealer[i])
        cards = [int(c) for c in batch.turnups[batch.turn_at[i] : batch.turn_at[i + 1]]]
        if who < 0 or UNKNOWN in cards:
            continue
        hands = batch.hands[i].ravel()
        complete = bool(hands.size) and bool((hands != UNKNOWN).all())
        held = {int(c) for c in hands} if complete else set()
        for k in range(1, len(cards)):
            if any(c // 13 != cards[0] // 13 for c in cards[:k]):
                break
            if complete:
                unseen = set(table.pack) - held - set(cards[:k])
                paying = sum(c % 13 in ranks and c // 13 != cards[0] // 13 for c in unseen)
                chance = Fraction(paying, len(unseen))
            else:
                chance = Fraction(3, 41 - (k + 1))
            if not 0 < chance < 1:
                continue
            hit = cards[k] % 13 in ranks and cards[k] // 13 != cards[0] // 13
            seen[who] += (1, hit)
            for a, odds in enumerate(LATER_ODDS):
                log[looks[i], who, a] += hit_and_miss(chance, odds)[0 if hit else 1]
    return {"log": log, "seen": seen}


TALLY = Tally(id="later", count=_count)
