"""A relay that calls openings missing before its own clock allows it.

A relay is a witness: the times of its cosignatures never fall as the ledger grows, and it counts
the limit from its cosignature over the closing.  So a checkpoint without the closing that it
cosigned at time t, and a *missing* of a time up to t + limit, are two statements of one key that
no honest relay makes.

Misses: an early word within the time between the newest checkpoint that was seen without the
closing and the closing itself, and a relay that dates ahead whatever it signs.

Source: PROTOCOL.md, "Deadlines, voids and who is believed"; design section 3, P6.
"""

from __future__ import annotations

from collections import deque

from audit.client.journal import Journal
from audit.client.log import View
from audit.shuffle.entries import ClosingEntry, Entry, TableManifest, VoidEntry
from audit.shuffle.refusal import NotVerified

KEPT = 16


class Early:
    """The relay's own times, as they came with the checkpoints that a seat accepted."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        #: Size, the relay's time, and the note.
        self._seen: deque[tuple[int, int, bytes]] = deque(maxlen=KEPT)
        self._before: tuple[int, bytes] | None = None

    def see(self, view: View, made: TableManifest) -> None:
        """Take the newest checkpoint that was accepted."""
        if made.relay == "none" or not made.quorum or view.head is None:
            return
        when = view.time_of(made.witnesses[made.relay].key)
        if when is not None and (not self._seen or self._seen[-1][2] != view.note):
            self._seen.append((view.head[0], when, view.note))

    def check(self, made: TableManifest, entry: Entry, index: int, raw: bytes) -> None:
        """Refuse a void, which the seat has checked, on the relay's word before the deadline.

        Note and entry, which show it, are kept in the journal.  Raises: NotVerified.
        """
        if isinstance(entry, ClosingEntry):
            older = [(when, note) for size, when, note in self._seen if size <= index]
            self._before = older[-1] if older else None
        if not isinstance(entry, VoidEntry) or entry.stage != "open" or self._before is None:
            return
        when, note = self._before
        deadline = when + made.limits.open
        if entry.deadline <= deadline:
            self._journal.add(k="early", note=note.hex(), entry=raw.decode("ascii"))
            raise NotVerified(
                "missing",
                "time",
                "is within the limit by the relay's own cosignature",
                f"after {deadline}",
                str(entry.deadline),
            )


__all__ = ["Early"]
