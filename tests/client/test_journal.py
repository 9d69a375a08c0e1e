"""What was said is on disk, whole, and for its owner alone."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from audit.client.journal import Journal
from audit.errors import NotVerified, UsageError


def test_lines_come_back_and_half_a_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "state" / "seat.jsonl"
    journal = Journal(path)
    journal.add(k="key", key="00")
    journal.add(k="sig", mh="11")
    journal.close()
    with path.open("ab") as file:
        file.write(b'{"k":"comm')
    again = Journal(path)
    assert [line["k"] for line in again.lines] == ["key", "sig"]
    again.add(k="call")
    again.close()
    third = Journal(path)
    assert [line["k"] for line in third.lines] == ["key", "sig", "call"]
    third.close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_shorter_journal_takes_the_place_of_the_longer(tmp_path: Path) -> None:
    path = tmp_path / "seat.jsonl"
    journal = Journal(path)
    for number in range(5):
        journal.add(k=str(number))
    journal.replace([{"k": "kept"}])
    journal.add(k="more")
    journal.close()
    again = Journal(path)
    assert [line["k"] for line in again.lines] == ["kept", "more"]
    again.close()


def test_a_damaged_or_open_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "seat.jsonl"
    path.write_bytes(b"not json\n")
    path.chmod(0o600)
    with pytest.raises(NotVerified, match="is damaged"):
        Journal(path)
    path.write_bytes(b"")
    path.chmod(0o644)
    with pytest.raises(UsageError, match="0600"):
        Journal(path)


HOLD = (
    "import sys; from pathlib import Path; from audit.client.journal import Journal\n"
    "j = Journal(Path(sys.argv[1])); j.add(k='one'); j.replace([{'k': 'two'}])\n"
    "print('held', flush=True); sys.stdin.read()"
)


def test_two_never_write_one_journal_and_a_killed_one_holds_nothing(tmp_path: Path) -> None:
    """Two processes of one seat could sign two messages for one step: that is a breach."""
    path = tmp_path / "seat.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(UsageError, match="another process uses it"):
            Journal(path)
        other.send_signal(signal.SIGKILL)
    mine = Journal(path)
    assert [line["k"] for line in mine.lines] == ["two"]
    for _ in range(2):
        with pytest.raises(UsageError, match="another process uses it"):
            Journal(path)
        mine.replace([{"k": "three"}])
    mine.close()
    Journal(path).close()
