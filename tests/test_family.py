"""False alarms of the whole family, in short; at length `python -m tests.long_family FOLDER`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from audit.detect import missing_card
from tests import long_family
from tests._checks import THRESHOLDS
from tests._tables import FAIR, KINDS, judged
from tests.long_family import Alarms, block, main, merged, read


def test_fair_and_odd_tables_of_every_kind_are_spared() -> None:
    """No log of a few reaches a thousand; the budgets are those of all kinds together."""
    assert len(FAIR) >= 8
    together = Alarms()
    for kind in KINDS:
        together.merge(block(kind, 5000, size=3))
    assert together.logs == 3 * len(KINDS)
    assert together.failures() == []
    assert together.audit[THRESHOLDS[-1]] == 0


def test_a_line_that_alarms_too_often_breaks_its_budget() -> None:
    some = Alarms(logs=100, audit=Counter({5: 47}), lines={"x": Counter({20: 23})})
    assert some.failures() == ["x: 23 of 100 logs reach 20"]
    some.merge(Alarms(logs=0, audit=Counter({5: 1})))
    assert some.failures() == ["the audit: 48 of 100 logs reach 5", "x: 23 of 100 logs reach 20"]
    assert read(some.text()) == some


def test_a_run_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made: list[int] = []

    def counted(kind: str, number: int) -> Alarms:
        made.append(number)
        return Alarms(logs=25)

    monkeypatch.setattr(long_family, "block", counted)
    folder = str(tmp_path)
    assert main([folder, "--only", "lost", "--shard", "1/2"]) == 0
    assert made == list(range(0, 20, 2))
    assert main([folder, "--only", "lost"]) == 0
    assert sorted(made) == list(range(20))
    assert main([folder, "--only", "lost"]) == 0
    assert len(made) == 20
    assert "0 fair audits, 500 of odd tables; 0 budgets broken" in capsys.readouterr().out
    assert merged(tmp_path / long_family.digest())["lost rows"].logs == 500


def test_a_build_that_forgets_unread_tens_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn-ups are all that is written, and no Ten can be read: the Tens seem to be gone."""
    make = KINDS["typing errors, turn-ups only"][1]
    log = make(8)
    long = [deal for seed in range(8, 72, 8) for deal in make(seed).deals]
    tens = [deal for deal in long if deal.turnups[0] % 13 != 8]
    whole = judged(type(log)(law=log.law, players=4, deals=tens, unread=len(long) - len(tens)))
    assert not any(h.flagged for h in whole if h.detector == "missing_card")
    monkeypatch.setattr(
        missing_card, "_told", lambda got, _, card, size: (got["deals"], got["shown"][:, :, card])
    )
    wrong = judged(type(log)(law=log.law, players=4, deals=tens, unread=200))
    flagged = {h.subject["card"] for h in wrong if h.flagged and h.detector == "missing_card"}
    assert flagged == {"TS", "TH", "TD", "TC"}
