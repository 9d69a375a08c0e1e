"""`fairdeal deal`, `open` and `verify`: sealed sets of deals."""

from __future__ import annotations

import os
import re
import stat
import tempfile
import textwrap
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from audit.errors import NothingToAudit, Refused, UsageError

if TYPE_CHECKING:
    from audit.law import Law
    from audit.shuffle.manifest import Entropy
    from audit.shuffle.sealed import SetSeal

LATE = {"wait": "the deals wait for it", "void": "the set is void", "none": "not said"}
CORRECTED = {"first": "the first counts", "void": "the set is void", "none": "not said"}
MOST_BYTES = 1 << 27
MOST_SESSIONS = 50_000
"""Deals of one key each opened into one file: at about 1.7 kB each they stay below MOST_BYTES."""
MOST_KEYS = 1_000_000


def read_file(path: str) -> bytes:
    """Return the bytes of a file, or of a pipe, of at most MOST_BYTES."""
    with open_file(path) as file:
        return read_rest(path, file)


def open_file(path: str) -> BinaryIO:
    """Open a file or a pipe to be read. Raises: UsageError, saying why it cannot be."""
    try:
        return open(path, "rb")
    except (OSError, ValueError) as err:
        why = err.strerror if isinstance(err, OSError) else None
        raise UsageError(path, "cannot be read", why or "no file can have that name") from err


def read_rest(path: str, file: BinaryIO, start: bytes = b"") -> bytes:
    """Return *start* and what *file* still holds, together at most MOST_BYTES."""
    try:
        data = start + file.read(MOST_BYTES + 1)
    except OSError as err:
        raise UsageError(path, "cannot be read", err.strerror or "unknown") from err
    if len(data) > MOST_BYTES:
        raise Refused(path, "size", "is too large", f"at most {MOST_BYTES} bytes")
    return data


def _create(path: str, parts: Iterable[bytes], mode: int) -> None:
    """Write a new file, whole or not at all, and never over an old one.

    The name is taken first, so that two writers cannot both have it; the bytes follow under
    a temporary name.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    except (OSError, ValueError) as err:
        why = err.strerror if isinstance(err, OSError) else None
        raise UsageError(path, "cannot be written", why or "no file can have that name") from err
    name = None
    try:
        handle, name = tempfile.mkstemp(dir=Path(path).parent, prefix=".fairdeal-")
        with os.fdopen(handle, "wb") as out:
            out.writelines(parts)
        os.chmod(name, stat.S_IMODE(os.stat(path).st_mode))
        os.replace(name, path)
    except BaseException as err:
        for left in (name, path):
            if left is not None:
                Path(left).unlink(missing_ok=True)
        if isinstance(err, OSError):
            raise UsageError(path, "cannot be written", err.strerror or "unknown") from err
        raise


def utc_second(where: str, option: str, text: str) -> int:
    """Return the Unix second of a UTC time such as 2026-12-24T18:00:00Z."""
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z", text, re.ASCII) is None:
            raise ValueError
        return int(datetime.fromisoformat(text[:-1]).replace(tzinfo=UTC).timestamp())
    except ValueError as err:
        wanted = "a time in UTC such as 2026-12-24T18:00:00Z"
        raise UsageError(where, option, "is no time", wanted, text) from err


def say(text: str) -> None:
    """Show *text* in lines of at most 79 signs, no word of it broken."""
    lines = textwrap.wrap(
        text, 79, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    click.echo("\n".join(lines))


def value_rule(rule: Entropy) -> str:
    """Return when and by whom the value is published, and what happens if it is not."""
    from audit.shuffle.manifest import utc

    who = rule.source.partition(":")[2] if rule.names_source else "somebody not named"
    return (
        f"value: from {who}, not before {utc(rule.moment)}; "
        f"if late: {LATE[rule.late]}; if corrected: {CORRECTED[rule.corrected]}; "
        "if missing: the set is void"
    )


def _span(where: str, text: str | None) -> range | None:
    if text is None:
        return None
    match = re.fullmatch(r"([0-9]{1,8})(?:-([0-9]{1,8}))?", text)
    if match is None or int(match[2] or match[1]) < int(match[1]):
        raise UsageError(where, "--deals", "not a range", "A-B", text)
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def given_value(value: str | None, value_file: str | None) -> bytes | None:
    """Return the value's bytes exactly as given: no blank, line end or sign is changed."""
    if value is not None and value_file is not None:
        raise UsageError("value", "--value-file", "is given beside --value", "one of them")
    if value_file is not None:
        return read_file(value_file)
    return None if value is None else os.fsencode(value)


