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

    def hex_paths(self, first: int, last: int) -> list[tuple[str, ...]]:
        """Return `path` in lower-case hex of the entries first to last, shared from the root down.

        Raises: IndexError for an entry that is not there.
        """
        if not 0 <= first <= last < self.size:
            raise IndexError(f"entries {first} to {last} of a tree of {self.size}")
        paths: list[tuple[str, ...]] = [()]
        for height in range(len(self._levels) - 2, -1, -1):
            level, above, start = self._levels[height], paths, first >> height + 1
            paths = []
            for index in range(first >> height, (last >> height) + 1):
                rest, other = above[(index >> 1) - start], index ^ 1
                paths.append((level[other].hex(), *rest) if other < len(level) else rest)
        return paths


def check_inclusion(
    entry: bytes, index: int, size: int, path: Sequence[bytes], root: bytes, where: str
) -> None:
    """Refuse unless *path* leads from *entry*, at *index* of *size*, to *root*."""
    check_path(leaf_hash(entry), index, size, path, root, where)


def consistency_path(entries: Sequence[bytes], old: int) -> list[bytes]:
    """Return the proof that all *entries* extend the first *old* ones.

    Source: RFC 9162 section 2.1.4.1.
    """
    if not 0 < old <= len(entries):
        raise IndexError(f"{old} of {len(entries)} entries")
    return _subproof(old, entries, whole=True)


def _subproof(old: int, entries: Sequence[bytes], *, whole: bool) -> list[bytes]:
    size = len(entries)
    if old == size:
        return [] if whole else [Tree(entries).root]
    split = 1 << (size - 1).bit_length() - 1
    if old <= split:
        return [*_subproof(old, entries[:split], whole=whole), Tree(entries[split:]).root]
    return [*_subproof(old - split, entries[split:], whole=False), Tree(entries[:split]).root]
