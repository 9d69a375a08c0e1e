"""What only the PostgreSQL store promises."""

from __future__ import annotations

import threading
import time

import psycopg
import pytest

from audit.cli.main import outcome
from audit.errors import UsageError
from audit.ledger import postgres as postgres_module
from audit.ledger import store as store_module
from audit.ledger.place import Hold, open_to_append, open_to_read
from audit.ledger.postgres import PostgresStore
from audit.ledger.refusal import InUse, NotALedger, StoreFailed
from audit.ledger.store import Batch, Migration, migrations
from audit.merkle import leaf_hash
from tests.ledger.kit import Place, health, server_place
from tests.ledger.server import Server


@pytest.fixture
def place(server: Server) -> Place:
    made = server_place(server)
    made.create()
    with made.ledger() as ledger:
        ledger.append([b"a", b"b"], {"k": b"v"})
    return made


def test_opening_never_creates(server: Server) -> None:
    empty = server_place(server)
    for opening in (open_to_append, open_to_read):
        with pytest.raises(NotALedger):
            opening(empty.address)
    with psycopg.connect(empty.address) as db:
        row = db.execute("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()")
        assert row.fetchone() == (0,)


def test_an_absent_server_is_one_error_without_the_password() -> None:
    with pytest.raises(NotALedger) as refused:
        open_to_append("postgresql://u:hidden-word@/d?host=/nonexistent")
    assert "hidden-word" not in str(refused.value)
    with pytest.raises(UsageError):
        open_to_append("postgresql://[")


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes", "synchronous_commit"])
def test_a_server_that_loses_what_it_acknowledged_is_refused(
    place: Place, server: Server, setting: str
) -> None:
    with psycopg.connect(server.dsn(), autocommit=True) as db:
        db.execute(f"ALTER SYSTEM SET {setting} = off".encode())
        db.execute("SELECT pg_reload_conf()")
        try:
            deadline = time.monotonic() + 20
            while True:
                with psycopg.connect(server.dsn()) as fresh:
                    row = fresh.execute("SELECT current_setting(%s)", (setting,)).fetchone()
                if row == ("off",) or time.monotonic() > deadline:
                    break
                time.sleep(0.05)
            with pytest.raises(InUse, match=setting):
                place.store()
        finally:
            db.execute(f"ALTER SYSTEM RESET {setting}".encode())
            db.execute("SELECT pg_reload_conf()")
    deadline = time.monotonic() + 20
    while True:
        try:
            place.store().close()
            break
        except InUse:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE entries SET body = ''",
        "DELETE FROM entries WHERE number = 1",
        "TRUNCATE entries",
        "INSERT INTO entries VALUES (2, '', sha256(''))",
        "INSERT INTO entries VALUES (5, '', sha256(''))",
        "INSERT INTO entries VALUES (1, '', sha256('')) ON CONFLICT (number) "
        "DO UPDATE SET body = ''",
        "UPDATE checkpoints SET note = ''",
        "DELETE FROM checkpoints",
        "TRUNCATE checkpoints CASCADE",
        "INSERT INTO checkpoints VALUES (3, '', 1)",
        "TRUNCATE cosignatures",
        "UPDATE identity SET key = ''",
        "DELETE FROM migrations",
    ],
)
def test_the_schema_itself_refuses_to_be_rewritten(place: Place, sql: str) -> None:
    with (
        pytest.raises(psycopg.errors.RaiseException),
        psycopg.connect(place.address) as db,
    ):
        db.execute(sql.encode())
    assert health(place).defects == ()


def test_defects_of_the_schema_are_told(place: Place) -> None:
    with psycopg.connect(place.address) as db:
        db.execute("DROP TRIGGER entries_no_change ON entries")
        db.execute("ALTER TABLE checkpoints DISABLE TRIGGER checkpoints_no_change")
        db.execute(
            "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql "
            "AS 'BEGIN RETURN NEW; END'"
        )
    assert health(place).defects == (
        "trigger entries_no_change: is missing",
        "trigger checkpoints_no_change: is switched off",
        "function refuse: is altered or foreign",
    )


def test_several_processes_append_to_one_ledger_by_turns(place: Place) -> None:
    ledgers = [place.ledger() for _ in range(3)]
    firsts: list[int] = []

    def work(number: int) -> None:
        for k in range(10):
            firsts.append(ledgers[number % 3].append([b"%d/%d" % (number, k)]).first)

    run = [threading.Thread(target=work, args=(n,)) for n in range(12)]
    for thread in run:
        thread.start()
    for thread in run:
        thread.join()
    assert sorted(firsts) == list(range(2, 122))
    assert {ledger.checkpoint() for ledger in ledgers} == {ledgers[0].checkpoint()}
    assert ledgers[1].put_once("once", b"1") == b"1"
    assert ledgers[2].put_once("once", b"2") == b"1"
    for ledger in ledgers:
        ledger.inclusion(5, 122)
        ledger.close()
    assert health(place).defects == ()


def test_a_ledger_is_served_by_one_at_a_time_and_by_the_next_when_that_is_gone(
    place: Place, server: Server
) -> None:
    first = Hold(place.address)
    with pytest.raises(InUse, match="served by another"):
        Hold(place.address)
    other = server_place(server)
    other.create()
    Hold(other.address).close()
    with psycopg.connect(server.dsn(), autocommit=True) as db:
        # As when the process dies, or its line.
        db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks "
            "WHERE locktype = 'advisory' AND classid = 5235"
        )
        for _ in range(200):
            row = db.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
            if row.fetchone() == (0,):
                break
            time.sleep(0.02)
    Hold(place.address).close()
    first.close()


