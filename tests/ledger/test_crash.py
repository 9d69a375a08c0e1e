"""Short forms of the crash trials, each with the control that it must find out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ledger.powercut import usable
from tests.ledger.server import binaries

ROOT = Path(__file__).resolve().parents[2]


def script(name: str, *arguments: str) -> int:
    """Run a trial in a process of its own, since it forks."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", f"tests.ledger.{name}", *arguments]
    return subprocess.run(command, env=env, cwd=ROOT, check=False, timeout=120).returncode


def needs(what: str, *, present: bool) -> None:
    if not present:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{what} is absent")
        pytest.skip(f"{what} is absent")


def test_nothing_acknowledged_is_lost_when_the_process_is_killed() -> None:
    assert script("crash", "--rounds", "15") == 0


def test_acknowledging_before_the_commit_is_found_out() -> None:
    assert script("crash", "--rounds", "10", "--early") == 1


def test_nothing_acknowledged_is_lost_when_server_or_backend_are_killed() -> None:
    needs("PostgreSQL", present=binaries() is not None)
    assert script("crash", "--rounds", "3", "--postgres", "own") == 0


def test_acknowledging_before_the_commit_is_found_out_on_a_server() -> None:
    needs("PostgreSQL", present=binaries() is not None)
    assert script("crash", "--rounds", "10", "--postgres", "own", "--early") == 1


def test_nothing_acknowledged_is_lost_when_the_power_is_cut() -> None:
    needs("strace", present=usable())
    assert script("powercut", "cuts", "--cuts", "25", "--appends", "30") == 0


def test_syncing_less_often_is_found_out() -> None:
    needs("strace", present=usable())
    assert script("powercut", "cuts", "--cuts", "25", "--appends", "30", "--normal") == 1


def test_a_sync_that_fails_loses_nothing_and_ends_all_appending() -> None:
    needs("strace", present=usable())
    assert script("powercut", "faults", "--calls", "fdatasync", "--appends", "3") == 0
