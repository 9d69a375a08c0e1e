"""The report on a terminal, drawn with rich; no string of a log is read as markup."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from audit.render.schema import NO_ACCUSATION, VERDICTS, clean, number, ordered, power

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
                "; ".join(f.get("explains") or ()),
            ]
            for f in r["findings"]
        ],
        total["findings"],
    )
    if not total["findings"]:
        console.print(Text("No finding."))
    _table(
        console,
        "Silent: could not answer on this log, which is no pass",
        ("code", "test", "why"),
        [[s["code"], s["detector"].replace("_", " "), s["why"]] for s in r["silent"]],
        total["silent"],
    )
    flag = r["flag"]
    console.print(
        Text(
            f"Weighted evidence {power(flag['sum_log10'])}; a flag needs"
            f" {number(flag['threshold'])}. {NO_ACCUSATION}"
        )
    )


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
