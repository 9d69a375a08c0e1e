"""Whether the rows of a log stand in the order in which they were dealt.

Evidence over time may be looked at after every deal only where the order of the
rows was not chosen by the cards: a fair log that was sorted by what was turned, or
by who won, would stand high at some look.  Rows are taken to stand as dealt where
each stands after the one before it in one of `ORDERS`, no two alike, so that
number, time and table alone say which is next; never where they surely stand sorted by a key
of their cards (`sorted_by.py`): then the numbers came after the sorting.
Otherwise the evidence is looked at once, after the last deal.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.columns import Columns, Ragged, ragged
from audit.law import Law
from audit.run.sorted_by import SortedBy

LONGEST_NUMBER = 18
UNORDERED = (
    "rows do not stand in the order of their numbers or times:"
    " the evidence is looked at once, after the last deal"
)
SORTED = (
    "rows stand sorted by what was turned or by how strong a hand is, so that their numbers seem"
    " to have come after: the evidence is looked at once, after the last deal"
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


#: Orders of the rows that no card chose: by these columns, the first one before the others.
ORDERS = (
    ("number",),
    ("time",),
    *(
        order
        for table in ("table", "table number")
        for order in (
            (table, "number"),
            ("number", table),
            (table, "time"),
            ("time", table),
            ("time", "number", table),
            ("time", table, "number"),
            (table, "time", "number"),
        )
    ),
)
#: A table or a time of more bytes than this is not compared.
LONGEST_TEXT = 64
Values = NDArray[Any]


def padded(texts: Ragged, before: bytes) -> Values | None:
    """Return *before* and the *texts* as byte strings, (rows + 1,); None where one is too long."""
    sizes = np.concatenate([[len(before)], texts.sizes])
    width = int(sizes.max())
    if width > LONGEST_TEXT:
        return None
    out = np.zeros((len(sizes), max(1, width)), np.uint8)
    out[0, : len(before)] = np.frombuffer(before, np.uint8)
    row = np.repeat(np.arange(1, len(sizes)), texts.sizes)
    out[row, np.arange(len(texts.data)) - np.repeat(texts.at[:-1], texts.sizes)] = texts.data
    return out.view(f"S{out.shape[1]}")[:, 0]


class Rising:
    """Follows the distinct deals of a log of *law*, block by block, in the order of the rows."""

    def __init__(self, law: Law | None) -> None:
        self._source: int | None = None
        self._before: dict[str, bytes] = {}
        self._orders = list(ORDERS)
        self._sorted = SortedBy(law)

    def take(self, columns: Columns, source: int) -> None:
        """Take the next deals of input *source*."""
        if len(columns) and self._orders:
            self._sorted.take(columns, source)
            self._follow(columns, source)

    def _follow(self, columns: Columns, source: int) -> None:
        """Keep the orders in which every row stands after the one before it."""
        fresh = source != self._source
        texts = {"number": columns.number, "table": columns.table, "time": columns.time}
        before = {name: b"" if fresh else self._before[name] for name in texts}
        steps: dict[str, tuple[Values, Values]] = {}
        for name in ("table", "time"):
            texted = padded(texts[name], before[name])
            if texted is not None and (name == "table" or texts[name].sizes.all()):
                steps[name] = (texted[1:] > texted[:-1], texted[1:] == texted[:-1])
        for name, of in (("number", "number"), ("table number", "table")):
            own = numbers(texts[of])
            if (own >= 0).all():
                value = np.concatenate([numbers(ragged([before[of]])), own])
                steps[name] = (value[1:] > value[:-1], value[1:] == value[:-1])
        kept = []
        for order in self._orders:
            if all(name in steps for name in order):
                rises = np.zeros(len(columns), np.bool_)
                for name in reversed(order):
                    after, same = steps[name]
                    rises = after | (same & rises)
                if rises[1 if fresh else 0 :].all():
                    kept.append(order)
        self._orders, self._source = kept, source
        self._before = {name: text[len(columns) - 1] for name, text in texts.items()}

    @cached_property
    def why_once(self) -> str:
        """Why the rows may not be taken to stand as they were dealt, "" where they may."""
        if not self._orders:
            return UNORDERED
        return SORTED if self._sorted.surely else ""

    @property
    def as_dealt(self) -> bool:
        """Whether the rows may be taken to stand in the order in which they were dealt."""
        return not self.why_once
