"""A witness: it cosigns a ledger's checkpoints, and only such as extend the last one.

The newest head is on disk before its cosignature is sent, so no crash makes it cosign a
fork.  The ledger's key is given once, and kept.

Source: C2SP tlog-witness (the rules, not its HTTP form); design section 3, P8.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from audit.checkpoint import check_checkpoint, read_text
from audit.client.api import Api
from audit.client.journal import Journal
from audit.merkle import check_consistency
from audit.note import Key, Signer, read_key, read_note
from audit.shuffle.refusal import NotVerified
from audit.wire import Cosigned, Done, Head

MOST_LINES = 10_000


class Witness:
    """One witness of one ledger."""

    def __init__(
        self,
        api: Api,
        signer: Signer,
        ledger: Key,
        journal: Journal,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Go on from the head in *journal*.  Raises: NotVerified for another ledger's."""
        self._api, self._signer, self.ledger = api, signer, ledger
        self._journal, self._clock = journal, clock
        self.head: tuple[int, bytes] = (0, b"")
        # The time of the newest cosignature: a larger ledger never gets an earlier one.
        self._last = 0
        # Whether the service is known to have the cosignature of *head*.
        self._taken = True
        self._lines = len(journal.lines)
        if not journal.lines:
            journal.add(k="ledger", key=ledger.text)
            return
        if read_key(journal.lines[0]["key"]) != ledger:
            raise NotVerified("state", "ledger", "is another one than this witness knows")
        heads = [line for line in journal.lines if line["k"] == "head"]
        if heads:
            self.head = (heads[-1]["size"], bytes.fromhex(heads[-1]["root"]))
            self._last = heads[-1].get("time", 0)
            self._taken = False

    def step(self, wait: int) -> bool:
        """Cosign the newest checkpoint if it is newer; return whether one was cosigned.

        A cosignature on its way when the service or this witness stopped is made again: a
        table that waits for it appends nothing, so no newer checkpoint would bring it.
        Raises: NotVerified when it does not extend the last one: a fork, to be told to all.
        """
        above = self.head[0] if self._taken else self.head[0] - 1
        start = self.head[0]
        told = self._api.get("/api/checkpoint", Head, above=above, start=start, wait=wait)
        note = bytes.fromhex(told.checkpoint)
        at = check_checkpoint(note, self.ledger, where="checkpoint").checkpoint
        old, before = self.head
        if at.size < old:
            raise NotVerified("checkpoint", "size", "is smaller than before", str(old))
        if at.size == old:
            if old and at.root != before:
                raise NotVerified("checkpoint", "root", "one size has two roots")
            if self._taken:
                return False
        elif old:
            path = [bytes.fromhex(step) for step in told.consistency]
            check_consistency(old, at.size, path, before, at.root, "checkpoint")
        self._last = max(self._last, int(self._clock()))
        if at.size > old:
            self._keep(at.size, at.root)
        text = read_note(note, "checkpoint").text
        line = self._signer.cosign(text, self._last)
        self._api.post("/api/cosignatures", Cosigned(size=at.size, line=line.text), Done)
        self._taken = True
        return True

    def _keep(self, size: int, root: bytes) -> None:
        head: dict[str, object] = {
            "k": "head",
            "size": size,
            "root": root.hex(),
            "time": self._last,
        }
        self._lines += 1
        if self._lines > MOST_LINES:
            self._journal.replace([{"k": "ledger", "key": self.ledger.text}, head])
            self._lines = 2
        else:
            self._journal.add(**head)
        self.head = (size, root)
        self._taken = False


def ledger_of(api: Api, pinned: str | None, journal: Journal) -> Key:
    """Return the ledger's key: pinned, kept, or that of the first checkpoint seen.

    A checkpoint names its key by four bytes only, so the first sight needs a line of the key
    from somewhere; without one the kept key is the only one taken.
    """
    if pinned is not None:
        return read_key(pinned)
    if journal.lines:
        return read_key(journal.lines[0]["key"])
    note = bytes.fromhex(api.get("/api/checkpoint", Head).checkpoint)
    origin = read_text(read_note(note, "checkpoint").text, "checkpoint").origin
    raise NotVerified(origin, "ledger key", "is not known; give it with --ledger")
