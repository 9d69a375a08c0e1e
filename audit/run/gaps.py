"""Deal numbers that no record bears: what a choice of deals would leave behind.

A table's numbers are taken to count its deals where they are whole numbers and more than half
of those between the least and the largest are there.  What lies before the least and after
the largest is not known, and a record that could not be read leaves a gap as well.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from audit.columns import Columns
from audit.run.sequence import numbers, padded

#: So many tables of one input are followed.
MOST_TABLES = 10_000


class Gaps:
    """Follows the distinct deals of a log, block by block, in any order."""

    def __init__(self) -> None:
        #: least and largest number, records; None where some record has no number.
        self._tables: dict[int, dict[bytes, tuple[int, int, int] | None]] = defaultdict(dict)

    def take(self, columns: Columns, source: int) -> None:
        """Take the next deals of input *source*."""
        if not len(columns):
            return
        own, known = numbers(columns.number), self._tables[source]
        texts = padded(columns.table, b"")
        names = np.zeros(len(columns), "S1") if texts is None else texts[1:]
        order = np.argsort(names, kind="stable")
        own, names = own[order], names[order]
        at = np.flatnonzero(np.concatenate([[True], names[1:] != names[:-1]]))
        least, most = np.minimum.reduceat(own, at), np.maximum.reduceat(own, at)
        count = np.diff(np.append(at, len(own)))
        for name, low, high, n in zip(
            names[at].tolist(), least.tolist(), most.tolist(), count.tolist(), strict=True
        ):
            if name not in known and len(known) >= MOST_TABLES:
                continue
            before = known.get(name, (low, high, 0))
            if before is None or texts is None or low < 0:
                known[name] = None
                continue
            known[name] = (min(before[0], low), max(before[1], high), before[2] + n)

    def told(self, source: int, *, ledger: bool) -> dict[str, Any]:
        """Return what the report says of the numbers of input *source*.

        `complete` is true of a *ledger* without a gap: it numbers packs as they are called and
        keeps those that were dropped, so that none can be hidden between two others.
        """
        spans = list(self._tables[source].values())
        counted = [s for s in spans if s is not None and 2 * s[2] > s[1] - s[0] + 1]
        missing = sum(max(0, high - low + 1 - count) for low, high, count in counted)
        return {
            "tables": len(counted),
            "missing": missing,
            "uncounted": len(spans) - len(counted),
            "complete": ledger and bool(counted) and len(counted) == len(spans) and not missing,
        }
