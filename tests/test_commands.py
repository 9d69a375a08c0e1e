"""The command as a person runs it, exit codes and messages."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from audit.cli.main import outcome
from audit.render.schema import schema


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_set_verifies_against_its_seal_and_nothing_else() -> None:
    assert outcome(["deal", "seven_up_4", "--deals", "3", "-o", "a"]) == 0
    assert outcome(["deal", "seven_up_4", "--deals", "3", "-o", "b"]) == 0
    assert outcome(["open", "a", "-o", "a.log"]) == 0
    assert outcome(["verify", "a.log", "--seal", "a.seal"]) == 0
    assert outcome(["verify", "a.log"]) == 3
    assert outcome(["verify", "a.log", "--seal", "b.seal"]) == 1


def test_a_secret_is_for_its_owner_and_a_seal_is_never_overwritten() -> None:
    assert outcome(["deal", "bridge", "--deals", "1", "-o", "a"]) == 0
    assert Path("a.secret").stat().st_mode & 0o777 == 0o600
    before = Path("a.seal").read_bytes()
    assert outcome(["deal", "bridge", "--deals", "1", "-o", "a"]) == 2
    assert Path("a.seal").read_bytes() == before


def test_the_demo_writes_pages_and_leaves_with_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(["demo"]) == 0
    text = capsys.readouterr().out
    assert "does not verify" in text
    assert "fair.jsonl: clear" in text
    assert sorted(p.name for p in Path("fairdeal-demo").glob("*.html")) == [
        "card_room.html",
        "fair.html",
        "jacks.html",
    ]


def test_a_report_keeps_to_the_published_schema() -> None:
    command = ["lab", "deal", "turned_jacks", "--game", "seven_up_4", "--deals", "400"]
    assert outcome([*command, "--dial", "1", "--seed", "1", "-o", "j.jsonl"]) == 0
    assert outcome(["audit", "j.jsonl", "--json", "r.json", "--html", "r.html"]) == 1
    jsonschema.validate(json.loads(Path("r.json").read_text()), schema())


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nosuch"], 2),
        (["audit", "absent.csv"], 2),
        (["audit"], 2),
        (["explain", "W999"], 2),
        (["explain", "w11"], 0),
        (["games", "seven_up_2"], 0),
        (["doctor"], 0),
        (["lab", "deal", "fair", "--game", "bridge", "--deals", "1", "--seed", "1"], 2),
    ],
)
def test_each_outcome_has_its_exit_code(arguments: list[str], code: int) -> None:
    assert outcome(arguments) == code


def test_a_page_that_cannot_be_written_is_a_usage_error() -> None:
    Path("n.csv").write_text("deal,dealer,turnup\n1,ann,JS\n")
    assert outcome(["audit", "n.csv", "--json", "absent/folder/r.json"]) == 2


def test_a_deal_of_another_game_in_one_log_is_a_flaw() -> None:
    rows = ['{"game":"seven_up_4","turnups":"2C"}', '{"game":"bridge","turnups":"2C"}']
    Path("n.jsonl").write_text("\n".join(rows))
    assert outcome(["audit", "n.jsonl", "--json", "r.json"]) == 0
    row = json.loads(Path("r.json").read_text())["inputs"][0]
    assert (row["deals"], row["flaws"]) == (1, 1)


def test_bytes_of_no_known_kind_are_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.bin").write_bytes(bytes(range(256)))
    assert outcome(["audit", "x.bin"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("name", ["verdict", "e", "1", ":", "[/x]"])
def test_a_name_like_a_word_of_the_report_can_be_hidden(name: str) -> None:
    Path("n.csv").write_text(f"deal,dealer,turnup\n1,{name},JS\n2,{name},2S\n")
    assert outcome(["audit", "n.csv", "--names", "hide"]) == 0


def test_a_column_name_of_many_digits_is_a_flaw() -> None:
    Path("n.csv").write_text(f"deal,dealer,turnup,hand_{'9' * 5000}\n1,ann,JS,\n")
    assert outcome(["audit", "n.csv"]) == 0


def test_names_can_be_hidden_from_every_page(capsys: pytest.CaptureFixture[str]) -> None:
    Path("n.csv").write_text("deal,dealer,turnup\n1,Quillfeather,JS\n2,Quillfeather,2S\n")
    assert outcome(["audit", "n.csv", "--names", "hide", "--json", "-"]) == 0
    assert "Quillfeather" not in capsys.readouterr().out
