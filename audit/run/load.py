"""From files to records: format recognised, limits kept, compressed input opened."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

from audit.errors import Refused, UnknownFormat, UsageError
from audit.format import Reader
from audit.readers import READERS

#: An input may expand to at most this many times its size, and this many bytes.
EXPANSION = 200
LARGEST = 4 << 30


@dataclass(frozen=True, kw_only=True)
class Input:
    """One input: its shown name, its bytes and the reader that claims them."""

    name: str
    data: bytes
    sha256: str
    reader: Reader


def _unpack(raw: bytes, name: str) -> bytes:
    if not raw.startswith(b"\x1f\x8b"):
        return raw
    out, limit = io.BytesIO(), min(LARGEST, EXPANSION * max(1, len(raw)))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as packed:
            while block := packed.read(1 << 20):
                out.write(block)
                if out.tell() > limit:
                    raise Refused(name, "gzip", f"expands more than {EXPANSION} times")
    except (OSError, EOFError, zlib.error) as err:
        raise UnknownFormat(name, "gzip", "damaged", "a whole gzip file", str(err)) from err
    return out.getvalue()


def load(path: str, form: str | None) -> Input:
    """Return the input at *path* (`-` is standard input), read by *form* or by who claims it.

    Raises: UsageError where it cannot be opened; UnknownFormat where no reader
    or more than one claims it; Refused where it breaks a limit.
    """
    name = "standard input" if path == "-" else Path(path).name
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as err:
        raise UsageError(path, "cannot be read", err.strerror or "unknown") from err
    data = _unpack(raw, name)
    return Input(
        name=name,
        data=data,
        sha256=hashlib.sha256(raw).hexdigest(),
        reader=_reader(data, name, form),
    )


def _reader(data: bytes, name: str, form: str | None) -> Reader:
    if form is not None:
        return READERS[form]
    head = data[: 1 << 16]
    claims = [READERS[n] for n in READERS.names if READERS[n].sniff(head, name)]
    if len(claims) > 1:
        both = ", ".join(r.id for r in claims)
        raise UnknownFormat(name, "format", "claimed by more than one reader", "--format", both)
    if not claims:
        known = " ".join(READERS.names)
        raise UnknownFormat(name, "format", "not of any known kind", known, repr(head[:20]))
    return claims[0]
