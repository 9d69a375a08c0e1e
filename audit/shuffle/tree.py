"""One hash for many entries, and a short proof that an entry is among them.

The Merkle tree of certificate transparency: leaf H(00 | entry), node H(01 | left | right),
split at the largest power of two below the size. Built level by level; a last node without
a neighbour moves up unchanged, which is the same tree.

Source: RFC 9162 sections 2.1.1 and 2.1.3 (as RFC 6962 section 2.1).
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.shuffle.framing import digest, same
from audit.shuffle.refusal import NotVerified


def leaf_hash(entry: bytes) -> bytes:
    """Return H(00 | entry)."""
    return digest(b"\x00" + entry)


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return H(01 | left | right)."""
    return digest(b"\x01" + left + right)


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
        self.root = levels[-1][0] if entries else digest(b"")

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
    """Refuse unless *path* leads from *entry*, at *index* of *size*, to *root*.

    Source: RFC 9162 section 2.1.3.2, step for step.
    """
    if not 0 <= index < size:
        raise NotVerified(where, "path", "index is not in the tree", f"below {size}", str(index))
    fn, sn = index, size - 1
    reached = leaf_hash(entry)
    for neighbour in path:
        if sn == 0:
            raise NotVerified(where, "path", "is too long")
        if fn & 1 or fn == sn:
            reached = node_hash(neighbour, reached)
            while not fn & 1 and fn:
                fn >>= 1
                sn >>= 1
        else:
            reached = node_hash(reached, neighbour)
        fn >>= 1
        sn >>= 1
    if sn != 0:
        raise NotVerified(where, "path", "is too short")
    if not same(reached, root):
        raise NotVerified(where, "path", "does not lead to the root", root.hex(), reached.hex())


def check_consistency(
    old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes], where: str
) -> None:
    """Refuse unless *proof* shows that the tree of *size* extends the one of *old_size*.

    Source: RFC 9162 section 2.1.4.2, step for step; a tree of size 0 proves nothing.
    """
    if not 0 < old_size <= size or any(len(node) != 32 for node in proof):
        raise NotVerified(where, "consistency", "sizes do not fit", f"1 to {size}", str(old_size))
    if old_size == size:
        if proof or not same(old_root, root):
            raise NotVerified(where, "consistency", "two roots of one size")
        return
    nodes = list(proof)
    if old_size & (old_size - 1) == 0:
        nodes.insert(0, old_root)
    if not nodes:
        raise NotVerified(where, "consistency", "is empty")
    fn, sn = old_size - 1, size - 1
    while fn & 1:
        fn >>= 1
        sn >>= 1
    first = second = nodes[0]
    for node in nodes[1:]:
        if sn == 0:
            raise NotVerified(where, "consistency", "is too long")
        if fn & 1 or fn == sn:
            first, second = node_hash(node, first), node_hash(node, second)
            while not fn & 1 and fn:
                fn >>= 1
                sn >>= 1
        else:
            second = node_hash(second, node)
        fn >>= 1
        sn >>= 1
    if sn != 0:
        raise NotVerified(where, "consistency", "is too short")
    if not same(first, old_root) or not same(second, root):
        raise NotVerified(where, "consistency", "does not lead to both roots")


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
