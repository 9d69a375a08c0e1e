"""Where a ledger is: the path of a file, or the address of a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from audit.errors import UsageError
from audit.ledger.store import Identity, Store


def create_store(place: str, identity: Identity, checkpoint: bytes) -> None:
    """Make a new, empty ledger at *place*, where none may be.

    Raises: NotALedger; UsageError when the extra for PostgreSQL is not installed.
    """
    if _is_server(place):
        _postgres().create(place, identity, checkpoint)
        return
    from audit.ledger.sqlite import create

    create(Path(place), identity, checkpoint)


def open_to_append(place: str) -> Store:
    """Open the store at *place* to append.  Raises: NotALedger, InUse."""
    if _is_server(place):
        store: Store = _postgres().PostgresStore.open_to_append(place)
        return store
    from audit.ledger.sqlite import SqliteStore

    return SqliteStore.open_to_append(Path(place))


def open_to_read(place: str) -> Store:
    """Open the store at *place* to read only.  Raises: NotALedger."""
    if _is_server(place):
        store: Store = _postgres().PostgresStore.open_to_read(place)
        return store
    from audit.ledger.sqlite import SqliteStore

    return SqliteStore.open_to_read(Path(place))


def is_shared(place: str) -> bool:
    """Whether several processes may have the store at *place* open to append."""
    return _is_server(place)


def shown(place: str) -> str:
    """Return *place* as it may be shown, without a password."""
    return str(_postgres().shown(place)) if _is_server(place) else place


class Hold:
    """The right to serve the ledger at one place.

    A file needs none: whoever has it open to append is alone.
    """

    def __init__(self, place: str) -> None:
        """Take it.  Raises: InUse, NotALedger."""
        self._held: Any = _postgres().PostgresHold(place) if _is_server(place) else None

    def renew(self) -> None:
        """Take it again where the server has dropped it.

        Raises: InUse when another has it; StoreFailed while the server does not answer.
        """
        if self._held is not None:
            self._held.renew()

    def close(self) -> None:
        """Give it back."""
        if self._held is not None:
            self._held.close()

    def __enter__(self) -> Hold:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_server(place: str) -> bool:
    return place.startswith(("postgresql://", "postgres://"))


def _postgres() -> ModuleType:
    try:
        from audit.ledger import postgres
    except ImportError as err:
        cure = "pip install 'fairdeal[postgres]'"
        raise UsageError("postgresql", "psycopg", "is not installed", cure) from err
    return postgres
