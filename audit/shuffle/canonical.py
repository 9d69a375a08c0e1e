"""JSON with one byte string for one meaning.

Narrow: objects, arrays, integers from 0 to 2^53 - 1 and strings of printable ASCII; names
sorted, no blanks, no other escapes than those of quote and backslash. Floats, null, true
and false do not exist. A reader writes what it has read again and compares.

Source: PROTOCOL.md, "Canonical JSON"; I-JSON (RFC 7493) for the range of integers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable
from functools import lru_cache
from typing import TypeVar, cast

import msgspec
from msgspec import inspect

from audit.shuffle.framing import MAX_INT
from audit.shuffle.refusal import NotVerified

MAX_NESTING = 64
_NARROW = bytes(range(0x20, 0x7F))
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
    _narrow(value, where)
    if encode(value) != raw:
        _explain(raw, where)
    return value


def read_as(raw: bytes, kind: type[T], where: str) -> T:
    """Return canonical bytes as a *kind*; the refusal names the field that does not fit."""
    quick = _read_closed(raw, kind)
    if quick is not None:
        return quick
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


def _read_closed(raw: bytes, kind: type[T]) -> T | None:
    """Return *raw* as a *kind* if nothing has to be explained, else None.

    Bytes of the narrow signs and escapes that a closed *kind* writes again as they are hold
    nothing else: what is no narrow form either has another sign, or no place in the kind, or
    another spelling.
    """
    if not _is_closed(cast(Hashable, kind)) or raw.translate(None, _NARROW):
        return None
    if b"\\" in raw and b"\\" in raw.replace(b"\\\\", b"").replace(b'\\"', b""):
        return None
    try:
        made = msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, RecursionError):
        return None
    return made if encode(made) == raw else None


@lru_cache(maxsize=64)
def _is_closed(kind: Hashable) -> bool:
    """Whether every value of *kind* has the narrow form, but for the signs in its strings."""
    return _closed(inspect.type_info(kind), frozenset())


def _closed(info: inspect.Type, above: frozenset[type]) -> bool:
    if isinstance(info, inspect.StrType):
        return True
    if isinstance(info, inspect.LiteralType):
        return all(type(v) is str or (type(v) is int and 0 <= v <= MAX_INT) for v in info.values)
    if isinstance(info, inspect.IntType):
        low, high = info.ge, info.le
        return low is not None and high is not None and low >= 0 and high <= MAX_INT
    if isinstance(info, inspect.ListType | inspect.VarTupleType):
        return _closed(info.item_type, above)
    if isinstance(info, inspect.StructType) and info.cls not in above and not info.tag_field:
        within = above | {info.cls}
        return all(_closed(field.type, within) for field in info.fields)
    return False


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
