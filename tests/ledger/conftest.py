"""A server for the tests that need one; outside continuous integration they may skip."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.ledger.server import Server, binaries


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    if binaries() is None:
        if os.environ.get("CI") == "true":
            pytest.fail("PostgreSQL is absent")
        pytest.skip("PostgreSQL is absent")
    running = Server()
    yield running
    running.close()
