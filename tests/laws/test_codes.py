"""The warnings that `explain` says the referee answers are those that its rulings name."""

from __future__ import annotations

import re
from pathlib import Path

from audit.referee._codes import RULED
from audit.warnings import load

ROOT = Path(__file__).resolve().parents[2] / "audit"


def test_codes_of_rulings_are_listed() -> None:
    named: set[str] = set()
    for folder in ("referee", "rules"):
        for path in (ROOT / folder).glob("*.py"):
            if path.name != "_codes.py":
                named |= set(re.findall(r'"(W[0-9]{2,3})"', path.read_text(encoding="utf-8")))
    assert set(RULED) == named
    assert named <= {one.code for one in load()}
