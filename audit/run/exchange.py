"""Joining at any size: an exchange of key rows by hash, in memory or on disk.

Rows of equal hash come to one bucket, and a bucket is settled alone, so that
memory holds one bucket and a byte for each deal.  The rule is `joining.join`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from audit.run.joining import RESTATES

BUCKETS = 64
#: So many rows are held in memory before they go to disk.
HELD = 1 << 18
#: What a record that bears the number of an earlier one says of its table's numbers.
_VOTE = np.dtype(
    [
        ("index", np.int64),
        ("table", np.uint64),
        ("vote", np.int8),
        ("same", np.bool_),
        ("timed", np.bool_),
    ]
)
#: The same for a record beside that of another input, which stands *beside* it and is kept.
_ACROSS = np.dtype(
    [
        ("index", np.int64),
        ("beside", np.int64),
        ("inputs", np.int64, 2),
        ("vote", np.int8),
        ("same", np.bool_),
    ]
)


class Exchange:
    """Rows of one kind, added in any order and given back bucket by bucket."""

    def __init__(self, folder: Path, name: str, kind: np.dtype[Any], held: int = HELD) -> None:
        self._stem, self._kind, self._most = folder / name, kind, held
        self._rows: list[NDArray[np.void]] = []
        self._count = 0
        self._files: list[IO[bytes]] = []

    def add(self, rows: NDArray[np.void]) -> None:
        """Take *rows* in."""
        if len(rows):
            self._rows.append(rows)
            self._count += len(rows)
        if self._count > self._most:
            self._flush()

    def _flush(self) -> None:
        if not self._files:
            names = (self._stem.with_suffix(f".{b}") for b in range(BUCKETS))
            self._files = [name.open("w+b") for name in names]
        rows = np.concatenate(self._rows)
        bucket = (rows["hash"][:, 0] >> np.uint64(58)).astype(np.int64)
        by_bucket = np.argsort(bucket, kind="stable")
        ends = np.cumsum(np.bincount(bucket, minlength=BUCKETS))
        for file, part in zip(self._files, np.split(rows[by_bucket], ends[:-1]), strict=True):
            file.write(part.tobytes())
        self._rows, self._count = [], 0

    def buckets(self) -> Iterator[NDArray[np.void]]:
        """Yield the rows of each bucket, sorted by hash and then by index."""
        if not self._files:
            if self._rows:
                yield _sorted_by(np.concatenate(self._rows))
            return
        if self._rows:
            self._flush()
        for file in self._files:
            file.seek(0)
            yield _sorted_by(np.frombuffer(file.read(), self._kind))
            file.close()
        self._files = []


def _new(rows: NDArray[np.void], *fields: str) -> NDArray[np.bool_]:
    """Return which of *rows*, sorted by hash and *fields*, differ in them from the row before."""
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows["hash"][1:] != rows["hash"][:-1]).any(axis=1)
    for name in fields:
        new[1:] |= rows[name][1:] != rows[name][:-1]
    return new


def _sorted_by(rows: NDArray[np.void], *fields: str) -> NDArray[np.void]:
    """Return *rows* sorted by hash, then *fields*, then index."""
    keys = [rows["index"], *(rows[name] for name in reversed(fields))]
    return rows[np.lexsort((*keys, rows["hash"][:, 1], rows["hash"][:, 0]))]


def _later(rows: NDArray[np.void], *fields: str) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Return the rows that have an earlier one of their hash and *fields*, and the first of each.

    *rows* are sorted by them.
    """
    new = _new(rows, *fields)
    first = np.maximum.accumulate(np.where(new, np.arange(len(rows)), 0))
    return rows[~new], rows[first[~new]]


