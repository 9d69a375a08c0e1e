"""A full check of a ledger, from its bytes alone.

Every entry is hashed again; every checkpoint ever stored is compared with the root of those
entries at its size, so that all of them belong to one history; every signature and
cosignature is verified; and the store tells what is wrong with its form.

What it cannot see by itself is a ledger that was put back to an older copy, or a second one
under the same key: for that it needs checkpoints that somebody kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.checkpoint import Checkpoint, check_checkpoint
from audit.errors import NotVerified
from audit.ledger.refusal import StoreFailed
from audit.ledger.store import Store
from audit.ledger.tree import Tree
from audit.merkle import leaf_hash
from audit.note import COSIGNATURE, Key, check_line, read_key, read_line, read_note

CHUNK = 4096


@dataclass(frozen=True, kw_only=True)
class Health:
    """What was looked at, and every defect in a line of its own."""

    key: str
    entries: int
    checkpoints: int
    cosignatures: int
    root: bytes
    defects: tuple[str, ...]


class _Check:
    def __init__(self, store: Store, key: Key) -> None:
        self.store, self.key, self.tree = store, key, Tree()
        self.defects: list[str] = []
        self.checkpoints = self.cosignatures = 0

    def head(self) -> int:
        """Return the size up to which to look: that of the newest checkpoint."""
        size = self.store.size()
        note = self.store.checkpoint(None)
        if note is None:
            self.defects.append("checkpoints: there is none")
            return size
        try:
            newest = self.signed(note, "newest checkpoint").size
        except NotVerified as err:
            self.defects.append(str(err))
            return size
        # Read in this order, a writer at work can only make the checkpoint the larger one.
        if newest < size:
            self.defects.append(f"entries {newest} to {size}: are under no checkpoint")
        return newest

    def signed(self, note: bytes, where: str) -> Checkpoint:
        return check_checkpoint(note, self.key, where=where).checkpoint

    def entries(self, first: int, end: int) -> bool:
        bodies, leaves = self.store.entries(first, end), self.store.leaves(first, end)
        for number, (body, leaf) in enumerate(zip(bodies, leaves, strict=True), start=first):
            hashed = leaf_hash(body)
            if hashed != leaf:
                self.defects.append(f"entry {number}: is not what its stored hash says")
            self.tree.extend([hashed])
        if first + len(bodies) < end:
            self.defects.append(f"entries {first + len(bodies)} to {end}: are missing")
            return False
        return True

    def signatures(self, first: int, end: int) -> None:
        """Check the checkpoints with `first <= size < end`; the tree holds end - 1 leaves."""
        texts: dict[int, bytes] = {}
        for size, note in self.store.checkpoints(first, end):
            self.checkpoints += 1
            where = f"checkpoint {size}"
            try:
                at = self.signed(note, where)
                texts[size] = read_note(note, where).text
                if at.size != size:
                    self.defects.append(f"{where}: speaks of size {at.size}")
                elif at.root != self.tree.root(size):
                    self.defects.append(f"{where}: has another root than its entries")
            except NotVerified as err:
                self.defects.append(str(err))
        for kept in self.store.cosignatures(first, end):
            self.cosignatures += 1
            where = f"cosignature of {kept.size}"
            try:
                line = read_line(kept.line, where)
                key = Key(name=line.name, algorithm=COSIGNATURE, public=kept.public)
                check_line(texts.get(kept.size, b""), line, key, where)
            except NotVerified as err:
                self.defects.append(str(err))

    def kept(self, note: bytes, number: int) -> None:
        where = f"kept checkpoint {number}"
        try:
            at = self.signed(note, where)
        except NotVerified as err:
            self.defects.append(str(err))
            return
        if at.size > self.tree.size:
            self.defects.append(
                f"{where}: has {at.size} entries, the ledger {self.tree.size}: it was cut short"
            )
        elif at.root != self.tree.root(at.size):
            self.defects.append(f"{where}: is of another history than this ledger")


def examine(store: Store, key: Key | None = None, kept: Sequence[bytes] = ()) -> Health:
    """Return the health of *store*, against a pinned *key* and checkpoints that were *kept*.

    A writer may be at work: what is under the newest checkpoint at the start is looked at.
    Never raises for what the store holds.
    """
    said = store.identity.key
    check: _Check | None = None
    defects: list[str] = []
    try:
        defects += store.defects()
        check = _Check(store, key or read_key(said))
        if key is not None and key.text != said:
            defects.append("identity: is another key than the pinned one")
        head = check.head()
        for first in range(0, head, CHUNK):
            end = min(first + CHUNK, head)
            if not check.entries(first, end):
                break
            check.signatures(first, end)
        size = check.tree.size
        check.signatures(size, size + 1)
        if not store.checkpoints(0, 1):
            defects.append("checkpoint 0: is missing")
        for number, note in enumerate(kept, start=1):
            check.kept(note, number)
    except (NotVerified, StoreFailed) as err:
        defects.append(str(err))
    tree = check.tree if check else Tree()
    return Health(
        key=said,
        entries=tree.size,
        checkpoints=check.checkpoints if check else 0,
        cosignatures=check.cosignatures if check else 0,
        root=tree.root(tree.size),
        defects=(*defects, *(check.defects if check else ())),
    )
