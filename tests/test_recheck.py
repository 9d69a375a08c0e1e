"""A report carries what its numbers follow from: by the program, and by a script without it."""

from __future__ import annotations

import copy
import json
import math
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from audit.cli.main import outcome
from audit.cli.recheck import differences
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.readers import jsonl

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "reports" / "recheck.py"


def log_of(path: Path, crook: str, deals: int) -> str:
    table = simulate(
        GAMES["seven_up_4"], LAB[crook], deals, Fraction(1), 5, 4, player=PLAY["sensible"]
    )
    path.write_bytes(b"".join(jsonl.encode(d) + b"\n" for d in table.records()))
    return str(path)


@pytest.fixture(scope="module", params=["fair", "turned_jacks", "stacked_stock", "missing_ten"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return a log and its report."""
    folder = tmp_path_factory.mktemp(request.param)
    log, report = log_of(folder / "log.jsonl", request.param, 300), str(folder / "r.json")
    outcome(["audit", log, "--json", report])
    return [log, report]


def alone(path: str) -> subprocess.CompletedProcess[str]:
    """Run the script without the program's modules in reach."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), path]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")


def rules(findings: list[dict[str, Any]]) -> dict[str, int]:
    """Return the first finding with each rule behind its evidence."""
    out: dict[str, int] = {}
    for k, finding in enumerate(findings):
        if (finding.get("recheck") or {}).get("last"):
            out.setdefault(finding["recheck"]["last"]["rule"], k)
    return out


def test_the_script_finds_every_number_again(made: list[str]) -> None:
    got = alone(made[1])
    assert got.returncode == 0, got.stdout + got.stderr
    rows = json.loads(Path(made[1]).read_text(encoding="utf-8"))["findings"]
    assert got.stdout.count(": follows") == sum(bool(f.get("recheck")) for f in rows)
    assert set(rules(rows)) >= {"rate", "faces"}


def test_the_command_finds_the_report_again(made: list[str]) -> None:
    assert outcome(["recheck", made[1], made[0]]) == 0


def _count(finding: dict[str, Any]) -> None:
    row = finding["recheck"]["last"]
    if row["rule"] == "rate":
        row["hits"] += 3
    elif row["rule"] == "faces":
        row["counts"][row["counts"].index(max(row["counts"]))] += 9
    elif row["rule"] == "absent":
        row["rows"][0][2] = row["rows"][0][1]
    elif row["rule"] == "tilts":
        row["held"] = [h + 1 for h in row["held"]]
    elif row["rule"] == "repeats":
        row["fresh"] += 9
    else:
        row["sums"] = [s + (1 << 21) for s in row["sums"]]


def _mixture(finding: dict[str, Any]) -> None:
    for row in (finding["recheck"][at] for at in ("last", "highest")):
        if "weights" in row:
            row["weights"] = [f"{Fraction(w) * 2}" for w in row["weights"]]
        else:
            of = {"faces": "concentrations", "tilts": "odds", "repeats": "shares"}[row["rule"]]
            row[of] = row[of][:1]


TAMPERED: dict[str, Callable[[dict[str, Any]], None]] = {
    "e": lambda f: f.__setitem__("log10_e", (f["log10_e"] or 0) + 0.1),
    "e max": lambda f: f.__setitem__("log10_e_max", f["log10_e_max"] + 0.1),
    "flag": lambda f: f.__setitem__("flagged", not f["flagged"]),
    "counts": _count,
    "mixture": _mixture,
}


@pytest.mark.parametrize("how", TAMPERED)
def test_a_number_that_does_not_follow_is_named(how: str, made: list[str], tmp_path: Path) -> None:
    report = json.loads(Path(made[1]).read_text(encoding="utf-8"))
    for rule, k in rules(report["findings"]).items():
        changed = copy.deepcopy(report)
        TAMPERED[how](changed["findings"][k])
        path = tmp_path / f"{rule}.json"
        path.write_text(json.dumps(changed), encoding="utf-8")
        got = alone(str(path))
        assert got.returncode == 1, (rule, got.stdout)
        assert got.stdout.count(": does not follow") == 1
        assert outcome(["recheck", str(path), made[0]]) == 1


def test_a_p_that_is_too_small_is_named(made: list[str], tmp_path: Path) -> None:
    report = json.loads(Path(made[1]).read_text(encoding="utf-8"))
    for finding in report["findings"]:
        if finding.get("log10_p") is not None:
            finding["log10_p"] -= 0.01
    path = tmp_path / "p.json"
    path.write_text(json.dumps(report), encoding="utf-8")
    got = alone(str(path))
    assert got.returncode == 1
    assert "log10_p" in got.stdout


def test_another_log_and_what_is_no_report_are_refused(
    made: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = log_of(tmp_path / "other.jsonl", "fair", 20)
    assert outcome(["recheck", made[1], other]) == 1
    assert "these are not the logs" in capsys.readouterr().out
    assert outcome(["recheck", made[0], made[0]]) == 2
    assert outcome(["recheck", str(tmp_path / "none"), made[0]]) == 2
    (tmp_path / "x.json").write_text('{"schema":"fairdeal-report/1"}', encoding="utf-8")
    assert outcome(["recheck", str(tmp_path / "x.json"), made[0]]) == 2
    assert alone(str(tmp_path / "none")).returncode == 2
    assert alone(made[0]).returncode == 2


def test_a_report_that_hides_names_is_rechecked_too(made: list[str], tmp_path: Path) -> None:
    hidden = str(tmp_path / "h.json")
    outcome(["audit", made[0], "--names", "hide", "--json", hidden])
    assert outcome(["recheck", hidden, made[0]]) == 0
    assert alone(hidden).returncode == 0


def _verdict(report: dict[str, Any]) -> None:
    report["verdict"] = {"clear": "flagged"}.get(report["verdict"], "clear")


def _twice(report: dict[str, Any]) -> None:
    report["findings"].append(copy.deepcopy(_evidence(report)[0]))


def _no_sum(report: dict[str, Any]) -> None:
    report["flag"]["sum_log10"] = None


def _strange_sum(report: dict[str, Any]) -> None:
    report["flag"]["sum_log10"] = math.nan


def _below_nothing(report: dict[str, Any]) -> None:
    for finding in _evidence(report):
        finding["weight"] = "-1/2"


def _endless_weight(report: dict[str, Any]) -> None:
    _evidence(report)[0]["weight"] = "1e-999999999"


def _uncounted_flag(report: dict[str, Any]) -> None:
    for finding in _evidence(report):
        finding.update(recheck=None, flagged=not finding["flagged"])


def _endless_deals(report: dict[str, Any]) -> None:
    for finding in _evidence(report):
        if finding["recheck"] and finding["recheck"].get("last", {}).get("rule") == "rate":
            finding["recheck"]["last"].update(deals=10**12, hits=1)


def _sunk(report: dict[str, Any]) -> None:
    for finding in _evidence(report):
        finding.update(recheck=None, log10_e=finding["log10_e_max"] + 1)


def _high_sum(report: dict[str, Any]) -> None:
    found = _evidence(report)
    parts = [float(Fraction(f["weight"])) * 10 ** f["log10_e_max"] for f in found]
    report["flag"]["hypotheses"] = len(found)
    report["flag"]["sum_log10"] = math.log10(sum(parts) + 1.0) + 0.1


def _too_much_stands(report: dict[str, Any]) -> None:
    report["flag"]["standing"] = "9/10"


def _large_weight(report: dict[str, Any]) -> None:
    _evidence(report)[0]["weight"] = "9" * 400


def _large_p(report: dict[str, Any]) -> None:
    _evidence(report)[0]["log10_p"] = 10**400


def _flag_of_no_shape(report: dict[str, Any]) -> None:
    report["flag"] = []


def _few_tests(report: dict[str, Any]) -> None:
    """Fewer hypotheses than findings would let each p stand as if it were the only one."""
    report["flag"].update(hypotheses=1, fallen=0)
    for finding in _evidence(report):
        finding["log10_p_holm"] = finding["log10_p"]


def _tests_below_none(report: dict[str, Any]) -> None:
    report["flag"]["fallen"] = -1 - report["flag"]["hypotheses"]
    for finding in _evidence(report):
        finding["log10_p_holm"] = finding["log10_p"]


def _evidence(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [f for f in report["findings"] if f["kind"] == "evidence"]


@pytest.mark.parametrize(
    "change",
    [
        _verdict,
        _twice,
        _no_sum,
        _strange_sum,
        _below_nothing,
        _endless_weight,
        _uncounted_flag,
        _endless_deals,
        _sunk,
        _high_sum,
        _too_much_stands,
        _large_weight,
        _large_p,
        _flag_of_no_shape,
        _few_tests,
        _tests_below_none,
    ],
)
def test_a_report_that_contradicts_itself_does_not_follow(
    made: list[str], change: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    report = json.loads(Path(made[1]).read_text(encoding="utf-8"))
    change(report)
    path = tmp_path / "r.json"
    path.write_text(json.dumps(report), encoding="utf-8")
    got = alone(str(path))
    assert got.returncode == 1, got.stdout
    assert "Traceback" not in got.stderr


def test_a_report_that_nests_without_end_is_none(tmp_path: Path) -> None:
    (path := tmp_path / "r.json").write_text("[" * 100_000, encoding="utf-8")
    got = alone(str(path))
    assert got.returncode == 2
    assert "Traceback" not in got.stderr


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"made": []}, 2),
        ({"made": {"command": 7}}, 2),
        ({"inputs": [1]}, 2),
        ({"extra": None}, 1),
    ],
)
def test_the_command_refuses_what_is_of_no_shape(
    made: list[str], change: dict[str, Any], code: int, tmp_path: Path
) -> None:
    report = json.loads(Path(made[1]).read_text(encoding="utf-8")) | change
    (path := tmp_path / "r.json").write_text(json.dumps(report), encoding="utf-8")
    assert outcome(["recheck", str(path), made[0]]) == code


def test_a_missing_part_a_truth_and_a_number_are_not_the_same() -> None:
    assert differences({"a": None}, {}) == ["a"]
    assert differences({}, {"a": None}) == ["a"]
    assert differences({"a": True}, {"a": 1}) == ["a"]
    assert differences({"a": math.nan}, {"a": math.nan}) == ["a"]
    assert differences({"a": [1.0, None]}, {"a": [1.0, None]}) == []
