"""A log with events is refereed in the audit: rulings are listed and change no verdict."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from audit.event import Event
from audit.games import GAMES
from audit.play import PLAY
from audit.readers.jsonl import encode
from audit.record import Deal
from audit.referee.simulate import deals
from audit.run.audit import audit


def log(path: Path, some: list[Deal]) -> str:
    path.write_bytes(b"".join(encode(d) + b"\n" for d in some))
    return str(path)


@pytest.fixture(scope="module")
def played() -> list[Deal]:
    choose = PLAY["by_lot"].choose
    assert choose is not None
    made = deals(GAMES["seven_up_4"], players=4, choose=choose, count=40, seed=3)
    return [
        msgspec.structs.replace(d, number=str(i + 1), table="1", dealer=f"P{d.dealer_seat}")
        for i, d in enumerate(made)
    ]


def test_a_right_log_has_no_ruling(tmp_path: Path, played: list[Deal]) -> None:
    report = audit([log(tmp_path / "a.jsonl", played)], form=None, game=None)
    row = report["inputs"][0]
    assert (row["refereed"], row["rulings"], row["unjudged"]) == (40, 0, 0)
    assert report["verdict"] == "clear"


def test_a_wrong_score_is_a_ruling_and_no_verdict(tmp_path: Path, played: list[Deal]) -> None:
    at, deal = next(
        (i, d) for i, d in enumerate(played) if any(e.kind == "score" for e in d.events)
    )
    events = list(deal.events)
    n = next(i for i, e in enumerate(events) if e.kind == "score")
    events[n] = Event(
        kind="score", seat=events[n].seat, word=events[n].word, number=events[n].number + 1
    )
    wrong = [*played]
    wrong[at] = msgspec.structs.replace(deal, events=tuple(events))
    report = audit([log(tmp_path / "b.jsonl", wrong)], form=None, game=None)
    assert report["verdict"] == "clear"
    assert report["inputs"][0]["rulings"] >= 1
    found = [f for f in report["findings"] if f["kind"] == "ruling"]
    assert found
    assert found[0]["subject"] == {"deal": str(at + 1)}
    assert not any(f["flagged"] for f in found)
