"""Count batches into tallies that add up, and let every detector judge them once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from audit.count import COUNT
from audit.detect import DETECT
from audit.finding import Verdicts
from audit.record import Batch
from audit.run.spill import Block, read
from audit.run.workers import Workers
from audit.tally import Arrays, Table

Sums = dict[str, dict[str, NDArray[np.int64]]]
#: Blocks are counted in so many parts for each process.
PARTS = 4


def count_batches(batches: Iterable[Batch], table: Table) -> Sums:
    """Return every tally, summed over *batches* in any order."""
    tallies: Sums = {name: {} for name in COUNT.names}
    for batch in batches:
        add(tallies, {name: COUNT[name].count(batch, table) for name in tallies})
    return tallies


def add(tallies: Sums, more: Mapping[str, Arrays]) -> None:
    """Add *more* to *tallies*, key by key."""
    for name, mine in tallies.items():
        for key, value in more[name].items():
            mine[key] = mine[key] + value if key in mine else np.asarray(value)


@dataclass(frozen=True, kw_only=True)
class Work:
    """What a process needs to count blocks: where the deals lie, and who they are.

    *dropped* is a file of one byte for each record, *dealers* the place of each
    name that the blocks know among the dealers of the table, -1 for none, *parties*
    that among its parties.
    """

    table: Table
    dropped: Path
    dealers: NDArray[np.int32]
    parties: NDArray[np.int32]


def batches_of(blocks: Sequence[tuple[int, Block]], work: Work) -> Iterator[Batch]:
    """Yield the distinct deals of *blocks*, each with the number of distinct deals before it."""
    dropped = np.load(work.dropped, mmap_mode="r")
    for first, block in blocks:
        columns = read(block).take(~dropped[block.start : block.start + block.deals])
        if len(columns):
            dealer = np.where(columns.dealer >= 0, work.dealers[columns.dealer], -1)
            party = np.where(columns.party >= 0, work.parties[columns.party], -1)
            yield replace(
                columns,
                dealer=dealer.astype(np.int32),
                party=party.astype(np.int32),
                names=work.table.dealers,
            ).batch(first)


def _part(work: Work, blocks: Sequence[tuple[int, Block]]) -> tuple[int, Sums]:
    return len(blocks), count_batches(batches_of(blocks, work), work.table)


def count_blocks(
    blocks: Sequence[tuple[int, Block]],
    work: Work,
    *,
    workers: Workers | None,
    told: Callable[[int], None],
) -> Sums:
    """Return every tally over *blocks*, counted by *workers* if any; who counts changes nothing.

    *told* is called with the number of blocks done.

    Raises: FairdealError as `Workers.each` does.
    """
    if workers is None or len(blocks) <= 1:

        def watched() -> Iterator[Batch]:
            for done, block in enumerate(blocks, start=1):
                yield from batches_of([block], work)
                told(done)

        return _or_empty(count_batches(watched(), work.table), work.table)
    size = max(1, -(-len(blocks) // (workers.jobs * PARTS)))
    parts = [blocks[i : i + size] for i in range(0, len(blocks), size)]
    tallies: Sums = {name: {} for name in COUNT.names}
    done = 0
    for count, sums in workers.each(partial(_part, work), parts):
        if any(sums.values()):
            add(tallies, sums)
        done += count
        told(done)
    return _or_empty(tallies, work.table)


def _or_empty(tallies: Sums, table: Table) -> Sums:
    """Return *tallies*, or those of no deal where nothing was counted."""
    return tallies if any(tallies.values()) else count_batches([no_deals()], table)


def no_deals() -> Batch:
    """Return a batch of no deals."""
    none = np.zeros(0, np.uint8)
    return Batch(
        first=0,
        players=np.zeros(0, np.int16),
        dealer=np.zeros(0, np.int32),
        names=(),
        dealer_seat=np.zeros(0, np.int16),
        hands=np.zeros((0, 0, 0), np.uint8),
        widow=np.zeros((0, 0), np.uint8),
        board=np.zeros((0, 0), np.uint8),
        turnups=none,
        turn_at=np.zeros(1, np.int64),
    )


def judge_all(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    """Return what all detectors say of the *tallies*."""
    out = Verdicts()
    for name in DETECT.names:
        detector = DETECT[name]
        got = detector.judge({t: tallies[t] for t in detector.tallies}, table)
        out.hypotheses += got.hypotheses
        out.silent += got.silent
        out.pictures += got.pictures
        out.idle += got.idle
        out.fallen += got.fallen
    return out
