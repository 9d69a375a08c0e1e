"""Who stood ready before a pack: at a pack before, and did not drop that one.

One broken line may drop many packs in a row, all in one role, for a void does not
move the deal.  Only the first of them is a choice or an accident of its own.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np

from audit.columns import Columns


class Streaks:
    """Follows the packs of a log whose ending is known, in the order of the rows.

    A pack of one table, number and parties ends once: what stands again, as where a ledger
    is given at two lengths, has no ending.
    """

    def __init__(self) -> None:
        self._dropped: dict[int, bool] = {}
        self._seen: set[bytes] = set()

    def follow(self, columns: Columns) -> Columns:
        """Return *columns* with fresh filled in; never at the first pack of a table."""
        fresh, ended = np.zeros_like(columns.dropped), columns.ended.copy()
        for i in np.flatnonzero(columns.ended > 0):
            number = columns.number[int(i)]
            if self._again(columns.table[int(i)], number, columns.party[i].tobytes()):
                ended[i] = 0
                continue
            first = number in (b"", b"1")
            dropped = columns.dropped[i].tolist()
            for place, who in enumerate(columns.party[i].tolist()):
                if who < 0:
                    continue
                fresh[i, place] = not first and self._dropped.get(who) is False
                # A pack that the house alone dropped says nothing of the seats.
                if place == 0 or any(dropped[1:]) or not dropped[0]:
                    self._dropped[who] = bool(dropped[place])
        return replace(columns, ended=ended, fresh=fresh)

    def _again(self, table: bytes, number: bytes, party: bytes) -> bool:
        """Return whether this pack has ended before; one without table or number has not."""
        if not (table and number):
            return False
        parts = b"".join(len(p).to_bytes(4, "big") + p for p in (table, number, party))
        key = hashlib.blake2b(parts, digest_size=16).digest()
        if key in self._seen:
            return True
        self._seen.add(key)
        return False
