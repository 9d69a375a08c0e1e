"""`fairdeal verify`: an opened set, or a pack of a table, against what was published before."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, BinaryIO

import click

from audit.cli.sealed import (
    given_value,
    open_file,
    read_file,
    read_rest,
    say,
    utc_second,
    value_rule,
)
from audit.errors import FairdealError, NothingToAudit, Refused, UnknownFormat, UsageError

MOST_KEY_BYTES = 1 << 24
"""The first line of a set in bulk: 10,000 sessions have a key and a path of 1.1 kB each."""

if TYPE_CHECKING:
    from audit.shuffle.verdict import SetVerdict


def _check_kind(thing: str, raw: bytes) -> None:
    """Refuse what is no opened set, each other file of ours with what it is instead."""
    if not raw:
        raise UnknownFormat(thing, "file", "is empty", "an opened set")
    if not raw.lstrip()[:1] == b"{":
        raise UnknownFormat(thing, "file", "not of any known kind", "an opened set", repr(raw[:16]))
    if raw.startswith((b'{"kind":"fairdeal-set-seal/1"', b'{"kind":"fairdeal-bulk-seal/1"')):
        raise NothingToAudit(thing, "seal", "not opened yet", "the log that `open` writes")
    if raw.startswith(b'{"keys":[') and b'"kind":"fairdeal-set-secret/1"' in raw[-200:]:
        raise UsageError(thing, "secret", "holds keys and is for its owner alone", "an opened set")
    if not any(kind in raw[:4096] for kind in (b'"fairdeal-set-opened', b'"fairdeal-bulk-opened')):
        raise UnknownFormat(thing, "file", "not of any known kind", "an opened set", repr(raw[:16]))


def _check_seal_kind(path: str, raw: bytes) -> None:
    """Refuse as anchor a file that is no seal, and the opened set that carries its own."""
    if raw.startswith((b'{"kind":"fairdeal-set-opened', b'{"kind":"fairdeal-bulk-opened')):
        raise UsageError(path, "--seal", "is an opened set, which anchors nothing", "a seal")
    if not raw.startswith(b"{"):
        raise UnknownFormat(path, "--seal", "not of any known kind", "a seal", repr(raw[:16]))


def _transcript(raw: bytes, checkpoint: str | None) -> int:
    """Verify the transcript of a table's pack; the anchor is a checkpoint that somebody kept."""
    from audit.cards import show
    from audit.shuffle.transcript import anchor_of, verify_transcript

    note = None if checkpoint is None else read_file(checkpoint)
    try:
        anchor = None if note is None else anchor_of(raw, note)
        verdict = verify_transcript(raw, anchor)
    except FairdealError as err:
        click.echo(f"does not verify: {err}", err=True)
        return 1
    state = "verified" if verdict.verified else "no verdict"
    click.echo(f"{state if verdict.opened else 'not opened yet'}: one pack of a table")
    click.echo(f"anchor: {verdict.anchor}")
    if verdict.opened and max(verdict.dealt) < 52:
        say(f"dealt: {show(verdict.dealt)}")
    for line in verdict.lines:
        say(f"note: {line}")
    return 0 if verdict.verified else 3


def _dropped(raw: bytes, checkpoint: str | None) -> int:
    """Verify a proof that a message was taken and left out; the anchor is a kept checkpoint."""
    from audit.client.receipts import check_dropped

    note = None if checkpoint is None else read_file(checkpoint)
    try:
        shown = check_dropped(raw, note)
    except FairdealError as err:
        click.echo(f"does not verify: {err}", err=True)
        return 1
    state = "agrees with itself" if note is None else "verified"
    click.echo(f"{state}: a {shown.step} of seat {shown.seat} was taken and then left out")
    click.echo(f"by: the {shown.who}, key {shown.key}")
    click.echo(f"table: {shown.mh.hex()}, pack {shown.pack}")
    click.echo(f"left out in: entry {shown.index} ({shown.kind}) of {shown.origin}")
    if note is None:
        click.echo("anchor: none; nothing shows whose keys these are (--checkpoint FILE)")
        return 3
    click.echo("anchor: the key that signed the checkpoint you kept")
    return 0