def test_a_claim_waits_for_what_the_one_before_has_under_way(place: Place) -> None:
    """Else the new process reads the ledger, and then the old one's commit still comes."""
    with place.ledger() as old, place.ledger() as new:
        old.claim("reign", b"old")
        store = old._store
        first, _ = store.begin()
        claiming = threading.Thread(target=lambda: new.claim("reign", b"new"))
        claiming.start()
        claiming.join(0.3)
        assert claiming.is_alive()
        store.commit(Batch(first=first, puts=[("late", b"1")]))
        claiming.join(20)
        assert not claiming.is_alive()
        assert new.get("late") == b"1"
        with pytest.raises(StoreFailed, match="taken over"):
            old.append([b"x"])
        assert new.append([b"y"]).first == 2


def test_an_epoch_is_stored_with_each_batch_and_grows_with_the_holder(place: Place) -> None:
    one, two = place.ledger(), place.ledger()
    for ledger in (one, one, two, one):
        ledger.append([b"x"])
    one.close()
    two.close()
    with psycopg.connect(place.address) as db:
        rows = db.execute("SELECT epoch FROM checkpoints ORDER BY size").fetchall()
    epochs = [row[0] for row in rows]
    assert [e - epochs[1] for e in epochs[1:]] == [0, 1, 1, 2, 3]


def test_a_writer_stalled_in_its_turn_cannot_append_later(place: Place) -> None:
    stalled = PostgresStore.open_to_append(place.address)
    assert stalled.begin()[0] == 2
    assert stalled._writer is not None
    # The server's own limit, shortened for the test.
    stalled._writer.execute("SET idle_in_transaction_session_timeout = '200ms'")
    with place.ledger() as ledger:
        note = ledger.append([b"new"])
        assert note.first == 2
        batch = Batch(
            first=2, entries=[b"old"], leaves=[leaf_hash(b"old")], checkpoint=note.checkpoint
        )
        with pytest.raises(StoreFailed):
            stalled.commit(batch)
        stalled.close()
        assert ledger.entries(0, 3) == [b"a", b"b", b"new"]
    assert health(place).defects == ()


def test_a_lost_connection_is_an_unknown_outcome_and_the_next_batch_connects(
    place: Place, server: Server
) -> None:
    store = PostgresStore.open_to_append(place.address)
    assert store.begin()[0] == 2
    store.rollback()
    assert store._writer is not None
    pid = store._writer.info.backend_pid
    with psycopg.connect(server.dsn(), autocommit=True) as db:
        db.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
    with pytest.raises(StoreFailed) as lost:
        store.begin()
    assert not lost.value.final
    assert store.begin()[0] == 2
    store.rollback()
    store.close()


def test_a_killed_server_comes_back_with_all_that_was_acknowledged() -> None:
    own = Server()
    try:
        place = server_place(own)
        place.create()
        with place.ledger() as ledger:
            last = ledger.append([b"a"], {"k": b"v"})
            own.kill()
            with pytest.raises(StoreFailed) as lost:
                ledger.append([b"b"])
            assert not lost.value.final
            assert ledger.failure is None
            own.start()
            assert ledger.checkpoint() == last.checkpoint
            assert ledger.append([b"c"]).first == 1
        assert health(place).defects == ()
    finally:
        own.close()


def test_the_full_check_takes_an_address(place: Place) -> None:
    assert outcome(["fsck", place.address]) == 0
    assert outcome(["fsck", "postgresql:///d?host=/nonexistent"]) == 2
    with psycopg.connect(place.address) as db:
        db.execute("ALTER TABLE entries DISABLE TRIGGER entries_no_change")
        db.execute("UPDATE entries SET body = 'z' WHERE number = 1")
        db.execute("ALTER TABLE entries ENABLE TRIGGER entries_no_change")
    assert outcome(["fsck", place.address]) == 1


def test_a_later_version_brings_the_schema_up_to_date_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown = [*migrations("postgres"), Migration(number=2, sql="CREATE TABLE later (a integer)")]
    for module in (store_module, postgres_module):
        monkeypatch.setattr(module, "migrations", lambda _: grown)
    for _ in range(2):
        with place.ledger() as ledger:
            ledger.append([b"x"])
    assert health(place).defects == ()
    monkeypatch.undo()
    with pytest.raises(NotALedger, match="migration 2"):
        place.store()


def put_back(place: Place) -> None:
    """Take the third entry away, as a server does that was restored from a copy."""
    with psycopg.connect(place.address) as db:
        for table, where in (("checkpoints", "size = 3"), ("entries", "number = 2")):
            db.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER".encode())
            db.execute(f"DELETE FROM {table} WHERE {where}".encode())
            db.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER".encode())


def test_a_ledger_does_not_go_on_from_a_server_that_was_put_back(place: Place) -> None:
    with place.ledger() as ledger:
        ledger.append([b"c"])
        put_back(place)
        with pytest.raises(StoreFailed, match="are lost"):
            ledger.append([b"d"])
        assert ledger.failure is not None
    assert health(place).entries == 2


def test_a_ledger_does_not_go_on_from_another_history_of_its_size(place: Place) -> None:
    with place.ledger() as ledger:
        ledger.append([b"c"])
        put_back(place)
        with place.ledger() as other:
            assert other.append([b"other"]).first == 2
        with pytest.raises(StoreFailed, match="root"):
            ledger.append([b"d"])
        assert ledger.failure is not None
