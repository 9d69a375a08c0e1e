"""`fairdeal fsck`: a full check of a ledger."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from audit.cli.audit import put_whole
from audit.errors import UsageError

if TYPE_CHECKING:
    from audit.ledger.store import Store

SHOWN = 20
CHUNK = 4096


@click.command()
@click.argument("place", metavar="DB")
@click.option("--key", "pinned", metavar="LINE", help="The ledger's key as you know it.")
@click.option(
    "--checkpoint",
    "kept",
    metavar="FILE",
    multiple=True,
    help="A checkpoint that was kept: shows a ledger cut short or of another history.",
)
@click.option(
    "--entries", "lines_to", metavar="FILE", help="Write the entries too, one a line, if fine."
)
def fsck(place: str, pinned: str | None, kept: tuple[str, ...], lines_to: str | None) -> int:
    """Check every entry, checkpoint and signature of the ledger DB.

    DB is a file, or the address of a PostgreSQL database. Exit code 0 fine, 1 broken, 2 not
    a ledger.
    """
    from audit.ledger.fsck import examine
    from audit.ledger.place import open_to_read
    from audit.ledger.refusal import StoreFailed
    from audit.note import read_key

    key = None if pinned is None else read_key(pinned)
    notes = [_bytes(path) for path in kept]
    try:
        store = open_to_read(place)
    except StoreFailed as err:
        # It says that it is a ledger, and cannot be read as one.
        click.echo(f"broken: {err}", err=True)
        return 1
    try:
        health = examine(store, key, notes)
        if lines_to is not None and not health.defects:
            put_whole(lines_to, lambda target: _write(store, health.entries, target))
    finally:
        store.close()
    for line in health.defects[:SHOWN]:
        click.echo(f"broken: {line}", err=True)
    if len(health.defects) > SHOWN:
        click.echo(f"broken: and {len(health.defects) - SHOWN} more", err=True)
    state = "broken" if health.defects else "fine"
    click.echo(
        f"{state}: {health.entries} entries, {health.checkpoints} checkpoints, "
        f"{health.cosignatures} cosignatures, root {health.root.hex()}"
    )
    if key is None:
        click.echo(f"note: signed by the key that the ledger names itself: {health.key}")
    if not notes:
        click.echo("note: compared with no kept checkpoint; an older copy would look the same")
    return 1 if health.defects else 0


def _write(store: Store, size: int, target: Path) -> None:
    with target.open("wb") as out:
        for first in range(0, size, CHUNK):
            for entry in store.entries(first, min(first + CHUNK, size)):
                # No entry of ours has a line end; one that has would stand as several.
                out.write(entry.replace(b"\n", b" ").replace(b"\r", b" ") + b"\n")


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as err:
        raise UsageError(path, "cannot be read", err.strerror or "unknown") from err
