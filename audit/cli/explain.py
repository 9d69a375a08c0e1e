"""`fairdeal explain`: what a warning means, and who answers it."""

from __future__ import annotations

import inspect
import textwrap
from importlib import import_module

import click

WIDTH = 79


def field(name: str, text: str, column: int = 8) -> str:
    """Return `name: text` in lines of at most WIDTH signs, the text from *column* on."""
    label = f"{name}:".ljust(column)
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_on_hyphens=False,
    )


def described(name: str, module: str) -> str:
    """Return what the docstring of *module* says of itself, each paragraph filled anew."""
    text = inspect.cleandoc(import_module(module).__doc__ or "")
    lines: list[str] = []
    for line in text.splitlines():
        head = line.partition(":")[0]
        if line and lines and lines[-1] and not (head.isalpha() and head.istitle() and ":" in line):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    filled = [textwrap.fill(line, WIDTH, subsequent_indent="  ") for line in lines]
    return "\n".join([f"answered by {name}:", *filled])


@click.command()
@click.argument("code")
def explain(code: str) -> int:
    """Explain a warning of the books (W01 to W106) or a row of the battery (T..)."""
    from audit.warnings import load
    from audit.warnings.answers import answers

    code = code.upper()
    who = answers(code)
    modules = {n: f"audit.detect.{n}" for n in who.detectors}
    modules |= {n: f"audit.suspect.{n}" for n in who.suspicions}
    if who.engine:
        modules[who.engine.rpartition(".")[2]] = who.engine
    warnings = {one.code: one for one in load()}
    if code in warnings:
        one = warnings[code]
        click.echo(f"{one.code} ({one.kind}; {', '.join(one.games)}; {', '.join(one.seeds)})")
        click.echo(field("claim", one.claim))
        click.echo(field("shows", one.shows))
        click.echo(field("fair", one.null))
        click.echo(field("fields", ", ".join(one.fields) or "none"))
    elif not who.anybody:
        from audit.detect import DETECT
        from audit.errors import UnknownName
        from audit.suspect import SUSPECT
        from audit.warnings.answers import ENGINES

        codes = {c for n in DETECT.names for c in DETECT[n].codes}
        codes |= {c for n in SUSPECT.names for c in SUSPECT[n].codes}
        known = sorted(c for c in {*ENGINES, *codes} if c.startswith("T"))
        raise UnknownName("code", code, ["W01 to W106", *known])
    for name, module in modules.items():
        click.echo(described(name, module))
    if who.ruled or who.duty:
        click.echo("answered by the referee: a ruling, where a log's events show it.")
    if who.duty:
        click.echo(field("duty", who.duty))
    if who.beyond:
        click.echo(field("silent", who.beyond))
    elif not who.anybody:
        click.echo("No detector answers it yet.")
    return 0
