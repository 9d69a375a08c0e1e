"""Trials of every suspicion: the bets on them, by look and subject.

`log:ID` (looks, subjects, odds) holds the fixed-point ln of the bets, `seen:ID` (subjects, 4)
trials, hits, trials whose outcome is not shown and the sum of their chances in units of
1 / `UNIT`, `bins:ID` (subjects, len(BINS)) how many trials have a chance of at most
each of `BINS` and more than the one before.  Where a suspicion looks twice, the bets of its
second way come after those of the first, and `seen:ID:again` and `bins:ID:again` are its own.
Subjects are places, dealers in order of
appearance, or the table alone.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.record import Batch
from audit.stats.chances import BINS
from audit.stats.evalue import log_fixed
from audit.stats.tilt import NEVER, hit_and_miss
from audit.suspect import suspicions
from audit.suspicion import HIDDEN, LARGEST, UNIT, Scan, Suspicion
from audit.tally import Arrays, Table, Tally


def subjects(suspicion: Suspicion, table: Table) -> int:
    """Return how many subjects a suspicion has at this table."""
    if suspicion.per == "seat":
        return table.players
    if suspicion.per == "table" or table.machine:
        return 1
    return max(1, len(table.dealers))


def _bets(num: int, den: int, odds: tuple[int | Fraction | None, ...]) -> NDArray[np.int64]:
    """Return the fixed-point ln of a miss, of a hit and of the worse of both, shape (3, odds)."""
    chance = Fraction(num, den)
    # A chance that was rounded up to be stored is too large for a bet on fewer hits.
    least = chance - Fraction(1, den) if den == LARGEST - 1 and num > 1 else chance
    pairs = [
        (log_fixed(den, num), NEVER) if o is None else hit_and_miss(chance if o > 1 else least, o)
        for o in odds
    ]
    hits, misses = [hit for hit, _ in pairs], [miss for _, miss in pairs]
    return np.array([misses, hits, [min(p) for p in pairs]], np.int64)


def _found(batch: Batch, which: int) -> Scan | None:
    """Return the trials that reading found for suspicion *which*."""
    if batch.trials is None:
        return None
    rows = batch.trials.rows
    mine = rows["suspicion"] == which
    if not mine.any():
        return None
    owner = np.repeat(np.arange(len(batch)), np.diff(batch.trials.at))
    rows = rows[mine]
    return Scan(
        row=owner[mine],
        hit=rows["hit"] == 1,
        num=rows["num"].astype(np.int64),
        den=rows["den"].astype(np.int64),
        subject=rows["subject"].astype(np.int64),
        shown=rows["hit"] < HIDDEN,
    )


def _about(suspicion: Suspicion, scan: Scan, batch: Batch, table: Table) -> NDArray[np.int64]:
    """Return the subject of each trial from 0, -1 where it is nobody's."""
    if suspicion.per == "seat":
        return np.where(scan.subject <= table.players, scan.subject - 1, -1)
    if suspicion.per == "table" or table.machine:
        return np.zeros(len(scan.row), np.int64)
    return batch.dealer[scan.row].astype(np.int64)