@click.command()
@click.argument("thing")
@click.option("--seal", "seal_file", metavar="FILE", help="The seal that was published.")
@click.option("--checkpoint", metavar="FILE", help="A checkpoint of the ledger that you kept.")
@click.option("--value", metavar="BYTES", help="The value as its source published it.")
@click.option("--value-file", metavar="FILE", help="The same, as the bytes of a file.")
@click.option("--seen", metavar="UTC", help="When somebody you trust had the seal.")
@click.option("--whole", is_flag=True, help="No verdict unless every session is opened.")
def verify(
    thing: str,
    seal_file: str | None,
    checkpoint: str | None,
    value: str | None,
    value_file: str | None,
    seen: str | None,
    *,
    whole: bool,
) -> int:
    """Verify an opened set against its seal, or a table's transcript against a checkpoint.

    Also a proof that a message was taken and left out, as a seat writes it.

    Exit code 0 verified, 1 does not verify, 3 no anchor to check against, or not opened yet.
    """
    from audit.shuffle.bulk_set import BULK_OPENED

    with open_file(thing) as file:
        raw = _read_start(thing, file, len(BULK_OPENED))
        in_bulk = raw == BULK_OPENED
        if not in_bulk:
            raw = read_rest(thing, file, raw)
        if b'"kind":"fairdeal-dropped/1"' in raw:
            if seal_file is not None or value is not None or value_file is not None:
                raise UsageError("verify", "--seal", "a table has no seal", "--checkpoint FILE")
            return _dropped(raw, checkpoint)
        if b'"kind":"fairdeal-transcript/1"' in raw:
            if seal_file is not None or value is not None or value_file is not None:
                raise UsageError("verify", "--seal", "a table has no seal", "--checkpoint FILE")
            return _transcript(raw, checkpoint)
        if checkpoint is not None:
            raise UsageError("verify", "--checkpoint", "a set has no ledger", "--seal FILE")
        _check_kind(thing, raw)
        before = None if seen is None else utc_second("verify", "--seen", seen)
        if before is not None and seal_file is None:
            raise UsageError("verify", "--seen", "says nothing without a seal", "--seal FILE")
        given = given_value(value, value_file)
        seal_raw = None if seal_file is None else read_file(seal_file)
        if seal_file is not None and seal_raw is not None:
            _check_seal_kind(seal_file, seal_raw)
        try:
            if in_bulk:
                return _in_bulk(thing, raw, file, seal_raw, given, before, whole=whole)
            return _one_by_one(raw, seal_raw, given, before, whole=whole)
        except UsageError:
            raise
        except FairdealError as err:
            click.echo(f"does not verify: {err}", err=True)
            return 1


def _read_start(path: str, file: BinaryIO, size: int) -> bytes:
    """Return the first bytes of a file, at most *size* of them."""
    try:
        return file.read(size)
    except OSError as err:
        raise UsageError(path, "cannot be read", err.strerror or "unknown") from err


def _one_by_one(
    raw: bytes, seal_raw: bytes | None, value: bytes | None, before: int | None, *, whole: bool
) -> int:
    """Verify a set with one key a deal."""
    from audit.shuffle.sealed import read_seal
    from audit.shuffle.verdict import verify_set

    seal = None if seal_raw is None else read_seal(seal_raw)
    now = int(time.time())
    verdict = verify_set(raw, seal, value=value, sealed_before=before, now=now)
    return _tell(verdict, "sessions", whole=whole)


def _in_bulk(
    path: str,
    start: bytes,
    file: BinaryIO,
    seal_raw: bytes | None,
    value: bytes | None,
    before: int | None,
    *,
    whole: bool,
) -> int:
    """Verify a set with one key a session, whose deals follow its first line in *file*."""
    from audit.shuffle.bulk_set import read_bulk_opened, read_bulk_seal
    from audit.shuffle.bulk_verdict import verify_bulk

    seal = None if seal_raw is None else read_bulk_seal(seal_raw)
    try:
        line = start + file.readline(MOST_KEY_BYTES)
        if not line.endswith(b"\n"):
            raise Refused(path, "first line", "has no end", f"within {MOST_KEY_BYTES} bytes")
        opened = read_bulk_opened(line[:-1])
        now = int(time.time())
        verdict = verify_bulk(opened, file, seal, value=value, sealed_before=before, now=now)
    except OSError as err:
        raise UsageError(path, "cannot be read", err.strerror or "unknown") from err
    return _tell(verdict, "deals", whole=whole)


def _tell(verdict: SetVerdict, what: str, *, whole: bool) -> int:
    """Show a verdict on a set, and return the exit code that goes with it."""
    manifest = verdict.manifest
    done = verdict.verified and not (whole and verdict.closed)
    state = "verified" if done else "no verdict"
    click.echo(f"{state}: {verdict.count} of {manifest.deals} {what}")
    click.echo(f"anchor: {verdict.anchor}")
    if verdict.closed:
        spans = [f"{a}-{b}" if a < b else str(a) for a, b in verdict.closed]
        more = f" and {len(spans) - 8} more spans" if len(spans) > 8 else ""
        say(f"not opened yet: {', '.join(spans[:8])}{more}")
    if manifest.entropy.has_value:
        shown = ascii(verdict.value)[1:]
        say(f"value: {shown if len(shown) <= 200 else shown[:199] + '…'}")
        say(value_rule(manifest.entropy))
    for line in verdict.lines:
        say(f"note: {line}")
    return 0 if done else 3
