"""How soon the audit finds each dealer of the laboratory: the engine of `fairdeal lab power`.

A cell is one way of dealing with one dial; its logs are dealt from fixed seeds and judged by
the whole family of detectors.  What each log showed is kept on disk at once, so that a run
that was stopped goes on where it was, and the rows are worked out from those files alone.
"""

from __future__ import annotations

import hashlib
import json
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs

from audit import __version__
from audit.columns import Columns, columns_of, ragged
from audit.detect import DETECT
from audit.finding import THRESHOLD, Hypothesis, log_threshold, weighted_sum
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._simulate import simulate
from audit.law import Law
from audit.play import PLAY
from audit.readers.jsonl import READER
from audit.record import Deal
from audit.referee import referee_log
from audit.referee.simulate import habitual
from audit.run.count import count_batches, judge_all
from audit.run.integrity import fault, suspects, thrown_in
from audit.run.thin_cut import thin
from audit.suspect import SUSPECT, suspicions, trials_of
from audit.tally import Looks, Table

PLAYER = "sensible"
#: Who plays on to the end where a dealer is known by what he does at the table.
AT_TABLE = "sensible_all_fours"
#: Deals of a log, least first: the first length at which the pilot logs are mostly flagged.
LENGTHS = (256, 1024, 4096, 8192)
HONEST_LENGTH = 1024
#: Logs dealt to choose the length, from seeds that no row uses, and how many must be flagged.
PILOTS, ENOUGH = 12, 11
PILOT_SEED = 1_000_000
#: Logs that one process deals before it tells.
CHUNK = 4
DIALS = (Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 10))
#: Dials at which a rate is a round multiple of the fair one, in place of the last ones.
OWN_DIALS: Mapping[str, tuple[Fraction, ...]] = {
    "turned_jacks": (Fraction(1), Fraction(1, 6), Fraction(1, 12), Fraction(1, 24)),
}
#: The audit has to know these packages whole for its rows to mean the same.
_SOURCES = ("stats", "count", "detect", "suspect", "lab", "play", "games", "referee", "rules")


@dataclass(frozen=True, kw_only=True)
class Cell:
    """So many *deals* a log of one dealer with one dial, in 0 to 1."""

    crook: str
    dial: Fraction
    deals: int

    @property
    def key(self) -> str:
        """The cell as a word of the partial results."""
        return f"{self.crook} {self.dial} {self.deals}"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be dealt: *logs* of each cell from *seed* on, *fair_logs* of honest dealers."""

    game: str
    crooks: tuple[str, ...]
    dials: int
    lengths: tuple[int, ...]
    logs: int
    fair_logs: int
    seed: int

    @property
    def version(self) -> str:
        """What partial results must share to be used: program, plan but for its crooks, seed."""
        digest, root = hashlib.sha256(), Path(__file__).resolve().parents[1]
        files = [p for name in _SOURCES for p in sorted((root / name).glob("*.py"))]
        for path in [*files, *sorted(root.glob("*.py")), Path(__file__)]:
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        return f"{__version__} {digest.hexdigest()[:16]} {self.game} {self.seed}"


Outcome = dict[str, Any]
Told = Callable[[str, int, int], None]


def honest(crook: str) -> bool:
    """Whether the dealer means no harm: the fair one, and those of odd but honest ways."""
    return crook == "fair" or bool(getattr(LAB[crook], "honest", False))


def dials_of(crook: str, count: int) -> tuple[Fraction, ...]:
    """Return the dials at which *crook* is tried, the plainest first."""
    return (Fraction(1),) if honest(crook) else OWN_DIALS.get(crook, DIALS)[:count]


def dealt(law: Law, crook: str, deals: int, dial: Fraction, seed: int) -> list[Deal]:
    """Return the records of one log; the last place deals first and is the crook's."""
    habit = LAB[crook].habit
    if habit is None:
        return list(simulate(law, LAB[crook], deals, dial, seed, player=PLAY[PLAYER]).records())
    choose = PLAY[AT_TABLE].choose
    assert choose is not None
    players = law.players[1]
    return list(
        habitual(
            law,
            habit,
            players=players,
            choose=choose,
            count=deals,
            dial=dial,
            seed=seed,
            seat=players,
        )
    )


