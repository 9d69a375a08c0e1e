"""A ledger in one schema of a PostgreSQL database (the first of the search path).

Several processes may have it open to append. Each batch takes the turn: it updates the one
row of `turn`, which the server lets one transaction do at a time, and raises the epoch when
the turn comes from another holder. Triggers refuse an entry or checkpoint of any session
that has not the turn, and an epoch that is not the present one; so a stalled writer, whose
transaction the server ends after ten seconds, cannot append when it wakes. No entry passes
through a second table, and nobody waits for a leader that has died.

A deleted value stays in the server's files until it cleans them, and in archives of its log:
what is secret is put in sealed (`vault`).

A server that would lose acknowledged transactions is refused at every connection. A lost
connection leaves the batch under way unknown, and the next batch connects again.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from audit.errors import UsageError
from audit.ledger.refusal import InUse, NotALedger, StoreFailed
from audit.ledger.store import (
    Batch,
    Cosignature,
    Identity,
    check_migrations,
    check_prefix,
    migrations,
)

NEEDED = ("fsync", "full_page_writes", "synchronous_commit")
SESSION = (
    "SET idle_in_transaction_session_timeout = '10s'",
    "SET lock_timeout = '60s'",
    "SET client_min_messages = warning",
)
_TURN = (
    "UPDATE turn SET epoch = epoch + (holder <> %s)::int, holder = %s, backend = pg_backend_pid()"
    " RETURNING epoch"
)
_SIZE = "SELECT coalesce(max(number) + 1, 0) FROM entries"
_HEAD = f"SELECT n, (SELECT note FROM checkpoints WHERE size = n) FROM ({_SIZE}) AS sizes(n)"
#: Any number above, and the schema's own below it.
_HOLD = (
    "SELECT pg_try_advisory_lock"
    "((5235::bigint << 32) | current_schema()::regnamespace::oid::bigint)"
)
_TABLES = {
    "migrations",
    "identity",
    "turn",
    "entries",
    "checkpoints",
    "cosignatures",
    "state",
}
_Connection = psycopg.Connection[tuple[Any, ...]]


def create(dsn: str, identity: Identity, checkpoint: bytes) -> None:
    """Make a new ledger in the schema that *dsn* leads to, in one transaction.

    Raises: NotALedger when one of its tables stands there; InUse for the server's settings.
    """
    where = shown(dsn)
    with _failing(where), _reach(dsn, where) as db:
        if _present(db):
            raise NotALedger(where, "schema", "holds tables of a ledger; nothing was changed")
        db.execute("BEGIN")
        _migrate(db, [])
        db.execute(_TURN, ("creation", "creation"))
        db.execute("INSERT INTO identity VALUES (1, %s)", (identity.key,))
        db.execute("INSERT INTO checkpoints SELECT 0, %s, epoch FROM turn", (checkpoint,))
        db.execute("COMMIT")


class PostgresHold:
    """The right to serve one ledger, which one session of the server has at a time.

    It ends with the session, so nobody has to clear it away after a crash, and it has to be
    taken again when the server was started again; it keeps a second service from starting by
    mistake. What keeps one from writing that has lost it unawares is the claim that it makes
    in the ledger (`Ledger.claim`).
    """

    def __init__(self, dsn: str) -> None:
        """Take it.  Raises: InUse when another session has it; NotALedger."""
        self._dsn, self._where = dsn, shown(dsn)
        with _failing(self._where):
            self._db = _reach(dsn, self._where)
        try:
            with _failing(self._where):
                self._take()
        except BaseException:
            self.close()
            raise

    def _take(self) -> None:
        if self._db.execute(_HOLD).fetchone() != (True,):
            raise InUse(self._where, "ledger", "is served by another process")

    def renew(self) -> None:
        """Take it again if the session has ended.

        Raises: InUse when another session has it; StoreFailed while the server does not answer.
        """
        with _failing(self._where):
            if not self._db.closed:
                try:
                    self._db.execute("SELECT 1")
                except psycopg.OperationalError:
                    if not self._db.closed:
                        raise
                else:
                    return
            db = _connect(self._dsn, self._where)
            self._db = db
            try:
                self._take()
            except BaseException:
                # The next look takes a new session.
                db.close()
                raise

    def close(self) -> None:
        """Give it back."""
        self._db.close()


class PostgresStore:
    """The store of one schema; `open_to_append` or `open_to_read`."""

    def __init__(self, dsn: str, *, appending: bool) -> None:
        self.where = shown(dsn)
        self._dsn, self._appending = dsn, appending
        self._holder = os.urandom(16).hex()
        self._epoch = 0
        self._writer: _Connection | None = None
        self._reader: _Connection | None = None
        self._turn = threading.Lock()
        self._closed = False
        try:
            with _failing(self.where), _reach(dsn, self.where) as db:
                if _present(db) != _TABLES:
                    raise NotALedger(self.where, "schema", "holds no ledger")
                if appending:
                    self._settle(db)
            key = self._ask("SELECT key FROM identity")
            if len(key) != 1:
                raise NotALedger(self.where, "identity", "is missing")
            self.identity = Identity(key=str(key[0][0]))
        except BaseException:
            self.close()
            raise

    @classmethod
    def open_to_read(cls, dsn: str) -> PostgresStore:
        """Open without the right to append.  Raises: NotALedger, InUse."""
        return cls(dsn, appending=False)

    @classmethod
    def open_to_append(cls, dsn: str) -> PostgresStore:
        """Open as one of those who append.

        Raises: NotALedger; InUse when the server is set to lose what it acknowledged.
        """
        return cls(dsn, appending=True)

    def _settle(self, db: _Connection) -> None:
        rows = db.execute("SELECT number, sha256 FROM migrations ORDER BY 1").fetchall()
        recorded = [(int(n), str(s)) for n, s in rows]
        for defect in check_migrations(recorded, "postgres"):
            raise NotALedger(self.where, "form", defect)
        if len(recorded) < len(migrations("postgres")):
            db.execute("BEGIN")
            # The table's lock makes a second process wait and find the work done.
            db.execute("LOCK TABLE migrations IN EXCLUSIVE MODE")
            rows = db.execute("SELECT number, sha256 FROM migrations ORDER BY 1").fetchall()
            _migrate(db, [(int(n), str(s)) for n, s in rows])
            db.execute("COMMIT")

    def begin(self) -> tuple[int, bytes | None]:
        with self._writing():
            if self._writer is None or self._writer.closed:
                self._writer = _connect(self._dsn, self.where)
            db = self._writer
            db.execute("BEGIN")
            row = db.execute(_TURN, (self._holder, self._holder)).fetchone()
            head = db.execute(_HEAD).fetchone()
            if row is None or head is None:
                raise StoreFailed(self.where, "the row of the turn is missing", final=True)
            self._epoch = int(row[0])
            return int(head[0]), None if head[1] is None else bytes(head[1])

    def standing(self, keys: Sequence[str]) -> dict[str, bytes]:
        with self._writing():
            rows = self._db().execute(
                "SELECT key, value FROM state WHERE key = ANY(%s)", (list(keys),)
            )
            return {str(key): bytes(value) for key, value in rows.fetchall()}

    def commit(self, batch: Batch) -> None:
        with self._writing():
            db = self._db()
            with db.pipeline():
                if batch.entries:
                    numbers = list(range(batch.first, batch.size))
                    db.execute(
                        "INSERT INTO entries SELECT * FROM "
                        "unnest(%b::bigint[], %b::bytea[], %b::bytea[]) AS e (n, b, l) ORDER BY n",
                        (numbers, list(batch.entries), list(batch.leaves)),
                    )
                if batch.checkpoint is not None:
                    db.execute(
                        "INSERT INTO checkpoints VALUES (%s, %b, %s)",
                        (batch.size, batch.checkpoint, self._epoch),
                    )
                if batch.deletes:
                    db.execute("DELETE FROM state WHERE key = ANY(%s)", (list(batch.deletes),))
                if batch.puts:
                    db.execute(
                        "INSERT INTO state SELECT * FROM unnest(%b::text[], %b::bytea[]) "
                        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                        ([k for k, _ in batch.puts], [v for _, v in batch.puts]),
                    )
                for c in batch.cosignatures:
                    db.execute(
                        "INSERT INTO cosignatures VALUES (%s, %b, %s) ON CONFLICT DO NOTHING",
                        (c.size, c.public, c.line),
                    )
            # The commit of a failed transaction is no error to the server but a rollback.
            if db.execute("COMMIT").statusmessage != "COMMIT":
                raise StoreFailed(self.where, "the server rolled the batch back", final=True)

    def rollback(self) -> None:
        with self._writing():
            if self._writer is not None and not self._writer.closed:
                self._writer.rollback()

    def size(self) -> int:
        return int(self._ask(_SIZE)[0][0])

    def entries(self, first: int, end: int) -> list[bytes]:
        return self._range("SELECT number, body FROM entries", first, end)

    def leaves(self, first: int, end: int) -> list[bytes]:
        return self._range("SELECT number, leaf FROM entries", first, end)

    def _range(self, select: str, first: int, end: int) -> list[bytes]:
        rows = self._ask(f"{select} WHERE number >= %s AND number < %s ORDER BY 1", first, end)
        if [row[0] for row in rows] != list(range(first, first + len(rows))):
            raise StoreFailed(self.where, f"entries {first} to {end} have a gap", final=True)
        return [bytes(row[1]) for row in rows]

    def checkpoint(self, size: int | None) -> bytes | None:
        if size is None:
            rows = self._ask("SELECT note FROM checkpoints ORDER BY size DESC LIMIT 1")
        else:
            rows = self._ask("SELECT note FROM checkpoints WHERE size = %s", size)
        return bytes(rows[0][0]) if rows else None

    def checkpoints(self, first: int, end: int) -> list[tuple[int, bytes]]:
        rows = self._ask(
            "SELECT size, note FROM checkpoints WHERE size >= %s AND size < %s ORDER BY 1",
            first,
            end,
        )
        return [(int(size), bytes(note)) for size, note in rows]

    def cosignatures(self, first: int, end: int) -> list[Cosignature]:
        rows = self._ask(
            "SELECT size, public, line FROM cosignatures WHERE size >= %s AND size < %s "
            "ORDER BY 1, 2",
            first,
            end,
        )
        return [
            Cosignature(size=int(size), public=bytes(public), line=str(line))
            for size, public, line in rows
        ]

    def cosigned(self, keys: Sequence[bytes], quorum: int) -> int | None:
        rows = self._ask(
            "SELECT size FROM cosignatures WHERE public = ANY(%s) GROUP BY size "
            "HAVING count(*) >= %s ORDER BY size DESC LIMIT 1",
            list(keys),
            quorum,
        )
        return int(rows[0][0]) if rows else None

    def get(self, key: str) -> bytes | None:
        rows = self._ask("SELECT value FROM state WHERE key = %s", key)
        return bytes(rows[0][0]) if rows else None

    def scan(self, prefix: str) -> list[tuple[str, bytes]]:
        # DEL stands above every character that a key may hold.
        rows = self._ask(
            "SELECT key, value FROM state WHERE key >= %s AND key < %s ORDER BY key",
            check_prefix(prefix),
            prefix + "\x7f",
        )
        return [(str(key), bytes(value)) for key, value in rows]

    def defects(self) -> list[str]:
        rows = self._ask("SELECT number, sha256 FROM migrations ORDER BY 1")
        found = check_migrations([(int(n), str(s)) for n, s in rows], "postgres")
        if len(rows) < len(migrations("postgres")):
            found.append("migrations: the ledger was last appended to by an older version")
        sql = "".join(step.sql for step in migrations("postgres")[: len(rows)])
        triggers = [words.split()[0] for words in sql.split("CREATE TRIGGER ")[1:]]
        present = {
            str(name): str(enabled)
            for name, enabled in self._ask(
                "SELECT t.tgname, t.tgenabled FROM pg_trigger t "
                "JOIN pg_class c ON c.oid = t.tgrelid "
                "WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace"
            )
        }
        found += [f"trigger {name}: is missing" for name in triggers if name not in present]
        found += [
            f"trigger {name}: is switched off"
            for name in triggers
            if present.get(name, "O") not in "OA"
        ]
        sources = self._ask(
            "SELECT proname, prosrc FROM pg_proc "
            "WHERE pronamespace = current_schema()::regnamespace ORDER BY 1"
        )
        found += [f"function {n}: is altered or foreign" for n, s in sources if str(s) not in sql]
        return found

    def close(self) -> None:
        self._closed = True
        with self._turn:
            for connection in (self._reader, self._writer):
                if connection is not None:
                    connection.close()

    def _db(self) -> _Connection:
        if self._writer is None:
            raise StoreFailed(self.where, "no turn was begun", final=True)
        return self._writer

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if not self._appending or self._closed:
            raise InUse(self.where, "ledger", "was opened to read")
        try:
            with _failing(self.where):
                yield
        except StoreFailed as err:
            # Nobody knows what the connection still holds, so it is not used again.
            if not err.final and self._writer is not None:
                self._writer.close()
            raise

    def _ask(self, sql: str, *values: object) -> list[Any]:
        with self._turn, _failing(self.where):
            if self._closed:
                raise StoreFailed(self.where, "the ledger was closed", final=True)
            if self._reader is not None and not self._reader.closed:
                try:
                    return self._reader.execute(sql.encode(), values).fetchall()
                except psycopg.OperationalError:
                    # A read may be repeated; a connection that lives has another trouble.
                    if not self._reader.closed:
                        raise
            self._reader = _connect(self._dsn, self.where)
            self._reader.execute("SET default_transaction_read_only = on")
            return self._reader.execute(sql.encode(), values).fetchall()


def _reach(dsn: str, where: str) -> _Connection:
    """Connect for the first time: no server there is the address's fault, not a ledger's."""
    try:
        return _connect(dsn, where)
    except psycopg.OperationalError as err:
        raise NotALedger(where, "server", _first_line(err)) from err


def _connect(dsn: str, where: str) -> _Connection:
    db = psycopg.connect(dsn, autocommit=True, connect_timeout=10)
    try:
        for name in NEEDED:
            row = db.execute("SELECT current_setting(%s)", (name,)).fetchone()
            if row is None or row[0] == "off":
                raise InUse(where, name, "is off: the server would lose what it acknowledged")
        for setting in SESSION:
            db.execute(setting.encode())
    except BaseException:
        db.close()
        raise
    return db


def _present(db: _Connection) -> set[str]:
    rows = db.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() "
        "AND tablename = ANY(%s)",
        (sorted(_TABLES),),
    )
    return {str(row[0]) for row in rows.fetchall()}


def _migrate(db: _Connection, recorded: Sequence[tuple[int, str]]) -> None:
    for step in migrations("postgres")[len(recorded) :]:
        db.execute(step.sql.encode())
        db.execute("INSERT INTO migrations VALUES (%s, %s)", (step.number, step.sha256))


def shown(dsn: str) -> str:
    """Return a name for messages that holds no password."""
    try:
        parts = conninfo_to_dict(dsn)
    except psycopg.Error as err:
        raise UsageError("postgresql", "address", "cannot be read") from err
    return f"postgresql:{parts.get('dbname', '')}"


@contextmanager
def _failing(where: str) -> Iterator[None]:
    try:
        yield
    except (psycopg.OperationalError, psycopg.InterfaceError) as err:
        # The server decides of its own disk: after a failed sync it stops and recovers.
        raise StoreFailed(where, _first_line(err), final=False) from err
    except psycopg.Error as err:
        raise StoreFailed(where, _first_line(err), final=True) from err


def _first_line(err: Exception) -> str:
    return (str(err).splitlines() or [type(err).__name__])[0]
