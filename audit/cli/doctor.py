"""`fairdeal doctor`: what is wrong with this installation."""

from __future__ import annotations

import sys
import tempfile
import textwrap

import click

from audit.service.pages.build import page_hashes

NEEDED = ("numpy", "scipy", "cryptography", "click", "msgspec", "jinja2", "matplotlib", "rich")
EXTRAS = {
    "pyarrow": "parquet",
    "zstandard": "zstd",
    "starlette": "service",
    "uvicorn": "service",
    "uvloop": "fast",
    "httptools": "fast",
    "psycopg": "postgres",
}
WAL_RESET = ((3, 7, 0), (3, 51, 2))
"""First and last release of SQLite in which two writers in WAL mode can lose a commit."""


def sqlite_fault(version: tuple[int, ...]) -> str:
    """Return what is wrong with this release of SQLite, empty for nothing."""
    first, last = WAL_RESET
    if first <= version <= last:
        return "can damage a WAL database with two writers; cure: 3.51.3 or newer"
    return ""


def encoding_fault(encoding: str) -> str:
    """Return what a terminal of this *encoding* cannot show, empty for nothing."""
    try:
        "é♠…".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return "cannot show é, ♠ and …; cure: a UTF-8 locale, or PYTHONIOENCODING=utf-8"
    return ""


def folder_fault() -> str:
    """Return why no temporary file can be made, empty if one can."""
    try:
        with tempfile.TemporaryFile() as file:
            file.write(b"fairdeal")
    except OSError as err:
        return f"not writable ({err.strerror or 'unknown'}); cure: set TMPDIR"
    return ""


def say(text: str) -> None:
    """Show *text* in lines of at most 79 signs."""
    click.echo(textwrap.fill(text, 79, subsequent_indent="  "))


@click.command()
def doctor() -> int:
    """Print versions, and what is missing with its cure.

    Exit code 0 when every command can run, 70 when one cannot. A warning changes nothing.
    """
    # Every command loads this module, so what it alone needs waits until it is asked for.
    import platform
    import sqlite3
    from importlib import metadata

    from audit import __version__

    say(f"fairdeal {__version__} on Python {platform.python_version()}")
    wrong = 0
    for name in NEEDED:
        try:
            say(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            wrong += 1
            say(f"{name}: wrong: missing; cure: pip install fairdeal")
    for name, extra in EXTRAS.items():
        try:
            say(f"{name} {metadata.version(name)} (extra {extra})")
        except metadata.PackageNotFoundError:
            say(f"{name}: not installed; for the extra: pip install 'fairdeal[{extra}]'")
    fault = sqlite_fault(sqlite3.sqlite_version_info)
    say(f"sqlite {sqlite3.sqlite_version}{': warning: ' if fault else ''}{fault}")
    encoding = sys.stdout.encoding or "unknown"
    fault = encoding_fault(encoding)
    say(f"terminal encoding {encoding}{': warning: ' if fault else ''}{fault}")
    fault = folder_fault()
    wrong += bool(fault)
    say(f"temporary folder{': wrong: ' + fault if fault else ': writable'}")
    for name, digest in page_hashes().items():
        say(f"page {name} sha256 {digest}")
    return 70 if wrong else 0
