"""The static export, read back by nothing but its published form."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.checkpoint import read_text, sign_checkpoint
from audit.errors import NotVerified
from audit.ledger.export import export, tile_path
from audit.merkle import leaf_hash
from audit.note import read_note
from tests.ledger.kit import Place, file_place, signer
from tests.ledger.test_tree import naive


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = file_place(tmp_path)
    made.create()
    return made


def filled(place: Place, first: int, end: int) -> bytes:
    with place.ledger() as ledger:
        return ledger.append([b"%d" % i for i in range(first, end)]).checkpoint


def exported(place: Place, note: bytes, folder: Path) -> int:
    store = place.reader()
    try:
        return export(store, note, folder)
    finally:
        store.close()


def bundle(data: bytes) -> list[bytes]:
    found: list[bytes] = []
    while data:
        size = int.from_bytes(data[:2], "big")
        found.append(data[2 : 2 + size])
        data = data[2 + size :]
    return found


@pytest.mark.parametrize(
    ("number", "width", "path"),
    [
        (0, 256, "tile/0/000"),
        (7, 3, "tile/0/007.p/3"),
        (1_234_067, 256, "tile/0/x001/x234/067"),
        (1000, 1, "tile/0/x001/000.p/1"),
    ],
)
def test_tiles_have_the_published_paths(number: int, width: int, path: str) -> None:
    assert tile_path("0", number, width) == path


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 600])
def test_an_export_rebuilds_the_root(place: Place, tmp_path: Path, size: int) -> None:
    note = filled(place, 0, size)
    folder = tmp_path / "out"
    exported(place, note, folder)
    at = read_text(read_note((folder / "checkpoint").read_bytes(), "t").text, "t")
    assert at.size == size
    full, rest = divmod(size, 256)
    names = [f"{i:03}" for i in range(full)] + ([f"{full:03}.p/{rest}"] if rest else [])
    entries: list[bytes] = []
    for name in names:
        part = bundle((folder / "tile/entries" / name).read_bytes())
        assert (folder / "tile/0" / name).read_bytes() == b"".join(map(leaf_hash, part))
        entries += part
    assert entries == [b"%d" % i for i in range(size)]
    assert naive(entries) == at.root
    above = folder / "tile/1" / f"000.p/{full}"
    wanted = b"".join(naive(entries[256 * i : 256 * i + 256]) for i in range(full))
    assert (above.read_bytes() if full else b"") == wanted
    files = [p for p in folder.rglob("*") if p.is_file()]
    assert len(files) == 1 + 2 * len(names) + (1 if full else 0)


def test_a_later_export_adds_and_changes_no_file(place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    first = filled(place, 0, 300)
    exported(place, first, folder)
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert exported(place, first, folder) == 0
    exported(place, filled(place, 300, 700), folder)
    after = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert [p.name for p in before if before[p] != after[p]] == ["checkpoint"]


def test_an_older_or_foreign_state_does_not_replace_an_export(place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    old = filled(place, 0, 3)
    exported(place, filled(place, 3, 5), folder)
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    forged = sign_checkpoint(signer(), 5, bytes(32))
    other = file_place(tmp_path)
    other.create()
    for source, note in ((place, old), (place, forged), (other, filled(other, 1, 9))):
        with pytest.raises(NotVerified):
            exported(source, note, folder)
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
