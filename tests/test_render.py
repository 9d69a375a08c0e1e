"""The report: its schema, its page, its face on a terminal."""

from __future__ import annotations

import copy
import io
import itertools
import re
from html.parser import HTMLParser
from typing import Any

import jsonschema
import pytest
from rich.console import Console

from audit.render.html import page
from audit.render.schema import schema
from audit.render.terminal import show

HOSTILE = "<script>alert(1)</script>\"'\x1b[31m\u202e[red]$x_{$"


def report(name: str = "A", verdict: str = "flagged") -> dict[str, Any]:
    """Return a made-up report about the dealer *name*."""
    evidence = {
        "code": "W13", "detector": "turned_honours", "kind": "evidence",
        "subject": {"dealer": name}, "flagged": True, "deals": 130,
        "null": "each first turn-up is a uniform card of the pack",
        "message": f"dealer {name}: a Jack turned in 40 of 130 deals", "log10_p": -12.5,
        "log10_e": 9.0, "log10_e_max": 9.2, "weight": 0.0625,
        "effect": {"name": "rate", "value": 0.31, "low": 0.23, "high": 0.4, "coverage": 0.95,
                   "fair": 0.0769},
        "refutes": ["fair"], "explains": ["deals not recorded", name],
        "share_explaining": 0.2, "detectable": "0.2 of the deals",
    }  # fmt: skip
    contradiction = {
        "code": "T05", "detector": "integrity", "kind": "contradiction", "subject": {"line": 7},
        "flagged": False, "deals": 1, "message": f"{name}: JC stands twice",
        "explains": ["typing"],
    }  # fmt: skip
    return {
        "schema": "fairdeal-report/1",
        "verdict": verdict,
        "inputs": [
            {"name": name, "format": "jsonl", "game": "seven_up_4", "sha256": "0" * 64,
             "records": 140, "deals": 130, "flaws": 1, "contradictions": 1,
             "holds": ["turn_ups", name], "other": 8, "repeated_records": 0}
        ],
        "flaws": [{"input": name, "line": 3, "field": "turned", "why": f"no card: {name}"}],
        "findings": [contradiction, evidence, {**evidence, "flagged": False, "log10_e": None}],
        "silent": [{"code": "W31", "detector": "misdeals", "why": f"no misdeal held {name}"}],
        "pictures": [
            {"kind": "bars", "title": f"Jacks by {name}", "text": "The band is fair.",
             "columns": ["dealer", "seen", "fair_low", "fair_high"],
             "rows": [[name, 40, 4.0, 16.0], ["B", 9, 4.0, 16.0], ["C", 2, 4, 16.0]]},
            {"kind": "heat", "title": "Cards by seat", "text": f"Counts {name}.",
             "columns": ["card", "seat 1", name, "seat 3", "seat 4"],
             "rows": [[f"{r}{s}", 5, 7, i, None] for s in "CDHS"
                      for i, r in enumerate("23456789TJQKA")]},
            {"kind": "line", "title": "Evidence over time", "text": "Three is a flag.",
             "columns": ["deal", "log10_sum", name],
             "rows": [[d, d / 20 - 0.3, None if d < 30 else d / 25] for d in range(0, 131, 5)]},
        ],
        "flag": {"threshold": 1000, "sum_log10": 7.8, "weights": {"turned_honours": 0.125}},
        "made": {"version": "0.1", "command": f"fairdeal audit {name}"},
    }  # fmt: skip


def on_terminal(made: dict[str, Any]) -> str:
    out = io.StringIO()
    show(made, Console(file=out, width=160, force_terminal=False))
    return out.getvalue()


class _Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {k for k, _ in attrs}
        self.ids += [v or "" for k, v in attrs if k == "id"]


@pytest.fixture(scope="module")
def plain() -> str:
    return page(report())


@pytest.fixture(scope="module")
def hostile() -> str:
    return page(report(HOSTILE))


def test_the_schema_is_one_and_takes_a_made_up_report() -> None:
    check = jsonschema.Draft202012Validator(schema())
    check.check_schema(schema())
    check.validate(report())
    check.validate(report(HOSTILE))


