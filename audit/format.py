"""The shape of a reader: one log format, one file, one value named READER."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from audit.record import Holds, Record


@dataclass(frozen=True, kw_only=True)
class Reader:
    """One log format.

    *sniff* is given the first 64 KiB and the file name and says whether the
    format claims them.  *read* is given the whole content and yields one
    record or flaw for each deal, in file order, and never raises for content.
    """

    id: str
    title: str
    suffixes: tuple[str, ...]
    game: str
    holds: Holds
    sniff: Callable[[bytes, str], bool]
    read: Callable[[bytes, str], Iterator[Record]]
