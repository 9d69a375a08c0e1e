"""What a record batch of an Arrow file would take in memory, read before it is unpacked.

The buffers of a batch may be compressed, each preceded by the size it unpacks to.
Source: Apache Arrow columnar format 1.5, `File.fbs`, `Message.fbs`, in the encoding of FlatBuffers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

#: Bytes of one batch in memory; it cannot be read in parts.
MOST = 1 << 27
#: A batch may expand this often; small ones are let be.
TIMES, SMALL = 200, 1 << 20
_MOST_META = 1 << 24
_MAGIC = 6


class _Flat:
    """A table in a FlatBuffer: fields by number, at places that lie within the bytes."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data, self._at = data, at
        self._fields = at - self._number("<i", at)
        if self._fields < 0:
            raise ValueError("a table outside of its bytes")
        self._size = self._number("<H", self._fields)

    def _number(self, form: str, at: int) -> int:
        if at < 0:
            raise ValueError("an offset outside of its bytes")
        return int(struct.unpack_from(form, self._data, at)[0])

    def _place(self, field: int) -> int:
        at = 4 + 2 * field
        step = self._number("<H", self._fields + at) if at < self._size else 0
        return self._at + step if step else 0

    def long(self, field: int) -> int:
        """Return the number of 64 bits in *field*, 0 where it is absent."""
        at = self._place(field)
        return self._number("<q", at) if at else 0

    def table(self, field: int) -> _Flat | None:
        """Return the table in *field*."""
        at = self._place(field)
        return _Flat(self._data, at + self._number("<I", at)) if at else None

    def rows(self, field: int, form: str) -> list[tuple[int, ...]]:
        """Return the structs of the vector in *field*."""
        at = self._place(field)
        if not at:
            return []
        at += self._number("<I", at)
        size, count = struct.calcsize(form), self._number("<I", at)
        if at + 4 + count * size > len(self._data):
            raise ValueError("a vector outside of its bytes")
        return list(struct.iter_unpack(form, self._data[at + 4 : at + 4 + count * size]))


def _root(data: bytes) -> _Flat:
    return _Flat(data, struct.unpack_from("<I", data)[0])


@dataclass(frozen=True, kw_only=True)
class Block:
    """One batch of a file: the bytes it stands in, and the bytes it unpacks to."""

    packed: int
    unpacked: int

    @property
    def refused(self) -> str:
        """Why it is not read, or nothing."""
        if self.unpacked > SMALL + TIMES * self.packed:
            return f"expands more than {TIMES} times"
        return f"a batch of more than {MOST >> 20} MiB" if self.unpacked > MOST else ""


def blocks(file: BinaryIO) -> Iterator[Block]:
    """Yield the dictionaries and record batches of an Arrow file.

    Raises: ValueError, IndexError, struct.error where the file is damaged.
    """
    size = file.seek(0, 2)
    file.seek(size - _MAGIC - 4)
    (length,) = struct.unpack("<i", file.read(4))
    if not 0 < length <= min(size, _MOST_META):
        raise ValueError("a footer of impossible size")
    file.seek(size - _MAGIC - 4 - length)
    footer = _root(file.read(length))
    for field in (2, 3):
        for start, meta, body in footer.rows(field, "<qi4xq"):
            yield _block(file, start, meta, body, dictionary=field == 2)


def _block(file: BinaryIO, start: int, meta: int, body: int, *, dictionary: bool) -> Block:
    if start < 0 or body < 0 or not 8 < meta <= _MOST_META:
        raise ValueError("a block of impossible size")
    file.seek(start)
    data = file.read(meta)
    skip = 8 if data[:4] == b"\xff\xff\xff\xff" else 4
    header = _root(data[skip:]).table(2)
    batch = header.table(1) if header is not None and dictionary else header
    if batch is None:
        raise ValueError("a block without a batch")
    buffers = batch.rows(2, "<qq")
    # Rows of nulls may have no buffer at all, and are rows still.
    unpacked = 4 * batch.long(0)
    if batch.table(3) is None:
        return Block(packed=body, unpacked=unpacked + sum(n for _, n in buffers))
    for at, length in buffers:
        if length >= 8 and at >= 0:
            file.seek(start + meta + at)
            (told,) = struct.unpack("<q", file.read(8))
            unpacked += length if told < 0 else told
    return Block(packed=body, unpacked=unpacked)
