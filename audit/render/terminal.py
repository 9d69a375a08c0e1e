"""The report on a terminal, drawn with rich; no string of a log is read as markup."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from audit.render.schema import (
    NO_ACCUSATION,
    SILENT_WEIGHT,
    VERDICTS,
    clean,
    number,
    ordered,
    power,
)

_MOST = 40


def show(report: dict[str, Any], console: Console) -> None:
    """Print *report* on *console*: verdict, inputs, flaws, findings, silence."""
    r = {**report, "findings": ordered(report.get("findings", []))}
    total = {k: len(v) for k, v in r.items() if isinstance(v, list)}
    r = clean({k: v[:_MOST] if isinstance(v, list) else v for k, v in r.items()}, 300)
    word, sentence, mark = VERDICTS[report["verdict"]]
    console.print(Text.assemble((f"{mark} {word}", "bold"), f": {sentence}"))
    counts = ("records", "deals", "flaws", "contradictions", "repeated_records")
    _table(
        console,
        "What was read",
        ("input", "game", "format", *(c.replace("_", " ") for c in counts)),
        [[i["name"], i["game"], i["format"], *(i.get(c) for c in counts)] for i in r["inputs"]],
        total["inputs"],
    )
    _table(
        console,
        "Flaws, left out",
        ("input", "line", "field", "why"),
        [[f["input"], f["line"], f["field"], f["why"]] for f in r.get("flaws", [])],
        total.get("flaws", 0),
    )
    _table(
        console,
        "Findings",
        ("", "code", "kind", "finding", "e-value", "what else would explain it"),
        [
            [
                "▲ flagged" if f["flagged"] else "named too" if f.get("also") else "",
                f["code"],
                f["kind"],
                f["message"],
                _evidence(f),
                "; ".join([*(f.get("explains") or ()), *_left_out(f, r["inputs"])]),
            ]
            for f in r["findings"]
        ],
        total["findings"],
    )
    _table(
        console,
        "What the log would have shown, and what it speaks against",
        ("code", "about", "smallest effect seen with probability 0.9", "cleared of"),
        [
            [f["code"], f["subject"], f.get("detectable") or "not known", "; ".join(_cleared(f))]
            for f in r["findings"]
            if f.get("detectable") or _cleared(f)
        ],
        total["findings"] if total["findings"] > _MOST else 0,
    )
    if not total["findings"]:
        console.print(Text("No finding."))
    _table(
        console,
        "Silent: could not answer on this log, which is no pass",
        ("code", "test", "why", "counts in the sum as"),
        [
            [
                s["code"],
                s["detector"].replace("_", " "),
                s["why"],
                SILENT_WEIGHT[s.get("untouched")],
            ]
            for s in r["silent"]
        ],
        total["silent"],
    )
    flag = r["flag"]
    console.print(
        Text(
            f"Weighted evidence {power(flag['sum_log10'])}; a flag needs"
            f" {number(flag['threshold'])}. {NO_ACCUSATION}"
        )
    )


def _left_out(f: dict[str, Any], inputs: list[dict[str, Any]]) -> list[str]:
    """Return the share of hidden deals that would explain a finding, and the gaps in numbers."""
    share = f.get("share_explaining")
    if not isinstance(share, int | float):
        return []
    told = [f"at least {number(share)} of all such deals left out"]
    numbered = [i["numbering"] for i in inputs if "numbering" in i]
    if numbered and all(n["complete"] for n in numbered):
        told.append("the ledger hides none as far as it is verified")
    elif any(n["tables"] for n in numbered):
        told.append(f"deal numbers missing: {number(sum(n['missing'] for n in numbered))}")
    return told


def _cleared(f: dict[str, Any]) -> list[str]:
    """Return what the log speaks against."""
    cleared = f.get("cleared") or {"at": []}
    at = [
        f"{number(c['value'])} or more at {number(c['odds'])} to 1"
        for c in cleared["at"]
        if c["value"] is not None
    ]
    return [f"{cleared['name']}: {at[0]}", *at[1:]] if at else []


def _evidence(f: dict[str, Any]) -> str:
    if f["kind"] != "evidence":
        return ""
    now = "0" if f.get("log10_e") is None else power(f["log10_e"])
    top = f.get("log10_e_max")
    return now if top is None else f"{now} (highest {power(top)})"


def _table(
    console: Console, title: str, columns: tuple[str, ...], rows: list[list[Any]], total: int
) -> None:
    if not rows:
        return
    table = Table(title=Text(title), title_justify="left")
    for column in columns:
        table.add_column(Text(column), overflow="fold")
    for row in rows:
        table.add_row(*(Text(number(v)) for v in row))
    console.print(table)
    if total > len(rows):
        console.print(Text(f"{len(rows)} of {total:,} shown; the report file holds them all."))
