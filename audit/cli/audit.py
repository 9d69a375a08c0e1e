"""`fairdeal audit`: read logs, say what is unfair about them and nothing else."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from audit.errors import UsageError

EXITS = {"clear": 0, "flagged": 1, "contradiction": 1, "nothing to audit": 3}


def write_whole(path: str, text: str) -> None:
    """Write *text* to *path*, `-` being standard output: UTF-8, all of it or nothing."""
    if path == "-":
        click.echo(text.encode("utf-8"), nl=False)
        return
    put_whole(path, lambda target: _put(target, text))


def _put(target: Path, text: str) -> None:
    target.write_text(text, encoding="utf-8", newline="")


def put_whole(path: str, make: Callable[[Path], None]) -> None:
    """Let *make* write a file and put it at *path*, `-` being standard output: all or nothing."""
    target = Path(path)
    folder = None if path == "-" else target.parent
    try:
        handle, name = tempfile.mkstemp(dir=folder, prefix=".fairdeal-")
    except OSError as err:
        raise UsageError(path, "cannot be written", err.strerror or "unknown") from err
    os.close(handle)
    try:
        make(Path(name))
        if path == "-":
            with open(name, "rb") as made:
                shutil.copyfileobj(made, sys.stdout.buffer)
            os.unlink(name)
            return
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        try:
            os.replace(name, target)
        except OSError as err:
            raise UsageError(path, "cannot be written", err.strerror or "unknown") from err
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def hide_names(report: dict[str, Any]) -> dict[str, Any]:
    """Return *report* without file names and without what a log's own words say of a flaw.

    The audit itself has put persons, stocks and deals by number.
    """
    names = {row["name"]: f"log {k}" for k, row in enumerate(report["inputs"], start=1)}
    for k, row in enumerate(report["inputs"], start=1):
        row["name"] = f"log {k}"
    for flaw in report["flaws"]:
        flaw["input"] = names[flaw["input"]]
        flaw["field"] = "not shown"
        flaw["why"] = "not shown, for it could name somebody"
    report["made"]["command"] = shlex.join(
        ["fairdeal", "audit", *(f"log {k}" for k in range(1, len(names) + 1)), "--names", "hide"]
    )
    return report


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Give whom to tell of the progress: a bar on a terminal once a second has passed."""
    start, rows = time.monotonic(), dict[str, Any]()
    bar: Any = None

    def told(what: str, done: int, total: int) -> None:
        nonlocal bar
        if not sys.stderr.isatty() or time.monotonic() - start < 1:
            return
        if bar is None:
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.start()
        if what not in rows:
            rows[what] = bar.add_task(what, total=total)
        bar.update(rows[what], completed=done)

    try:
        yield told
    finally:
        if bar is not None:
            bar.stop()


@click.command()
@click.argument("log", nargs=-1, required=True)
@click.option("--format", "form", metavar="F", help="The format of the input, if not recognised.")
@click.option("--game", metavar="G", help="The game, where the log does not say.")
@click.option("--json", "json_to", metavar="FILE", help="Write the report as JSON.")
@click.option("--html", "html_to", metavar="FILE", help="Write the report as one HTML page.")
@click.option("--jobs", type=click.IntRange(1), help="Processes; all cores for a large log.")
@click.option("--names", type=click.Choice(["show", "hide"]), default="show", show_default=True)
def audit(
    log: tuple[str, ...],
    form: str | None,
    game: str | None,
    json_to: str | None,
    html_to: str | None,
    jobs: int | None,
    names: str,
) -> int:
    """Audit deal logs; several logs in one command are one audit.

    Exit code 0 clear, 1 flagged or contradiction, 3 nothing to audit.
    """
    from audit.run.audit import audit as run_audit
    from audit.shuffle.log import READER as LEDGER

    hide = names == "hide"
    with progress() as told:
        report = run_audit(
            log, form=form, game=game, jobs=jobs, told=told, hide=hide, more=(LEDGER,)
        )
    report["made"]["command"] = shlex.join(["fairdeal", "audit", *(Path(p).name for p in log)])
    if names == "hide":
        report = hide_names(report)
    if json_to:
        write_whole(json_to, json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    if html_to:
        from audit.render.html import page

        write_whole(html_to, page(report))
    if json_to != "-" and html_to != "-":
        from rich.console import Console

        from audit.render.terminal import show

        show(report, Console(file=sys.stdout))
    return EXITS[report["verdict"]]