def _agree(
    later: NDArray[np.void], first: NDArray[np.void]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return where the cards that both rows show are the same, and where they differ."""
    both = (later["hands"] != 0) & (first["hands"] != 0)
    turned = (later["turn"] < 52) & (first["turn"] < 52)
    differ = (both & (later["hands"] != first["hands"])).any(axis=1)
    differ |= turned & (later["turn"] != first["turn"])
    return (both.any(axis=1) | turned) & ~differ, differ


def _by_number(numbers: Exchange, dropped: NDArray[np.bool_]) -> int:
    """Mark in *dropped* the records that their number says to be an earlier record's deal.

    Returns how many they are.
    """
    parts, across = [], [np.zeros(0, _ACROSS)]
    for rows in numbers.buckets():
        across.append(_across(rows))
        mine = _sorted_by(rows, "source")
        later, first = _later(mine, "source")
        if not len(later):
            continue
        agree, differ = _agree(later, first)
        part = np.zeros(len(later), _VOTE)
        part["index"], part["table"] = later["index"], later["table"]
        part["vote"] = agree.astype(np.int8) - differ
        part["same"] = agree | (later["named"] & ~differ)
        part["timed"] = np.isin(later["index"], _same_time(rows))
        parts.append(part)
    before = int(dropped.sum())
    if parts:
        votes = np.concatenate(parts)
        tables, table = np.unique(votes["table"], return_inverse=True)
        for_it = np.zeros(len(tables), np.int64)
        np.add.at(for_it, table, votes["vote"].astype(np.int64))
        gone = np.where(for_it[table] < 0, votes["timed"], votes["same"])
        dropped[votes["index"][gone]] = True
    dropped[_restated(np.concatenate(across), dropped)] = True
    return int(dropped.sum()) - before


def _same_time(rows: NDArray[np.void]) -> NDArray[np.int64]:
    """Return the indexes of *rows* that agree with the first row of their number and time."""
    rows = _sorted_by(rows[rows["time"] != 0], "source", "time")
    later, first = _later(rows, "source", "time")
    agree, _ = _agree(later, first)
    return np.asarray(later["index"][agree])


def _shows(rows: NDArray[np.void]) -> NDArray[np.int64]:
    """Return of how many hands and of how many first turn-ups each row shows a card."""
    return np.asarray((rows["hands"] != 0).sum(axis=1) + (rows["turn"] < 52))


def _across(rows: NDArray[np.void]) -> NDArray[np.void]:
    """Return what each row says beside one of another input with its number and time.

    Where a number comes again in an input, each night for instance, the k-th is held to the k-th,
    all to the one that shows most hands and then tells most.
    """
    if not len(rows) or (rows["input"] == rows["input"][0]).all():
        return np.zeros(0, _ACROSS)
    rows = _sorted_by(rows, "time", "input")
    new = _new(rows, "time", "input")
    at = np.arange(len(rows))
    turn = at - np.maximum.accumulate(np.where(new, at, 0))
    hashes, shows, told = rows["hash"], _shows(rows), rows["told"].astype(np.int64)
    order = np.lexsort(
        (rows["index"], -told, -shows, turn, rows["time"], hashes[:, 1], hashes[:, 0])
    )
    rows, turn, shows = rows[order], turn[order], shows[order]
    new = _new(rows, "time")
    new[1:] |= turn[1:] != turn[:-1]
    best = rows[np.maximum.accumulate(np.where(new, at, 0))[~new]]
    others = rows[~new]
    agree, differ = _agree(others, best)
    out = np.zeros(len(others), _ACROSS)
    out["index"], out["beside"] = others["index"], best["index"]
    out["inputs"] = np.sort(np.stack([best["input"], others["input"]], axis=1), axis=1)
    out["vote"] = agree.astype(np.int8) - differ
    out["same"] = agree | (others["named"] & (shows[~new] == 0))
    return out


def _restated(found: NDArray[np.void], dropped: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the indexes of the records that an input has of deals which another tells, too.

    None is for one that is *dropped* itself.
    """
    pairs, pair = np.unique(found["inputs"], axis=0, return_inverse=True)
    votes = np.zeros(len(pairs), np.int64)
    np.add.at(votes, pair.reshape(-1), found["vote"].astype(np.int64))
    gone = found["same"] & (votes[pair.reshape(-1)] >= RESTATES) & ~dropped[found["beside"]]
    return np.asarray(found["index"][gone])


def settle(
    numbers: Exchange, contents: Exchange, dropped: NDArray[np.bool_]
) -> tuple[int, NDArray[np.int64]]:
    """Mark in *dropped* (deals,) the records that are no deal of their own.

    Returns the number of repeated records, and the repeats as (first, again)
    indexes in order of the second.
    """
    records = _by_number(numbers, dropped)
    pairs = [np.zeros((0, 2), np.int64)]
    for rows in contents.buckets():
        later, first = _later(rows[~dropped[rows["index"]]])
        repeat = (later["table"] == first["table"]) & (later["number"] != first["number"])
        repeat &= later["numbered"] & first["numbered"]
        repeat &= (later["time"] == 0) | (later["time"] != first["time"])
        records += int((~repeat).sum())
        pairs.append(np.stack([first["index"][repeat], later["index"][repeat]], axis=1))
        dropped[later["index"]] = True
    repeats = np.concatenate(pairs)
    return records, repeats[np.argsort(repeats[:, 1], kind="stable")]


def kept_before(dropped: NDArray[np.bool_], at: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many records before each index of *at*, which rises, are deals of their own."""
    out, total, step = np.zeros(len(at), np.int64), 0, 1 << 16
    for start in range(0, len(dropped), step):
        low, high = np.searchsorted(at, (start, start + step))
        kept = ~dropped[start : start + step]
        if high > low:
            out[low:high] = total + np.cumsum(kept)[at[low:high] - start]
        total += int(kept.sum())
    return out
