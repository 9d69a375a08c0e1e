"""How strong each place's hand is beside the others of the same deal.

Bets are laid per deal on the multiset of hands (which place has which is
uniform when hands are exchangeable) and on the best hand of the deal.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.law import Law
from audit.record import Batch
from audit.stats.bets import OFTEN, TAIL_ODDS, TAILS, TILTS
from audit.stats.evalue import SCALE, log_fixed
from audit.stats.hand import far_tails, spread
from audit.stats.tilt import NEVER, hit_and_miss
from audit.tally import Arrays, Table, Tally


def points(law: Law) -> NDArray[np.int64]:
    """Return the points of each card number, 0 for 255 and for cards that do not count."""
    table = np.zeros(256, np.int64)
    for card in range(52):
        table[card] = law.strength.get("23456789TJQKA"[card % 13], 0)
    return table


def _by_look(values: NDArray[np.int64], looks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sums of the rows of *values* over each of the *looks* present, in their order."""
    return np.asarray(np.add.reduceat(values, _edges(looks), axis=0))


def _edges(looks: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the first row of each look; *looks* never falls and is not empty."""
    return np.concatenate([[0], np.flatnonzero(np.diff(looks)) + 1]).astype(np.intp)


def _often(
    is_best: NDArray[np.bool_], ties: NDArray[np.int64], looks: NDArray[np.int64], places: int
) -> Iterator[NDArray[np.int64]]:
    """Yield (looks present, places) sums of the bets on the best hand, atom by atom."""
    hits, rows = {}, {}
    for t in range(1, places + 1):
        of_t = ties == t
        hits[t] = _by_look((is_best & of_t[:, None]).astype(np.int64), looks)
        rows[t] = _by_look(of_t.astype(np.int64), looks)[:, None]
    for odds in (None, *OFTEN):
        total = np.zeros_like(hits[1])
        for t in range(1, places + 1):
            chance = Fraction(t, places)
            if odds is None:
                hit, miss = log_fixed(places, t), NEVER
            else:
                hit, miss = hit_and_miss(chance, odds) if t < places else (0, 0)
            total += hits[t] * hit + (rows[t] - hits[t]) * miss
        yield total


def _tilted(
    strength: NDArray[np.int64], looks: NDArray[np.int64], unit: float
) -> NDArray[np.int64]:
    """Return (looks present, places) sums of the bet on hands tilted by *unit* a point."""
    top = strength.max(axis=1) if unit > 0 else strength.min(axis=1)
    behind = np.abs(strength - top[:, None])
    share = np.exp(-abs(unit) * np.arange(int(behind.max()) + 1))
    value = -abs(unit) * behind - np.log(share[behind].mean(axis=1))[:, None]
    return _by_look(np.floor(value * SCALE - 2.0**-10).astype(np.int64), looks)


def _count(batch: Batch, table: Table) -> Arrays:
    """Fixed-point `log[look, place, atom]`, `best[look, bet]` and points, `top[place]`, `used`.

    `tied[t - 1, (deals, place ...)]`: deals in which t hands are best, and those of them in
    which each place holds one.
    """
    law, n = table.law, table.players
    atoms = 1 + len(OFTEN) + len(TILTS)
    tails = len(TAILS) * len(TAIL_ODDS)
    out = {
        "log": np.zeros((table.looks.count, n, atoms), np.int64),
        "best": np.zeros((table.looks.count, tails + 1), np.int64),
        "top": np.zeros((n, 2), np.int64),
        "used": np.array([0, len(batch)], np.int64),
        "tied": np.zeros((n, 1 + n), np.int64),
    }
    if not law.strength or batch.hands.shape[1] < n or batch.hands.shape[2] < law.hand:
        return out
    whole = (batch.hands[:, :n, : law.hand] < 52).all(axis=(1, 2))
    whole &= (batch.hands < 52).sum(axis=(1, 2)) == n * law.hand
    if not whole.any():
        return out
    strength = points(law)[batch.hands[whole][:, :n, : law.hand]].sum(axis=2)
    looks = table.looks.of(batch)[whole]
    present = looks[_edges(looks)]
    best = strength.max(axis=1)
    is_best = strength == best[:, None]
    ties = is_best.sum(axis=1)
    for atom, total in enumerate(_often(is_best, ties, looks, n)):
        out["log"][present, :, atom] = total
    np.add.at(out["tied"], ties - 1, np.hstack([np.ones((len(ties), 1), np.int64), is_best]))
    cards = points(law)[list(table.pack)]
    sd = spread(cards, law.hand)
    for atom, tilt in enumerate(TILTS, start=1 + len(OFTEN)):
        out["log"][present, :, atom] = _tilted(strength, looks, tilt / sd)
    out["top"][:, 0] = is_best.sum(axis=0)
    # What is due to each place, in units of 1/720720 (ties count t/n).
    out["top"][:, 1] = int((ties * (720720 // n)).sum())
    rows, bet = _by_look(np.ones(len(best), np.int64), looks), 0
    for least, bound in far_tails(cards, law.hand, n):
        reached = _by_look((best >= least).astype(np.int64), looks)
        for factor in TAIL_ODDS:
            hit, miss = hit_and_miss(bound, factor) if 0 < bound < 1 else (0, 0)
            out["best"][present, bet] = reached * hit + (rows - reached) * miss
            bet += 1
    out["best"][present, bet] = _by_look(best, looks)
    out["used"] = np.array([len(strength), len(batch)], np.int64)
    return out


TALLY = Tally(id="strength", count=_count)
