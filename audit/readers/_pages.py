"""What a Parquet file would take in memory, worked out before a value of it is read.

Names, repeated values and runs may stand for far more bytes than the file has, so the sizes
that its pages declare are added up first, and the number of rows read at a time follows from
them.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from audit.errors import Refused
from audit.readers import _footer
from audit.readers._footer import CODECS, Group, Page

#: Bytes that the rows in memory at one time may expand to.
MOST = 1 << 26
#: Bytes that the rows of one batch may take; they are copied a few times on their way.
HELD = MOST >> 4
#: Bytes of one page; writers aim at one to eight MiB.
MOST_PAGE = 1 << 24
#: Values of a list column in one row group, which may all belong to one row.
MOST_LISTED = 1 << 23
#: A file may expand this often; small ones are let be.
TIMES, SMALL = 200, 1 << 20
#: Values of a dictionary longer than this are never written out row by row unseen.
LONG = 1 << 10
#: Bytes of a value of fixed size: a pack of cards, with room.
WIDEST = 1 << 8
#: Each value may repeat a part of the one before, so a page expands without declaring it.
_DELTA_BYTE_ARRAY = 7


@dataclass(kw_only=True)
class Plan:
    """How row groups can be read: at most *rows* at a time, *coded* leaves as dictionaries.

    Leaves go by their number in the schema.
    """

    rows: int
    coded: list[int]


def plan(
    pa: Any,
    file: BinaryIO,
    groups: Sequence[Group],
    *,
    known: Collection[int],
    most: int,
    name: str,
) -> Plan:
    """Return how to read these row *groups* in little memory, *most* rows at a time.

    *known* are the leaves that are read; *name* is the file's in messages.

    Raises: Refused where no number of rows would do.
    """
    density, slack, packed, unpacked = 0.0, 0, 0, 0
    coded: set[int] = set()
    for group in groups:
        dense, loose = 0.0, 0
        for leaf, chunk in enumerate(group.chunks):
            if leaf not in known:
                continue
            where = ".".join(chunk.path)
            found = list(_footer.pages(file, chunk))
            _check(name, found, where)
            data = [p for p in found if not p.dictionary]
            total = sum(p.bytes for p in found)
            packed, unpacked = packed + chunk.packed, unpacked + total
            longest = max(
                (_longest(pa, file, p, chunk.codec) for p in found if p.dictionary), default=0
            )
            if longest > LONG:
                coded.add(leaf)
            if len(chunk.path) > 1:
                values = sum(p.values for p in data)
                if values > MOST_LISTED or total > 2 * MOST:
                    raise Refused(name, where, "a row group of too many values")
                if values * longest > MOST // 2:
                    coded.add(leaf)
            elif data:
                dense += max(p.bytes / max(1, p.values) for p in data)
                dense += longest if longest <= LONG else 0
                loose += 2 * max(p.bytes for p in data)
        # A row without a byte of its own, of nulls or of what all rows repeat, is a row still.
        unpacked += 4 * group.rows
        density, slack = max(density, dense), max(slack, loose)
    if unpacked > SMALL + TIMES * packed:
        raise Refused(name, "parquet", f"expands more than {TIMES} times")
    if slack <= MOST // 2 and density * most <= HELD:
        return Plan(rows=most, coded=sorted(coded))
    return Plan(rows=max(1, min(most, int(HELD / max(1.0, density)))), coded=sorted(coded))


def _check(name: str, found: Sequence[Page], leaf: str) -> None:
    if any(p.bytes > MOST_PAGE for p in found):
        raise Refused(name, leaf, "a page of more than 16 MiB")
    if any(p.encoding == _DELTA_BYTE_ARRAY and not p.dictionary for p in found):
        raise Refused(name, leaf, "encoded as DELTA_BYTE_ARRAY, which expands without saying so")


def _longest(pa: Any, file: BinaryIO, page: Page, codec: int) -> int:
    """Return the bytes of the longest value of a dictionary *page* of texts, or a bound of it."""
    if page.bytes <= 64:
        return page.bytes
    if page.values > page.bytes or page.bytes > 1 << 22:
        return page.bytes
    file.seek(page.start)
    data = file.read(page.stop - page.start)
    if codec:
        try:
            data = pa.decompress(data, page.bytes, codec=CODECS[codec], asbytes=True)
        except (pa.ArrowException, OSError, ValueError, IndexError):
            return page.bytes
    at = longest = 0
    for _ in range(page.values):
        if at + 4 > len(data):
            return page.bytes
        (size,) = struct.unpack_from("<I", data, at)
        longest, at = max(longest, size), at + 4 + size
    return longest


def usable(pa: Any, kind: Any) -> bool:
    """Say whether a column of this type can be read, its values expanding only as told.

    Views and runs may show the same bytes any number of times: `expanded` counts the views of
    texts, and the rest no writer needs for a deal.
    """
    of = pa.types
    if of.is_dictionary(kind):
        return _is_text(pa, kind.value_type)
    if of.is_list(kind) or of.is_large_list(kind) or of.is_fixed_size_list(kind):
        return not of.is_nested(kind.value_type) and usable(pa, kind.value_type)
    if of.is_map(kind):
        return all(not of.is_nested(k) and usable(pa, k) for k in (kind.key_type, kind.item_type))
    if of.is_fixed_size_binary(kind):
        return bool(kind.byte_width <= WIDEST)
    return not of.is_nested(kind) and not of.is_run_end_encoded(kind)


def _is_text(pa: Any, kind: Any) -> bool:
    of = pa.types
    known = (of.is_string, of.is_binary, of.is_large_string, of.is_large_binary)
    return any(is_one(kind) for is_one in known) or _is_view(pa, kind)


def _is_view(pa: Any, kind: Any) -> bool:
    return bool(pa.types.is_string_view(kind) or pa.types.is_binary_view(kind))


def lengths(pa: Any, column: Any) -> Any:
    """Return the bytes of each value of a *column* of texts as an Arrow array, none of others."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return lengths(pa, column.dictionary).take(column.indices)
    if _is_view(pa, kind):
        # A view takes 16 bytes, the first four of which tell how many it shows.
        views = np.frombuffer(column.buffers()[1] or b"", np.int32).reshape(-1, 4)
        return pa.array(views[column.offset : column.offset + len(column), 0], pa.int64())
    if pa.types.is_fixed_size_binary(kind):
        return pa.array(np.full(len(column), kind.byte_width, np.int64))
    if not _is_text(pa, kind):
        return pa.array([], pa.int64())
    return pa.compute.binary_length(column).cast(pa.int64())


def expanded(pa: Any, column: Any) -> int:
    """Return the bytes that *column* would take without its dictionaries and views."""
    kind, of = column.type, pa.types
    if of.is_dictionary(kind) or _is_view(pa, kind):
        own = expanded(pa, column.dictionary) if of.is_dictionary(kind) else 0
        return own + int(pa.compute.sum(lengths(pa, column)).as_py() or 0)
    if of.is_list(kind) or of.is_large_list(kind) or of.is_fixed_size_list(kind):
        return expanded(pa, column.flatten())
    if of.is_map(kind):
        return expanded(pa, column.keys) + expanded(pa, column.items)
    return 0


def decoded(pa: Any, column: Any) -> Any:
    """Return a *column* of a dictionary as its values."""
    if _is_view(pa, column.dictionary.type):
        binary = pa.types.is_binary_view(column.dictionary.type)
        texts = column.dictionary.cast(pa.binary() if binary else pa.string())
        column = pa.DictionaryArray.from_arrays(column.indices, texts)
    return column.dictionary_decode()
