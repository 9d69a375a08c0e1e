"""JSON with one byte string for one meaning.

Narrow: objects, arrays, integers from 0 to 2^53 - 1 and strings of printable ASCII; names
sorted, no blanks, no other escapes than those of quote and backslash. Floats, null, true
and false do not exist. A reader writes what it has read again and compares.

Source: PROTOCOL.md, "Canonical JSON"; I-JSON (RFC 7493) for the range of integers.
"""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import TypeVar

import msgspec

from audit.shuffle.framing import MAX_INT
from audit.shuffle.refusal import NotVerified

MAX_NESTING = 64
_PRINTABLE = bytes(range(0x20, 0x7F))
_OUTSIDE = b"[]{},:0123456789"
#: Numbers of fewer digits are below 2^53.
_LONG = re.compile(rb"[0-9]{16}")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_DEEPER = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
T = TypeVar("T")


def encode(value: object) -> bytes:
    """Return the one canonical byte string of *value* (a struct or plain data)."""
    return msgspec.json.encode(value, order="sorted")


def read(raw: bytes, where: str) -> object:
    """Return the plain data of canonical bytes, and refuse every other spelling of it.

    Raises: NotVerified, saying which rule is broken.
    """
    try:
        value: object = msgspec.json.decode(raw)
    except RecursionError as err:
        raise NotVerified(where, "nesting", "is too deep", f"at most {MAX_NESTING}") from err
    except (msgspec.DecodeError, UnicodeDecodeError) as err:
        raise NotVerified(where, "json", str(err)) from err
    if not _plainly_narrow(raw):
        _narrow(value, where)
    if encode(value) != raw:
        _explain(raw, where)
    return value


def at_once(raw: bytes, kind: type[T]) -> T | None:
    """Return canonical bytes as a *kind*, None where that is not plain at once."""
    try:
        made = msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    # What is written back byte for byte has its names sorted, once each, and none left out.
    return made if encode(made) == raw and _plainly_narrow(raw) else None


def read_as(raw: bytes, kind: type[T], where: str) -> T:
    """Return canonical bytes as a *kind*; the refusal names the field that does not fit."""
    straight = at_once(raw, kind)
    if straight is not None:
        return straight
    value = read(raw, where)
    try:
        made = msgspec.convert(value, kind)
    except msgspec.ValidationError as err:
        why, _, path = str(err).partition(" - at `")
        field = path.rstrip("`").removeprefix("$").lstrip(".") or "object"
        quoted = re.search(r"field `([^`]+)`", why)
        if quoted:
            field = quoted[1] if field == "object" else f"{field}.{quoted[1]}"
        raise NotVerified(where, field, why) from err
    if encode(made) != raw:
        # A struct fills in what was left out; canonical bytes hold every name.
        field = _left_out(value, msgspec.to_builtins(made), "")
        raise NotVerified(where, field, "is left out")
    return made


def _left_out(said: object, whole: object, path: str) -> str:
    """Return the path of the first name of *whole* that *said* lacks, "object" for none."""
    inner: list[tuple[str, object, object]] = []
    if isinstance(said, dict) and isinstance(whole, dict):
        dot = f"{path}." if path else ""
        for name in sorted(whole):
            if name not in said:
                return f"{dot}{name}"
            inner.append((f"{dot}{name}", said[name], whole[name]))
    elif isinstance(said, list) and isinstance(whole, list | tuple):
        pairs = enumerate(zip(said, whole, strict=True))
        inner = [(f"{path}[{n}]", one, other) for n, (one, other) in pairs]
    found = (_left_out(one, other, at) for at, one, other in inner)
    return next((field for field in found if field != "object"), "object")


def _plainly_narrow(raw: bytes) -> bool:
    """Whether *raw*, which is JSON, shows at once that it holds what the narrow form has.

    False says nothing: numbers of 16 digits are for `_narrow` to judge.
    """
    if raw.translate(None, _PRINTABLE):
        return False
    if b"\\" in raw:
        # Pairs first, from the left, as they are read; only `\\` and `\"` may go.
        raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
        if b"\\" in raw:
            return False
    rest = b"".join(raw.split(b'"')[::2])
    if rest.translate(None, _OUTSIDE) or _LONG.search(rest):
        return False
    brackets = rest.translate(None, _NO_BRACKETS)
    return max(accumulate(map(_DEEPER.__getitem__, brackets)), default=0) <= MAX_NESTING


def _narrow(top: object, where: str) -> None:
    """Refuse what the narrow form does not have, level by level of nesting."""
    level, depth = [top], 0
    while level:
        depth += 1
        below: list[object] = []
        for value in level:
            if isinstance(value, dict):
                below.extend(value.keys())
                below.extend(value.values())
            elif isinstance(value, list):
                if not _whole_numbers(value):
                    below.extend(value)
            elif isinstance(value, str):
                if not (value.isascii() and value.isprintable()):
                    raise NotVerified(where, "string", "holds more than printable ASCII", "", value)
            elif type(value) is int:
                if not 0 <= value <= MAX_INT:
                    raise NotVerified(
                        where, "integer", "is out of range", "0 to 2^53 - 1", str(value)
                    )
            else:
                name = "null" if value is None else type(value).__name__
                raise NotVerified(where, name, "does not exist in this form of JSON")
            if depth > MAX_NESTING and isinstance(value, dict | list):
                raise NotVerified(where, "nesting", "is too deep", f"at most {MAX_NESTING}")
        level = below


def _whole_numbers(values: list[object]) -> bool:
    """Whether *values* are integers of the narrow form and nothing else."""
    return set(map(type, values)) == {int} and all(0 <= v <= MAX_INT for v in values)  # type: ignore[operator]


def _explain(raw: bytes, where: str) -> None:
    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        names: set[str] = set()
        for name, _ in items:
            if name in names:
                raise NotVerified(where, name, "stands twice in one object")
            names.add(name)
        return dict(items)

    json.loads(raw, object_pairs_hook=pairs)
    raise NotVerified(where, "spelling", "is not the canonical form of what it says")
