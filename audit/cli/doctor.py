"""`fairdeal doctor`: what is wrong with this installation."""

from __future__ import annotations

import platform
from importlib import metadata

import click

NEEDED = ("numpy", "scipy", "cryptography", "click", "msgspec", "jinja2", "matplotlib", "rich")
EXTRAS = {"pyarrow": "parquet"}


@click.command()
def doctor() -> int:
    """Print versions, and what is missing with its cure."""
    from audit import __version__

    click.echo(f"fairdeal {__version__} on Python {platform.python_version()}")
    wrong = 0
    for name in NEEDED:
        try:
            click.echo(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            wrong += 1
            click.echo(f"{name}: missing; cure: pip install fairdeal")
    for name, extra in EXTRAS.items():
        try:
            click.echo(f"{name} {metadata.version(name)} (extra {extra})")
        except metadata.PackageNotFoundError:
            click.echo(f"{name}: not installed; for the extra: pip install 'fairdeal[{extra}]'")
    return 70 if wrong else 0
