"""The ledger's tree: it grows by one leaf at a time and keeps every full subtree's hash.

Level k holds, one after the other, the hashes of the full subtrees of 2**k leaves, so a
proof is read off and never recomputed, and level 8k, cut every 256 hashes, is the tile of
level k. Some 64 bytes of memory an entry.

Source: RFC 9162 sections 2.1.1, 2.1.3.1 and 2.1.4.1; C2SP tlog-tiles, "Merkle Tree".
"""

from __future__ import annotations

from collections.abc import Iterable

from audit.merkle import EMPTY_ROOT, HASH_BYTES, node_hash

#: So many hashes over ranges that are no full subtree are remembered.
MOST_KNOWN = 4096


class Tree:
    """Leaf hashes in order; roots and proofs for every size up to the present one.

    A reader may use sizes that it has been told of while one writer extends the tree.
    """

    def __init__(self) -> None:
        self._levels: list[bytearray] = [bytearray()]
        self._known: dict[tuple[int, int], bytes] = {}

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self._levels[0]) // HASH_BYTES

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Add leaf hashes of 32 bytes each at the end.

        Raises: ValueError for a hash of another length; leaves before it are in.
        """
        for leaf in leaves:
            if len(leaf) != HASH_BYTES:
                raise ValueError("a leaf hash has 32 bytes")
            # The leaf goes in last: whoever sees the size finds every node below it.
            index, above = self.size, leaf
            for level in range((index + 1 & ~index).bit_length() - 1):
                above = node_hash(self.node(level, (index >> level) - 1), above)
                if level + 1 == len(self._levels):
                    self._levels.append(bytearray())
                self._levels[level + 1] += above
            self._levels[0] += leaf

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of leaves `index * 2**level` to `(index + 1) * 2**level`."""
        at = index * HASH_BYTES
        found = bytes(self._levels[level][at : at + HASH_BYTES])
        if index < 0 or len(found) != HASH_BYTES:
            raise IndexError(f"node {index} of level {level}")
        return found

    def nodes(self, level: int, first: int, end: int) -> bytes:
        """Return nodes *first* to *end* (not included) of a level, joined.

        Raises: IndexError when one of them is not there.
        """
        found = bytes(self._levels[level][first * HASH_BYTES : end * HASH_BYTES])
        if first < 0 or len(found) != (end - first) * HASH_BYTES:
            raise IndexError(f"nodes {first} to {end} of level {level}")
        return found

    def root(self, size: int) -> bytes:
        """Return the root of the first *size* leaves."""
        if not 0 <= size <= self.size:
            raise IndexError(f"size {size} of a tree of {self.size}")
        return self._hash(0, size) if size else EMPTY_ROOT

    def root_with(self, leaves: Iterable[bytes]) -> bytes:
        """Return the root that the tree would have with *leaves* added; nothing is added."""
        peaks: list[tuple[int, bytes]] = []
        start = 0
        for level in reversed(range(self.size.bit_length())):
            if self.size >> level & 1:
                peaks.append((level, self.node(level, start >> level)))
                start += 1 << level
        for leaf in leaves:
            level, above = 0, leaf
            while peaks and peaks[-1][0] == level:
                above = node_hash(peaks.pop()[1], above)
                level += 1
            peaks.append((level, above))
        if not peaks:
            return EMPTY_ROOT
        root = peaks[-1][1]
        for _, left in reversed(peaks[:-1]):
            root = node_hash(left, root)
        return root

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the path from leaf *index* to the root of the first *size* leaves.

        Raises: IndexError unless `0 <= index < size <= self.size`.
        """
        if not 0 <= index < size <= self.size:
            raise IndexError(f"leaf {index} of the first {size} of {self.size}")
        path: list[bytes] = []
        start, end = 0, size
        while (count := end - start) & (count - 1):
            middle = start + _split(count)
            if index < middle:
                path.append(self._hash(middle, end))
                end = middle
            else:
                path.append(self._hash(start, middle))
                start = middle
        # Within a full subtree every neighbour is kept, each on its own level.
        inner = [self.node(n, index >> n ^ 1) for n in range(count.bit_length() - 1)]
        return inner + path[::-1]

    def consistency(self, old: int, new: int) -> list[bytes]:
        """Return the proof that the first *new* leaves begin with the first *old*.

        Raises: IndexError unless `1 <= old <= new <= self.size`.
        """
        if not 1 <= old <= new <= self.size:
            raise IndexError(f"sizes {old} and {new} of a tree of {self.size}")
        path: list[bytes] = []
        start, end = 0, new
        while end != old:
            middle = start + _split(end - start)
            if old <= middle:
                path.append(self._hash(middle, end))
                end = middle
            else:
                path.append(self._hash(start, middle))
                start = middle
        # The old tree itself need not be told when it is a full subtree from the left.
        if start:
            path.append(self._hash(start, end))
        return path[::-1]

    def _hash(self, start: int, end: int) -> bytes:
        """Return the root over leaves *start* to *end*, a range that the splitting yields."""
        count = end - start
        if count & (count - 1) == 0:
            level = count.bit_length() - 1
            return self.node(level, start >> level)
        # Leaves never change, so neither does the hash over a range of them.
        found = self._known.get((start, end))
        if found is None:
            middle = start + _split(count)
            found = node_hash(self._hash(start, middle), self._hash(middle, end))
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[start, end] = found
        return found


def _split(count: int) -> int:
    """Return the largest power of two below *count*, which is at least 2."""
    return 1 << (count - 1).bit_length() - 1
