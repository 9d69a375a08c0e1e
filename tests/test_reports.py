"""The published example reports are what the program says today."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema

from audit.render.html import page
from audit.render.schema import schema
from audit.run.audit import audit

ROOT = Path(__file__).resolve().parents[1]
REPORTS = ROOT / "reports"


def test_the_card_room_report_is_current() -> None:
    published = json.loads((REPORTS / "card_room.json").read_text(encoding="utf-8"))
    fresh = audit([str(ROOT / "audit" / "cli" / "euchre_turn_ups.csv")], form=None, game=None)
    fresh = json.loads(json.dumps(fresh))
    assert published.pop("made")["version"] == fresh.pop("made")["version"]
    for one in (*published["findings"], *fresh["findings"]):
        for key in ("log10_p", "log10_e", "log10_e_max"):
            one[key] = None if one.get(key) is None else round(one[key], 6)
    for key in ("findings", "inputs", "silent", "flaws"):
        assert published[key] == fresh[key]
    assert published["verdict"] == "flagged"
    assert [p["title"] for p in published["pictures"]] == [p["title"] for p in fresh["pictures"]]


def test_the_page_is_drawn_from_the_published_report() -> None:
    published = json.loads((REPORTS / "card_room.json").read_text(encoding="utf-8"))
    shown = (REPORTS / "card_room.html").read_text(encoding="utf-8")
    # Strokes of the drawings differ between versions of the drawing library; no word does.
    drawing = re.compile(r"<(path|use|g|rect|clipPath|defs)\b[^>]*>|</[^>]*>|<text[^>]*>")
    assert drawing.sub("", page(published)).split() == drawing.sub("", shown).split()


def test_every_published_report_is_valid_by_the_schema() -> None:
    found = sorted(REPORTS.glob("*.json"))
    assert found
    for path in found:
        made = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(schema()).validate(made)
        assert path.with_suffix(".html").is_file()
