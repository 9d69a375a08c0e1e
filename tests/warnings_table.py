"""Write `reports/warnings.md`: every warning of the books, who answers it, and which tests show it.

Run `python -m tests.warnings_table`.  Whoever answers is found by code in the package, and
the tests of detectors and suspicions by name, so that a new one wants no change here.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.suspect import SUSPECT
from audit.warnings import BookWarning, load
from audit.warnings.answers import answers
from tests._answers import EVIDENCE, FIELDS, by_name, ruling, without_parameters

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
REPORT = ROOT / "reports" / "warnings.md"
HEAD = """# The warnings of the books

One row for each of the 106 warnings: who answers it, which fields a log has to have, the test
that trips the answer and the test that leaves it silent; or why no log can show it.
*Evidence* has a chance in a fair deal and counts in the verdict, a *contradiction* cannot have
happened, a *ruling* is a breach of the game's law and changes no verdict.
Made by `python -m tests.warnings_table`; a test holds it to be current and its tests to exist.

| code | kind | game | answered by | fields | trips | silent |
|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One warning: *by* are the answers with the tests that trip and spare each."""

    warning: BookWarning
    by: tuple[tuple[str, str, str], ...]
    fields: tuple[str, ...]
    beyond: str

    @property
    def whole(self) -> bool:
        """Whether somebody answers with both tests, or no log can show it."""
        told = bool(self.by) and all(trips and spares for _, trips, spares in self.by)
        return told != bool(self.beyond)


def collected() -> list[str]:
    """Return the ids of the tests of laws and of the audit, no others speak of warnings.

    Raises: RuntimeError where they cannot all be collected.
    """
    where = ["tests/laws", "tests/suspect", *(f"tests/{f.name}" for f in TESTS.glob("test_*.py"))]
    options = ["-o", "addopts=", "-q", "--collect-only", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *where],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"tests: not collected: {done.stdout[-400:]}")
    return [line for line in done.stdout.splitlines() if "::" in line]


def row(warning: BookWarning, nodes: Sequence[str]) -> Row:
    """Return the row of *warning*; tests that are not among *nodes* count as none."""
    known, who = {without_parameters(n) for n in nodes} | set(nodes), answers(warning.code)
    own = EVIDENCE.get(warning.code, ("", ""))
    by: list[tuple[str, str, str]] = []
    for kind, names in (("detector", who.detectors), ("suspicion", who.suspicions)):
        for name in names:
            listed = EVIDENCE.get(name) or by_name(name, nodes)
            trips = own[0] if own[0] and not who.engine else listed[0]
            by.append((f"evidence: {kind} `{name}`", trips, own[1] or listed[1]))
    if who.engine:
        spares = EVIDENCE[who.engine.rpartition(".")[2]][1]
        by.append(("contradiction: check of each deal", own[0], own[1] or spares))
    if who.ruled or who.duty:
        by.append(
            (f"ruling{': ' + who.duty if who.duty else ''}", *ruling(warning.code, warning.games))
        )
    fields = [f for n in who.suspicions for f in SUSPECT[n].fields]
    if who.detectors or who.engine or who.ruled or not fields:
        fields += FIELDS.get(warning.code, warning.fields)
    there = tuple((a, t if t in known else "", s if s in known else "") for a, t, s in by)
    return Row(warning=warning, by=there, fields=tuple(dict.fromkeys(fields)), beyond=who.beyond)


def _cell(parts: Sequence[str]) -> str:
    return "<br>".join(dict.fromkeys(p.replace("|", "\\|") for p in parts))


def _test(node: str) -> str:
    return f"`{node.removeprefix('tests/')}`" if node else "in work"


def line(row: Row) -> str:
    """Return *row* as a line of the table."""
    start = f"| {row.warning.code} | {row.warning.kind} | {', '.join(row.warning.games)} |"
    fields = ", ".join(row.fields) or "none"
    if row.beyond:
        return f"{start} no log can show it: {row.beyond} | {fields} | | |"
    if not row.by:
        return f"{start} in work | {fields} | in work | in work |"
    told, trips, spares = zip(*row.by, strict=True)
    return (
        f"{start} {_cell(told)} | {fields} | {_cell([_test(t) for t in trips])} |"
        f" {_cell([_test(s) for s in spares])} |"
    )


def page(rows: Sequence[Row]) -> str:
    """Return the whole report."""
    return HEAD + "".join(line(r) + "\n" for r in rows)


def main() -> None:
    """Write the report, and say which rows want something."""
    nodes = collected()
    rows = [row(w, nodes) for w in load()]
    REPORT.write_text(page(rows), encoding="utf-8")
    wanting = [r.warning.code for r in rows if not r.whole]
    sys.stdout.write(f"{len(rows)} rows, {len(wanting)} in work: {' '.join(wanting) or 'none'}\n")


if __name__ == "__main__":
    main()
