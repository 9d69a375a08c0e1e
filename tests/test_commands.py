"""The command as a person runs it, exit codes and messages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

from audit.cli import doctor
from audit.cli.main import outcome
from audit.games import GAMES
from audit.render.schema import schema
from audit.warnings import load as load_warnings


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


@pytest.mark.parametrize("game", ["zz", "", "quadrille", "Bridge"])
@pytest.mark.parametrize("text", ["", "deal,dealer,turnup\n", "1,ann,never\n", "1,ann,JS\n"])
def test_a_game_that_is_none_is_refused_whatever_the_log_holds(
    text: str, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("n.csv").write_text(f"deal,dealer,turnup\n{text}")
    assert outcome(["audit", "n.csv", "--json", "r.json"]) in (0, 3)
    capsys.readouterr()
    for command in (["audit", "n.csv"], ["recheck", "r.json", "n.csv"]):
        assert outcome([*command, "--game", game]) == 2
        assert f"game: {game}: unknown name, wanted one of" in capsys.readouterr().err


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


def test_no_word_of_a_log_is_shown_where_names_are_hidden(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "Quill: feather " * 20
    rows = [f"Quill {i},Quill,{name},{'J' if i % 2 else '2'}{'SHDC'[i % 4]}," for i in range(40)]
    bad = ["Quill 90,Quill,x,2S 2S,", "Quill 91,Quill,x,Quill,", "Quill 92,Quill,x,2S,3S,Quill"]
    Path("Quill.csv").write_text("\n".join(["deal,table,dealer,turnups,Quill", *rows, *bad]) + "\n")
    assert outcome(["audit", "Quill.csv", "--names", "hide"]) == 1
    shown = capsys.readouterr()
    assert "Quill" not in shown.out + shown.err
    outcome(["audit", "Quill.csv", "--names", "hide", "--json", "o.json", "--html", "o.html"])
    for path in ("o.json", "o.html"):
        assert "Quill" not in Path(path).read_text(encoding="utf-8")


def test_a_device_without_an_end_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(["audit", "/dev/zero"]) == 2
    assert outcome(["audit", "/dev/zero", "--format", "secretary"]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_a_pack_that_the_game_does_not_have_is_a_flaw() -> None:
    Path("p.jsonl").write_text('{"game":"bridge","options":{"pack":"24"},"turnups":"2S"}\n')
    assert outcome(["audit", "p.jsonl"]) == 3


def test_what_a_csv_has_no_column_for_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    line = '{"game":"euchre_4","options":{"pack":"24"},"widow":"9S TS","turnups":"??"}\n'
    Path("w.jsonl").write_text(line * 2)
    assert outcome(["convert", "w.jsonl", "-o", "w.csv"]) == 0
    told = capsys.readouterr().err
    for field in ("options", "widow", "turnups with cards not known"):
        assert f"{field} of 2 deals" in told


MOMENT = 1_900_000_000
SEAL_VALUE = [
    "deal", "euchre_4", "--option", "pack=24", "--deals", "4",
    "--value", "file:[0-9]{12}", "--source", "some-exchange",
    "--moment", "2030-03-17T17:46:40Z", "--bits", "33", "-o", "s",
]  # fmt: skip


def _at(monkeypatch: pytest.MonkeyPatch, second: int) -> None:
    monkeypatch.setattr("audit.cli.sealed.time.time", lambda: float(second))


@pytest.fixture
def sealed_with_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave s.seal and s.secret, sealed the day before the value, the clock an hour after it."""
    _at(monkeypatch, MOMENT - 86_400)
    assert outcome(SEAL_VALUE) == 0
    _at(monkeypatch, MOMENT + 3_600)


def _without(option: str, command: list[str]) -> list[str]:
    at = command.index(option)
    return command[:at] + command[at + 2 :]


@pytest.mark.usefixtures("sealed_with_value")
def test_a_set_with_a_value_leaves_no_doubt_only_when_value_and_time_are_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert outcome(["open", "s", "--value", "448821300017", "-o", "s.log"]) == 0
    check = ["verify", "s.log", "--seal", "s.seal"]
    full = [*check, "--value", "448821300017", "--seen", "2030-03-17T17:46:39Z"]
    doubt = "the maker could have tried again"
    capsys.readouterr()
    assert outcome(full) == 0
    text = capsys.readouterr().out
    assert doubt not in text
    assert "value: '448821300017'" in text
    assert "the seal was seen at 2030-03-17T17:46:39Z" in text
    assert "from some-exchange, not before 2030-03-17T17:46:40Z" in " ".join(text.split())
    assert "if corrected: the first counts" in " ".join(text.split())
    assert max(map(len, text.splitlines())) < 80
    for less in (_without("--value", full), _without("--seen", full), check):
        assert outcome(less) == 0
        assert doubt in capsys.readouterr().out
    assert {len(s["order"]) for s in json.loads(Path("s.log").read_text())["sessions"]} == {24}


