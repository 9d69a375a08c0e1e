"""A client's view of the ledger: nothing is believed that is not under a checkpoint which
extends the last one and has the manifest's quorum.

Source: PROTOCOL.md, "What a client keeps and refuses"; design section 3, P8.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.checkpoint import Seen, check_checkpoint
from audit.merkle import check_consistency, check_path, leaf_hash
from audit.note import COSIGNATURE, ED25519, Key
from audit.shuffle.entries import TableManifest
from audit.shuffle.refusal import NotVerified
from audit.wire import Log

Head = tuple[int, bytes]


class View:
    """The newest checkpoint that was accepted; *head* is its size and root."""

    def __init__(
        self, key: Key, witnesses: Sequence[Key] = (), quorum: int = 0, head: Head | None = None
    ) -> None:
        self._key, self._witnesses, self._quorum = key, tuple(witnesses), quorum
        self.head = head
        self.seen: Seen | None = None
        self._last = b""

    @classmethod
    def of(cls, made: TableManifest, head: Head | None = None) -> View:
        """Return the view that a manifest demands."""
        key = Key(name=made.origin, algorithm=ED25519, public=bytes.fromhex(made.ledger_key))
        witnesses = [
            Key(name=w.name, algorithm=COSIGNATURE, public=bytes.fromhex(w.key))
            for w in made.witnesses
        ]
        return cls(key, witnesses, made.quorum, head)

    @property
    def start(self) -> int:
        """The size from which the next answer has to prove that it extends it."""
        return 0 if self.head is None else self.head[0]

    def check(self, note: bytes, proof: Sequence[bytes]) -> Head:
        """Accept a checkpoint, and return its size and root.

        Raises: NotVerified when it is not signed and cosigned as the manifest says, is
        smaller than the last, or does not extend it.
        """
        if note == self._last and self.head is not None:
            return self.head
        seen = check_checkpoint(note, self._key, self._witnesses, self._quorum, where="checkpoint")
        size, root = seen.checkpoint.size, seen.checkpoint.root
        if self.head is not None and self.head[0]:
            old, before = self.head
            if size < old:
                raise NotVerified("checkpoint", "size", "is smaller than before", str(old))
            check_consistency(old, size, proof, before, root, "checkpoint")
        self.head, self.seen, self._last = (size, root), seen, note
        return self.head

    def take(self, told: Log, after: int) -> list[tuple[int, bytes]]:
        """Return index and bytes of the entries of an answer, each above index *after*.

        Raises: NotVerified, and then nothing of the answer is to be used.
        """
        proof = [bytes.fromhex(step) for step in told.consistency]
        size, root = self.check(bytes.fromhex(told.checkpoint), proof)
        found: list[tuple[int, bytes]] = []
        for one in told.entries:
            if one.index <= after:
                raise NotVerified("log", "index", "does not rise")
            after = one.index
            raw = one.entry.encode("ascii", "replace")
            path = [bytes.fromhex(step) for step in one.path]
            check_path(leaf_hash(raw), one.index, size, path, root, "log")
            found.append((one.index, raw))
        return found

    def time_of(self, public: str) -> int | None:
        """Return when the key *public* (hex) cosigned the newest checkpoint, None if it did not."""
        raw = bytes.fromhex(public)
        found = () if self.seen is None else self.seen.cosigned
        return next((when for key, when in found if key.public == raw), None)

    @property
    def note(self) -> bytes:
        """The newest checkpoint as it was accepted, empty before the first."""
        return self._last

    def time(self) -> int:
        """Return when the quorum had cosigned the newest checkpoint; 0 without witnesses."""
        if self.seen is None or not self._quorum:
            return 0
        return sorted(t for _, t in self.seen.cosigned)[self._quorum - 1]
