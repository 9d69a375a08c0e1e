"""A ledger in one SQLite file.

Write-ahead log, `synchronous=FULL`. Exactly one connection writes and checkpoints the file:
an OS lock on a file beside it is held from opening to closing, and every other connection
is `mode=ro` (SQLite before 3.51.3 can damage a file that two connections write). Opening
never creates. What a killed process left in the write-ahead log is written out and synced
before anything of it is served, so that no entry is given out that a power cut could lose.

A deleted value is overwritten (`secure_delete`) and leaves the write-ahead log at the next
truncation of it, at the latest when the ledger is opened or closed.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from audit.ledger.durable import appearing
from audit.ledger.refusal import InUse, NotALedger, StoreFailed
from audit.ledger.store import (
    Batch,
    Cosignature,
    Identity,
    check_migrations,
    check_prefix,
    migrations,
)

APPLICATION = 0x46444C31
MOST_MARKS = 500
_WRITING = ("synchronous=FULL", "secure_delete=ON", "recursive_triggers=ON", "foreign_keys=ON")
_BOTH = ("mmap_size=0", "trusted_schema=OFF", "cell_size_check=ON")


def create(path: Path, identity: Identity, checkpoint: bytes) -> None:
    """Make a new ledger file with the *checkpoint* of size 0.

    Raises: NotALedger when something stands there or it cannot be written.
    """
    with appearing(path, 0o600) as temporary, _failing(str(path), final=True):
        db = sqlite3.connect(temporary, isolation_level=None)
        try:
            db.execute(f"PRAGMA application_id={APPLICATION}")
            db.execute("PRAGMA journal_mode=WAL")
            _migrate(db, [])
            db.execute("BEGIN")
            db.execute("INSERT INTO identity VALUES (1, ?)", (identity.key,))
            db.execute("INSERT INTO checkpoints VALUES (0, ?)", (checkpoint,))
            db.execute("COMMIT")
        finally:
            db.close()


def _migrate(db: sqlite3.Connection, recorded: Sequence[tuple[int, str]]) -> None:
    for step in migrations("sqlite")[len(recorded) :]:
        done = f"INSERT INTO migrations VALUES ({step.number}, '{step.sha256}');"
        db.executescript(f"BEGIN IMMEDIATE;\n{step.sql}\n{done}\nCOMMIT;")


@contextmanager
def _failing(where: str, *, final: bool) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError, UnicodeError) as err:
        # A damaged file can hold text that is none, also in SQLite's own messages.
        raise StoreFailed(where, str(err) or type(err).__name__, final=final) from err


class SqliteStore:
    """The store of one file; `open_to_append` or `open_to_read`."""

    def __init__(self, path: Path, writer: sqlite3.Connection | None, lock: int | None) -> None:
        self.where = str(path)
        self._writer, self._lock = writer, lock
        self._reader = _connect(path, "ro", _BOTH)
        self._turn = threading.Lock()
        self._closed = False
        try:
            key = self._ask("SELECT key FROM identity")
            if len(key) != 1 or not isinstance(key[0][0], str):
                raise NotALedger(self.where, "identity", "is missing")
            self.identity = Identity(key=key[0][0])
        except BaseException:
            self._reader.close()
            raise

    @classmethod
    def open_to_read(cls, path: Path) -> SqliteStore:
        """Open without the right to append, beside whoever appends.

        Raises: NotALedger.
        """
        return cls(_probe(path), None, None)

    @classmethod
    def open_to_append(cls, path: Path) -> SqliteStore:
        """Open as the one who appends.

        Raises: NotALedger; InUse while another has it, in this process or elsewhere.
        """
        path = _probe(path)
        lock = _take_lock(path)
        writer: sqlite3.Connection | None = None
        try:
            with _failing(str(path), final=True):
                writer = _connect(path, "rw", _BOTH + _WRITING)
                _settle(path, writer)
            return cls(path, writer, lock)
        except BaseException:
            if writer is not None:
                writer.close()
            os.close(lock)
            raise

    def begin(self) -> tuple[int, bytes | None]:
        writer = self._may_write()
        with _failing(self.where, final=True):
            writer.execute("BEGIN IMMEDIATE")
            # One statement, for each of them waits for the interpreter.
            size, note = writer.execute(
                "SELECT n, (SELECT note FROM checkpoints WHERE size = n) FROM "
                "(SELECT coalesce(max(number) + 1, 0) AS n FROM entries)"
            ).fetchone()
            return int(size), None if note is None else self._blob(note)

    def standing(self, keys: Sequence[str]) -> dict[str, bytes]:
        writer = self._may_write()
        found: dict[str, bytes] = {}
        with _failing(self.where, final=True):
            for start in range(0, len(keys), MOST_MARKS):
                some = keys[start : start + MOST_MARKS]
                marks = ", ".join("?" * len(some))
                rows = writer.execute(f"SELECT key, value FROM state WHERE key IN ({marks})", some)
                found.update((str(key), bytes(value)) for key, value in rows.fetchall())
        return found

    def commit(self, batch: Batch) -> None:
        db = self._may_write()
        with _failing(self.where, final=True):
            # Every statement gives the interpreter away to another thread and waits for it.
            if batch.entries:
                rows = zip(batch.entries, batch.leaves, strict=True)
                db.executemany(
                    "INSERT INTO entries VALUES (?, ?, ?)",
                    [(batch.first + i, body, leaf) for i, (body, leaf) in enumerate(rows)],
                )
            if batch.checkpoint is not None:
                db.execute("INSERT INTO checkpoints VALUES (?, ?)", (batch.size, batch.checkpoint))
            if batch.deletes:
                keys = [(key,) for key in batch.deletes]
                db.executemany("DELETE FROM state WHERE key = ?", keys)
            if batch.puts:
                db.executemany(
                    "INSERT INTO state VALUES (?, ?) "
                    "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                    batch.puts,
                )
            if batch.cosignatures:
                db.executemany(
                    "INSERT INTO cosignatures VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    [(c.size, c.public, c.line) for c in batch.cosignatures],
                )
            db.execute("COMMIT")

    def rollback(self) -> None:
        writer = self._may_write()
        with _failing(self.where, final=True):
            if writer.in_transaction:
                writer.execute("ROLLBACK")

    def size(self) -> int:
        return self._whole(self._ask("SELECT coalesce(max(number) + 1, 0) FROM entries")[0][0])

    def entries(self, first: int, end: int) -> list[bytes]:
        return self._range("SELECT number, body FROM entries", first, end)

    def leaves(self, first: int, end: int) -> list[bytes]:
        return self._range("SELECT number, leaf FROM entries", first, end)

    def _range(self, select: str, first: int, end: int) -> list[bytes]:
        rows = self._ask(f"{select} WHERE number >= ? AND number < ? ORDER BY number", first, end)
        if [row[0] for row in rows] != list(range(first, first + len(rows))):
            raise StoreFailed(self.where, f"entries {first} to {end} have a gap", final=True)
        return [self._blob(row[1]) for row in rows]

    def checkpoint(self, size: int | None) -> bytes | None:
        if size is None:
            rows = self._ask("SELECT note FROM checkpoints ORDER BY size DESC LIMIT 1")
        else:
            rows = self._ask("SELECT note FROM checkpoints WHERE size = ?", size)
        return self._blob(rows[0][0]) if rows else None

    def checkpoints(self, first: int, end: int) -> list[tuple[int, bytes]]:
        rows = self._ask(
            "SELECT size, note FROM checkpoints WHERE size >= ? AND size < ? ORDER BY size",
            first,
            end,
        )
        return [(self._whole(size), self._blob(note)) for size, note in rows]

    def cosignatures(self, first: int, end: int) -> list[Cosignature]:
        rows = self._ask(
            "SELECT size, public, line FROM cosignatures WHERE size >= ? AND size < ? "
            "ORDER BY size, public",
            first,
            end,
        )
        return [
            Cosignature(size=self._whole(size), public=self._blob(public), line=str(line))
            for size, public, line in rows
        ]

    def cosigned(self, keys: Sequence[bytes], quorum: int) -> int | None:
        marks = ", ".join("?" * len(keys))
        rows = self._ask(
            f"SELECT size FROM cosignatures WHERE public IN ({marks}) "
            "GROUP BY size HAVING count(*) >= ? ORDER BY size DESC LIMIT 1",
            *keys,
            quorum,
        )
        return self._whole(rows[0][0]) if rows else None

    def get(self, key: str) -> bytes | None:
        rows = self._ask("SELECT value FROM state WHERE key = ?", key)
        return self._blob(rows[0][0]) if rows else None

    def scan(self, prefix: str) -> list[tuple[str, bytes]]:
        # DEL stands above every character that a key may hold.
        rows = self._ask(
            "SELECT key, value FROM state WHERE key >= ? AND key < ? ORDER BY key",
            check_prefix(prefix),
            prefix + "\x7f",
        )
        return [(str(key), self._blob(value)) for key, value in rows]

    def defects(self) -> list[str]:
        rows = self._ask("SELECT number, sha256 FROM migrations ORDER BY 1")
        recorded = [(self._whole(n), str(s)) for n, s in rows]
        found = check_migrations(recorded, "sqlite")
        if len(recorded) < len(migrations("sqlite")):
            found.append("migrations: the ledger was last appended to by an older version")
        model = sqlite3.connect(":memory:", isolation_level=None)
        try:
            for step in migrations("sqlite")[: len(recorded)]:
                model.executescript(step.sql)
            wanted = {(t, n): s for t, n, s in model.execute(_FORM)}
        finally:
            model.close()
        present = {(t, n): s for t, n, s in self._ask(_FORM)}
        found += [f"{t} {n}: is missing" for t, n in sorted(wanted.keys() - present.keys())]
        found += [f"{t} {n}: is foreign" for t, n in sorted(present.keys() - wanted.keys())]
        same = wanted.keys() & present.keys()
        found += [f"{t} {n}: is altered" for t, n in sorted(same) if wanted[t, n] != present[t, n]]
        lines = [str(row[0]) for row in self._ask("PRAGMA integrity_check(20)")]
        return found + [f"file: {line}" for line in lines if line != "ok"]

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        with self._turn:
            self._reader.close()
        if self._writer is not None:
            # A writer that failed may refuse; the next opening repeats it.
            with suppress(sqlite3.Error):
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._writer.close()
        if self._lock is not None:
            os.close(self._lock)

    def _may_write(self) -> sqlite3.Connection:
        if self._writer is None or self._closed:
            raise InUse(self.where, "ledger", "was opened to read")
        return self._writer

    def _ask(self, sql: str, *values: object) -> list[Any]:
        with self._turn, _failing(self.where, final=False):
            return self._reader.execute(sql, values).fetchall()

    def _blob(self, value: object) -> bytes:
        if not isinstance(value, bytes):
            raise StoreFailed(self.where, "holds something else where bytes belong", final=True)
        return value

    def _whole(self, value: object) -> int:
        if not isinstance(value, int):
            raise StoreFailed(self.where, "holds something else where a number belongs", final=True)
        return value


_FORM = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"


def _connect(path: Path, mode: str, settings: Sequence[str]) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=5, check_same_thread=False)
    try:
        for setting in settings:
            db.execute(f"PRAGMA {setting}")
    except BaseException:
        db.close()
        raise
    return db


def _probe(path: Path) -> Path:
    """Return the file that *path* leads to, or refuse what is no ledger.

    Nothing is created or locked. SQLite reads the head itself: opening and closing the file
    beside it would drop the locks that another connection of this process holds.
    """
    real = path.resolve()
    if not real.is_file():
        raise NotALedger(str(path), "file", "is not there")
    try:
        db = _connect(real, "ro", ())
        try:
            found = db.execute("PRAGMA application_id").fetchone()
        finally:
            db.close()
    except sqlite3.Error as err:
        if err.sqlite_errorname in ("SQLITE_NOTADB", "SQLITE_CANTOPEN"):
            raise NotALedger(str(path), "file", "is not a ledger, or not ours to read") from err
        raise StoreFailed(str(path), str(err), final=False) from err
    if found != (APPLICATION,):
        raise NotALedger(str(path), "file", "is not a ledger")
    return real


def _take_lock(path: Path) -> int:
    name = path.with_name(path.name + ".lock")
    try:
        lock = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as err:
        raise NotALedger(str(name), "lock", err.strerror or "cannot be made") from err
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as err:
        os.close(lock)
        raise InUse(str(path), "ledger", "another process appends to it") from err
    return lock


def _settle(path: Path, db: sqlite3.Connection) -> None:
    """Check the settings, bring the form up to date, and sync what a killed process left."""
    where = str(path)
    if db.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        raise NotALedger(where, "journal mode", "is not the write-ahead log")
    if db.execute("PRAGMA synchronous").fetchone() != (2,):
        raise InUse(where, "synchronous", "cannot be set to FULL")
    recorded = [(int(n), str(s)) for n, s in db.execute("SELECT * FROM migrations ORDER BY 1")]
    for defect in check_migrations(recorded, "sqlite"):
        raise NotALedger(where, "form", defect)
    _migrate(db, recorded)
    if db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] != 0:
        raise InUse(where, "ledger", "a reader holds an old state of it; open it again later")