def _chances(scan: Scan) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the chances of *scan*, (2, chances), and which of them each trial has."""
    key = (scan.num << 32) | scan.den
    if (key == key[0]).all():
        return np.array([[scan.num[0]], [scan.den[0]]]), np.zeros(len(key), np.int64)
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    return np.stack([scan.num[first], scan.den[first]]), which.reshape(-1)


def _equal(
    looks: NDArray[np.int64],
    who: NDArray[np.int64],
    which: NDArray[np.int64],
    outcome: NDArray[np.int64],
) -> tuple[tuple[NDArray[np.int64], ...], NDArray[np.int64]]:
    """Return the kinds of trial that occur, as look, subject, chance, outcome, and how often."""
    low = int(looks.min())
    shape = (int(looks.max()) - low + 1, int(who.max()) + 1, int(which.max()) + 1, HIDDEN + 1)
    flat = (((looks - low) * shape[1] + who) * shape[2] + which) * shape[3] + outcome
    if math.prod(shape) <= 4 * len(flat) + 1024:
        counts = np.bincount(flat, minlength=math.prod(shape))
        place = np.flatnonzero(counts)
        times = counts[place]
    else:
        place, times = np.unique(flat, return_counts=True)
    look, subject, chance, came = np.unravel_index(place, shape)
    return (look + low, subject, chance, came), times.astype(np.int64)


def _of(
    suspicion: Suspicion, scan: Scan | None, batch: Batch, table: Table
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return log, seen and bins of one way of looking."""
    count = subjects(suspicion, table)
    log = np.zeros((table.looks.count, count, len(suspicion.odds)), np.int64)
    seen = np.zeros((count, 4), np.int64)
    bins = np.zeros((count, len(BINS)), np.int64)
    if scan is None or not len(scan.row):
        return log, seen, bins
    looks = table.looks.of(batch)[scan.row]
    hidden = np.zeros(len(scan.row), np.bool_) if scan.shown is None else ~scan.shown
    who = _about(suspicion, scan, batch, table)
    chances, which = _chances(scan)
    bets = np.stack(
        [_bets(int(n), int(d), suspicion.odds) for n, d in chances.T]
    )  # (chances, 3, odds)
    mine = slice(None) if bool((who >= 0).all()) else np.flatnonzero(who >= 0)
    if len(who[mine]):
        # Equal trials of one look are counted before they are priced.
        outcome = np.where(hidden, HIDDEN, scan.hit)
        kinds, times = _equal(looks[mine], who[mine], which[mine], outcome[mine])
        look, subject, chance, came = kinds
        np.add.at(log, (look, subject), bets[chance, came] * times[:, None])
        units = np.array([int(n) * UNIT // int(d) for n, d in chances.T], np.int64)[chance]
        told = np.stack([np.ones_like(units), came == 1, came == HIDDEN, units], 1)
        np.add.at(seen, subject, told * times[:, None])
        place = np.searchsorted(BINS, chances[0] / chances[1])
        np.add.at(bins, (subject, place[chance]), times)
    # Whose trial it was may have been left out because of how it came out.
    untold = who == -1
    if untold.any() and suspicion.per == "dealer":
        lost = bets[which[untold], HIDDEN]
        for k in range(count):
            np.add.at(log, (looks[untold], k), lost)
    return log, seen, bins


def _joined(a: Scan | None, b: Scan | None) -> Scan | None:
    if a is None or b is None:
        return a or b
    return Scan(
        row=np.append(a.row, b.row),
        hit=np.append(a.hit, b.hit),
        num=np.append(a.num, b.num),
        den=np.append(a.den, b.den),
        subject=np.append(a.subject, b.subject),
        shown=np.append(_shown(a), _shown(b)),
    )


def _shown(scan: Scan) -> NDArray[np.bool_]:
    return np.ones(len(scan.row), np.bool_) if scan.shown is None else scan.shown


def _count(batch: Batch, table: Table) -> Arrays:
    out: dict[str, NDArray[np.int64]] = {}
    for which, suspicion in suspicions(table.law).items():
        scanned = suspicion.scan(batch, table) if suspicion.scan is not None else None
        scans = {"": _joined(scanned, _found(batch, which))}
        if suspicion.again is not None:
            scans[":again"] = suspicion.again(batch, table)
        if all(scan is None or not len(scan.row) for scan in scans.values()):
            continue
        logs = []
        for way, scan in scans.items():
            log, seen, bins = _of(suspicion, scan, batch, table)
            logs.append(log)
            out[f"seen:{suspicion.id}{way}"], out[f"bins:{suspicion.id}{way}"] = seen, bins
        out[f"log:{suspicion.id}"] = np.concatenate(logs, axis=2)
    return out


TALLY = Tally(id="trials", count=_count)
