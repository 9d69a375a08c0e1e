"""What a Parquet file would take in memory, worked out before a value of it is read.

Names, repeated values and runs may stand for far more bytes than the file has, so the sizes
that its pages declare are added up first, and the number of rows read at a time follows from
them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from audit.errors import Refused
from audit.readers import _footer
from audit.readers._footer import CODECS, Group, Page

#: Bytes that the rows in memory at one time may expand to.
MOST = 1 << 26
#: Bytes of one page; writers aim at one to eight MiB.
MOST_PAGE = 1 << 24
#: Values of a list column in one row group, which may all belong to one row.
MOST_LISTED = 1 << 23
#: A file may expand this often; small ones are let be.
TIMES, SMALL = 200, 1 << 20
#: Values of a dictionary longer than this are never written out row by row unseen.
LONG = 1 << 10
#: Each value may repeat a part of the one before, so a page expands without declaring it.
_DELTA_BYTE_ARRAY = 7


@dataclass(kw_only=True)
class Plan:
    """How row groups can be read: at most *rows* at a time, *coded* leaves as dictionaries."""

    rows: int
    coded: list[str]


def plan(
    pa: Any,
    file: BinaryIO,
    groups: Sequence[Group],
    *,
    known: Callable[[str], bool],
    most: int,
    name: str,
) -> Plan:
    """Return how to read these row *groups* in little memory, *most* rows at a time.

    *known* says of a leaf's path whether it is read; *name* is the file's in messages.

    Raises: Refused where no number of rows would do.
    """
    density, slack, packed, unpacked = 0.0, 0, 0, 0
    coded: set[str] = set()
    for group in groups:
        dense, loose = 0.0, 0
        for chunk in group.chunks:
            if not known(chunk.leaf):
                continue
            found = list(_footer.pages(file, chunk))
            _check(name, found, chunk.leaf)
            data = [p for p in found if not p.dictionary]
            total = sum(p.bytes for p in found)
            packed, unpacked = packed + chunk.packed, unpacked + total
            if any(p.dictionary and _long(pa, file, p, chunk.codec) for p in found):
                coded.add(chunk.leaf)
            if "." in chunk.leaf:
                if sum(p.values for p in data) > MOST_LISTED or total > 2 * MOST:
                    raise Refused(name, chunk.leaf, "a row group of too many values")
            elif data:
                dense += max(p.bytes / max(1, p.values) for p in data)
                loose += 2 * max(p.bytes for p in data)
        density, slack = max(density, dense), max(slack, loose)
    if unpacked > SMALL + TIMES * packed:
        raise Refused(name, "parquet", f"expands more than {TIMES} times")
    if slack <= MOST // 2 and density * most <= MOST // 2:
        return Plan(rows=most, coded=sorted(coded))
    return Plan(rows=max(1, min(most, int(MOST // 2 / max(1.0, density)))), coded=sorted(coded))


def _check(name: str, found: Sequence[Page], leaf: str) -> None:
    if any(p.bytes > MOST_PAGE for p in found):
        raise Refused(name, leaf, "a page of more than 16 MiB")
    if any(p.encoding == _DELTA_BYTE_ARRAY and not p.dictionary for p in found):
        raise Refused(name, leaf, "encoded as DELTA_BYTE_ARRAY, which expands without saying so")


def _long(pa: Any, file: BinaryIO, page: Page, codec: int) -> bool:
    """Say whether a dictionary *page* of texts may hold a value of more than `LONG` bytes."""
    if page.bytes <= LONG:
        return False
    if page.values > page.bytes or page.bytes > 1 << 22:
        return True
    file.seek(page.start)
    data = file.read(page.stop - page.start)
    if codec:
        try:
            data = pa.decompress(data, page.bytes, codec=CODECS[codec], asbytes=True)
        except (pa.ArrowException, OSError, ValueError, IndexError):
            return True
    at = 0
    for _ in range(page.values):
        if at + 4 > len(data):
            return True
        (size,) = struct.unpack_from("<I", data, at)
        if size > LONG:
            return True
        at += 4 + size
    return False


def expanded(pa: Any, column: Any) -> int:
    """Return the bytes that *column* would take without its dictionaries; 0 where it has none."""
    kind, of = column.type, pa.types
    if of.is_dictionary(kind):
        if not (of.is_string(kind.value_type) or of.is_binary(kind.value_type)):
            return 8 * len(column)
        sizes = pa.compute.binary_length(column.dictionary)
        return int(pa.compute.sum(sizes.take(column.indices).cast(pa.int64())).as_py() or 0)
    if of.is_list(kind) and of.is_dictionary(kind.value_type):
        return expanded(pa, column.flatten())
    if of.is_map(kind):
        return expanded(pa, column.keys) + expanded(pa, column.items)
    return 0