@pytest.mark.usefixtures("sealed_with_value")
@pytest.mark.parametrize("value", ["44,882130001", "44882130001", "448821300017\n", "", "٤" * 12])
def test_an_edited_form_of_the_value_opens_nothing(
    value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert outcome(["open", "s", "--value", value, "-o", "s.log"]) == 2
    assert "another form" in capsys.readouterr().err
    assert not Path("s.log").exists()


@pytest.mark.usefixtures("sealed_with_value")
def test_a_second_value_of_the_same_form_is_refused_against_the_published_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in (("a", "448821300017"), ("b", "448821300018")):
        assert outcome(["open", "s", "--value", value, "-o", name]) == 0
    first, second = (json.loads(Path(name).read_text())["sessions"] for name in "ab")
    assert all(x["order"] != y["order"] for x, y in zip(first, second, strict=True))
    check = ["verify", "b", "--seal", "s.seal", "--value", "448821300017"]
    assert outcome(check) == 1
    assert "opened: value: is not the one published" in capsys.readouterr().err


@pytest.mark.usefixtures("sealed_with_value")
def test_the_value_is_read_from_a_file_byte_for_byte() -> None:
    Path("v").write_bytes(b"448821300017")
    Path("w").write_bytes(b"448821300017\n")
    assert outcome(["open", "s", "--value-file", "w", "-o", "s.log"]) == 2
    assert outcome(["open", "s", "--value-file", "v", "-o", "s.log"]) == 0
    assert outcome(["open", "s", "--value-file", "v", "--value", "1", "-o", "t.log"]) == 2
    assert outcome(["open", "s", "-o", "t.log"]) == 2
    assert outcome(["verify", "s.log", "--seal", "s.seal", "--value-file", "v"]) == 0


@pytest.mark.usefixtures("sealed_with_value")
def test_a_value_is_in_use_neither_before_its_moment_nor_after_a_later_seal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert outcome(["open", "s", "--value", "448821300017", "-o", "s.log"]) == 0
    check = ["verify", "s.log", "--seal", "s.seal"]
    assert outcome([*check, "--seen", "2030-03-17T17:46:40Z"]) == 1
    assert "seal: time: the seal is not shown to be older" in capsys.readouterr().err
    assert outcome(["verify", "s.log", "--seen", "2030-03-17T17:46:39Z"]) == 2
    _at(monkeypatch, MOMENT - 1)
    assert outcome(["open", "s", "--value", "448821300017", "-o", "t.log"]) == 3
    full = [*check, "--value", "448821300017", "--seen", "2030-03-17T17:46:39Z"]
    assert outcome(full) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "in use before its moment, so somebody knew it too early" in text
    assert "the maker could have tried again" in text


def test_a_value_that_is_known_or_not_wholly_described_is_not_sealed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _at(monkeypatch, MOMENT)
    assert outcome(SEAL_VALUE) == 2
    _at(monkeypatch, MOMENT - 1)
    assert outcome(_without("--moment", SEAL_VALUE)) == 2
    assert outcome(_without("--bits", SEAL_VALUE)) == 2
    assert outcome(_without("--value", SEAL_VALUE)) == 2
    for option, bad in (
        ("--bits", "40"), ("--moment", "tomorrow"), ("--moment", "2030-03-17T17:46:40"),
        ("--value", "file:"), ("--value", "file:.*"), ("--value", "coin"), ("--source", "A b"),
        ("--option", "pack=25"), ("--option", "cut=3"), ("--late", "perhaps"),
    ):  # fmt: skip
        command = [*_without(option, SEAL_VALUE)] if option in SEAL_VALUE else SEAL_VALUE
        assert outcome([*command, option, bad]) == 2, (option, bad)
    assert not list(Path().iterdir())
    assert outcome(SEAL_VALUE) == 0


def test_few_bits_and_a_nameless_source_are_said_at_every_step(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _at(monkeypatch, MOMENT - 1)
    command = [*_without("--bits", _without("--source", SEAL_VALUE)), "--bits", "31"]
    assert outcome(command) == 0
    sealed = capsys.readouterr().out
    _at(monkeypatch, MOMENT)
    assert outcome(["open", "s", "--value", "448821300017", "-o", "s.log"]) == 0
    opened = capsys.readouterr().out
    assert outcome(["verify", "s.log", "--seal", "s.seal", "--value", "448821300017"]) == 0
    checked = capsys.readouterr().out
    assert all("the maker could have searched" in text for text in (sealed, opened, checked))
    assert all("does not name who publishes" in text for text in (sealed, checked))


def test_a_session_opens_alone_and_the_rest_is_not_opened_yet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert outcome(["deal", "seven_up_4", "--deals", "9", "-o", "s"]) == 0
    keys = json.loads(Path("s.secret").read_text())["keys"]
    assert outcome(["open", "s", "--deals", "3-4", "-o", "part"]) == 0
    assert "keep it secret" in capsys.readouterr().out
    text = Path("part").read_text()
    assert [n for n, key in enumerate(keys, start=1) if key in text] == [3, 4]
    assert outcome(["verify", "part", "--seal", "s.seal"]) == 0
    assert "not opened yet: 1-2, 5-9" in capsys.readouterr().out
    assert outcome(["verify", "part", "--seal", "s.seal", "--whole"]) == 3
    assert outcome(["verify", "part"]) == 3
    assert outcome(["verify", "s.seal"]) == 3
    assert "not opened yet" in capsys.readouterr().err
    assert outcome(["open", "s", "-o", "all"]) == 0
    assert outcome(["verify", "all", "--seal", "s.seal", "--whole"]) == 0


@pytest.mark.parametrize("span", ["0", "0-2", "3-2", "2-10", "-1", "1-", "a", "9" * 8, "1--2"])
def test_a_span_that_is_not_in_the_set_opens_nothing(span: str) -> None:
    assert outcome(["deal", "seven_up_4", "--deals", "9", "-o", "s"]) == 0
    assert outcome(["open", "s", f"--deals={span}", "-o", "part"]) == 2
    assert not Path("part").exists()


def test_each_file_of_ours_is_known_for_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(["deal", "seven_up_4", "--deals", "2", "-o", "s"]) == 0
    assert outcome(["open", "s", "-o", "s.log"]) == 0
    assert outcome(["verify", "s.secret", "--seal", "s.seal"]) == 2
    assert outcome(["verify", "s.log", "--seal", "s.log"]) == 2
    assert outcome(["verify", "s.log", "--seal", "s.secret"]) == 1
    shown = capsys.readouterr()
    keys = json.loads(Path("s.secret").read_text())["keys"]
    assert not any(key[:8] in shown.out + shown.err for key in keys)


def test_no_file_is_written_over_and_none_is_left_by_a_failure() -> None:
    Path("s.seal").write_text("mine")
    assert outcome(["deal", "seven_up_4", "--deals", "2", "-o", "s"]) == 2
    assert [p.name for p in Path().iterdir()] == ["s.seal"]
    assert outcome(["deal", "seven_up_4", "--deals", "2", "-o", "t"]) == 0
    before = sorted(p.name for p in Path().iterdir())
    assert outcome(["open", "t", "-o", "s.seal"]) == 2
    assert outcome(["open", "t", "-o", "absent/log"]) == 2
    assert Path("s.seal").read_text() == "mine"
    assert sorted(p.name for p in Path().iterdir()) == before


ROOT = Path(__file__).resolve().parents[1]


def test_the_doctor_knows_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [re.split("[^a-z0-9-]", line)[0] for line in project["dependencies"]]
    assert sorted(doctor.NEEDED) == sorted(named)
    for extra, lines in project["optional-dependencies"].items():
        if extra not in ("test", "dev"):
            assert [doctor.EXTRAS[re.split("[^a-z0-9-]", line)[0]] for line in lines] == [
                extra
            ] * len(lines)


def test_the_doctor_warns_of_what_commands_survive_and_fails_for_what_they_do_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 51, 2))
    monkeypatch.setattr(doctor, "EXTRAS", {"no-such-thing": "parquet"})
    assert outcome(["doctor"]) == 0
    text = capsys.readouterr().out
    assert "warning: can damage" in text
    assert "no-such-thing: not installed" in text
    monkeypatch.setattr(doctor, "NEEDED", ("no-such-thing",))
    assert outcome(["doctor"]) == 70
    assert "wrong: missing; cure:" in capsys.readouterr().out


