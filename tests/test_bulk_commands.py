"""Sets in bulk as a person deals, opens and verifies them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.cli.main import outcome

ROOT = Path(__file__).resolve().parents[1]
MOMENT = 1_900_000_000
VALUE = "448821300017"
SEAL_VALUE = [
    "deal", "euchre_4", "--option", "pack=24", "--deals", "10", "--session", "4",
    "--value", "file:[0-9]{12}", "--source", "some-exchange",
    "--moment", "2030-03-17T17:46:40Z", "--bits", "33", "-o", "s",
]  # fmt: skip
CHECK = ["verify", "s.log", "--seal", "s.seal"]


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _at(monkeypatch: pytest.MonkeyPatch, second: int) -> None:
    monkeypatch.setattr("audit.cli.sealed.time.time", lambda: float(second))


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave s.seal and s.secret, sealed the day before the value, the clock an hour after it."""
    _at(monkeypatch, MOMENT - 86_400)
    assert outcome(SEAL_VALUE) == 0
    _at(monkeypatch, MOMENT + 3_600)


@pytest.fixture
def opened(sealed: None) -> None:
    """Leave s.log as well, the whole set."""
    assert outcome(["open", "s", "--value", VALUE, "-o", "s.log"]) == 0


@pytest.mark.usefixtures("opened")
def test_a_set_in_bulk_verifies_with_value_and_time(capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert outcome([*CHECK, "--value", VALUE, "--seen", "2030-03-17T17:46:39Z"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("verified: 10 of 10 deals\n")
    assert "tried again" not in text
    assert outcome(CHECK) == 0
    assert "tried again" in capsys.readouterr().out
    assert outcome(["verify", "s.log"]) == 3
    assert Path("s.secret").stat().st_mode & 0o777 == 0o600
    assert len(Path("s.log").read_text().splitlines()[1]) == 2 * 24


@pytest.mark.usefixtures("sealed")
def test_nothing_opens_before_the_moment_of_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    _at(monkeypatch, MOMENT - 1)
    assert outcome(["open", "s", "--value", VALUE, "-o", "s.log"]) == 3
    _at(monkeypatch, MOMENT)
    assert outcome(["open", "s", "--value", "44,882130001", "-o", "s.log"]) == 2
    assert not Path("s.log").exists()


@pytest.mark.usefixtures("opened")
def test_a_set_sealed_after_the_value_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Secrets drawn again until the deals please make another seal, or a seal seen too late."""
    capsys.readouterr()
    assert outcome([*CHECK, "--value", VALUE, "--seen", "2030-03-17T17:46:40Z"]) == 1
    assert "seal: time" in capsys.readouterr().err
    Path("s.seal").rename("published.seal")
    again = [word.replace("s", "t") if word == "s" else word for word in SEAL_VALUE]
    with pytest.MonkeyPatch.context() as patch:
        _at(patch, MOMENT - 86_400)
        assert outcome(again) == 0
    assert outcome(["open", "t", "--value", VALUE, "-o", "t.log"]) == 0
    assert outcome(["verify", "t.log", "--seal", "t.seal"]) == 0
    assert outcome(["verify", "t.log", "--seal", "published.seal"]) == 1


@pytest.mark.usefixtures("sealed")
def test_sessions_open_whole(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["open", "s", "--value", VALUE, "-o", "s.log", "--deals"]
    capsys.readouterr()
    assert outcome([*command, "5-7"]) == 2
    assert "wanted 5 to 8, got 5 to 7" in capsys.readouterr().err
    assert outcome([*command, "5-8"]) == 0
    assert "s.secret still holds" in capsys.readouterr().out
    assert outcome(CHECK) == 0
    assert "not opened yet: 1-4, 9-10" in capsys.readouterr().out
    assert outcome([*CHECK, "--whole"]) == 3


def _change(where: str, lines: list[str]) -> None:
    if where == "deal 2: place":
        lines[2], lines[5] = lines[5], lines[2]
    elif where == "deal 2: order":
        lines[2] = lines[2][2:4] + lines[2][:2] + lines[2][4:]
    elif where == "deal 2: line":
        lines[2] = "0" + lines[2]
    elif where == "opened: deals: are more":
        lines.append(lines[1])
    elif where == "opened: deals: are fewer":
        lines.pop()
    else:
        lines[0] = lines[0].replace("aes256ctr", "shake256")


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize(
    "where",
    [
        "deal 2: place",
        "deal 2: order",
        "deal 2: line",
        "opened: deals: are more",
        "opened: deals: are fewer",
        "manifest: alg",
    ],
)
def test_a_log_that_was_changed_is_refused_by_name(
    where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path("s.log").read_text().splitlines(keepends=True)
    _change(where, lines)
    Path("s.log").write_text("".join(lines))
    capsys.readouterr()
    assert outcome(CHECK) == 1
    assert where in capsys.readouterr().err


@pytest.mark.usefixtures("opened")
def test_files_of_the_two_forms_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(["deal", "bridge", "--deals", "2", "-o", "one"]) == 0
    assert outcome(["open", "one", "-o", "one.log"]) == 0
    assert outcome(["verify", "one.log", "--seal", "s.seal"]) == 1
    assert outcome(["verify", "s.log", "--seal", "one.seal"]) == 1
    capsys.readouterr()
    assert outcome(["verify", "s.seal"]) == 3
    assert "not opened yet" in capsys.readouterr().err
    assert outcome([*CHECK[:3], "s.log"]) == 2
    assert "anchors nothing" in capsys.readouterr().err
    assert outcome(["verify", "s.log", "--checkpoint", "s.seal"]) == 2
    text = Path("s.log").read_text()
    Path("s.log").write_text(text.replace("bulk-opened/1", "bulk-opened/2"))
    assert outcome(CHECK) == 1
    Path("s.log").write_text(text.partition("\n")[0])
    assert outcome(CHECK) == 1
    Path("s.log").write_text(text.partition("\n")[0] + " " * (1 << 25))
    capsys.readouterr()
    assert outcome(CHECK) == 1
    assert "first line: has no end" in capsys.readouterr().err


@pytest.mark.parametrize(
    "more", [["--deals", "1000001"], ["--deals", "9", "--session", "10"], ["--session", "0"]]
)
def test_a_set_not_to_be_had_leaves_no_file(more: list[str]) -> None:
    command = ["deal", "bridge", "-o", "a", *([] if "--deals" in more else ["--deals", "9"])]
    assert outcome([*command, *more]) == 2
    assert list(Path().iterdir()) == []


@pytest.mark.usefixtures("sealed")
def test_a_full_disk_leaves_no_part_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    def some(opened: object) -> Iterator[bytes]:
        yield b"{"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("audit.shuffle.bulk_set.opened_bytes", some)
    assert outcome(["open", "s", "--value", VALUE, "-o", "s.log"]) == 2
    assert sorted(p.name for p in Path().iterdir()) == ["s.seal", "s.secret"]


def _peak(command: list[str], standard_input: str | None = None) -> int:
    """Run one command, which has to succeed, and return its peak memory in KiB."""
    code = (
        "import resource, sys; from audit.cli.main import outcome; code = outcome(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss); sys.exit(code)"
    )
    with open(standard_input or "/dev/null", "rb") as given:
        done = subprocess.run(
            [sys.executable, "-c", code, *command],
            stdin=given,
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": str(ROOT)},
        )
    return int(done.stdout.split()[-1])


def test_memory_does_not_grow_with_the_set() -> None:
    """Files of 0.5 MB and of 42 MB, opened and verified; from a pipe too."""
    peaks = {}
    for deals in (5_000, 400_000):
        name = f"d{deals}"
        assert (
            outcome(["deal", "bridge", "--deals", str(deals), "--session", "4000", "-o", name]) == 0
        )
        opening = _peak(["open", name, "-o", f"{name}.log"])
        checking = _peak(["verify", f"{name}.log", "--seal", f"{name}.seal"])
        piped = _peak(["verify", "/dev/stdin", "--seal", f"{name}.seal"], f"{name}.log")
        peaks[deals] = max(opening, checking, piped)
    assert Path("d400000.log").stat().st_size > 42_000_000
    assert peaks[400_000] - peaks[5_000] < 16_000
