"""Bytes that can be read in one way only.

Every hash, key and signature of the protocol is taken over `frame(label, ...)`, never over
joined text, so that no two meanings share a byte string and nothing made for one purpose
can be shown for another.

Source: design section 3, P10 (domain separation); PROTOCOL.md, "Framing".
"""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache

from audit.shuffle.refusal import NotVerified

PREFIX = b"fairdeal/1/"
MAX_INT = 2**53 - 1
_EIGHT = (8).to_bytes(4, "big")


def frame(label: str, *fields: bytes | int) -> bytes:
    """Return T(label, fields): injective, because every part carries its own length.

    Layout: u8 length and bytes of `fairdeal/1/label`; then for each field u32be length and
    bytes. An int is a field of eight bytes.
    """
    parts = [_head(label)]
    for field in fields:
        if isinstance(field, int):
            parts += (_EIGHT, field.to_bytes(8, "big"))
        else:
            parts += (len(field).to_bytes(4, "big"), field)
    return b"".join(parts)


def part(field: bytes | int) -> bytes:
    """Return one field of a frame: T(label, f, g) is T(label, f) followed by part(g)."""
    body = field.to_bytes(8, "big") if isinstance(field, int) else field
    return len(body).to_bytes(4, "big") + body


@lru_cache(maxsize=256)
def _head(label: str) -> bytes:
    head = PREFIX + label.encode("ascii")
    return len(head).to_bytes(1, "big") + head


def unframe(label: str, data: bytes, count: int) -> list[bytes]:
    """Return the *count* fields of a frame; refuses every other label, count or length.

    Raises: NotVerified, naming the label.
    """
    head = _head(label)
    start = len(head)
    if data[:start] != head:
        raise NotVerified(label, "label", "is not a message of this kind", label)
    fields: list[bytes] = []
    at, end = start, len(data)
    while at < end:
        first = at + 4
        at = first + int.from_bytes(data[at:first], "big")
        if first > end or at > end:
            raise NotVerified(label, "length", "runs past the end of the message")
        fields.append(data[first:at])
    if len(fields) != count:
        raise NotVerified(
            label, "fields", "has another number of parts", str(count), str(len(fields))
        )
    return fields


def whole(label: str, field: bytes) -> int:
    """Return the integer of an eight-byte field, at most 2**53 - 1."""
    number = int.from_bytes(field, "big")
    if len(field) != 8 or number > MAX_INT:
        raise NotVerified(label, "integer", "is not eight bytes below 2^53")
    return number


def digest(data: bytes) -> bytes:
    """Return SHA-256 of *data*, 32 bytes."""
    return hashlib.sha256(data).digest()


def same(one: bytes, other: bytes) -> bool:
    """Compare in time that does not depend on where the first difference is."""
    return hmac.compare_digest(one, other)