def test_the_doctor_fails_without_a_temporary_folder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("audit.cli.doctor.tempfile.TemporaryFile", full)
    assert outcome(["doctor"]) == 70
    assert "not writable (No space left on device)" in capsys.readouterr().out


def test_the_releases_of_sqlite_that_lose_commits_are_told() -> None:
    releases = ((3, 6, 23), (3, 7, 0), (3, 51, 2), (3, 51, 3))
    assert [bool(doctor.sqlite_fault(r)) for r in releases] == [False, True, True, False]


def test_an_encoding_that_cannot_show_a_card_is_told() -> None:
    assert [bool(doctor.encoding_fault(e)) for e in ("utf-8", "ascii", "nosuch")] == [
        False,
        True,
        True,
    ]


WORDS = [["explain", w.code] for w in load_warnings()] + [["games", n] for n in GAMES.names]
WORDS += [["explain", t] for t in ("T02", "T05", "T12", "T16", "T18")] + [["games"], ["doctor"]]


@pytest.mark.parametrize("command", WORDS, ids=" ".join)
def test_every_text_fits_a_terminal_of_80_columns(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert outcome(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) < 80
    assert not any(line != line.rstrip() or not line.isprintable() for line in lines)


def test_laws_as_json_are_the_laws(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(["games", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert [law["id"] for law in made] == list(GAMES.names)
    assert outcome(["games", "euchre_4", "--json"]) == 0
    law = json.loads(capsys.readouterr().out)
    assert law in made
    assert (len(law["pack"]), len(law["packs"]["24"])) == (32, 24)
    assert law["turn_ups"] == {"4": [21]}


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_a_completion_script_names_the_variable_that_the_command_answers(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert outcome(["completion", shell]) == 0
    assert f"_FAIRDEAL_COMPLETE={shell}_complete" in capsys.readouterr().out
    monkeypatch.setenv("_FAIRDEAL_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", "fairdeal ver")
    monkeypatch.setenv("COMP_CWORD", "ver" if shell == "fish" else "1")
    with pytest.raises(SystemExit):
        outcome([])
    assert "verify" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["", "-", "d/", "d/..", ".."])
def test_a_set_needs_a_name(name: str) -> None:
    Path("d").mkdir()
    assert outcome(["deal", "seven_up_4", "--deals", "1", "-o", name]) == 2
    assert [p.name for p in Path().iterdir()] == ["d"]
    assert not list(Path("d").iterdir())


@pytest.mark.parametrize(
    "command",
    [
        ["audit", "n.csv", "--html", "d"],
        ["audit", "n.csv", "--json", "d"],
        ["convert", "n.csv", "-o", "d"],
        ["convert", "--template", "-o", "d"],
        ["lab", "deal", "fair", "--game", "seven_up_4", "--deals", "1", "--seed", "1", "-o", "d"],
        ["demo"],
        ["explain", "W0"],
        ["explain", "T99"],
        ["verify", "n.csv"],
        ["verify", "empty"],
        ["verify", "d"],
        ["verify", "n\0.csv"],
        ["open", "s\0", "-o", "x"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_told_in_one_line_and_leaves_nothing(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("n.csv").write_text("deal,dealer,turnup\n1,ann,JS\n")
    Path("d").mkdir()
    Path("empty").touch()
    Path("fairdeal-demo").write_text("no folder")
    assert outcome(command) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("error: ")
    assert shown.count("\n") == 1
    assert shown.rstrip("\n").isprintable()
    assert sorted(p.name for p in Path().iterdir()) == ["d", "empty", "fairdeal-demo", "n.csv"]


def test_a_transcript_of_a_table_is_not_said_to_fail() -> None:
    assert outcome(["demo"]) == 0
    assert outcome(["verify", "fairdeal-demo/pack.json"]) == 3


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_of_few_signs_is_served_and_what_is_written_stays_whole(encoding: str) -> None:
    Path("n.csv").write_text("deal,dealer,turnup\n1,Ann♠é,JS\n", encoding="utf-8")
    run = [sys.executable, "-c", "import audit.cli.main; audit.cli.main.run()", "audit", "n.csv"]
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT)}
    shown = subprocess.run(run, env=env, capture_output=True, check=False)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert b"CLEAR" in shown.stdout
    made = subprocess.run([*run, "--json", "-"], env=env, capture_output=True, check=False)
    assert made.returncode == 0
    assert "Ann♠é" in json.dumps(json.loads(made.stdout.decode("utf-8")), ensure_ascii=False)
