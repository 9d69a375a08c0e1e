"""Whether the rows of a log stand in the order in which they were dealt.

Evidence over time may be looked at after every deal only where the order of the
rows was not chosen by the cards: a fair log that was sorted by what was turned, or
by who won, would stand high at some look.  Rows are taken to stand as dealt where
each stands after the one before it in one of `ORDERS`, no two alike, so that
number, time and table alone say which is next; never where the turn-ups stand together by
rank or by suit, in all the log or dealer by dealer: then the numbers came after the sorting.
Otherwise the evidence is looked at once, after the last deal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.columns import Columns, Ragged, ragged

#: So many turn-ups of which half follow their like, and all the like stand together, are no
#: chance: 60 of four suits do so in fewer than 1 of 10^29, of thirteen ranks far more seldom.
SURELY_SORTED = 60
#: More kinds than these are not told apart, lest memory grow with the log.
MOST_KINDS = 1 << 14
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


class Together:
    """Follows whether all that is of one kind stands together."""

    def __init__(self) -> None:
        self._met: set[int] = set()
        self._last, self._taken, self._alike, self._parted = -1, 0, 0, False

    def take(self, kinds: NDArray[np.int64]) -> None:
        """Take the next *kinds*, each 0 or more."""
        if self._parted or not len(kinds):
            return
        fresh = kinds[np.diff(kinds, prepend=self._last) != 0].tolist()
        self._taken += len(kinds)
        self._alike += len(kinds) - len(fresh)
        met = len(self._met) + len(fresh)
        self._met.update(fresh)
        self._parted = len(self._met) < met or met > MOST_KINDS
        self._last = int(kinds[-1])

    @property
    def surely(self) -> bool:
        """Whether so many stand beside their like that it is no chance."""
        return not self._parted and SURELY_SORTED <= self._taken <= 2 * self._alike


class Rising:
    """Follows the distinct deals of a log, block by block, in the order of the rows."""

    def __init__(self) -> None:
        self._source: int | None = None
        self._before: dict[str, bytes] = {}
        self._orders = list(ORDERS)
        self._sorted = tuple(Together() for _ in range(4))

    def take(self, columns: Columns, source: int) -> None:
        """Take the next deals of input *source*."""
        if not len(columns):
            return
        self._turnups(columns)
        if self._orders:
            self._follow(columns, source)

    def _turnups(self, columns: Columns) -> None:
        turnups = columns.turnups
        some = turnups.sizes > 0
        first = turnups.data[turnups.at[:-1][some]].astype(np.int64)
        dealer = 1 + columns.dealer[some].astype(np.int64)
        suit, rank = first // 13, first % 13
        kinds = (suit, rank, 20 * dealer + suit, 20 * dealer + rank)
        for follow, kind in zip(self._sorted, kinds, strict=True):
            follow.take(kind)

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

    @property
    def as_dealt(self) -> bool:
        """Whether the rows may be taken to stand in the order in which they were dealt."""
        sorted_by_card = any(follow.surely for follow in self._sorted)
        return bool(self._orders) and not sorted_by_card