def stated(law: Law, deals: Sequence[Deal], columns: Columns, codes: Sequence[str]) -> int | None:
    """Return the first of *deals*, from 1, of which something is stated without any chance.

    That it cannot have happened as it is written, or a ruling whose code is one of *codes*.
    """
    first = len(deals)
    for i in np.flatnonzero(suspects(columns, law, law.pack)).tolist():
        if fault(deals[i], law, law.pack, law.players[1]) is not None:
            first = i
            break
    lines = {deal.line: i for i, deal in reversed(list(enumerate(deals)))}
    for line, _, _, code in thin(columns, law):
        if code in codes:
            first = min(first, lines[line])
            break
    for i, deal in enumerate(deals[:first]):
        if deal.events and any(r.code in codes for r in referee_log(law, deal)[0]):
            return i + 1
    return first + 1 if first < len(deals) else None


def judged(
    law: Law, deals: Sequence[Deal], columns: Columns, names: Sequence[str]
) -> list[Hypothesis]:
    """Return what every detector says of *deals* as they stand; *columns* are the same."""
    known = {k: s for k, s in suspicions(law).items() if s.find is not None}
    if known:
        columns = replace(columns, trials=ragged([trials_of(d, law, known) for d in deals]))
    table = Table(
        law=law,
        pack=law.pack,
        players=law.players[1],
        holds=READER.holds,
        looks=Looks(deals=len(deals)),
        dealers=tuple(names),
        machine=False,
    )
    batch = columns.batch(0)
    return judge_all(count_batches([batch], table), table).hypotheses


def refused(law: Law, crooks: Sequence[str]) -> dict[str, str]:
    """Return which of *crooks* cannot be dealt at *law*, each with the reason."""
    out = {}
    for crook in crooks:
        tables = LAB[crook].players
        if tables and law.players[1] not in tables:
            out[crook] = f"wants a table of {' or '.join(map(str, tables))}"
            continue
        try:
            dealt(law, crook, 1, Fraction(1), 0)
        except ValueError as err:
            out[crook] = str(err)
    return out


def name_of(h: Hypothesis) -> str:
    """Return detector and subject of a hypothesis as one text."""
    return " ".join([h.detector, *(f"{k} {v}" for k, v in sorted(h.subject.items()))])


def answers(h: Hypothesis, codes: Sequence[str]) -> bool:
    """Whether the test of *h* speaks of one of the warnings *codes*."""
    told = {h.code}
    if h.detector in SUSPECT.names:
        told |= set(SUSPECT[h.detector].codes)
    elif h.detector in DETECT.names:
        told |= set(DETECT[h.detector].codes)
    return not told.isdisjoint(codes)


def outcome(found: Sequence[Hypothesis], codes: Sequence[str], deals: int) -> Outcome:
    """Return when the audit is flagged, and what is named and what reaches 1000 alone, and when.

    Deals of the table, at the looks of a log of so many *deals*; what never happened is left
    out.  *codes* are the warnings that speak of the dealer, and "own" the tests of those, or
    all tests where there is none.
    """
    looks = Looks(deals=deals)
    ends, bar = looks.ends(), float(np.log(THRESHOLD))

    def first(curve: Any, least: float) -> int | None:
        over = np.flatnonzero(curve >= least)
        return ends[over[0]] if len(over) else None

    out: Outcome = {"audit": first(weighted_sum(found, looks.count), bar), "named": {}, "alone": {}}
    out["own"] = []
    for h in found:
        if (at := first(h.curve, log_threshold(h.weight))) is not None:
            out["named"][name_of(h)] = at
        if (at := first(h.curve, bar)) is not None:
            out["alone"][name_of(h)] = at
            if not codes or answers(h, codes):
                out["own"].append(name_of(h))
    return out


def _chunk(game: str, cell: Cell, seeds: Sequence[int]) -> list[Outcome]:
    law, codes = GAMES[game], LAB[cell.crook].answers
    out = []
    for seed in seeds:
        made, names = dealt(law, cell.crook, cell.deals, cell.dial, seed), dict[str, int]()
        deals = [thrown_in(structs.replace(d, line=i), law) for i, d in enumerate(made, start=1)]
        columns = columns_of(deals, names)
        wrong = stated(law, deals, columns, codes)
        found = judged(law, deals, replace(columns, names=tuple(names)), tuple(names))
        out.append({**outcome(found, codes, cell.deals), "stated": wrong})
    return out


