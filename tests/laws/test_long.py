"""The long commands run over every row and every family, and say what is wrong."""

from __future__ import annotations

import pytest

from audit.referee import REFEREE
from tests.laws import long, long_breaches
from tests.laws.test_catalogue import NAMED, PART, WHOLE


def test_one_command_runs_every_row_of_the_books(capsys: pytest.CaptureFixture[str]) -> None:
    assert long.main(["--count", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [*WHOLE, *PART, *NAMED]
    assert lines[-1].startswith("56 of 57 rows dealt, played and refereed whole, 1 known by name")
    assert lines[-1].endswith("; 0 rulings, 0 unjudged")


def test_a_row_that_is_not_whole_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long, "counters_kept", lambda deal: "a counter is lost")
    assert long.main(["nap", "--count", "5"]) == 1
    out = capsys.readouterr().out
    assert "5 with cards or counters lost" in out
    assert "a counter is lost" in out
    assert "0 of 1 rows dealt" in out
    with pytest.raises(AssertionError, match="a counter is lost"):
        long.check("nap", count=5)


def test_breaches_are_known_of_every_family() -> None:
    known = long_breaches.families()
    assert set(known) == set(REFEREE.names)
    for family, kinds in known.items():
        assert len({name.partition(", ")[0] for name in kinds}) >= 12, family


def test_each_breach_that_is_missed_is_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(count: int, seed: int) -> tuple[int, list[str]]:
        return count // 2, ["the deal"] if count > 40 else []

    kinds = {"put": {"seen": lambda count, seed: (count, []), "half, put_2": half}}
    monkeypatch.setattr(long_breaches, "families", lambda: kinds)
    assert long_breaches.main(["--count", "100"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("put: 100 breaches of 2 kinds, 1 missed, ")
    assert lines[1:] == [
        "  missed: half, put_2: the deal",
        "100 breaches in 1 families, 1 missed",
    ]
