"""The pool from one deal of a table to the next."""

from __future__ import annotations

from audit.referee._docket import DIVIDED, NO_LINK, NO_POOL, RIGHTED, TORN, Docket, Link, Table
from audit.referee._facts import MOST_COUNTERS, Facts, divided, pooling_of
from audit.referee.machine import Ruling


class Pools:
    """Judges what lies in the pool before a deal by what was left in it after the last."""

    def __init__(self, docket: Docket) -> None:
        self.docket = docket
        self.pooling = pooling_of(docket.law)

    def steady(self, before: Facts) -> bool:
        """Whether what was left is more than a few deals would put up, were it begun anew."""
        pooling = self.pooling
        if pooling is None or not before.after:
            return False
        added = pooling.added(before.players)
        return added > 0 and before.after > 4 * before.players * added

    def carried(
        self, table: Table, before: Facts, here: Facts, link: Link, *, in_turn: bool, off: bool
    ) -> bool:
        """Judge the pool; return whether the records show that it was carried over.

        *in_turn*: whether the deal is dealt by whose turn it is; *off*: by another.
        """
        pooling, unjudged = self.pooling, self.docket.unjudged
        if pooling is None:
            return False
        left, held = before.after, here.before
        if left is None or held is None or max(left, held) >= MOST_COUNTERS:
            unjudged[NO_POOL] += 1
            return False
        lay = held - pooling.stake
        # Where the same dealer deals again he may not have staked again.
        again = pooling.stake and any(e.kind in ("irregular", "redeal") for e in before.odd)
        if lay == left or (again and held == left):
            table.kept["pool"] += left > 0
            return left > 0
        if link == "new":
            unjudged[NO_LINK] += 1
        elif off:
            unjudged[TORN] += 1
        elif lay in divided(left, here.players, pooling.counters):
            unjudged[DIVIDED] += 1
        else:
            self._rule(table, before, here, lay, in_turn=in_turn)
        return False

    def _rule(self, table: Table, before: Facts, here: Facts, lay: int, *, in_turn: bool) -> None:
        pooling, left = self.pooling, before.after
        assert pooling is not None
        assert left is not None
        assert here.before is not None
        again = self.docket.replay(before)
        if not again.whole or lay == again.pool:
            self.docket.unjudged[RIGHTED if again.whole else NO_POOL] += 1
            return
        more = lay - left
        ruling = Ruling(
            event=-1,
            seat=0,
            what=f"{here.before} in the pool, wanted {left + pooling.stake}",
            law=f"{self.docket.cite}, the pool: what nobody won stands over to the next deal",
            remedy="the pool is made right",
        )
        # A misdeal that nobody wrote down may have brought in its stakes and forfeits.
        unwritten = pooling.by_misdeals(more, here.players)
        # In turn, as many deals as there are players would be missing, and each adds its stake.
        lost = not (in_turn and self.steady(before) and abs(more) < here.players)
        self.docket.find(table, here, "pool", ruling, unwritten=unwritten, lost=lost)
