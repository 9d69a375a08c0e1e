"""What passes from deal to deal is ruled on in the report, and changes no verdict."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec import structs

from audit.readers.jsonl import encode
from audit.record import Deal
from audit.referee import _docket as docket
from audit.render.html import page
from audit.render.schema import schema
from audit.run.audit import audit
from tests.laws._night import Fault, night, wrong_night


def report(path: Path, log: list[Deal], **more: Any) -> dict[str, Any]:
    path.write_bytes(b"".join(encode(d) + b"\n" for d in log))
    return audit([str(path)], form=None, game=None, **more)


@pytest.fixture(scope="module")
def wrong() -> list[Deal]:
    """A night of Nap in which the dealer of deal 31 was out of turn, and deal 4 is missing."""
    log, made = wrong_night("nap", Fault("dealer", 30), players=4, count=60, seed=1)
    assert made == 30
    return log[:3] + log[4:]


def test_a_right_night_has_no_ruling_and_says_what_was_compared(tmp_path: Path) -> None:
    found = report(tmp_path / "a.jsonl", night("seven_up_4", players=4, count=60, seed=1))
    row = found["inputs"][0]
    assert (row["rulings"], row["across"]["rulings"], row["across"]["followed"]) == (0, 0, 59)
    assert row["across"]["unjudged"][docket.ALONE] == 1
    jsonschema.validate(found, schema())


def test_a_dealer_out_of_turn_is_a_ruling_and_no_verdict(tmp_path: Path, wrong: list[Deal]) -> None:
    found = report(tmp_path / "b.jsonl", wrong)
    assert found["verdict"] == "clear"
    (ruling,) = [f for f in found["findings"] if f["kind"] == "ruling"]
    assert (ruling["code"], ruling["subject"]) == ("W41", {"deal": "31"})
    assert ruling["message"].startswith("deal 31 of table 1, after deal 30, seat ")
    assert "Foster, Napoleon, Dealing" in ruling["message"]
    assert "a slip in recording" in ruling["explains"]
    assert found["inputs"][0]["rulings"] == 1
    jsonschema.validate(found, schema())
    shown = page(found)
    assert "compared with the deal before" in shown
    assert docket.ALONE in shown


def test_rows_that_do_not_stand_as_dealt_are_not_ruled_on(
    tmp_path: Path, wrong: list[Deal]
) -> None:
    """The breach stands in rows that follow one another, and the log is sorted by nothing."""
    sorted_by_half = [*wrong[40:], *wrong[:40]]
    row = report(tmp_path / "c.jsonl", sorted_by_half)["inputs"][0]
    assert row["rulings"] == 0
    assert row["across"]["unjudged"][docket.NOT_AS_DEALT] == 1


@pytest.mark.parametrize("block", [1, 7, 8192])
def test_blocks_change_nothing(tmp_path: Path, wrong: list[Deal], block: int) -> None:
    found = report(tmp_path / "d.jsonl", wrong, block=block)
    whole = report(tmp_path / "d.jsonl", wrong)
    assert json.dumps(found) == json.dumps(whole)


def test_processes_change_nothing(tmp_path: Path, wrong: list[Deal]) -> None:
    found = report(tmp_path / "d.jsonl", wrong, jobs=2, block=9, spread=0)
    assert found["inputs"][0]["across"]["rulings"] == 1
    assert json.dumps(found) == json.dumps(report(tmp_path / "d.jsonl", wrong))


def test_hidden_names_and_numbers_stay_hidden(tmp_path: Path, wrong: list[Deal]) -> None:
    secret = [structs.replace(d, table="corner table", number=f"7{d.number:>03}") for d in wrong]
    found = report(tmp_path / "e.jsonl", secret, hide=True)
    assert [f["subject"] for f in found["findings"] if f["kind"] == "ruling"] == [
        {"deal": "line 30"}
    ]
    text = json.dumps(found)
    assert "corner" not in text
    # A figure may have these digits by chance.
    assert re.search(r"(?<![\d.])7031(?!\d)", text) is None


def test_a_deal_that_cannot_have_happened_is_a_gap(tmp_path: Path, wrong: list[Deal]) -> None:
    """A contradiction and a line that cannot be read leave the deals beside them alone."""
    at = next(i for i, d in enumerate(wrong) if d.number == "30")
    hands = (wrong[at].hands[0][:1] * 5, *wrong[at].hands[1:])
    broken = [*wrong]
    broken[at] = structs.replace(wrong[at], hands=hands, order_after_cut=None)
    row = report(tmp_path / "f.jsonl", broken)["inputs"][0]
    assert (row["contradictions"], row["across"]["rulings"]) == (1, 0)


def test_a_row_that_cannot_be_read_is_no_sign_of_how_rows_were_numbered(
    tmp_path: Path, wrong: list[Deal]
) -> None:
    """Rows numbered anew, one of them spoilt: its number is missing, and shows nothing."""
    anew = [structs.replace(d, number=str(i)) for i, d in enumerate(wrong, 1)]
    path = tmp_path / "g.jsonl"
    lines = [encode(d) for d in anew]
    lines[5] = b"{spoilt"
    path.write_bytes(b"\n".join(lines) + b"\n")
    row = audit([str(path)], form=None, game=None)["inputs"][0]
    assert (row["flaws"], row["across"]["rulings"]) == (1, 0)
    assert row["across"]["unjudged"][docket.LOST] == 1
