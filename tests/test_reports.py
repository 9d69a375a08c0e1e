"""The published example reports are what the program says today."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

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
        for key in ("log10_p", "log10_p_holm", "log10_e", "log10_e_max"):
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
    found = sorted(
        set(REPORTS.glob("*.json"))
        - {REPORTS / name for name in ("power.json", "lab_power.json", "odds.json")}
    )
    assert found
    for path in found:
        made = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(schema()).validate(made)
        assert path.with_suffix(".html").is_file()


@pytest.mark.parametrize(
    "name",
    [
        "euchre-dealstock/stock_2022_sample.txt",
        "euchre-dealstock/turn_up_counts.csv",
        "bridge-pbn/bbo_forums_sunday.pbn",
        "bridge-pbn/world_1998_semi2_bad.pbn",
        "bridge-pbn/zd_empty.pbn",
        "poker-phh/pluribus_sessions_100-107.phhs",
    ],
)
def test_every_report_made_from_a_real_log_is_valid_by_the_schema_and_drawn(
    data: Path, name: str
) -> None:
    made = json.loads(json.dumps(audit([str(data / name)], form=None, game=None)))
    jsonschema.Draft202012Validator(schema()).validate(made)
    assert len(page(made).encode()) < 1_000_000
