"""Small worlds in which the chance that an audit is ever flagged is worked out, not sampled.

Tallies add up, so a log is known by the sum of its deals' tallies, and the shipped
detectors judge that sum: many sums in one call, by laying them along the axis of looks.
Two logs that differ only in the names of cards of one role are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from audit.columns import columns_of, ragged
from audit.count import COUNT
from audit.detect import suspects
from audit.lab._random import Words
from audit.law import Law
from audit.readers.jsonl import READER
from audit.record import Deal
from audit.run.count import judge_all
from audit.suspect import suspicions, trials_of
from audit.suspicion import Suspicion
from audit.tally import Looks, Table

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Hashes = NDArray[np.uint64]
#: Tallies that no e-value reads.
PICTURES = ("adjacency", "placed")
#: Counts without looks that say who is silent: as they are, or only whether they are 0.
EXACT = ("blank", "used", "partial", "untold")
SIGNS = ("seen", "first")
CHUNK = 2000
DEALERS = ("A", "B")


class Suspicions:
    """A family of suspicions that are not files."""

    def __init__(self, members: Sequence[Suspicion]) -> None:
        self._members = {one.id: one for one in members}
        self.names = tuple(sorted(self._members))

    def __getitem__(self, name: str) -> Suspicion:
        return self._members[name]


@contextmanager
def suspecting(*members: Suspicion) -> Iterator[None]:
    """Let count and judgement know *members* in place of the shipped suspicions."""
    family = Suspicions(members)
    with patch("audit.suspect.SUSPECT", family), patch.object(suspects, "SUSPECT", family):
        yield


@dataclass(frozen=True, kw_only=True)
class Key:
    """One array of one tally: its shape for one look, and whether its first axis is looks."""

    tally: str
    name: str
    shape: tuple[int, ...]
    by_look: bool

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return int(np.prod(self.shape))


@dataclass(kw_only=True)
class Judge:
    """What the shipped family says of logs that are given as sums of tallies.

    *weights* collects the weight of every hypothesis that ever spoke.
    """

    law: Law
    players: int = 2
    machine: bool = False
    keys: list[Key] = field(default_factory=list)
    weights: dict[str, Fraction] = field(default_factory=dict)

    def table(self, looks: int) -> Table:
        """Return a table with *looks* looks."""
        return Table(
            law=self.law,
            pack=self.law.pack,
            players=self.players,
            holds=READER.holds,
            looks=Looks(deals=looks),
            dealers=() if self.machine else DEALERS,
            machine=self.machine,
        )

    def count(self, deals: Sequence[Deal], before: int = 0) -> dict[str, dict[str, Ints]]:
        """Return every tally of *deals*, a look each, with the trials found in them.

        So many deals stand *before* them in the log, each with a look.
        """
        columns = columns_of(deals, {name: k for k, name in enumerate(DEALERS)})
        known = {k: s for k, s in suspicions(self.law).items() if s.find is not None}
        if known:
            found = [trials_of(deal, self.law, known) for deal in deals]
            columns = replace(columns, trials=ragged(found))
        batch, table = columns.batch(before), self.table(before + len(deals))
        names = (name for name in COUNT.names if name not in PICTURES)
        return {name: dict(COUNT[name].count(batch, table)) for name in names}

    def sums(self, records: Sequence[Deal], *, first: bool = False) -> Ints:
        """Return the tallies of each of *records* as a row; the *first* deal of a log is one alone.

        Some tallies count the first deal of a log apart.
        """
        if not self.keys:
            arrays = {
                (t, n): a
                for deal in records
                for t, row in self.count([deal]).items()
                for n, a in row.items()
            }
            twice = self.count([records[0]] * 2)
            for (tally, name), array in arrays.items():
                wide = twice[tally].get(name)
                by = name.startswith("log:") if wide is None else wide.shape != array.shape
                self.keys.append(Key(tally=tally, name=name, shape=array.shape, by_look=by))
        return np.array([self._row(self.count([d], 0 if first else 1)) for d in records], np.int64)

    def _row(self, tallies: Mapping[str, Mapping[str, Ints]]) -> Ints:
        parts = []
        for k in self.keys:
            part = tallies[k.tally].get(k.name, np.zeros(k.shape, np.int64))
            parts.append((part.sum(axis=0) if k.by_look else part).reshape(-1))
        return np.concatenate(parts)

    def renaming(self, to: Mapping[int, int]) -> Ints:
        """Return which number of a row stands where once the cards are named anew."""
        cards = np.array([to.get(c, c) for c in range(52)])
        out, start = [], 0
        for k in self.keys:
            places = np.arange(start, start + k.size).reshape(k.shape)
            for axis, size in enumerate(k.shape):
                if size == 52:
                    places = np.take(places, cards, axis=axis)
            out.append(places.reshape(-1))
            start += k.size
        return np.concatenate(out)

    def judged(self, sums: Ints) -> dict[str, Floats]:
        """Return ln E of every hypothesis for each of *sums*, minus infinity where it counts 0."""
        out: dict[str, Floats] = {}
        edges = np.cumsum([0, *(k.size for k in self.keys)]).tolist()
        parts = list(zip(self.keys, edges, edges[1:], strict=False))
        alike = [sums[:, start:end] for k, start, end in parts if k.name in EXACT]
        for k, start, end in parts:
            if k.name.split(":")[0] in SIGNS:
                mine = np.abs(sums[:, start:end]).reshape(len(sums), -1, k.shape[-1])
                alike.append(np.sign(mine.sum(axis=2)))
            elif k.name == "shown" and k.shape[-1] == 4:
                # How many deals show and do not show what is counted.
                alike.append(np.sign(sums[:, start:end]))
        which = np.unique(np.concatenate(alike, axis=1), axis=0, return_inverse=True)[1].reshape(-1)
        order = np.argsort(which, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(which[order])) + 1):
            for at in range(0, len(rows), CHUNK):
                self._alike(sums, rows[at : at + CHUNK], parts, out)
        return out

    def _alike(
        self,
        sums: Ints,
        rows: NDArray[np.intp],
        parts: Sequence[tuple[Key, int, int]],
        out: dict[str, Floats],
    ) -> None:
        tallies: dict[str, dict[str, Ints]] = {name: {} for name in COUNT.names}
        for k, start, end in parts:
            mine = sums[rows, start:end]
            steps = np.diff(mine, axis=0, prepend=0) if k.by_look else mine[0]
            shape = (len(rows), *k.shape[1:]) if k.by_look else k.shape
            tallies[k.tally][k.name] = steps.reshape(shape)
        trials = tallies["trials"]
        for name in [n[5:] for n in trials if n.startswith("seen:")]:
            if not trials[f"seen:{name}"].any():
                for kind in ("seen", "log", "bins"):
                    del trials[f"{kind}:{name}"]
        found = judge_all(tallies, self.table(1))
        for h in found.hypotheses:
            key = f"{h.detector} {' '.join(h.subject.values())}"
            self.weights[key] = h.weight
            out.setdefault(key, np.full(len(sums), -np.inf))[rows] = h.curve
        for i in found.idle:
            if i.subject:
                key = f"{i.detector} {' '.join(i.subject.values())}"
                out.setdefault(key, np.full(len(sums), -np.inf))[rows] = 0.0

    def plainly(self, deals: Sequence[Deal]) -> dict[str, float]:
        """Return ln E of every hypothesis that speaks or is idle, judged as the engine does."""
        tallies = self.count(deals) | {name: {} for name in PICTURES}
        found = judge_all(tallies, self.table(len(deals)))
        out = {f"{h.detector} {' '.join(h.subject.values())}": h.final for h in found.hypotheses}
        idle = (i for i in found.idle if i.subject)
        return out | {f"{i.detector} {' '.join(i.subject.values())}": 0.0 for i in idle}

    def total(self, logs: Mapping[str, Floats], scale: Fraction = Fraction(1)) -> Floats:
        """Return the weighted sum of E of each log, every weight times *scale*.

        What has fallen silent counts 0; what never speaks in this world stands with E = 1.
        """
        rest = 1 - scale * self.whole
        if rest < 0:
            raise AssertionError(f"weights sum to {1 - rest}")
        out = np.full(len(next(iter(logs.values()))), float(rest))
        for key, weight in self.weights.items():
            if key in logs:
                out += float(scale * weight) * np.exp(logs[key])
        return out

    @property
    def whole(self) -> Fraction:
        """Return what the weights of all that ever spoke sum to."""
        return sum(self.weights.values(), start=Fraction(0))


class Names:
    """Two hashes of 64 bits for each log, the same where renaming cards makes two logs one.

    Hashes are sums of random words times the tallies, so that the hash of a log and one
    deal more is a sum too.
    """

    def __init__(self, judge: Judge, renamings: Sequence[Mapping[int, int]]) -> None:
        size = sum(k.size for k in judge.keys)
        words = Words(1).words(2 * size).reshape(2, size)
        ways = [judge.renaming(to) for to in renamings]
        self._words = np.stack([words[:, way] for way in ways])

    def of(self, sums: Ints) -> Hashes:
        """Return (logs, renamings, 2) hashes of the tallies *sums*."""
        used = np.flatnonzero(sums.any(axis=0))
        rows = sums[:, used].astype(np.uint64)
        return np.stack([rows @ words[:, used].T for words in self._words], axis=1)


def named(hashes: Hashes) -> tuple[Hashes, Hashes]:
    """Return one name for all renamings of each log, from (..., renamings, 2) hashes; and a check.

    Logs of one name and two checks are a collision, which `distinct` looks for.
    """
    which = hashes[..., 0].argmin(axis=-1)[..., None]
    return (
        np.take_along_axis(hashes[..., 0], which, -1)[..., 0],
        np.take_along_axis(hashes[..., 1], which, -1)[..., 0],
    )


def distinct(names: Hashes, checks: Hashes) -> tuple[Hashes, NDArray[np.intp]]:
    """Return the distinct *names*, sorted, and where each stands first."""
    found, first, back = np.unique(names, return_index=True, return_inverse=True)
    if (checks[first][back.reshape(-1)] != checks).any():
        raise AssertionError("two logs of one name")
    return found, first
