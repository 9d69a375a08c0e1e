"""The footer and the page headers of a Parquet file, read without a library.

The library that reads the values trusts what a file says of itself, so this is read first.
Source: Apache Parquet format 2.11, `parquet.thrift` (`FileMetaData`, `PageHeader`), in the
compact protocol of Apache Thrift.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

#: Bytes of a page header that are read, and of the longest footer.
_HEADER, _FOOTER = 1 << 16, 1 << 24
_DEPTH = 12
#: Values of all kinds in a footer, and chunks that it names: each takes a library far more
#: memory than it takes bytes here.
_VALUES, CHUNKS = 1 << 19, 1 << 16
#: Columns of all depths.
_SCHEMA = 1 << 12
#: The kinds of page, and the field of a header that tells of each; others hold no values.
_DATA, _DICTIONARY, _DATA_V2 = 0, 2, 3
_OF = {_DATA: 5, _DICTIONARY: 7, _DATA_V2: 8}
#: Bits of the whole numbers by their kind in the protocol.
_I32, _I64 = 5, 6
_BITS = {4: 16, _I32: 32, _I64: 64}
CODECS = ("", "snappy", "gzip", "", "brotli", "", "zstd", "lz4_raw")


class I32(int):
    """A whole number that was written as one of 32 bits."""


class Compact:
    """Values of the Thrift compact protocol, read from bytes.

    What two readers might take differently is refused: a field that stands twice, a number
    that its kind does not hold.
    """

    def __init__(self, data: bytes, most: int = 1 << 16) -> None:
        self.data, self.at, self._left = data, 0, most

    def varint(self) -> int:
        """Return an unsigned number of at most ten bytes.

        Raises: ValueError where it is longer, IndexError where the bytes end.
        """
        value = 0
        for shift in range(0, 70, 7):
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError("a number of more than ten bytes")

    def number(self, kind: int = 4) -> int:
        """Return a signed number of this *kind*.

        Raises: ValueError where it has more bits.
        """
        raw = self.varint()
        if raw >> _BITS[kind]:
            raise ValueError("a number of more bits than its kind")
        value = (raw >> 1) ^ -(raw & 1)
        return I32(value) if kind == _I32 else value

    def value(self, kind: int, depth: int) -> Any:
        """Return the value of a field or an item of this *kind*."""
        if kind in (1, 2):
            return kind == 1
        self._left -= 1
        if self._left < 0:
            raise ValueError("more values than a header needs")
        if kind in _BITS:
            return self.number(kind)
        if kind in (3, 7):
            self.at += 1 if kind == 3 else 8
            return None
        if kind == 8:
            size = self.varint()
            start = self.at
            self.at += size
            if self.at > len(self.data):
                raise ValueError("a text outside of its bytes")
            return self.data[start : self.at]
        if kind in (9, 10):
            return self.items(depth + 1)
        if kind == 12:
            return self.struct(depth + 1)
        raise ValueError("a value of unknown kind")

    def items(self, depth: int) -> list[Any]:
        """Return a list, each item of which takes a byte at least."""
        head = self.data[self.at]
        self.at += 1
        count = self.varint() if head >> 4 == 15 else head >> 4
        if count > min(len(self.data) - self.at, self._left) or depth > _DEPTH:
            raise ValueError("a list of impossible size")
        if head & 15 in (1, 2):
            self.at += count
            return []
        return [self.value(head & 15, depth) for _ in range(count)]

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Return the fields of a struct by number."""
        if depth > _DEPTH:
            raise ValueError("nested too deeply")
        found: dict[int, Any] = {}
        number = 0
        while byte := self.data[self.at]:
            self.at += 1
            number = number + (byte >> 4) if byte >> 4 else self.number()
            if number in found:
                raise ValueError("a field that stands twice")
            found[number] = self.value(byte & 15, depth)
        self.at += 1
        return found


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """The pages of one leaf in one row group; *path* leads to it from its column."""

    path: tuple[str, ...]
    codec: int
    values: int
    start: int
    packed: int


@dataclass(frozen=True, kw_only=True)
class Group:
    """One row group."""

    rows: int
    chunks: tuple[Chunk, ...]


