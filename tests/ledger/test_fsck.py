"""A full check finds every kind of damage, and none in a sound ledger."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from audit.checkpoint import sign_checkpoint
from audit.cli.main import outcome
from audit.ledger.fsck import examine
from audit.merkle import leaf_hash
from tests.ledger.kit import NOW, Place, file_place, health, signer, witness

TRIGGERS = ("no_update", "no_delete", "follow")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = file_place(tmp_path)
    made.create()
    with made.ledger((witness(1).key,)) as ledger:
        for number in range(6):
            ledger.append([b"%d" % number, b"+"])
        text = ledger.checkpoint(4).split(b"\n\n")[0] + b"\n"
        ledger.add_cosignature(witness(1).cosign(text, NOW).text, 4)
    return made


def rewritten(place: Place, *statements: str) -> None:
    """Change the file as somebody with every right could, and put the triggers back."""
    db = sqlite3.connect(place.address, isolation_level=None)
    kept = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in kept:
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    for _, sql in kept:
        db.execute(sql)
    db.close()


def test_a_sound_ledger_has_no_defects(place: Place) -> None:
    found = health(place)
    assert found.defects == ()
    assert (found.entries, found.checkpoints, found.cosignatures) == (12, 7, 1)
    assert outcome(["fsck", place.address]) == 0


def test_a_ledger_at_work_is_sound(place: Place) -> None:
    with place.ledger() as ledger:
        ledger.append([b"more"])
        assert health(place).defects == ()


NODE = leaf_hash(b"x").hex()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE entries SET body = x'00' WHERE number = 3", "entry 3: is not what"),
        (
            f"UPDATE entries SET body = x'78', leaf = x'{NODE}' WHERE number = 3",
            "checkpoint 4: has another root",
        ),
        ("DELETE FROM entries WHERE number = 3", "have a gap"),
        ("DELETE FROM entries WHERE number >= 10", "are missing"),
        ("INSERT INTO entries VALUES (12, x'', zeroblob(32))", "are under no checkpoint"),
        ("DELETE FROM checkpoints WHERE size = 12", "are under no checkpoint"),
        ("DELETE FROM checkpoints WHERE size = 0", "checkpoint 0: is missing"),
        ("DELETE FROM checkpoints", "checkpoints: there is none"),
        ("UPDATE checkpoints SET note = x'00' WHERE size = 6", "checkpoint 6: note"),
        (
            "UPDATE checkpoints SET note = (SELECT note FROM checkpoints WHERE size = 8) "
            "WHERE size = 6",
            "checkpoint 6: speaks of size 8",
        ),
        (
            "UPDATE cosignatures SET line = replace(line, 'witness', 'witless')",
            "cosignature of 4: signature",
        ),
        ("UPDATE cosignatures SET size = 6", "cosignature of 6: signature"),
        ("UPDATE identity SET key = 'nobody'", "key: line"),
        ("UPDATE migrations SET sha256 = ''", "migration 1: has another hash"),
        ("CREATE TABLE more (a)", "table more: is foreign"),
        ("DROP TABLE state", "table state: is missing"),
    ],
)
def test_every_kind_of_damage_is_told(place: Place, statement: str, said: str) -> None:
    rewritten(place, statement)
    assert any(said in line for line in health(place).defects)
    assert outcome(["fsck", place.address]) == 1


@pytest.mark.parametrize("number", range(12))
def test_a_change_at_any_entry_is_told(place: Place, number: int) -> None:
    rewritten(place, f"UPDATE entries SET body = x'ff' WHERE number = {number}")
    assert any(f"entry {number}:" in line for line in health(place).defects)


def test_a_missing_trigger_is_told(place: Place) -> None:
    db = sqlite3.connect(place.address)
    db.execute("DROP TRIGGER entries_no_delete")
    db.close()
    assert health(place).defects == ("trigger entries_no_delete: is missing",)


def test_two_roots_of_one_size_are_told(place: Place) -> None:
    fork = sign_checkpoint(signer(), 6, bytes(32)).hex()
    rewritten(place, f"UPDATE checkpoints SET note = x'{fork}' WHERE size = 6")
    assert health(place).defects == ("checkpoint 6: has another root than its entries",)


def test_a_ledger_put_back_is_told_by_a_kept_checkpoint(place: Place, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copy(place.address, copy)
    with place.ledger() as ledger:
        note = tmp_path / "note"
        note.write_bytes(ledger.append([b"later"]).checkpoint)
    assert outcome(["fsck", place.address, "--checkpoint", str(note)]) == 0
    assert outcome(["fsck", str(copy)]) == 0
    assert outcome(["fsck", str(copy), "--checkpoint", str(note)]) == 1


def test_another_history_is_told_by_a_kept_checkpoint(place: Place) -> None:
    fork = sign_checkpoint(signer(), 6, bytes(32))
    store = place.reader()
    assert examine(store, signer().key, [fork]).defects == (
        "kept checkpoint 1: is of another history than this ledger",
    )
    store.close()


def test_another_key_than_the_pinned_one_is_told(place: Place) -> None:
    assert outcome(["fsck", place.address, "--key", signer().key.text]) == 0
    assert outcome(["fsck", place.address, "--key", signer(2).key.text]) == 1


@pytest.mark.parametrize("content", [None, b"", b"hello", b"SQLite format 3\0" + bytes(4000)])
def test_what_is_no_ledger_leaves_with_two(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "x"
    if content is not None:
        file.write_bytes(content)
    assert outcome(["fsck", str(file)]) == 2


def test_torn_files_are_broken_and_never_a_fault(place: Place) -> None:
    raw = Path(place.address).read_bytes()
    for at in range(100, len(raw), 1009):
        for bad in (raw[:at], raw[:at] + b"\xff" * 40 + raw[at + 40 :]):
            Path(place.address).write_bytes(bad)
            assert outcome(["fsck", place.address]) in (0, 1, 2)
    Path(place.address).write_bytes(raw[:5000])
    assert outcome(["fsck", place.address]) == 1
