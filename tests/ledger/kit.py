"""Keys, and ledgers in either store, for tests."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.ledger.fsck import Health, examine
from audit.ledger.log import Ledger, new_identity
from audit.ledger.place import create_store, open_to_append, open_to_read
from audit.ledger.store import Store
from audit.note import COSIGNATURE, Key, Signer
from tests.ledger.server import Server

ORIGIN = "ledger.example/test"
NOW = 1_700_000_000
_NUMBERS = itertools.count()


def signer(seed: int = 1, name: str = ORIGIN) -> Signer:
    """Return the ledger's key number *seed*."""
    return Signer(name, Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32))


def witness(seed: int) -> Signer:
    """Return the witness's key number *seed*."""
    private = Ed25519PrivateKey.from_private_bytes(bytes([seed, 77]) * 16)
    return Signer(f"witness.example/{seed}", private, COSIGNATURE)


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a ledger is, with the short ways of opening it."""

    address: str

    def create(self) -> None:
        create_store(self.address, *new_identity(signer()))

    def store(self) -> Store:
        return open_to_append(self.address)

    def reader(self) -> Store:
        return open_to_read(self.address)

    def ledger(self, witnesses: tuple[Key, ...] = ()) -> Ledger:
        return Ledger(self.store(), signer(), witnesses, clock=lambda: NOW)


def file_place(folder: Path) -> Place:
    return Place(address=str(folder / f"{next(_NUMBERS)}.ledger"))


def server_place(server: Server) -> Place:
    import psycopg

    schema = f"t{next(_NUMBERS)}"
    with psycopg.connect(server.dsn(), autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {schema}".encode())
    return Place(address=server.dsn(schema))


def health(place: Place) -> Health:
    """Return what a full check of the ledger finds."""
    store = place.reader()
    try:
        return examine(store)
    finally:
        store.close()
