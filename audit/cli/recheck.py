"""`fairdeal recheck`: audit the logs again and hold the report to what comes out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from audit.errors import Refused, UnknownFormat, UsageError

#: What is no statement about the logs.
_OUTSIDE = ("made", "schema")
LARGEST = 1 << 26


def differences(told: Any, found: Any, where: str = "") -> list[str]:
    """Return the places where *found* is not what the report *told*."""
    if isinstance(told, dict) and isinstance(found, dict):
        out: list[str] = []
        for key in sorted({*told, *found}):
            inner = f"{where}.{key}" if where else key
            # A part that is missing is not one that is null.
            both = key in told and key in found
            out += differences(told[key], found[key], inner) if both else [inner]
        return out
    if isinstance(told, list) and isinstance(found, list) and len(told) == len(found):
        pairs = enumerate(zip(told, found, strict=True))
        return [d for k, (a, b) in pairs for d in differences(a, b, f"{where}[{k}]")]
    if isinstance(told, float) and isinstance(found, float):
        # Logarithms of two machines may differ in the last digit.
        return [] if abs(told - found) <= 1e-9 * max(1.0, abs(found)) else [where]
    return [] if type(told) is type(found) and told == found else [where]


@click.command()
@click.argument("report")
@click.argument("log", nargs=-1, required=True)
@click.option("--format", "form", metavar="F", help="The format of the input, if not recognised.")
@click.option("--game", metavar="G", help="The game, where the log does not say.")
def recheck(report: str, log: tuple[str, ...], form: str | None, game: str | None) -> int:
    """Audit LOG again and say whether REPORT, made by `audit --json`, is what comes out.

    Exit code 0 when it is, 1 when it is not.  `reports/recheck.py` works the numbers out from
    the report's own counts instead, without this program.
    """
    from audit.run.audit import audit as run_audit
    from audit.shuffle.log import READER as LEDGER

    told = _read(report)
    if hidden := told.get("made", {}).get("command", "").endswith("--names hide"):
        click.echo("The report hides names: those of the logs are hidden as well.")
    found: Any = run_audit(log, form=form, game=game, hide=hidden, more=(LEDGER,))
    if hidden:
        from audit.cli.audit import hide_names

        found = hide_names(found)
    found = json.loads(json.dumps(found))
    for key in _OUTSIDE:
        told.pop(key, None)
        found.pop(key, None)
    digests = [[row.get("sha256") for row in of.get("inputs", [])] for of in (told, found)]
    if digests[0] != digests[1]:
        click.echo("does not recheck: these are not the logs of the report (SHA-256 differs)")
        return 1
    if wrong := differences(told, found):
        click.echo(f"does not recheck: {len(wrong)} values differ")
        for where in wrong[:20]:
            click.echo(f"  {where}")
        return 1
    click.echo(f"rechecked: {told['verdict']}; every value of the report comes out again")
    return 0


def _read(path: str) -> dict[str, Any]:
    try:
        if Path(path).stat().st_size > LARGEST:
            raise Refused(path, "report", "too large", f"{LARGEST >> 20} MiB at most")
        told = json.loads(Path(path).read_bytes())
    except OSError as err:
        raise UsageError(path, "cannot be read", err.strerror or "unknown") from err
    except (ValueError, RecursionError) as err:
        raise UnknownFormat(path, "report", "no JSON") from err
    if not isinstance(told, dict) or not str(told.get("schema", "")).startswith("fairdeal-report/"):
        raise UnknownFormat(path, "report", "no report of fairdeal audit")
    made, inputs = told.get("made", {}), told.get("inputs")
    command = made.get("command", "") if isinstance(made, dict) else None
    rows = isinstance(inputs, list) and all(isinstance(row, dict) for row in inputs)
    if not rows or not isinstance(command, str) or "verdict" not in told:
        raise Refused(path, "report", "a part of it is missing")
    return told