def _quiet() -> None:
    """Leave an interrupt to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Store:
    """Outcomes by cell and seed, added to a file line by line; a torn last line is dropped.

    What another program or plan left there is not used, and is moved aside to `.other`.
    """

    def __init__(self, path: Path, version: str) -> None:
        self._path, self._seen = path, dict[tuple[str, int], Outcome]()
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        head = json.dumps({"version": version}).encode() + b"\n"
        whole = [head]
        if lines and lines[0] == head:
            for line in lines[1:]:
                try:
                    row = json.loads(line) if line.endswith(b"\n") else None
                except ValueError:
                    row = None
                if row is None:
                    break
                whole.append(line)
                self._seen[row["cell"], row["seed"]] = row["outcome"]
        path.parent.mkdir(parents=True, exist_ok=True)
        if lines and lines[0] != head:
            path.replace(path.with_name(path.name + ".other"))
        # Hours of work stand in it: it is never half written.
        made = path.with_name(path.name + ".new")
        made.write_bytes(b"".join(whole))
        made.replace(path)

    def get(self, cell: Cell, seed: int) -> Outcome | None:
        """Return what the log of *seed* showed, None where it was not dealt yet."""
        return self._seen.get((cell.key, seed))

    def put(self, cell: Cell, seeds: Sequence[int], found: Sequence[Outcome]) -> None:
        """Keep what the logs of *seeds* showed."""
        text = ""
        for seed, one in zip(seeds, found, strict=True):
            self._seen[cell.key, seed] = one
            text += json.dumps({"cell": cell.key, "seed": seed, "outcome": one}) + "\n"
        with self._path.open("a", encoding="utf-8") as out:
            out.write(text)


@dataclass(frozen=True, kw_only=True)
class Result:
    """A cell and what its logs showed, in the order of their seeds."""

    cell: Cell
    outcomes: tuple[Outcome, ...]


def run(plan: Plan, store: Store, *, jobs: int, told: Told) -> list[Result]:
    """Deal and judge all that *store* lacks; the result depends on the plan alone.

    *jobs* processes deal; *told* hears of what, how many logs are done, and of how many.
    """
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_quiet) as pool:

        def deal(what: str, wanted: Sequence[tuple[Cell, Sequence[int]]]) -> None:
            missing = [(c, s) for c, seeds in wanted for s in seeds if store.get(c, s) is None]
            total = sum(len(seeds) for _, seeds in wanted)
            done = total - len(missing)
            told(what, done, total)
            parts = list(_parts(missing))
            results = pool.map(
                _chunk, [plan.game] * len(parts), [c for c, _ in parts], [s for _, s in parts]
            )
            for (cell, seeds), found in zip(parts, results, strict=True):
                store.put(cell, seeds, found)
                done += len(seeds)
                told(what, done, total)

        try:
            chosen = [c for crook in plan.crooks for c in _lengths(plan, store, crook, deal)]
            wanted = [(cell, range(plan.seed, plan.seed + _logs(plan, cell))) for cell in chosen]
            deal("logs", wanted)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [
        Result(cell=cell, outcomes=tuple(o for s in seeds if (o := store.get(cell, s)) is not None))
        for cell, seeds in wanted
    ]


def long_enough(pilots: Sequence[Outcome]) -> bool:
    """Whether enough of *pilots* were found out.

    What is stated without any chance is enough only where the dealer's own test, if he has
    one, brings nothing: else the row would end before the evidence that it is about.
    """
    flagged = sum(one["audit"] is not None for one in pilots)
    stated = sum(one["audit"] is not None or one["stated"] is not None for one in pilots)
    return flagged >= ENOUGH or (stated >= ENOUGH and not any(one["own"] for one in pilots))


def _logs(plan: Plan, cell: Cell) -> int:
    return plan.fair_logs if honest(cell.crook) else plan.logs


def _parts(missing: Sequence[tuple[Cell, int]]) -> Iterator[tuple[Cell, list[int]]]:
    """Yield the *missing* logs in parts of one cell each."""
    held: list[int] = []
    for k, (cell, seed) in enumerate(missing):
        held.append(seed)
        if len(held) == CHUNK or k + 1 == len(missing) or missing[k + 1][0] != cell:
            yield cell, held
            held = []


def _lengths(
    plan: Plan,
    store: Store,
    crook: str,
    deal: Callable[[str, Sequence[tuple[Cell, Sequence[int]]]], None],
) -> list[Cell]:
    """Return the cells of *crook*, each log as long as its pilots want."""
    if honest(crook):
        length = min(HONEST_LENGTH, plan.lengths[-1])
        return [Cell(crook=crook, dial=Fraction(1), deals=length)]
    seeds = range(plan.seed + PILOT_SEED, plan.seed + PILOT_SEED + PILOTS)
    out, lengths = [], plan.lengths
    for dial in dials_of(crook, plan.dials):
        while len(lengths) > 1:
            cell = Cell(crook=crook, dial=dial, deals=lengths[0])
            deal(f"{crook} {dial}", [(cell, seeds)])
            if long_enough([o for s in seeds if (o := store.get(cell, s)) is not None]):
                break
            # A smaller dial is never seen sooner.
            lengths = lengths[1:]
        out.append(Cell(crook=crook, dial=dial, deals=lengths[0]))
    return out
