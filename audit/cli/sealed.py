"""`fairdeal deal`, `open` and `verify`: sealed sets of deals."""

from __future__ import annotations

import os
import re
from pathlib import Path

import click

from audit.errors import FairdealError, UnknownFormat, UsageError


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as err:
        raise UsageError(path, "cannot be read", err.strerror or "unknown") from err


def _create(path: str, data: bytes, mode: int) -> None:
    """Write a new file, never over an old one: a seal written twice is two seals."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except OSError as err:
        raise UsageError(path, "cannot be written", err.strerror or "unknown") from err
    with os.fdopen(handle, "wb") as out:
        out.write(data)


@click.command()
@click.argument("game")
@click.option("--players", type=int, help="Where the law has a range.")
@click.option("--deals", type=click.IntRange(1, 1_000_000), required=True)
@click.option("-o", "--output", "stem", required=True, metavar="SET")
def deal(game: str, players: int | None, deals: int, stem: str) -> int:
    """Seal a numbered set: SET.seal to publish now, SET.secret (mode 0600) to keep."""
    from audit.games import GAMES
    from audit.shuffle.canonical import encode
    from audit.shuffle.manifest import new_manifest
    from audit.shuffle.sealed import caveats, make_set

    law = GAMES[game]
    low, high = law.players
    number = low if players is None and low == high else players
    if number is None or not low <= number <= high:
        got = "none" if number is None else str(number)
        raise UsageError(game, "--players", "the law has a range", f"{low} to {high}", got)
    manifest = new_manifest(
        game=law.id,
        law=str(law.version),
        players=number,
        pack=len(law.pack),
        deals=deals,
        min_cut=law.cut_least or 0,
    )
    seal, secret = make_set(manifest)
    _create(f"{stem}.secret", secret.reveal(), 0o600)
    _create(f"{stem}.seal", encode(seal), 0o644)
    click.echo(f"{stem}.seal: publish it now; {stem}.secret: keep it until the deals are played")
    for line in caveats(manifest):
        click.echo(f"note: {line}")
    return 0


@click.command(name="open")
@click.argument("stem", metavar="SET")
@click.option("--deals", "span", metavar="A-B", help="Open these sessions only.")
@click.option("-o", "--output", required=True, metavar="LOG")
def open_(stem: str, span: str | None, output: str) -> int:
    """Open a sealed set, or some of its sessions, into LOG."""
    from audit.shuffle.canonical import encode
    from audit.shuffle.sealed import open_set, read_seal, read_secret

    wanted = None
    if span is not None:
        match = re.fullmatch(r"(\d{1,7})(?:-(\d{1,7}))?", span)
        if match is None:
            raise UsageError("open", "--deals", "not a range", "A-B", span)
        wanted = range(int(match[1]), int(match[2] or match[1]) + 1)
    opened = open_set(
        read_seal(_bytes(f"{stem}.seal")), read_secret(_bytes(f"{stem}.secret")), None, wanted
    )
    _create(output, encode(opened), 0o644)
    click.echo(f"{output}: {len(opened.sessions)} sessions opened")
    return 0


@click.command()
@click.argument("thing")
@click.option("--seal", "seal_file", metavar="FILE", help="The seal that was published.")
def verify(thing: str, seal_file: str | None) -> int:
    """Verify an opened set against the seal that was published before.

    Exit code 0 verified, 1 does not verify, 3 no anchor to check against.
    """
    from audit.shuffle.sealed import read_opened, read_seal, verify_set

    raw = _bytes(thing)
    if not raw.lstrip()[:1] == b"{":
        raise UnknownFormat(thing, "file", "not of any known kind", "an opened set", repr(raw[:16]))
    seal = None if seal_file is None else read_seal(_bytes(seal_file))
    try:
        verdict = verify_set(read_opened(raw), seal)
    except FairdealError as err:
        click.echo(f"does not verify: {err}", err=True)
        return 1
    state = "verified" if verdict.verified else "no verdict"
    click.echo(f"{state}: {len(verdict.deals)} sessions; anchor: {verdict.anchor}")
    for line in verdict.lines:
        click.echo(f"note: {line}")
    return 0 if verdict.verified else 3
