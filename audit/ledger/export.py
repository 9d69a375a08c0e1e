"""The ledger as plain files that any web server can give out.

`checkpoint`, `tile/<level>/<number>` with 256 hashes each, `tile/entries/<number>` with
256 entries each; the last of a row ends in `.p/<width>`. A file once written is never
changed; the checkpoint comes last, so that whoever reads it finds what it speaks of.

Source: C2SP tlog-tiles, "Merkle Tree", "Partial Tiles", "Log entries".
"""

from __future__ import annotations

from pathlib import Path

from audit.checkpoint import check_checkpoint
from audit.errors import NotVerified, UsageError
from audit.ledger.durable import replace_file
from audit.ledger.store import Store
from audit.ledger.tree import Tree
from audit.merkle import leaf_hash
from audit.note import read_key

WIDTH = 256


def tile_path(row: str, number: int, width: int) -> str:
    """Return the path of a tile of *width* hashes or entries: `tile/0/x001/x234/067`."""
    groups = [number % 1000]
    while number >= 1000:
        number //= 1000
        groups.insert(0, number % 1000)
    steps = "/".join([*(f"x{group:03}" for group in groups[:-1]), f"{groups[-1]:03}"])
    return f"tile/{row}/{steps}" + ("" if width == WIDTH else f".p/{width}")


def export(store: Store, note: bytes, folder: Path) -> int:
    """Write what *note*, a checkpoint of *store*, speaks of; return the number of files.

    Files that stand already with the same bytes are left alone and not counted.
    Raises: NotVerified when *note* or an older export is not of these entries; UsageError
    when a file cannot be written.
    """
    key = read_key(store.identity.key)
    size = check_checkpoint(note, key, where=store.where).checkpoint.size
    tree = Tree()
    written = 0
    for first in range(0, size, WIDTH):
        tree.extend(map(leaf_hash, store.entries(first, min(first + WIDTH, size))))
    _check_root(tree, note, store)
    standing = folder / "checkpoint"
    try:
        if standing.exists():
            _check_root(tree, standing.read_bytes(), store)
        for first in range(0, size, WIDTH):
            bundle = store.entries(first, min(first + WIDTH, size))
            data = b"".join(len(entry).to_bytes(2, "big") + entry for entry in bundle)
            written += _keep(folder, tile_path("entries", first // WIDTH, len(bundle)), data)
        level = 0
        while size >> 8 * level:
            nodes = size >> 8 * level
            for first in range(0, nodes, WIDTH):
                end = min(first + WIDTH, nodes)
                path = tile_path(str(level), first // WIDTH, end - first)
                written += _keep(folder, path, tree.nodes(8 * level, first, end))
            level += 1
        if not standing.exists() or standing.read_bytes() != note:
            folder.mkdir(parents=True, exist_ok=True)
            replace_file(standing, note)
            written += 1
    except OSError as err:
        why = err.strerror or type(err).__name__
        raise UsageError(str(folder), "export", f"cannot be written: {why}") from err
    return written


def _check_root(tree: Tree, note: bytes, store: Store) -> None:
    at = check_checkpoint(note, read_key(store.identity.key), where=store.where).checkpoint
    if at.size > tree.size or tree.root(at.size) != at.root:
        raise NotVerified(store.where, "checkpoint", f"of size {at.size} is not of these entries")


def _keep(folder: Path, name: str, data: bytes) -> int:
    path = folder / name
    if path.exists():
        if path.read_bytes() != data:
            raise NotVerified(str(path), "tile", "stands with other bytes; nothing was changed")
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, data)
    return 1
