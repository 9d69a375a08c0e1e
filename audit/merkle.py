"""The hashing of certificate transparency's Merkle tree, and the checks of its proofs.

Leaf H(00 | entry), node H(01 | left | right), split at the largest power of two below the
size, H = SHA-256. Every hash is 32 bytes; proofs about an empty tree are refused, because
they would prove nothing. Sealed packs and the ledger use the same functions.

Source: RFC 9162 sections 2.1.1, 2.1.3.2 and 2.1.4.2 (as RFC 6962 section 2.1).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from audit.errors import NotVerified

HASH_BYTES = 32
EMPTY_ROOT = hashlib.sha256(b"").digest()


def leaf_hash(entry: bytes) -> bytes:
    """Return H(00 | entry)."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return H(01 | left | right)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def check_path(
    leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes, where: str
) -> None:
    """Refuse unless *path* leads from the hash *leaf*, at *index* of *size*, to *root*.

    Raises: NotVerified.  Source: RFC 9162 section 2.1.3.2, step for step.
    """
    if not 0 <= index < size:
        raise NotVerified(where, "path", "index is not in the tree", f"below {size}", str(index))
    _check_lengths((leaf, root, *path), where)
    fn, sn = index, size - 1
    reached = leaf
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
    _check_root(reached, root, "does not lead to the root", where)


def check_consistency(
    old: int, new: int, path: Sequence[bytes], old_root: bytes, new_root: bytes, where: str
) -> None:
    """Refuse unless the tree of *new* entries only adds to the tree of *old* entries.

    Raises: NotVerified.  Source: RFC 9162 section 2.1.4.2, step for step.
    """
    if not 1 <= old <= new:
        raise NotVerified(where, "sizes", "are not 1 <= old <= new", "", f"{old}, {new}")
    _check_lengths((old_root, new_root, *path), where)
    if old == new:
        if path:
            raise NotVerified(where, "path", "is too long")
        _check_root(old_root, new_root, "one size has two roots", where)
        return
    nodes = list(path)
    if old & (old - 1) == 0:
        nodes.insert(0, old_root)
    if len(nodes) < 2:
        raise NotVerified(where, "path", "is too short")
    fn, sn = old - 1, new - 1
    while fn & 1:
        fn >>= 1
        sn >>= 1
    before = after = nodes[0]
    for node in nodes[1:]:
        if sn == 0:
            raise NotVerified(where, "path", "is too long")
        if fn & 1 or fn == sn:
            before = node_hash(node, before)
            after = node_hash(node, after)
            while not fn & 1 and fn:
                fn >>= 1
                sn >>= 1
        else:
            after = node_hash(after, node)
        fn >>= 1
        sn >>= 1
    if sn != 0:
        raise NotVerified(where, "path", "is too short")
    _check_root(before, old_root, "does not lead to the old root", where)
    _check_root(after, new_root, "does not lead to the new root", where)


def _check_lengths(hashes: Sequence[bytes], where: str) -> None:
    for value in hashes:
        if len(value) != HASH_BYTES:
            raise NotVerified(where, "hash", "has another length", "32 bytes", str(len(value)))


def _check_root(reached: bytes, root: bytes, why: str, where: str) -> None:
    if not hmac.compare_digest(reached, root):
        raise NotVerified(where, "path", why, root.hex(), reached.hex())
