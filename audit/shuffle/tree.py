"""One hash for many entries, and a short proof that an entry is among them.

The Merkle tree of certificate transparency: leaf H(00 | entry), node H(01 | left | right),
split at the largest power of two below the size. Built level by level; a last node without
a neighbour moves up unchanged, which is the same tree.

Source: RFC 9162 section 2.1.1 (as RFC 6962 section 2.1); the hashing is `audit.merkle`.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.merkle import EMPTY_ROOT, check_path, leaf_hash, node_hash

__all__ = ["Tree", "check_inclusion", "leaf_hash", "node_hash"]


class Tree:
    """The tree over fixed entries: its root, and an inclusion path for each entry."""

    def __init__(self, entries: Sequence[bytes]) -> None:
        levels = [[leaf_hash(entry) for entry in entries]]
        while len(levels[-1]) > 1:
            below = levels[-1]
            above = [node_hash(below[i], below[i + 1]) for i in range(0, len(below) - 1, 2)]
            if len(below) % 2:
                above.append(below[-1])
            levels.append(above)
        self._levels = levels
        self.size = len(entries)
        self.root = levels[-1][0] if entries else EMPTY_ROOT

    def path(self, index: int) -> list[bytes]:
        """Return the neighbours of entry *index* from leaf to root.

        Raises: IndexError for an entry that is not there.
        """
        if not 0 <= index < self.size:
            raise IndexError(f"entry {index} of a tree of {self.size}")
        found: list[bytes] = []
        for level in self._levels[:-1]:
            other = index ^ 1
            if other < len(level):
                found.append(level[other])
            index >>= 1
        return found


def check_inclusion(
    entry: bytes, index: int, size: int, path: Sequence[bytes], root: bytes, where: str
) -> None:
    """Refuse unless *path* leads from *entry*, at *index* of *size*, to *root*."""
    check_path(leaf_hash(entry), index, size, path, root, where)
