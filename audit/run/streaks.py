"""Who stood ready before a pack: at a pack before, and did not drop that one.

One broken line may drop many packs in a row, all in one role, for a void does not
move the deal.  Only the first of them is a choice or an accident of its own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from audit.columns import Columns


class Streaks:
    """Follows the packs of a log whose ending is known, in the order of the rows."""

    def __init__(self) -> None:
        self._dropped: dict[int, bool] = {}

    def follow(self, columns: Columns) -> Columns:
        """Return *columns* with fresh filled in; never at the first pack of a table."""
        fresh = np.zeros_like(columns.dropped)
        for i in np.flatnonzero(columns.ended > 0):
            first = columns.number[int(i)] in (b"", b"1")
            dropped = columns.dropped[i].tolist()
            for place, who in enumerate(columns.party[i].tolist()):
                if who < 0:
                    continue
                fresh[i, place] = not first and self._dropped.get(who) is False
                # A pack that the house alone dropped says nothing of the seats.
                if place == 0 or any(dropped[1:]) or not dropped[0]:
                    self._dropped[who] = bool(dropped[place])
        return replace(columns, fresh=fresh)
