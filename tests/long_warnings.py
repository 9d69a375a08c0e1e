"""Run the tests that `reports/warnings.md` names for rulings, and look at what was ruled in each.

Run `python -m tests.long_warnings` (about three minutes).  A test that trips a row has to give
a ruling under the code of the row, and one that leaves it silent no ruling at all.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from audit.referee._codes import RULED
from audit.referee.machine import Ruling
from tests._answers import NO_RULING, RULINGS, without_parameters
from tests.warnings_table import ROOT

#: Ruled on as the log is read, not by the referee.
READ = frozenset({"W74"})


class Recorder:
    """Notes under which codes rulings are made while each test runs."""

    def __init__(self) -> None:
        self.seen: dict[str, set[str]] = defaultdict(set)
        self.passed: set[str] = set()
        self._now = ""
        self._made = Ruling.__init__
        recorder = self

        def made(ruling: Ruling, *args: Any, **named: Any) -> None:
            recorder._made(ruling, *args, **named)
            recorder.seen[recorder._now].add(ruling.code)

        Ruling.__init__ = made  # type: ignore[method-assign, assignment]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Keep the name of the test that runs."""
        self._now = without_parameters(item.nodeid)
        self.passed.add(self._now)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take back a test that failed."""
        if report.failed:
            self.passed.discard(without_parameters(report.nodeid))


def main() -> int:
    """Return 1 and say which where a test does not show what the table says."""
    names = sorted({*RULINGS.values(), *NO_RULING.values()})
    recorder = Recorder()
    options = ["-o", "addopts=", "-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}"]
    pytest.main([*options, *names], plugins=[recorder])
    wrong = [n for n in names if n not in recorder.passed]
    for code, name in RULINGS.items():
        if code in READ:
            continue
        seen = recorder.seen[name]
        wrong += [f"{code}: {name}"] if (code in RULED and code not in seen) or not seen else []
    wrong += [f"not silent: {t}" for t in NO_RULING.values() if recorder.seen[t]]
    sys.stdout.write("\n".join([*wrong, f"{len(RULINGS)} rulings, {len(wrong)} wrong"]) + "\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
