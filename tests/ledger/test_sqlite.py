"""What only the file store promises."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from audit.errors import NotVerified
from audit.ledger import sqlite as sqlite_module
from audit.ledger import store as store_module
from audit.ledger.refusal import InUse, NotALedger, StoreFailed
from audit.ledger.sqlite import SqliteStore
from audit.ledger.store import Migration, migrations
from tests.ledger.kit import Place, file_place, health, witness


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = file_place(tmp_path)
    made.create()
    with made.ledger() as ledger:
        ledger.append([b"a", b"b"], {"k": b"v"})
    return made


def test_opening_never_creates(tmp_path: Path) -> None:
    absent = tmp_path / "absent"
    for opening in (SqliteStore.open_to_append, SqliteStore.open_to_read):
        with pytest.raises(NotALedger):
            opening(absent)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"x" * 4096])
def test_another_file_is_no_ledger_and_is_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x"
    file.write_bytes(content)
    with pytest.raises(NotALedger):
        SqliteStore.open_to_append(file)
    assert [p.name for p in tmp_path.iterdir()] == ["x"]
    assert file.read_bytes() == content


def test_another_sqlite_file_is_no_ledger(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "x").execute("CREATE TABLE t (a)").connection.close()
    with pytest.raises(NotALedger):
        SqliteStore.open_to_append(tmp_path / "x")


def test_a_second_way_to_the_file_leads_to_the_same_lock(place: Place, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(place.address)
    with place.ledger(), pytest.raises(InUse):
        SqliteStore.open_to_append(link)


def test_opening_to_read_leaves_the_locks_of_the_same_process(place: Place) -> None:
    # Another process that closes the file as its last user would delete the log under us.
    code = "import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1])\n"
    code += "db.execute('SELECT * FROM identity').fetchall()\ndb.close()\n"
    with place.ledger() as ledger:
        ledger.append([b"c"])
        place.reader().close()
        subprocess.run([sys.executable, "-c", code, place.address], check=True)
        assert Path(place.address + "-wal").exists()
        ledger.append([b"d"])
    assert health(place).defects == ()


def test_creating_in_an_absent_folder_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotALedger):
        Place(address=str(tmp_path / "no" / "x")).create()
    assert list(tmp_path.iterdir()) == []


def test_a_ledger_is_for_its_owner(place: Place) -> None:
    assert Path(place.address).stat().st_mode & 0o777 == 0o600


def test_a_second_appender_is_refused_here_and_in_another_process(place: Place) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from audit.ledger.sqlite import SqliteStore\n"
        "from audit.ledger.refusal import InUse\n"
        "try: SqliteStore.open_to_append(Path(sys.argv[1]))\n"
        "except InUse: sys.exit(9)\n"
    )
    with place.ledger() as ledger:
        with pytest.raises(InUse):
            place.store()
        reader = place.reader()
        ledger.append([b"c"])
        assert reader.size() == 3
        reader.close()
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        ended = subprocess.run([sys.executable, "-c", code, place.address], env=env, check=False)
        assert ended.returncode == 9
    place.store().close()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE entries SET body = x'00' WHERE number = 0",
        "UPDATE entries SET number = 5 WHERE number = 1",
        "DELETE FROM entries WHERE number = 1",
        "INSERT INTO entries VALUES (3, x'', zeroblob(32))",
        "INSERT OR REPLACE INTO entries VALUES (1, x'', zeroblob(32))",
        "INSERT INTO entries VALUES (2, 'text', zeroblob(32))",
        "INSERT INTO entries VALUES (2, x'', zeroblob(31))",
        "UPDATE checkpoints SET note = x'00'",
        "DELETE FROM checkpoints WHERE size = 2",
        "INSERT OR REPLACE INTO checkpoints VALUES (2, x'00')",
        "INSERT INTO checkpoints VALUES (1, x'00')",
        "INSERT INTO checkpoints VALUES (3, x'00')",
        "UPDATE cosignatures SET line = ''",
        "DELETE FROM cosignatures",
        "UPDATE identity SET key = ''",
        "DELETE FROM identity",
        "UPDATE migrations SET sha256 = ''",
        "DELETE FROM migrations",
    ],
)
def test_the_file_itself_refuses_to_be_rewritten(place: Place, sql: str) -> None:
    with place.ledger((witness(1).key,)) as ledger:
        text = ledger.checkpoint().split(b"\n\n")[0] + b"\n"
        ledger.add_cosignature(witness(1).cosign(text, 1).text)
    db = sqlite3.connect(place.address, isolation_level=None)
    with pytest.raises(sqlite3.IntegrityError):
        db.execute(sql)
    db.close()
    assert health(place).defects == ()


def test_the_writing_connection_is_the_strict_one(place: Place) -> None:
    store = SqliteStore.open_to_append(Path(place.address))
    db = store._writer
    assert db is not None
    asked = ("journal_mode", "synchronous", "secure_delete", "recursive_triggers", "mmap_size")
    found = [db.execute(f"PRAGMA {name}").fetchone() for name in asked]
    assert found == [("wal",), (2,), (1,), (1,), (0,)]
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        store._reader.execute("INSERT INTO state VALUES ('a', x'')")
    store.close()


def test_a_deleted_value_is_in_no_file_once_closed(place: Place) -> None:
    mark = b"a value that was to be forgotten " * 40
    with place.ledger() as ledger:
        ledger.append([b"c"], {"secret": mark})
        ledger.append([b"d"], deletes=["secret"])
    for file in Path(place.address).parent.iterdir():
        assert mark[:64] not in file.read_bytes()


def test_a_changed_migration_is_refused(place: Place) -> None:
    db = sqlite3.connect(place.address, isolation_level=None)
    db.execute("DROP TRIGGER migrations_no_update")
    db.execute("UPDATE migrations SET sha256 = 'other'")
    db.close()
    with pytest.raises(NotALedger, match="migration 1"):
        place.store()
    assert any("another hash" in line for line in health(place).defects)


def test_a_ledger_of_a_later_version_is_refused(place: Place) -> None:
    db = sqlite3.connect(place.address, isolation_level=None)
    db.execute("INSERT INTO migrations VALUES (2, 'later')")
    db.close()
    with pytest.raises(NotALedger, match="not of this version"):
        place.store()


def test_a_ledger_whose_entries_were_changed_does_not_open(place: Place) -> None:
    db = sqlite3.connect(place.address, isolation_level=None)
    db.execute("DROP TRIGGER entries_no_update")
    db.execute("UPDATE entries SET leaf = zeroblob(32) WHERE number = 1")
    db.close()
    with pytest.raises(NotVerified, match="root"):
        place.ledger()
    # A refused opening must not keep the lock.
    place.store().close()


def test_what_a_killed_process_left_is_written_out_at_the_opening(place: Place) -> None:
    code = (
        "import os, sys\nfrom tests.ledger.kit import Place\n"
        "ledger = Place(address=sys.argv[1]).ledger()\n"
        "ledger.append([b'last'], {'k': b'w'})\nos._exit(9)\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", code, place.address], env=env, check=False)
    assert ended.returncode == 9
    log = Path(place.address + "-wal")
    assert log.stat().st_size > 0
    with place.ledger() as ledger:
        assert log.stat().st_size == 0
        assert (ledger.entry(2), ledger.get("k")) == (b"last", b"w")


def grow(monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    grown = [*migrations("sqlite"), Migration(number=2, sql=sql)]
    for module in (store_module, sqlite_module):
        monkeypatch.setattr(module, "migrations", lambda _: grown)


def test_a_later_version_brings_the_file_up_to_date_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(monkeypatch, "CREATE TABLE later (a INTEGER);")
    for _ in range(2):
        with place.ledger() as ledger:
            ledger.append([b"x"])
    assert health(place).defects == ()
    monkeypatch.undo()
    with pytest.raises(NotALedger, match="migration 2"):
        place.store()


def test_a_step_that_fails_leaves_the_file_as_it_was(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(monkeypatch, "CREATE TABLE later (a INTEGER); INSERT INTO nowhere VALUES (1);")
    with pytest.raises(StoreFailed, match="nowhere"):
        place.store()
    monkeypatch.undo()
    assert health(place).defects == ()
    place.store().close()
