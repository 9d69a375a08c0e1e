"""The README's working session, run as it stands, and what it says of this project."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from audit.games import GAMES

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSION = re.findall(r"^\$ (.+?)\s+# (.*)$", README, re.MULTILINE)


def _exit_code(remark: str) -> int:
    said = re.search(r"exit code (\d+)", remark)
    return int(said[1]) if said else 0


@pytest.fixture
def on_the_path(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which `fairdeal` is the command of this checkout."""
    folder = tmp_path / "bin"
    folder.mkdir()
    shim = folder / "fairdeal"
    code = "import audit.cli.main; audit.cli.main.run()"
    shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c "{code}" "$@"\n')
    shim.chmod(0o755)
    path = os.pathsep.join([str(folder), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}


def test_the_working_session_does_what_its_remarks_say(
    tmp_path: Path, on_the_path: dict[str, str]
) -> None:
    here = tmp_path / "night"
    here.mkdir()
    assert len(SESSION) == README.count("\n$ ")
    for command, remark in SESSION:
        done = subprocess.run(
            command,
            shell=True,
            cwd=here,
            env=on_the_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == _exit_code(remark), (command, done.stdout, done.stderr)
        assert "internal fault" not in done.stderr
    made = {path.name for path in here.iterdir()}
    assert {"tonight.seal", "tonight.secret", "tonight.log"} <= made


def test_the_session_stands_in_the_first_25_lines_and_the_page_is_short() -> None:
    lines = README.splitlines()
    last = max(n for n, line in enumerate(lines, start=1) if line.startswith("$ "))
    assert last <= 25
    assert len(lines) <= 120


def test_every_command_named_in_the_page_exists() -> None:
    from audit.cli.main import cli

    for name in re.findall(r"`fairdeal ([a-z]+)", README) + [c.split()[1] for c, _ in SESSION]:
        assert name in cli.commands, name


def test_every_file_named_in_the_page_exists() -> None:
    for name in re.findall(r"`((?:audit|\.ci|tests)/[\w./]+)`", README):
        assert (ROOT / name).exists(), name


WORDS = {
    "all": "All Fours",
    "auction": "Auction Pitch",
    "california": "California Jack",
    "ecarte": "Écarté",
    "forty": "Forty-five",
    "irish": "Irish Loo",
    "loo3": "Loo",
    "loo5": "five-card Loo",
    "pitch": "Pitch",
    "pool": "Pool Écarté",
    "pope": "Pope Joan",
    "seven": "Seven-Up",
    "shasta": "Shasta Sam",
    "spoil": "Spoil Five",
    "vingt": "vingt-un",
}


def test_the_page_names_every_game_of_the_books() -> None:
    for family in {name.partition("_")[0] for name in GAMES.names}:
        word = WORDS.get(family, family)
        assert word.lower() in README.lower().replace("hold'em", "holdem"), family