def _pack_size(law: Law, options: tuple[str, ...]) -> int:
    """Return the size of the pack that *options* (`pack=24`) choose."""
    chosen: dict[str, str] = {}
    for option in options:
        name, _, to = option.partition("=")
        if name != "pack" or not law.packs:
            known = "pack=" + " or pack=".join(law.packs) if law.packs else ""
            raise UsageError(law.id, "--option", "the law has no such option", known, option)
        if name in chosen:
            raise UsageError(law.id, "--option", "is given twice", "one", option)
        chosen[name] = to
    try:
        return len(law.pack_of(chosen))
    except KeyError as err:
        wanted = " or ".join(f"pack={name}" for name in law.packs)
        raise UsageError(law.id, "--option", "no such pack", wanted, options[0]) from err


def _entropy(
    value: str,
    source: str | None,
    moment: str | None,
    bits: int | None,
    late: str | None,
    corrected: str | None,
) -> Entropy:
    """Return the rule of the public value that the options state, all of it or none."""
    from audit.shuffle.manifest import file_value, no_value

    kind, _, form = value.partition(":")
    if value == "none":
        further = {
            "--source": source,
            "--moment": moment,
            "--bits": bits,
            "--late": late,
            "--corrected": corrected,
        }
        for option, given in further.items():
            if given is not None:
                raise UsageError("deal", option, "says nothing of a set without value", "--value")
        return no_value()
    if kind != "file":
        raise UsageError("deal", "--value", "is of no known kind", "none or file:PATTERN", value)
    if moment is None:
        raise UsageError("deal", "--moment", "missing", "the time before which none can know it")
    if bits is None:
        raise UsageError("deal", "--bits", "missing", "how many bits of it nobody can foresee")
    second = utc_second("deal", "--moment", moment)
    if second <= time.time():
        raise UsageError("deal", "--moment", "is past: the value may be known", "later", moment)
    return file_value(
        form,
        moment=second,
        bits=bits,
        source=source,
        late="void" if late == "void" else "wait",
        corrected="void" if corrected == "void" else "first",
    )


