"""False alarms of the whole family at length: `python -m tests.long_family FOLDER`.

Fair tables of fifteen games and honest but odd ones (`_tables.py`) are audited, every
second log with a look after every deal as far as the audit keeps looks, the others
at their end.  Counted are, for each threshold, the logs in which one hypothesis,
and in which the weighted sum, reaches it; each count has a budget at risk 1e-9.  The command
fails where one is broken.

Blocks of logs are written to FOLDER as they are done, under a name that holds a digest of the
code that judges, so that it can be stopped, and started again with what is there.
`--seconds S` stops it, `--shard K/N` does every N-th block, `--only WORD` those kinds
of logs whose name holds the word.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import audit
from tests._checks import THRESHOLDS, alarms, budget
from tests._logs import total
from tests._tables import KINDS, Make, judged

BLOCK = 25
JUDGING = ("count", "detect", "stats", "suspect", "finding.py", "suspicion.py", "tally.py")


@dataclass(kw_only=True)
class Alarms:
    """How often each line of evidence reached each threshold, over logs of one kind.

    Lines are told apart by threshold; a line that a log does not have stands at 1.
    """

    logs: int = 0
    audit: Counter[int] = field(default_factory=Counter)
    lines: dict[str, Counter[int]] = field(default_factory=dict)

    def add(self, make: Make, seed: int) -> None:
        """Audit the log of *seed*, an even one after every deal, an odd one at its end."""
        log = make(8 * seed)
        found = judged(log)
        each = seed % 2 == 0
        self.logs += 1
        sums = total(found, len(log.deals)) if log.as_dealt else total(found, 1)
        self._count(self.audit, float(sums.max() if each else sums[-1]))
        for h in found:
            key = f"{h.detector} {' '.join(h.subject.values())}"
            mine = self.lines.setdefault(key, Counter())
            self._count(mine, h.highest if each else h.final)

    @staticmethod
    def _count(into: Counter[int], value: float) -> None:
        for level in THRESHOLDS:
            into[level] += alarms([value], level)

    def merge(self, other: Alarms) -> None:
        """Take in the logs of *other*."""
        self.logs += other.logs
        self.audit.update(other.audit)
        for key, counts in other.lines.items():
            self.lines.setdefault(key, Counter()).update(counts)

    def failures(self) -> list[str]:
        """Return every line that reaches a threshold more often than allowed at risk 1e-9."""
        rows = [("the audit", self.audit), *self.lines.items()]
        return [
            f"{key}: {counts[level]} of {self.logs} logs reach {level}"
            for key, counts in rows
            for level in THRESHOLDS
            if counts[level] > budget(self.logs, Fraction(1, level))
        ]

    def text(self) -> str:
        """Return these counts as JSON."""
        lines = {key: [c[level] for level in THRESHOLDS] for key, c in self.lines.items()}
        audit_ = [self.audit[level] for level in THRESHOLDS]
        return json.dumps({"logs": self.logs, "audit": audit_, "lines": lines})


def read(text: str) -> Alarms:
    """Return the counts that `Alarms.text` wrote."""
    raw = json.loads(text)

    def counts(row: Sequence[int]) -> Counter[int]:
        return Counter(dict(zip(THRESHOLDS, row, strict=True)))

    lines = {key: counts(row) for key, row in raw["lines"].items()}
    return Alarms(logs=raw["logs"], audit=counts(raw["audit"]), lines=lines)


def block(kind: str, number: int, size: int = BLOCK) -> Alarms:
    """Return the alarms of one block of *size* logs; no two blocks of a kind share a seed."""
    out, make = Alarms(), KINDS[kind][1]
    first = 1_000_000 * list(KINDS).index(kind) + number * size
    for seed in range(first, first + size):
        out.add(make, seed)
    return out


def digest() -> str:
    """Return a digest of the code that counts and judges."""
    root = Path(audit.__file__).parent
    files = [p for name in JUDGING for p in sorted([root / name, *(root / name).rglob("*.py")])]
    parts = [p.relative_to(root).as_posix().encode() + p.read_bytes() for p in files if p.is_file()]
    return hashlib.sha256(b"".join(parts)).hexdigest()[:12]


def wanted(only: str) -> Iterator[tuple[str, int]]:
    """Yield blocks so that all kinds get on evenly."""
    blocks = [
        ((number + 0.5) * BLOCK / logs, kind, number)
        for kind, (logs, _) in KINDS.items()
        if only in kind
        for number in range(-(-logs // BLOCK))
    ]
    yield from ((kind, number) for _, kind, number in sorted(blocks))


def merged(folder: Path) -> dict[str, Alarms]:
    """Return what the blocks in *folder* counted, by kind."""
    out: dict[str, Alarms] = {}
    for kind in KINDS:
        for path in sorted(folder.glob(f"{_plain(kind)}-*.json")):
            out.setdefault(kind, Alarms()).merge(read(path.read_text()))
    return out


def _plain(kind: str) -> str:
    return kind.replace(",", "").replace(" ", "_")


def table(found: dict[str, Alarms]) -> Iterator[str]:
    """Yield the printed lines: crossings of the audit and of the worst line, with the budget."""
    levels = "".join(f"{f'at {level}':>21}" for level in THRESHOLDS)
    yield f"{'kind':30} {'logs':>6}{levels}   (audit, most of one line, budget)"
    for kind, mine in found.items():
        row = ""
        for level in THRESHOLDS:
            most = max((c[level] for c in mine.lines.values()), default=0)
            row += f"{mine.audit[level]:7}{most:7}{budget(mine.logs, Fraction(1, level)):7}"
        yield f"{kind:30} {mine.logs:6}{row}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is not yet done, print the table; return 1 where a budget is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.long_family")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--only", default="")
    chosen = parser.parse_args(arguments)
    k, n = (int(x) for x in chosen.shard.split("/"))
    folder: Path = chosen.folder / digest()
    folder.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + chosen.seconds
    for place, (kind, number) in enumerate(wanted(chosen.only)):
        path = folder / f"{_plain(kind)}-{number:05}.json"
        if place % n != k - 1 or path.exists():
            continue
        if time.monotonic() > end:
            break
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(block(kind, number).text())
        part.replace(path)
    found = merged(folder)
    print(*table(found), sep="\n")
    failures = [f"{kind}: {text}" for kind, mine in found.items() for text in mine.failures()]
    fair, odd = (
        sum(mine.logs for kind, mine in found.items() if kind.startswith("fair ") == is_fair)
        for is_fair in (True, False)
    )
    print(f"{fair} fair audits, {odd} of odd tables; {len(failures)} budgets broken")
    print(*failures, sep="\n")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
