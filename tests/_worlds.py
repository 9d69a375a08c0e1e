"""Small worlds in which the chance that an audit is ever flagged is worked out, not sampled.

A world is a game with a pack of a few cards, what may be written down of each deal, and
who decides what.  All orders of the pack are equally likely.  Tallies add up, so a log is
known by the sum of its deals' tallies, and the shipped detectors judge that sum: many sums
in one call, by laying them along the axis of looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from audit.columns import columns_of, ragged
from audit.count import COUNT
from audit.law import Law
from audit.readers.jsonl import READER
from audit.record import Deal
from audit.run.count import judge_all
from audit.suspect import suspicions, trials_of
from audit.tally import Looks, Table

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
#: Tallies that no e-value reads.
PICTURES = ("adjacency", "placed")
CHUNK = 2000
DEALERS = ("A", "B")


@dataclass(frozen=True, kw_only=True)
class Key:
    """One array of one tally: its shape for one look, and whether its first axis is looks."""

    tally: str
    name: str
    shape: tuple[int, ...]
    by_look: bool


@dataclass(kw_only=True)
class Judge:
    """What the shipped family says of logs that are given as sums of tallies.

    *weights* collects the weight of every hypothesis that ever spoke.
    """

    law: Law
    players: int
    machine: bool
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

    def count(self, deals: Sequence[Deal], looks: int = 1) -> dict[str, dict[str, Ints]]:
        """Return every tally of *deals*, with the trials that suspicions find in them."""
        columns = columns_of(deals, dict.fromkeys(DEALERS, 0) | {"B": 1})
        known = {k: s for k, s in suspicions(self.law).items() if s.find is not None}
        if known:
            columns = replace(
                columns, trials=ragged([trials_of(deal, self.law, known) for deal in deals])
            )
        batch, table = columns.batch(0), self.table(looks)
        return {name: dict(COUNT[name].count(batch, table)) for name in COUNT.names}

    @cached_property
    def keys(self) -> list[Key]:
        """The arrays that make up a sum, as far as e-values read them."""
        return []

    def sums(self, records: Sequence[Sequence[Deal]]) -> Ints:
        """Return the tallies of each group of *records* as a row."""
        counted = [self.count(deals) for deals in records]
        if not self.keys:
            twice = self.count(list(records[0]) * 2, looks=2)
            names = {(t, n): a for row in counted for t in row for n, a in row[t].items()}
            for (tally, name), array in names.items():
                if tally not in PICTURES:
                    wide = twice[tally].get(name)
                    by = wide.shape != array.shape if wide is not None else name[:4] == "log:"
                    self.keys.append(Key(tally=tally, name=name, shape=array.shape, by_look=by))
        rows = []
        for row in counted:
            parts = [
                row[k.tally].get(k.name, np.zeros(k.shape, np.int64)).reshape(-1) for k in self.keys
            ]
            rows.append(np.concatenate(parts))
        return np.array(rows, np.int64)

    def judged(self, sums: Ints) -> dict[str, Floats]:
        """Return ln E of every hypothesis for each of *sums*, 0 where it is silent."""
        out: dict[str, Floats] = {}
        starts = np.cumsum([0, *(int(np.prod(k.shape)) for k in self.keys)])
        alike = []
        for k, start, end in zip(self.keys, starts, starts[1:], strict=False):
            part = sums[:, start:end]
            if not k.by_look:
                exact = k.name in ("blank", "used", "partial")
                alike.append(part if exact else np.sign(part))
        _, which = np.unique(np.concatenate(alike, axis=1), axis=0, return_inverse=True)
        which = which.reshape(-1)
        order = np.argsort(which, kind="stable")
        ends = np.flatnonzero(np.diff(which[order])) + 1
        for rows in np.split(order, ends):
            for at in range(0, len(rows), CHUNK):
                self._alike(sums, rows[at : at + CHUNK], starts, out)
        return out

    def _alike(self, sums: Ints, rows: Ints, starts: Ints, out: dict[str, Floats]) -> None:
        tallies: dict[str, dict[str, Ints]] = {name: {} for name in COUNT.names}
        table = replace(self.table(1), looks=Looks(deals=1))
        for k, start, end in zip(self.keys, starts, starts[1:], strict=False):
            part = sums[rows, start:end]
            if k.by_look:
                steps = np.diff(part, axis=0, prepend=0)
                array = steps.reshape(len(rows), *k.shape[1:])
            else:
                array = part[0].reshape(k.shape)
            if k.name[:5] in ("seen:", "bins:", "log:h") or part.any() or ":" not in k.name:
                tallies[k.tally][k.name] = array
        for suspicion in {k.name.split(":")[1] for k in self.keys if ":" in k.name}:
            if not tallies["trials"].get(f"seen:{suspicion}", np.zeros(1)).any():
                for prefix in ("seen", "log", "bins"):
                    tallies["trials"].pop(f"{prefix}:{suspicion}", None)
        for name in PICTURES:
            tallies[name] = {}
        for h in judge_all(tallies, table).hypotheses:
            key = f"{h.detector} {' '.join(h.subject.values())}"
            self.weights[key] = h.weight
            out.setdefault(key, np.zeros(len(sums)))[rows] = h.curve

    def plainly(self, deals: Sequence[Deal]) -> dict[str, float]:
        """Return ln E of every hypothesis after *deals*, judged as the engine does."""
        table = self.table(len(deals))
        found = judge_all(self.count(deals, len(deals)), table).hypotheses
        return {f"{h.detector} {' '.join(h.subject.values())}": h.final for h in found}


def total(logs: dict[str, Floats], weights: dict[str, Fraction], scale: Fraction) -> Floats:
    """Return the weighted sum of E for each log, with every weight times *scale*.

    What the hypotheses leave of the whole weight stands with E = 1.
    """
    spent = sum((scale * weights[key] for key in logs), start=Fraction(0))
    if spent > 1:
        raise AssertionError(f"weights sum to {spent}")
    rest = np.full(len(next(iter(logs.values()))), float(1 - spent))
    for key, row in logs.items():
        rest += float(scale * weights[key]) * np.exp(row)
    return rest


def relabelled(deal: Deal, to: dict[int, int]) -> Deal:
    """Return *deal* with every card named anew."""

    def cards(raw: Iterable[int]) -> bytes:
        return bytes(to.get(c, c) for c in raw)

    return Deal(
        game=deal.game,
        players=deal.players,
        dealer=deal.dealer,
        dealer_seat=deal.dealer_seat,
        hands=tuple(map(cards, deal.hands)),
        turnups=cards(deal.turnups),
        runs=cards(deal.runs),
        events=deal.events,
    )
