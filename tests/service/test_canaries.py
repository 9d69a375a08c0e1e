"""Nothing that is not public yet stands anywhere in the clear."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service import canaries


def test_no_unopened_secret_stands_anywhere(tmp_path: Path) -> None:
    assert canaries.run(tmp_path, 12) > 12 * 50


def test_a_service_that_does_not_seal_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.service.rows.Sealed.seal", lambda self, pack, data: data)
    monkeypatch.setattr("audit.service.rows.Sealed.unseal", lambda self, pack, sealed: sealed)
    with pytest.raises(AssertionError, match=r"pack 0: .*ledger\.db"):
        canaries.run(tmp_path, 1)


@pytest.mark.parametrize("at", range(10))
def test_the_search_finds_every_spelling_that_is_put_there(at: int) -> None:
    secret = bytes(range(200, 264 - 24)) + bytes(24)
    spelling = list(canaries.spellings(secret))[at]
    assert canaries.look({"place": b"before" + spelling + b"after"}, [secret]) == ["place"]
    assert canaries.look({"place": b"before and after"}, [secret]) == []
