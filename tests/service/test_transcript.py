"""The entries of one pack are found among those of all, without reading through all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import overload

import pytest

from audit.service.room import Standing
from audit.service.transcript import entries_of
from audit.shuffle.transcript import KINDS

PACK = KINDS[KINDS.index("call") :]
SHORT = (("call", "void"), ("call", "closing", "void"), (*PACK[:2], "root", "unfinished"))


def table(packs: int, seed: int) -> list[Standing]:
    """Return the entries of a table, those of other tables standing between them."""
    rng = random.Random(seed)
    rows = [("table", 0), ("batch", 0)]
    for number in range(1, packs + 1):
        kinds = PACK if rng.random() < 0.8 else rng.choice(SHORT)
        rows += [(kind, number) for kind in kinds]
    rows += [("closed", 0)] * rng.randrange(2)
    index, out = 0, []
    for kind, pack in rows:
        index += rng.randrange(1, 4)
        out.append(Standing(index=index, raw=f"{index}".encode(), kind=kind, pack=pack))
    return out


@pytest.mark.parametrize("seed", range(20))
def test_they_are_those_that_reading_all_finds(seed: int) -> None:
    rows = table(12, seed)
    for number in range(1, 13):
        every = {one.kind: one for one in rows if one.pack in (0, number)}
        every.pop("closed", None)
        assert entries_of(rows, number) == every


class Watched(Sequence[Standing]):
    """Entries that count how often one is looked at."""

    def __init__(self, rows: list[Standing]) -> None:
        self.rows, self.seen = rows, 0

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> Standing: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Standing]: ...

    def __getitem__(self, at: int | slice) -> Standing | Sequence[Standing]:
        self.seen += len(range(len(self.rows))[at]) if isinstance(at, slice) else 1
        return self.rows[at]

    def __iter__(self) -> Iterator[Standing]:
        return (self[k] for k in range(len(self.rows)))


def test_the_newest_pack_costs_no_more_at_a_table_of_many() -> None:
    few, many = Watched(table(5, 1)), Watched(table(500, 1))
    for rows, packs in ((few, 5), (many, 500)):
        entries_of(rows, packs)
    assert many.seen <= few.seen + len(PACK)
