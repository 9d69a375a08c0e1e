"""Whether the rows of a log stand in the order in which they were dealt.

Evidence over time may be looked at after every deal only where the order of the
rows was not chosen by the cards: a fair log that was sorted by what was turned
would stand high at some look.  Rows are taken to stand as dealt where the numbers
of each table rise, or else the times; and never where all turn-ups rise or fall.
Otherwise the evidence is looked at once, after the last deal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.columns import Columns, Ragged

#: So many turn-ups in rising order are no chance: 60 of 24 cards do so in fewer than 1 of 10^60.
SURELY_SORTED = 60
LONGEST_NUMBER = 18
UNORDERED = (
    "rows do not stand in the order of their numbers or times:"
    " the evidence is looked at once, after the last deal"
)


def numbers(texts: Ragged) -> NDArray[np.int64]:
    """Return each text as a number, -1 where it is not 1 to 18 plain digits; shape (rows,)."""
    sizes = texts.sizes
    width = int(min(sizes.max(initial=0), LONGEST_NUMBER))
    out = np.full(len(texts), -1, np.int64)
    if not width:
        return out
    short = (sizes > 0) & (sizes <= width)
    row = np.repeat(np.arange(len(texts)), sizes)
    keep = short[row]
    column = width - sizes[row] + np.arange(len(texts.data)) - texts.at[row]
    digits = np.zeros((len(texts), width), np.int64)
    digits[row[keep], column[keep]] = texts.data[keep].astype(np.int64) - ord("0")
    plain = short & ((digits >= 0) & (digits <= 9)).all(axis=1)
    powers = 10 ** np.arange(width - 1, -1, -1, dtype=np.int64)
    out[plain] = (digits @ powers)[plain]
    return out


class Rising:
    """Follows the distinct deals of a log, block by block, in the order of the rows."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, bytes], int] = {}
        self._times: dict[tuple[int, bytes], bytes] = {}
        self._by_number = self._by_time = True
        self._turned = 0
        self._last = -1
        self._up = self._down = True

    def take(self, columns: Columns, source: int) -> None:
        """Take the next deals of input *source*."""
        if not len(columns):
            return
        self._turnups(columns.turnups)
        if self._by_number:
            self._by_number = self._rises(columns.table, numbers(columns.number), source)
        if self._by_time:
            self._by_time = self._later(columns, source)

    def _turnups(self, turnups: Ragged) -> None:
        first = turnups.data[turnups.at[:-1][turnups.sizes > 0]].astype(np.int64)
        if not len(first):
            return
        run = np.diff(first) if self._last < 0 else np.diff(first, prepend=self._last)
        self._up &= bool((run >= 0).all())
        self._down &= bool((run <= 0).all())
        self._turned, self._last = self._turned + len(first), int(first[-1])

    def _rises(self, tables: Ragged, values: NDArray[np.int64], source: int) -> bool:
        if (values < 0).any():
            return False
        size = int(tables.sizes[0])
        alike = bool((tables.sizes == size).all())
        if alike and size:
            names = tables.data.reshape(-1, size)
            alike = bool((names == names[0]).all())
        if alike:
            key = (source, tables[0])
            before = self._numbers.get(key, -1)
            self._numbers[key] = int(values[-1])
            return bool((np.diff(values, prepend=before) >= 0).all())
        for i, value in enumerate(values.tolist()):
            key = (source, tables[i])
            if value < self._numbers.get(key, -1):
                return False
            self._numbers[key] = value
        return True

    def _later(self, columns: Columns, source: int) -> bool:
        if not columns.time.sizes.all():
            return False
        for i in range(len(columns)):
            key = (source, columns.table[i])
            if columns.time[i] < self._times.get(key, b""):
                return False
            self._times[key] = columns.time[i]
        return True

    @property
    def as_dealt(self) -> bool:
        """Whether the rows may be taken to stand in the order in which they were dealt."""
        sorted_by_card = self._turned >= SURELY_SORTED and (self._up or self._down)
        return (self._by_number or self._by_time) and not sorted_by_card
