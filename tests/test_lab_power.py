"""`fairdeal lab power`: the same table however often it was stopped, and right rows."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from audit.cli.lab import lab
from audit.finding import Hypothesis
from audit.games import GAMES
from audit.lab import LAB
from audit.run import power
from audit.run.power import Cell, Plan, Result, Store, outcome, run
from audit.run.power_rows import least_mean, own_test, page, report, row

SMALL = Plan(
    game="seven_up_4",
    crooks=("fair", "missing_ten"),
    dials=2,
    lengths=(32, 64),
    logs=5,
    fair_logs=3,
    seed=7,
)
REPORTS = Path(__file__).resolve().parents[1] / "reports"


class Here:
    """Deals in this process what a pool would deal in others."""

    def __init__(self, *_: object, **__: object) -> None: ...
    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None: ...
    def shutdown(self, **_: object) -> None: ...

    map = staticmethod(map)


@pytest.fixture
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "ProcessPoolExecutor", Here)


def silent(what: str, done: int, total: int) -> None: ...


def stopping(after: int) -> Callable[[str, int, int], None]:
    """Return a listener that interrupts when it has been told *after* times."""
    left = [after]

    def told(what: str, done: int, total: int) -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    return told


def text(results: list[Result]) -> str:
    return json.dumps(report(results, SMALL, "made", {}))


@pytest.mark.usefixtures("_here")
def test_a_run_that_was_stopped_at_any_place_ends_in_the_same_table(tmp_path: Path) -> None:
    whole = text(run(SMALL, Store(tmp_path / "a", SMALL.version), jobs=1, told=silent))
    path, stops = tmp_path / "b", 0
    while True:
        try:
            again = run(SMALL, Store(path, SMALL.version), jobs=1, told=stopping(3 + stops))
        except KeyboardInterrupt:
            stops += 1
            with path.open("ab") as out:
                out.write(b'{"cell": "fair 1 32", "seed": 7, "outc')
            continue
        break
    assert stops > 2
    assert text(again) == whole
    lines = path.read_text().splitlines()
    assert len(lines) == len(set(lines))


@pytest.mark.usefixtures("_here")
def test_what_another_program_left_is_not_used(tmp_path: Path) -> None:
    path, cell = tmp_path / "x", Cell(crook="fair", dial=Fraction(1), deals=8)
    Store(path, "1").put(cell, [0], [{"audit": 3}])
    assert Store(path, "1").get(cell, 0) == {"audit": 3}
    assert Store(path, "2").get(cell, 0) is None
    assert Store(path, "1").get(cell, 0) is None


def test_hours_of_work_are_moved_aside_and_not_lost(tmp_path: Path) -> None:
    path, cell = tmp_path / "x", Cell(crook="fair", dial=Fraction(1), deals=8)
    Store(path, "1").put(cell, [0], [{"audit": 3}])
    left = path.read_bytes()
    Store(path, "2")
    assert (tmp_path / "x.other").read_bytes() == left
    (tmp_path / "x.other").replace(path)
    assert Store(path, "1").get(cell, 0) == {"audit": 3}


def test_a_quick_look_leaves_a_long_run_that_was_stopped_as_it_is(tmp_path: Path) -> None:
    (tmp_path / ".lab_power.part").write_bytes(b"hours\n")
    asked = ["power", "fair", "--quick", "--jobs", "1", "-o", str(tmp_path)]
    assert CliRunner().invoke(lab, asked).exit_code == 0
    assert (tmp_path / ".lab_power.part").read_bytes() == b"hours\n"


def _h(curve: list[float], **more: Any) -> Hypothesis:
    said: dict[str, Any] = {
        "code": "W02",
        "detector": "x",
        "subject": {"dealer": "P4"},
        "weight": Fraction(1, 2),
    }
    return Hypothesis(curve=np.array(curve), deals=3, null="", message="", **(said | more))


def test_an_outcome_tells_when_audit_test_and_weight_reach_a_thousand() -> None:
    k = math.log(1000)
    mine = _h([k, k + math.log(1.9), k + math.log(2.1)])
    other = _h([k + 9, 0.0, 0.0], code="W11", detector="y", weight=Fraction(1, 10**9))
    got = outcome([mine, other], ("W02",), 3)
    assert got == {
        "audit": 3,
        "named": {"x dealer P4": 3},
        "alone": {"x dealer P4": 1, "y dealer P4": 1},
        "own": ["x dealer P4"],
    }


def test_one_test_is_the_own_of_all_logs_of_a_cell() -> None:
    logs: list[dict[str, Any]] = [
        {"alone": {"a": 9, "b": 1, "c": 1}, "own": ["a", "b"]},
        {"alone": {"a": 9, "c": 1}, "own": ["a"]},
        {"alone": {"c": 1}, "own": []},
    ]
    assert own_test(logs) == "a"
    assert own_test([{"alone": {"c": 1}, "own": []}]) is None
    found = tuple({"audit": None, "named": {}, "stated": 5, **o} for o in logs)
    cell = Cell(crook="missing_ten", dial=Fraction(1), deals=16)
    got = row(Result(cell=cell, outcomes=found), "seven_up_4")
    assert (got["alone"], got["alone_mean"], got["alone_mean_whole"]) == (2, 11.3, False)
    assert got["ratio"] is None
    assert got["stated"] == 3
    assert got["stated_nine_tenths"][0] == 5
    assert got["flagged"] == 0


def test_a_log_that_contradicts_itself_is_found_without_a_flag() -> None:
    (one,) = power._chunk("seven_up_4", Cell(crook="shifted_cut", dial=Fraction(1), deals=16), [1])
    assert one["audit"] is None
    assert one["stated"] == 1
    assert power.long_enough([one] * power.ENOUGH)
    assert not power.long_enough([one] * (power.ENOUGH - 1))
    # His own test would bring more of a longer log.
    assert not power.long_enough([{**one, "own": ["card_places table all"]}] * power.ENOUGH)
    over = Cell(crook="overscored", dial=Fraction(1), deals=16)
    (two,) = power._chunk("seven_up_4", over, [1])
    # Who deals first sits last and marks too much in his own deals alone.
    assert two["stated"] == 1
    (fair,) = power._chunk("seven_up_4", Cell(crook="fair", dial=Fraction(1), deals=16), [1])
    assert not power.long_enough([fair] * power.PILOTS)
    assert power.long_enough([{**fair, "audit": 9, "own": ["riffles table all"]}] * power.ENOUGH)


def test_the_bound_for_twice_the_jacks_is_209_own_deals() -> None:
    law = GAMES["seven_up_4"]
    assert least_mean(law, "turned_jacks", Fraction(1, 12)) == pytest.approx(4 * 209.24, abs=0.1)
    sure = least_mean(law, "turned_jacks", Fraction(1))
    assert sure == pytest.approx(4 * math.log(1000) / math.log(13))
    assert least_mean(law, "missing_ten", Fraction(1)) is None


def test_the_quick_table_finds_every_crook_and_no_fair_dealer(tmp_path: Path) -> None:
    made = CliRunner().invoke(
        lab, ["power", "fair", "missing_ten", "--quick", "--jobs", "1", "-o", str(tmp_path)]
    )
    assert made.exit_code == 0, made.output
    got = json.loads((tmp_path / "lab_power.json").read_text(encoding="utf-8"))
    by = {r["crook"]: r for r in got["rows"]}
    assert (by["missing_ten"]["flagged"], by["missing_ten"]["logs"]) == (8, 8)
    assert by["missing_ten"]["own_test"] == "missing_card card TS"
    assert by["fair"]["flagged"] == 0
    assert (tmp_path / "lab_power.md").read_text(encoding="utf-8") == page(got)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["lab_power.json", "lab_power.md"]
    again = ["power", "fair", "--quick", "--jobs", "1", "-o", str(tmp_path)]
    assert CliRunner().invoke(lab, again).exit_code == 0
    both = json.loads((tmp_path / "lab_power.json").read_text(encoding="utf-8"))
    assert both["rows"] == got["rows"]


def test_a_dealer_whom_the_game_has_no_room_for_is_told_and_not_dealt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    law = GAMES["seven_up_4"]
    assert power.refused(law, LAB.names) == {"bunching": "wants a table of 2"}
    assert power.refused(GAMES["seven_up_2"], ["bunching"]) == {}

    def no_room(*_: object, **__: object) -> None:
        raise ValueError("no room")

    monkeypatch.setattr(power, "simulate", no_room)
    assert power.refused(law, ["fair"]) == {"fair": "no room"}
    made = report([], SMALL, "made", {"fair": "no room"})
    assert "- fair: no room" in page(made)


def test_the_published_table_is_its_own_page() -> None:
    got = json.loads((REPORTS / "lab_power.json").read_text(encoding="utf-8"))
    assert (REPORTS / "lab_power.md").read_text(encoding="utf-8") == page(got)
    assert {r["crook"] for r in got["rows"]} <= set(LAB.names)
    fair = [r for r in got["rows"] if r["crook"] == "fair"]
    assert all(r["low"] <= 0.001 for r in fair)
    assert any(r["crook"] == "turned_jacks" and r["ratio"] for r in got["rows"])
