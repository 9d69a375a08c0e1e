"""How strong each place's hand is beside the others of the same deal.

Bets are laid per deal on the multiset of hands (which place has which is
uniform when hands are exchangeable) and on the best hand of the deal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.count._became import became
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


def strengths(held: NDArray[np.uint64], law: Law) -> list[NDArray[np.int64]]:
    """Return the points of the hand of each place, (deals,) each; *held* is (deals, places)."""
    masks: dict[int, int] = {}
    for card, worth in enumerate(points(law)[:52].tolist()):
        masks[worth] = masks.get(worth, 0) | 1 << card
    found = []
    for mine in held.T:
        total = np.zeros(len(held), np.int64)
        for worth, mask in masks.items():
            if worth:
                total += np.bitwise_count(mine & np.uint64(mask)).astype(np.int64) * worth
        found.append(total)
    return found


def _counts(key: NDArray[np.int64], *shape: int) -> NDArray[np.int64]:
    """Return how often each flat index of an array of *shape* stands in *key*."""
    return np.bincount(key, minlength=math.prod(shape)).astype(np.int64).reshape(shape)


def _often(
    hits: NDArray[np.int64], rows: NDArray[np.int64], places: int
) -> Iterator[NDArray[np.int64]]:
    """Yield (looks, places) sums of the bets on the best hand, atom by atom.

    *rows* (looks, ties) counts deals by how many hands were best, *hits* (looks, ties, places)
    those in which each place held one; index t - 1 stands for t hands.
    """
    for odds in (None, *OFTEN):
        total = np.zeros((len(rows), places), np.int64)
        for t in range(1, places + 1):
            chance = Fraction(t, places)
            if odds is None:
                hit, miss = log_fixed(places, t), NEVER
            else:
                hit, miss = hit_and_miss(chance, odds) if t < places else (0, 0)
            mine = hits[:, t - 1]
            total += mine * hit + (rows[:, t - 1, None] - mine) * miss
        yield total


def _tilted(
    behind: Sequence[NDArray[np.int64]], look: NDArray[np.int64], looks: int, units: Sequence[float]
) -> Iterator[NDArray[np.int64]]:
    """Yield (looks, places) sums of the bet on hands tilted by each of *units* a point.

    *behind* is for each place how many points its hand is from the best, or the worst, one.
    """
    most = max(int(b.max()) for b in behind)
    lost = np.stack([_sums(b, look, looks) for b in behind], axis=1)
    for unit in units:
        # A whole number of the fixed point's units, so that only the logarithm is rounded.
        step = max(1, round(abs(unit) * SCALE))
        share = np.exp(np.arange(most + 1) * (-step / SCALE))
        total = share.take(behind[0])
        for b in behind[1:]:
            total += share.take(b)
        norm = np.ceil(np.log(total * (1 / len(behind))) * SCALE + 2.0**-10).astype(np.int64)
        yield -step * lost - _sums(norm, look, looks)[:, None]


def _sums(values: NDArray[np.int64], look: NDArray[np.int64], looks: int) -> NDArray[np.int64]:
    """Return the sum of *values* over each look; *look* never falls."""
    edges = np.searchsorted(look, np.arange(looks + 1))
    ends = np.append(0, np.cumsum(values))
    return np.asarray(np.diff(ends[edges]))


def _count(batch: Batch, table: Table) -> Arrays:
    """Fixed-point `log[look, place, atom]`, `best[look, bet]` and points, `top[place]`, `used`.

    `tied[t - 1, (deals, place ...)]`: deals in which t hands are best, and those of them in
    which each place holds one.  `declared` are the deals in which each place declares.
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
        "declared": np.zeros(n, np.int64),
    }
    if batch.declarer is not None:
        out["declared"] += np.bincount(batch.declarer, minlength=n + 1)[1 : n + 1]
    if not law.strength or batch.hands.shape[1] < n or batch.hands.shape[2] < law.hand:
        return out
    sizes = batch.held_sizes
    whole = (sizes[:, :n] == law.hand).all(axis=1) & (sizes[:, n:] == 0).all(axis=1)
    deals = np.flatnonzero(whole & ~became(batch, table))
    if not len(deals):
        return out
    strength = strengths(batch.held[:, :n][deals], law)
    looks = table.looks.of(batch)[deals]
    first = int(looks[0])
    look, span = looks - first, int(looks[-1]) - first + 1
    present = slice(first, first + span)
    best, worst = strength[0].copy(), strength[0].copy()
    for s in strength[1:]:
        np.maximum(best, s, out=best)
        np.minimum(worst, s, out=worst)
    is_best = [s == best for s in strength]
    ties = sum(mine.astype(np.int64) for mine in is_best)
    key = look * n + ties - 1
    rows = _counts(key, span, n)
    hits = np.stack([_counts(key[mine], span, n) for mine in is_best], axis=2)
    for atom, total in enumerate(_often(hits, rows, n)):
        out["log"][present, :, atom] = total
    out["tied"][:, 0], out["tied"][:, 1:] = rows.sum(axis=0), hits.sum(axis=0)
    cards = points(law)[list(table.pack)]
    sd = spread(cards, law.hand)
    for sign in (-1, 1):
        behind = [best - s for s in strength] if sign > 0 else [s - worst for s in strength]
        atoms_of = [a for a, tilt in enumerate(TILTS) if tilt * sign > 0]
        units = [TILTS[a] / sd for a in atoms_of]
        for a, total in zip(atoms_of, _tilted(behind, look, span, units), strict=True):
            out["log"][present, :, 1 + len(OFTEN) + a] = total
    out["top"][:, 0] = hits.sum(axis=(0, 1))
    # What is due to each place, in units of 1/720720 (ties count t/n).
    out["top"][:, 1] = int((rows.sum(axis=0) * np.arange(1, n + 1)).sum()) * (720720 // n)
    most = int(best.max()) + 1
    bests, bet = _counts(look * most + best, span, most), 0
    deals_of = bests.sum(axis=1)
    for least, bound in far_tails(cards, law.hand, n):
        reached = bests[:, least:].sum(axis=1)
        for factor in TAIL_ODDS:
            hit, miss = hit_and_miss(bound, factor) if 0 < bound < 1 else (0, 0)
            out["best"][present, bet] = reached * hit + (deals_of - reached) * miss
            bet += 1
    out["best"][present, bet] = bests @ np.arange(most)
    out["used"] = np.array([len(deals), len(batch)], np.int64)
    return out


TALLY = Tally(id="strength", count=_count)