@click.command()
@click.argument("game")
@click.option("--players", type=int, help="Where the law has a range.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="Of the law: pack=24.")
@click.option("--deals", type=click.IntRange(1, 10_000_000), required=True)
@click.option(
    "--session",
    type=click.IntRange(1),
    metavar="N",
    help="Seal in bulk: N deals have one key and open together. Without it each opens alone.",
)
@click.option(
    "--value",
    metavar="none|file:PATTERN",
    default="none",
    show_default=True,
    help="The exact bytes of a public value to come, as file:[0-9]{12}.",
)
@click.option("--source", metavar="NAME", help="Who publishes the value.")
@click.option("--moment", metavar="UTC", help="Nobody can know the value before it.")
@click.option("--bits", type=click.IntRange(0, 8192), help="Bits of it that nobody can foresee.")
@click.option("--late", type=click.Choice(["wait", "void"]), help="If late; default wait.")
@click.option("--corrected", type=click.Choice(["first", "void"]), help="Default: first counts.")
@click.option("-o", "--output", "stem", required=True, metavar="SET")
def deal(
    game: str,
    players: int | None,
    options: tuple[str, ...],
    deals: int,
    session: int | None,
    value: str,
    source: str | None,
    moment: str | None,
    bits: int | None,
    late: str | None,
    corrected: str | None,
    stem: str,
) -> int:
    """Seal a numbered set: SET.seal to publish now, SET.secret (mode 0600) to keep."""
    from audit.games import GAMES
    from audit.shuffle.bulk_set import make_bulk
    from audit.shuffle.canonical import encode
    from audit.shuffle.manifest import in_bulk, new_manifest
    from audit.shuffle.sealed import caveats, make_set
    from audit.shuffle.verdict import NO_SOURCE

    _check_stem("-o", stem)
    law = GAMES[game]
    if law.status == "named":
        raise UsageError(game, "game", "the book gives no rules for it", "a game with a deal", game)
    low, high = law.players
    number = low if players is None and low == high else players
    if number is None or not low <= number <= high:
        got = "none" if number is None else str(number)
        wanted = str(low) if low == high else f"{low} to {high}"
        raise UsageError(game, "--players", "not by the law", wanted, got)
    if session is None and deals > MOST_KEYS:
        raise UsageError("deal", "--deals", "too many to have a key each", "--session N")
    manifest = new_manifest(
        game=law.id,
        law=str(law.version),
        players=number,
        pack=_pack_size(law, options),
        deals=deals,
        min_cut=law.least_cut(number) or 0,
        entropy=_entropy(value, source, moment, bits, late, corrected),
    )
    seal: SetSeal
    if session is None:
        seal, secret = make_set(manifest)
    else:
        seal, secret = make_bulk(in_bulk(manifest, session))
    _create(f"{stem}.secret", [secret.reveal()], 0o600)
    try:
        _create(f"{stem}.seal", [encode(seal)], 0o644)
    except BaseException:
        Path(f"{stem}.secret").unlink()
        raise
    click.echo(f"{stem}.seal: publish it now; {stem}.secret: keep it until the deals are played")
    if session is not None:
        say(f"deals open by sessions of {session}, none of a session alone")
    rule = manifest.entropy
    if rule.has_value:
        say(f"value: in the form {rule.pattern}")
        say(value_rule(rule))
        if not rule.names_source:
            say(f"note: {NO_SOURCE}")
    for line in caveats(manifest):
        say(f"note: {line}")
    return 0


@click.command(name="open")
@click.argument("stem", metavar="SET")
@click.option("--value", metavar="BYTES", help="The public value, byte for byte.")
@click.option("--value-file", metavar="FILE", help="The file whose bytes are the value.")
@click.option("--deals", "span", metavar="A-B", help="Open these sessions only.")
@click.option("-o", "--output", required=True, metavar="LOG")
def open_(
    stem: str, value: str | None, value_file: str | None, span: str | None, output: str
) -> int:
    """Open a sealed set, or some of its sessions, into LOG."""
    from audit.shuffle.bulk_set import BULK_SEAL, open_bulk, opened_bytes, read_bulk_seal
    from audit.shuffle.canonical import encode
    from audit.shuffle.sealed import open_set, read_seal, read_secret

    _check_stem("SET", stem)
    wanted = _span("open", span)
    raw = read_file(f"{stem}.seal")
    parts: Iterable[bytes]
    if raw.startswith(BULK_SEAL):
        bulk = read_bulk_seal(raw)
        count, given = bulk.manifest.deals, _value_to_open(stem, bulk, value, value_file)
        opened = open_bulk(bulk, read_secret(read_file(f"{stem}.secret")), given, wanted)
        shown, notes, parts = opened.deals, opened.notes, opened_bytes(opened)
        what = "deals"
    else:
        seal = read_seal(raw)
        count, given = seal.manifest.deals, _value_to_open(stem, seal, value, value_file)
        if (count if wanted is None else len(wanted)) > MOST_SESSIONS:
            raise UsageError("open", "--deals", "too many for one file", f"at most {MOST_SESSIONS}")
        one_by_one = open_set(seal, read_secret(read_file(f"{stem}.secret")), given, wanted)
        shown, notes, parts = len(one_by_one.sessions), one_by_one.notes, [encode(one_by_one)]
        what = "sessions"
    _create(output, parts, 0o644)
    click.echo(f"{output}: {shown} of {count} {what} opened")
    if shown < count:
        say(f"note: {stem}.secret still holds those that are not opened: keep it secret")
    for line in notes:
        say(f"note: {line}")
    return 0


def _value_to_open(
    stem: str, seal: SetSeal, value: str | None, value_file: str | None
) -> bytes | None:
    """Return the value given, once its moment is past and if it has the manifest's form."""
    from audit.shuffle.manifest import utc
    from audit.shuffle.pattern import matches

    rule = seal.manifest.entropy
    if rule.has_value and time.time() < rule.moment:
        raise NothingToAudit(stem, "value", "nobody can know it yet", f"from {utc(rule.moment)}")
    given = given_value(value, value_file)
    if rule.has_value and given is not None and not matches(rule.pattern, given):
        raise UsageError("open", "--value", "has another form", rule.pattern, ascii(given)[1:])
    return given


def _check_stem(option: str, stem: str) -> None:
    """Refuse a name of a set that would make its files hidden, or files of a folder."""
    if not stem or stem == "-" or stem.endswith(("/", os.sep)) or Path(stem).name in ("", ".."):
        raise UsageError("set", option, "names no set", "a name such as tonight", stem)
