"""The tree against published roots, a naive recursion, and damaged proofs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest

from audit.errors import NotVerified
from audit.ledger.tree import Tree
from audit.merkle import check_consistency, check_path, leaf_hash

# The eight inputs and roots of certificate transparency's reference tests.
INPUTS = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
MOST = 70
ENTRIES = [f"entry {i}".encode() for i in range(MOST)]


def naive(entries: list[bytes]) -> bytes:
    """RFC 9162 section 2.1.1, word for word and with nothing kept."""
    if not entries:
        return hashlib.sha256(b"").digest()
    if len(entries) == 1:
        return hashlib.sha256(b"\0" + entries[0]).digest()
    k = 1
    while k * 2 < len(entries):
        k *= 2
    return hashlib.sha256(b"\1" + naive(entries[:k]) + naive(entries[k:])).digest()


def naive_path(m: int, entries: list[bytes]) -> list[bytes]:
    """RFC 9162 section 2.1.3.1."""
    if len(entries) == 1:
        return []
    k = 1
    while k * 2 < len(entries):
        k *= 2
    if m < k:
        return [*naive_path(m, entries[:k]), naive(entries[k:])]
    return [*naive_path(m - k, entries[k:]), naive(entries[:k])]


def naive_subproof(m: int, entries: list[bytes], *, whole: bool) -> list[bytes]:
    """RFC 9162 section 2.1.4.1."""
    if m == len(entries):
        return [] if whole else [naive(entries)]
    k = 1
    while k * 2 < len(entries):
        k *= 2
    if m <= k:
        return [*naive_subproof(m, entries[:k], whole=whole), naive(entries[k:])]
    return [*naive_subproof(m - k, entries[k:], whole=False), naive(entries[:k])]


def grown(size: int) -> Tree:
    tree = Tree()
    tree.extend(leaf_hash(entry) for entry in ENTRIES[:size])
    return tree


def test_roots_are_those_of_certificate_transparency() -> None:
    tree = Tree()
    for entry, root in zip(INPUTS, ROOTS, strict=True):
        assert tree.root_with([leaf_hash(entry)]).hex() == root
        tree.extend([leaf_hash(entry)])
        assert tree.root(tree.size).hex() == root
    assert [tree.root(size).hex() for size in range(1, 9)] == ROOTS


def test_every_size_and_pair_of_sizes_is_that_of_the_recursion() -> None:
    tree = grown(MOST)
    for new in range(MOST + 1):
        assert tree.root(new) == naive(ENTRIES[:new])
        for old in range(1, new + 1):
            path = tree.consistency(old, new)
            assert path == naive_subproof(old, ENTRIES[:new], whole=True)
            check_consistency(old, new, path, tree.root(old), tree.root(new), "t")
        for index in range(new):
            path = tree.inclusion(index, new)
            assert path == naive_path(index, ENTRIES[:new])
            check_path(leaf_hash(ENTRIES[index]), index, new, path, tree.root(new), "t")


def test_a_root_foretold_is_the_root_reached() -> None:
    leaves = [leaf_hash(entry) for entry in ENTRIES]
    for size in range(0, MOST, 3):
        for more in (0, 1, 2, 7, 20):
            assert grown(size).root_with(leaves[size : size + more]) == naive(
                ENTRIES[: size + more]
            )


def damaged(path: list[bytes]) -> Iterator[list[bytes]]:
    """Every dropped, doubled, swapped, shortened, foreign and bit-flipped node."""
    for i, node in enumerate(path):
        yield path[:i] + path[i + 1 :]
        yield [*path[:i], node, *path[i:]]
        yield [*path[:i], node[:31], *path[i + 1 :]]
        yield [*path[:i], node + b"\0", *path[i + 1 :]]
        yield [*path[:i], bytes(32), *path[i + 1 :]]
        yield [*path[:i], bytes([node[0] ^ 1]) + node[1:], *path[i + 1 :]]
        yield [*path[:i], node[:31] + bytes([node[31] ^ 128]), *path[i + 1 :]]
        for j in range(i):
            swapped = path[:]
            swapped[i], swapped[j] = swapped[j], swapped[i]
            yield swapped
    yield [*path, bytes(32)]
    yield [bytes(32), *path]


def refused_inclusion(leaf: bytes, index: int, size: int, path: list[bytes], root: bytes) -> bool:
    try:
        check_path(leaf, index, size, path, root, "t")
    except NotVerified:
        return True
    return False


def refused_consistency(old: int, new: int, path: list[bytes], one: bytes, two: bytes) -> bool:
    try:
        check_consistency(old, new, path, one, two, "t")
    except NotVerified:
        return True
    return False


def test_every_damaged_inclusion_proof_is_refused() -> None:
    tree = grown(MOST)
    tried = 0
    for size in (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 64, 65, 70):
        root = tree.root(size)
        for index in range(size):
            leaf, path = leaf_hash(ENTRIES[index]), tree.inclusion(index, size)
            bad = [(leaf, index, size, other, root) for other in damaged(path)]
            bad += [(leaf, other, size, path, root) for other in range(-1, size + 1)]
            bad += [(bytes(32), index, size, path, root), (b"", index, size, path, root)]
            bad += [(leaf, index, size, path, b""), (leaf, index, size, path, bytes(32))]
            bad += [(leaf, index, 0, path, root), (leaf, index, size, path, tree.root(size - 1))]
            for case in bad:
                if case == (leaf, index, size, path, root):
                    continue
                tried += 1
                assert refused_inclusion(*case), case
    assert tried > 30_000


def test_every_damaged_consistency_proof_is_refused() -> None:
    tree = grown(MOST)
    tried = 0
    for new in (1, 2, 3, 4, 6, 7, 8, 13, 16, 21, 32, 37, 64, 69, 70):
        for old in range(1, new + 1):
            path, one, two = tree.consistency(old, new), tree.root(old), tree.root(new)
            bad = [(old, new, other, one, two) for other in damaged(path)]
            bad += [(other, new, path, one, two) for other in range(-1, new + 2) if other != old]
            bad += [(old, new, path, bytes(32), two), (old, new, path, one, bytes(32))]
            bad += [(old, new, path, one[:31], two), (old, new, path, one, b"")]
            for case in bad:
                tried += 1
                assert refused_consistency(*case), case
    assert tried > 20_000


def test_a_proof_about_an_empty_tree_is_refused() -> None:
    empty, tree = Tree().root(0), grown(3)
    assert refused_consistency(0, 3, [], empty, tree.root(3))
    assert refused_consistency(0, 0, [], empty, empty)
    assert refused_inclusion(empty, 0, 0, [], empty)
    with pytest.raises(IndexError):
        tree.consistency(0, 3)


def test_levels_of_eight_are_tiles() -> None:
    tree = Tree()
    leaves = [leaf_hash(i.to_bytes(2, "big")) for i in range(600)]
    tree.extend(leaves)
    assert tree.nodes(0, 256, 512) == b"".join(leaves[256:512])
    assert tree.node(8, 1) == naive([i.to_bytes(2, "big") for i in range(256, 512)])
    with pytest.raises(IndexError):
        tree.node(8, 2)
