"""Real logs stand beside the checkout, in `../shared`, or the tests that need them skip."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def data() -> Path:
    if not (SHARED / "data").is_dir():
        pytest.skip("../shared is absent")
    return SHARED / "data"
