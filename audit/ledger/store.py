"""What a ledger asks of the place where it is kept.

A store knows no hashing and no signatures. It keeps entries with their leaf hashes, one
checkpoint a batch, cosignatures, and `state`: values under keys, changed in the same
transaction as the entries of a batch. Keys are 1 to 255 printable ASCII characters without
blanks, in the order of their bytes.

Writing is one turn at a time: `begin`, perhaps `standing`, then `commit` or `rollback`, all
from one thread. Reading is free for every thread and sees what is durable.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Protocol

from audit.errors import UsageError

MAX_ENTRY = 65_535  # a bundle of C2SP tlog-tiles gives each entry a length of 16 bits
MAX_VALUE = 16 * 2**20
_KEY = re.compile(r"[!-~]{1,255}")
_PREFIX = re.compile(r"[!-~]{0,255}")


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Whose ledger it is: the line of its key, whose name is the origin."""

    key: str


@dataclass(frozen=True, kw_only=True)
class Cosignature:
    """A witness's checked line under the checkpoint of `size`; `public` is its key."""

    size: int
    public: bytes
    line: str


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Everything that one transaction writes.

    `entries` and `leaves` (32 bytes each) belong together, the first being entry `first`;
    `checkpoint` is that of size `first + len(entries)`, and None when there is no entry.
    """

    first: int
    entries: Sequence[bytes] = ()
    leaves: Sequence[bytes] = ()
    checkpoint: bytes | None = None
    puts: Sequence[tuple[str, bytes]] = ()
    deletes: Sequence[str] = ()
    cosignatures: Sequence[Cosignature] = field(default=())

    @property
    def size(self) -> int:
        """The number of entries after this batch."""
        return self.first + len(self.entries)


class Store(Protocol):
    """One ledger's store.  Every call may raise StoreFailed."""

    where: str
    identity: Identity

    def begin(self) -> tuple[int, bytes | None]:
        """Take the turn to write; return the number of entries and the checkpoint of that size.

        None where there is no checkpoint of exactly that size.
        """

    def standing(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Return those of *keys* that have a value, within the turn."""

    def commit(self, batch: Batch) -> None:
        """Write *batch* and end the turn; it is durable when this returns."""

    def rollback(self) -> None:
        """End the turn with nothing written."""

    def size(self) -> int:
        """Return the number of entries."""

    def entries(self, first: int, end: int) -> list[bytes]:
        """Return entries *first* to *end* (not included), as far as they exist."""

    def leaves(self, first: int, end: int) -> list[bytes]:
        """Return the stored leaf hashes of the same range."""

    def checkpoint(self, size: int | None) -> bytes | None:
        """Return the checkpoint of *size* (the newest if None), None if there is none."""

    def checkpoints(self, first: int, end: int) -> list[tuple[int, bytes]]:
        """Return sizes and notes of the checkpoints with `first <= size < end`."""

    def cosignatures(self, first: int, end: int) -> list[Cosignature]:
        """Return the cosignatures with `first <= size < end`, by size."""

    def cosigned(self, keys: Sequence[bytes], quorum: int) -> int | None:
        """Return the largest size that *quorum* of the public *keys* have cosigned."""

    def get(self, key: str) -> bytes | None:
        """Return the value of *key*, None if it has none."""

    def scan(self, prefix: str) -> list[tuple[str, bytes]]:
        """Return keys that begin with *prefix*, and their values, in order."""

    def defects(self) -> list[str]:
        """Return what is wrong with the store itself: its form, rules and migrations."""

    def close(self) -> None:
        """Give the store back; later calls fail."""


def check_key(key: str) -> str:
    """Return *key*, or refuse what is no key of the state."""
    if _KEY.fullmatch(key) is None:
        raise UsageError("ledger", "key", "is not 1 to 255 printable characters, no blanks")
    return key


def check_prefix(prefix: str) -> str:
    """Return *prefix*, which may be empty, or refuse what begins no key."""
    if _PREFIX.fullmatch(prefix) is None:
        raise UsageError("ledger", "prefix", "is not at most 255 printable characters")
    return prefix


def check_sizes(entries: Iterable[bytes], values: Iterable[bytes]) -> None:
    """Refuse an entry over 65,535 bytes or a value over 16 MiB."""
    if any(len(entry) > MAX_ENTRY for entry in entries):
        raise UsageError("ledger", "entry", "is too long", f"at most {MAX_ENTRY} bytes")
    if any(len(value) > MAX_VALUE for value in values):
        raise UsageError("ledger", "value", "is too long", f"at most {MAX_VALUE} bytes")


@dataclass(frozen=True, kw_only=True)
class Migration:
    """One numbered step of a store's form, never changed once it was released."""

    number: int
    sql: str

    @property
    def sha256(self) -> str:
        """The hash that the store records and every start compares."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrations(dialect: str) -> list[Migration]:
    """Return the steps of *dialect* in order; they are numbered 1, 2, 3 and so on."""
    folder = files("audit.ledger") / "migrations" / dialect
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".sql"))
    return [
        Migration(number=number, sql=(folder / name).read_text("utf-8"))
        for number, name in enumerate(names, start=1)
    ]


def check_migrations(recorded: Sequence[tuple[int, str]], dialect: str) -> list[str]:
    """Return what differs between the recorded steps and those of this version."""
    known = {step.number: step.sha256 for step in migrations(dialect)}
    found = [f"migration {n}: is not of this version" for n, _ in recorded if n not in known]
    found += [f"migration {n}: has another hash" for n, s in recorded if known.get(n, s) != s]
    if [n for n, _ in recorded] != list(range(1, len(recorded) + 1)):
        found.append("migrations: are not numbered without gaps")
    return found
