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
_DICTIONARY = 2
CODECS = ("", "snappy", "gzip", "", "brotli", "", "zstd", "lz4_raw")


class Compact:
    """Values of the Thrift compact protocol, read from bytes."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

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

    def number(self) -> int:
        """Return a signed number."""
        raw = self.varint()
        return (raw >> 1) ^ -(raw & 1)

    def value(self, kind: int, depth: int) -> Any:
        """Return the value of a field or an item of this *kind*."""
        if kind in (1, 2):
            return kind == 1
        if kind in (4, 5, 6):
            return self.number()
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
        if count > len(self.data) - self.at or depth > _DEPTH:
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
            found[number] = self.value(byte & 15, depth)
        self.at += 1
        return found


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """The pages of one leaf in one row group."""

    leaf: str
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
    """Return the row groups of a Parquet file, leaves named by the schema.

    Raises: ValueError, IndexError, struct.error where the footer is damaged.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - 8))
    length, magic = struct.unpack("<I4s", file.read(8))
    if magic != b"PAR1" or not 0 < length <= min(size - 8, _FOOTER):
        raise ValueError("a footer of impossible size")
    file.seek(size - 8 - length)
    meta = Compact(file.read(length)).struct()
    leaves = list(_leaves(_listed(meta.get(2)), size))
    found = []
    for group in _listed(meta.get(4)):
        columns = _listed(group.get(1))
        if len(columns) != len(leaves):
            raise ValueError("a row group without all its columns")
        chunks = tuple(_chunk(c.get(3), leaf) for c, leaf in zip(columns, leaves, strict=True))
        found.append(Group(rows=whole(group.get(3)), chunks=chunks))
    return found


def _listed(value: Any) -> list[dict[int, Any]]:
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise ValueError("a footer without its lists")
    return value


def _leaves(schema: list[dict[int, Any]], most: int) -> Iterator[str]:
    """Yield the path of each leaf of a *schema*, its elements standing depth first."""
    above: list[list[Any]] = []
    for k, element in enumerate(schema):
        name = element.get(4)
        if not isinstance(name, bytes) or len(above) > 2 * _DEPTH:
            raise ValueError("a schema of no shape")
        path = [*(above[-1][1] if above else []), *([name.decode("utf-8", "replace")] if k else [])]
        if above:
            above[-1][0] -= 1
        if children := whole(element.get(5) or 0):
            above.append([min(children, most), path])
        elif k:
            yield ".".join(path)
        while above and not above[-1][0]:
            above.pop()


def _chunk(meta: Any, leaf: str) -> Chunk:
    if not isinstance(meta, dict):
        raise ValueError("a column without its place")
    start = data = whole(meta.get(9))
    first = meta.get(11)
    if isinstance(first, int) and 0 < first < data:
        start = first
    return Chunk(
        leaf=leaf,
        codec=whole(meta.get(4)),
        values=whole(meta.get(5)),
        start=start,
        packed=whole(meta.get(7)),
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
        packed, unpacked = whole(header.get(3)), whole(header.get(2))
        dictionary = header.get(1) == _DICTIONARY
        of = header.get(7 if dictionary else 5) or header.get(8)
        if not isinstance(of, dict):
            raise ValueError("a page without a header of its kind")
        start = at + read.at
        at = start + packed
        values = whole(of.get(1))
        if not dictionary:
            left -= values
        yield Page(
            dictionary=dictionary,
            values=values,
            bytes=unpacked,
            start=start,
            stop=at,
            encoding=whole(of.get(4 if 8 in header else 2)),
        )


def whole(value: Any) -> int:
    """Return *value*, a number that counts.

    Raises: ValueError where it is none.
    """
    if not isinstance(value, int) or value < 0:
        raise ValueError("a size that is none")
    return value
