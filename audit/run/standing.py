"""By which least chance rows of given values stand as if somebody had sorted them.

The values are given and every order of the rows inside its group is equally likely: all the log
is one group, or the rows of each dealer.  Each question is asked at its exact chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.stats.arrangements import log_block, log_ends, log_never_falls, log_together

Ints = NDArray[np.int64]
#: A key with more different values than these is asked after at so many of them.
MOST_LEVELS = 64
#: And by name at so many.
MOST_KINDS = 64


class Groups:
    """Rows with those of each group together, in their order: row `order[i]` stands i-th."""

    def __init__(self, group: Ints) -> None:
        self.order = np.argsort(group, kind="stable")
        mine = group[self.order]
        self.first = np.ones(len(group), np.bool_)
        self.first[1:] = mine[1:] != mine[:-1]
        self.starts = np.flatnonzero(self.first)
        self.stops = np.append(self.starts[1:], len(group))

    def __iter__(self) -> Iterator[slice]:
        return (slice(int(a), int(b)) for a, b in zip(self.starts, self.stops, strict=True))


def least_of_hits(hits: NDArray[np.bool_], groups: Groups) -> float:
    """Return the least ln chance of hits in one block of every group, or at ends, asked of all.

    *hits* is (keys, rows), the rows as *groups* has them; 0 where nothing is so.
    """
    if not hits.size:
        return 0.0
    rises = hits.copy()
    rises[:, 1:] &= ~hits[:, :-1] | groups.first[1:]
    live = (np.add.reduceat(rises, groups.starts, axis=1, dtype=np.int64) <= 1).all(axis=1)
    found, rows = 0.0, (groups.stops - groups.starts).tolist()
    for key in hits[live]:
        count = np.add.reduceat(key, groups.starts, dtype=np.int64)
        pairs = list(zip(count.tolist(), rows, strict=True))
        found = min(found, sum(log_block(k, n) for k, n in pairs))
        if (key[groups.starts] | key[groups.stops - 1] | (count == 0)).all():
            found = min(found, sum(log_ends(k, n) for k, n in pairs))
    return found + log(2 * len(hits)) if found else 0.0


def least_of_kinds(values: Ints, groups: Groups) -> float:
    """Return the least ln chance of kinds each in one block, and of all of them, asked of all."""
    mine = values[groups.order]
    kinds, which = np.unique(mine, return_inverse=True)
    if not 1 < len(kinds) <= MOST_KINDS:
        return 0.0
    some = least_of_hits(np.arange(len(kinds))[:, None] == which, groups)
    new = np.append(True, mine[1:] != mine[:-1]) | groups.first
    counts = [np.bincount(which[part]) for part in groups]
    runs = np.add.reduceat(new, groups.starts, dtype=np.int64)
    if any(r != np.count_nonzero(c) for r, c in zip(runs.tolist(), counts, strict=True)):
        return min(0.0, some + log(2))
    return min(0.0, some + log(2), log(2) + sum(log_together(c.tolist()) for c in counts))


def least_of_levels(values: Ints, groups: Groups) -> float:
    """Return the least ln chance of large values, or small ones, in one block, asked of all.

    And of values that never fall, or never rise, in any group.
    """
    levels = np.unique(values)
    if len(levels) < 2:
        return 0.0
    # The least value is at no level apart from the others.
    some = levels[1:][
        np.linspace(0, len(levels) - 2, min(MOST_LEVELS, len(levels) - 1)).astype(int)
    ]
    mine = values[groups.order]
    least = least_of_hits(mine >= some[:, None], groups) + log(2)
    return min(0.0, least, log(2) + least_of_steps(mine, groups))


def least_of_steps(mine: NDArray[Any], groups: Groups) -> float:
    """Return the ln chance of values that never fall, or never rise, in any group, asked of both.

    *mine* stand as *groups* has them.
    """
    inside = ~groups.first[1:]
    up, down = mine[1:] >= mine[:-1], mine[1:] <= mine[:-1]
    if not (up[inside].all() or down[inside].all()):
        return 0.0
    ways: Sequence[float] = [
        log_never_falls(np.unique(mine[part], return_counts=True)[1].tolist()) for part in groups
    ]
    return min(0.0, log(2) + sum(ways))