@pytest.mark.parametrize(
    ("where", "value"),
    [(("verdict",), "fair"), (("schema",), "x/1"), (("findings", 0, "flagged"), True),
     (("pictures", 0, "kind"), "pie"), (("inputs", 0, "deals"), -1), (("silent", 0), {})],
)  # fmt: skip
def test_the_schema_refuses_what_is_no_report(where: tuple[str | int, ...], value: Any) -> None:
    made: Any = copy.deepcopy(report())
    at = made
    for step in where[:-1]:
        at = at[step]
    at[where[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema()).validate(made)


def test_the_page_is_the_same_twice_and_small(plain: str) -> None:
    assert page(report()) == plain
    assert len(plain.encode()) < 300_000


def test_hostile_names_stay_text_on_the_page(plain: str, hostile: str) -> None:
    seen = _Tags(hostile)
    assert "script" not in seen.tags
    assert not {a for a in seen.attributes if a.startswith("on")}
    assert seen.tags.count("a") == 0
    assert set(seen.tags) == set(_Tags(plain).tags)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", hostile)
    assert "&lt;script&gt;" in hostile


def test_hostile_names_stay_text_on_a_terminal() -> None:
    said = on_terminal(report(HOSTILE))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", said)
    assert "[red]" in said.replace("\n", "") or "[re" in said


@pytest.mark.parametrize("verdict", ["clear", "flagged", "contradiction", "nothing to audit"])
def test_every_verdict_has_its_word_and_no_word_accuses(verdict: str) -> None:
    made = {**report(verdict=verdict), "pictures": []}
    for said in (page(made), on_terminal(made)):
        assert verdict.upper() in said
        assert "accuses nobody" in " ".join(said.split())
        assert not re.search("cheat|guilty|certified", said, re.I)


def test_silence_is_shown_as_silence(plain: str) -> None:
    for said in (plain, on_terminal(report())):
        assert "no misdeal held A" in said
        assert "no pass" in said


def test_the_fair_band_and_the_line_that_matters_are_drawn(plain: str) -> None:
    assert plain.count("fair-band-") == 3
    assert "flag-line" in plain
    assert "a flag is raised" in plain
    assert re.findall("<td>(above|within|below)</td>", plain) == ["above", "within", "below"]


def test_a_heat_map_of_shares_is_signed_where_it_is_far_from_fair() -> None:
    made = report()
    rows = [["AS", 0.25, 0.25], ["KS", 0.29, 0.10], ["QS", 0.20, 0.27]]
    made["pictures"] = [
        {"kind": "heat", "title": "Where each card lay", "text": "Farthest is the KS.",
         "columns": ["card", "hand 1", "hand 2"], "rows": rows,
         "fair": [0.25, 0.25], "deals": [1000, 1000]}
    ]  # fmt: skip
    said = page(made)
    assert sorted(re.findall(r">([+−]+)</text>", said)) == ["+", "−", "−−"]
    assert "Where each card lay. Farthest is the KS." in said
    assert "<td>0.100</td>" in said
    jsonschema.Draft202012Validator(schema()).validate(made)


def test_headings_are_in_order_and_ids_are_single(plain: str) -> None:
    seen = _Tags(plain)
    levels = [int(t[1]) for t in seen.tags if re.fullmatch("h[1-6]", t)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))
    assert len(seen.ids) == len(set(seen.ids))
    assert '<html lang="en">' in plain
    for ref in re.findall(r'(?:href="#|url\(#)([^")]+)', plain):
        assert ref in seen.ids


def test_a_huge_report_stays_under_a_megabyte_and_says_what_it_left_out() -> None:
    made = report("x" * 5000)
    made["pictures"] = []
    made["findings"] *= 2000
    made["flaws"] *= 5000
    said = page(made)
    assert len(said.encode()) < 1_000_000
    assert "of 6,000 are shown" in said
    assert "of 6,000 shown" in on_terminal(made)


def test_an_empty_report_is_drawn() -> None:
    made = report(verdict="nothing to audit")
    made |= {"inputs": [], "findings": [], "flaws": [], "silent": []}
    for picture in made["pictures"]:
        picture["rows"] = []
    assert "No finding." in page(made)
    assert "No finding." in on_terminal(made)
