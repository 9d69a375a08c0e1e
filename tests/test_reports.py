"""The published example reports are what the program says today."""

from __future__ import annotations

import json
from pathlib import Path

from audit.run.audit import audit

ROOT = Path(__file__).resolve().parents[1]


def test_the_card_room_report_is_current() -> None:
    published = json.loads((ROOT / "reports" / "card_room.json").read_text(encoding="utf-8"))
    fresh = audit([str(ROOT / "audit" / "cli" / "euchre_turn_ups.csv")], form=None, game=None)
    fresh = json.loads(json.dumps(fresh))
    assert published.pop("made")["version"] == fresh.pop("made")["version"]
    for one in (*published["findings"], *fresh["findings"]):
        for key in ("log10_p", "log10_e", "log10_e_max"):
            one[key] = None if one.get(key) is None else round(one[key], 6)
    assert published["findings"] == fresh["findings"]
    assert published["inputs"] == fresh["inputs"]
    assert published["verdict"] == "flagged"
