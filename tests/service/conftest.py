"""The PostgreSQL server of the ledger's tests serves here too."""

from tests.ledger.conftest import server

__all__ = ["server"]
