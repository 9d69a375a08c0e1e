"""How strong each place's hand is beside the others of the same deal.

Bets are laid per deal on the multiset of hands (which place has which is
uniform when hands are exchangeable) and on the best hand of the deal.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.law import Law
from audit.record import Batch
from audit.stats.bets import OFTEN, TAIL_ODDS, TAILS, TILTS
from audit.stats.evalue import SCALE, log_fixed
from audit.stats.hand import at_least, spread
from audit.stats.tilt import NEVER, hit_and_miss
from audit.tally import Arrays, Table, Tally


def points(law: Law) -> NDArray[np.int64]:
    """Return the points of each card number, 0 for 255 and for cards that do not count."""
    table = np.zeros(256, np.int64)
    for card in range(52):
        table[card] = law.strength.get("23456789TJQKA"[card % 13], 0)
    return table


def _count(batch: Batch, table: Table) -> Arrays:
    """`always[place]` misses, fixed-point `log[look, place, atom]`, `best[look, atom]`, `deals`."""
    law, n = table.law, table.players
    atoms = 1 + len(OFTEN) + len(TILTS)
    tails = len(TAILS) * len(TAIL_ODDS)
    out = {
        "log": np.zeros((table.looks.count, n, atoms), np.int64),
        "best": np.zeros((table.looks.count, tails + 1), np.int64),
        "top": np.zeros((n, 2), np.int64),
        "used": np.array([0, len(batch)], np.int64),
    }
    if not law.strength or batch.hands.shape[1:] != (n, law.hand):
        return out
    whole = (batch.hands < 52).all(axis=(1, 2))
    strength = points(law)[batch.hands[whole]].sum(axis=2)
    looks = table.looks.of(batch)[whole]
    best = strength.max(axis=1)
    ties = (strength == best[:, None]).sum(axis=1)
    logs = np.zeros((len(strength), n, atoms), np.int64)
    is_best = strength == best[:, None]
    for t in range(1, n + 1):
        of_t = ties == t
        if not of_t.any():
            continue
        chance = Fraction(t, n)
        logs[of_t, :, 0] = np.where(is_best[of_t], log_fixed(n, t), NEVER if t < n else 0)
        for a, odds in enumerate(OFTEN, start=1):
            hit, miss = hit_and_miss(chance, odds) if t < n else (0, 0)
            logs[of_t, :, a] = np.where(is_best[of_t], hit, miss)
    sd = spread(points(law)[list(table.pack)], law.hand)
    for a, tilt in enumerate(TILTS, start=1 + len(OFTEN)):
        x = strength * (tilt / sd)
        top = x.max(axis=1, keepdims=True)
        value = x - top - np.log(np.exp(x - top).mean(axis=1, keepdims=True))
        logs[:, :, a] = np.floor(value * SCALE - 2.0**-10).astype(np.int64)
    np.add.at(out["log"], looks, logs)
    out["top"][:, 0] = is_best.sum(axis=0)
    # What is due to each place, in units of 1/720720 (ties count t/n).
    out["top"][:, 1] = int((ties * (720720 // n)).sum())
    bets = np.zeros((len(strength), tails + 1), np.int64)
    a = 0
    for aim in TAILS:
        least, tail = at_least(points(law)[list(table.pack)], law.hand, aim / n)
        bound = min(Fraction(1), n * tail)
        for factor in TAIL_ODDS:
            hit, miss = hit_and_miss(bound, factor) if 0 < bound < 1 else (0, 0)
            bets[:, a] = np.where(best >= least, hit, miss)
            a += 1
    bets[:, a] = best
    np.add.at(out["best"], looks, bets)
    out["used"] = np.array([len(strength), len(batch)], np.int64)
    return out


TALLY = Tally(id="strength", count=_count)