def groups(file: BinaryIO) -> list[Group]:
    """Return the row groups of a Parquet file, each leaf with its path in the schema.

    Raises: ValueError, IndexError, struct.error where the footer is damaged.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - 8))
    length, magic = struct.unpack("<I4s", file.read(8))
    if magic != b"PAR1" or not 0 < length <= min(size - 8, _FOOTER):
        raise ValueError("a footer of impossible size")
    file.seek(size - 8 - length)
    meta = Compact(file.read(length), _VALUES).struct()
    schema = _listed(meta.get(2))
    if len(schema) > _SCHEMA:
        raise ValueError("a schema of too many columns")
    leaves = list(_leaves(schema, size))
    told = _listed(meta.get(4))
    if len(told) * len(leaves) > CHUNKS:
        raise ValueError(f"more than {CHUNKS} column chunks; write larger row groups")
    found = []
    for group in told:
        columns = _listed(group.get(1))
        if len(columns) != len(leaves):
            raise ValueError("a row group without all its columns")
        chunks = tuple(_chunk(c.get(3), path) for c, path in zip(columns, leaves, strict=True))
        found.append(Group(rows=_long(group.get(3)), chunks=chunks))
    return found


def _listed(value: Any) -> list[dict[int, Any]]:
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise ValueError("a footer without its lists")
    return value


def _leaves(schema: list[dict[int, Any]], most: int) -> Iterator[tuple[str, ...]]:
    """Yield the path of each leaf of a *schema*, its elements standing depth first.

    A name may hold a point, so that a path joined by points would not say where it parts.
    """
    above: list[list[Any]] = []
    for k, element in enumerate(schema):
        name = element.get(4)
        if not isinstance(name, bytes) or len(above) > 2 * _DEPTH:
            raise ValueError("a schema of no shape")
        path = [*(above[-1][1] if above else []), *([name.decode("utf-8", "replace")] if k else [])]
        if above:
            above[-1][0] -= 1
        if children := _short(element.get(5, I32(0))):
            above.append([min(children, most), path])
        elif k:
            yield tuple(path)
        while above and not above[-1][0]:
            above.pop()


def _chunk(meta: Any, path: tuple[str, ...]) -> Chunk:
    if not isinstance(meta, dict):
        raise ValueError("a column without its place")
    start = data = _long(meta.get(9))
    if 0 < (first := _long(meta.get(11, 0))) < data:
        start = first
    return Chunk(
        path=path,
        codec=_short(meta.get(4)),
        values=_long(meta.get(5)),
        start=start,
        packed=_long(meta.get(7)),
    )


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page of a column chunk: how many *values* it has and the *bytes* they unpack to."""

    dictionary: bool
    values: int
    bytes: int
    #: Where its packed bytes stand in the file.
    start: int
    stop: int
    encoding: int


def pages(file: BinaryIO, chunk: Chunk) -> Iterator[Page]:
    """Yield the pages of a column *chunk*.

    Raises: ValueError, IndexError where a header is damaged.
    """
    at, left = chunk.start, chunk.values
    end = at + chunk.packed
    while at < end and left > 0:
        file.seek(at)
        read = Compact(file.read(_HEADER))
        header = read.struct()
        packed, unpacked, kind = (_short(header.get(k)) for k in (3, 2, 1))
        of = header.get(_OF.get(kind, 0))
        if not isinstance(of, dict):
            raise ValueError("a page without a header of its kind")
        start = at + read.at
        at = start + packed
        values = _short(of.get(1))
        if kind != _DICTIONARY:
            left -= values
        yield Page(
            dictionary=kind == _DICTIONARY,
            values=values,
            bytes=unpacked,
            start=start,
            stop=at,
            encoding=_short(of.get(4 if kind == _DATA_V2 else 2)),
        )
    if left:
        raise ValueError("pages of other values than their column's")


def _short(value: Any) -> int:
    """Return a number that counts, of 32 bits."""
    if not isinstance(value, I32):
        raise ValueError("a size that is none")
    return whole(value)


def _long(value: Any) -> int:
    """Return a number that counts, of 64 bits."""
    if isinstance(value, I32):
        raise ValueError("a size that is none")
    return whole(value)


def whole(value: Any) -> int:
    """Return *value*, a number that counts.

    Raises: ValueError where it is none.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("a size that is none")
    return value
