"""The warnings agree with the catalogue they were taken from."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from audit.errors import UnknownName
from audit.warnings import VOCABULARY, get, load

CATALOGUE = Path(__file__).parents[2] / "shared" / "games.md"

needs_catalogue = pytest.mark.skipif(not CATALOGUE.is_file(), reason="../shared is absent")

FAMILY = {
    "auction pitch": ["auction_pitch"],
    "nap (England)": ["nap"],
    "loo (E4)": ["loo3_enquire"],
    "loo5 with Pam": ["loo5_foster_pam", "loo5_enquire"],
}
"""Game names of the table that are no prefix of an id."""

FIELD = {
    "hands": "deal_seq",
    "remaining hands": "deal_seq",
    "unseen cards": "deal_seq",
    "seen cards": "deal_seq",
    "players": "deal_seq",
    "dealer": "deal_seq",
    "dealer list": "deal_seq",
    "dealer order": "deal_seq",
    "coup number": "deal_seq",
    "pack state": "order_after_cut",
    "dealer's choices": "bids",
    "results": "payments",
}
"""Field names of the table outside its own vocabulary -> the field they are worked out from."""


BLAME = "cheat|guilt|fraud|sharper|culprit|dishonest|crook|victim"


class Row(NamedTuple):
    code: str
    games: list[str]
    seeds: list[str]
    place: str
    kind: str
    inferred: bool
    claim: str
    shows: str
    fields: list[str]


def section(start: str, end: str) -> str:
    """The catalogue from one heading to the other."""
    text = CATALOGUE.read_text(encoding="utf-8")
    return text.split(f"\n### {start}", 1)[1].split(f"\n### {end} ", 1)[0]


def table() -> list[Row]:
    """Section C1 with its mechanical columns taken apart."""
    rows = []
    for line in section("C1.", "C2.").splitlines():
        if not line.startswith("| W"):
            continue
        cells = (cell.strip() for cell in line.strip().strip("|").split("|"))
        code, game, seed, claim, kind, shows, _, fields = cells
        games = [g for name in game.split(", ") for g in FAMILY.get(name, [name])]
        bare = [re.sub(r" *\(.*?\)", "", f).strip() for f in fields.split(", ") if f != "—"]
        rows.append(
            Row(
                code,
                games,
                re.findall(r"\b[FE]\d\b", seed),
                re.sub(r"\b[FE]\d\b,? *", "", seed),
                kind,
                "†" in claim,
                claim,
                shows,
                list(dict.fromkeys(FIELD.get(f, f) for f in bare)),
            )
        )
    return rows


def runs_of_seven(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + 7]) for i in range(len(words) - 6)}


def test_all_codes_in_order() -> None:
    assert [w.code for w in load()] == [f"W{i:02}" for i in range(1, 107)]


def test_kinds_and_fields() -> None:
    assert Counter(w.kind for w in load()) == {"cheat": 13, "odds": 32, "dispute": 61}
    assert {f for w in load() for f in w.fields} <= set(VOCABULARY)
    assert [w.code for w in load() if not w.fields] == ["W105"]  # a prior, nothing to observe


def test_text_is_there_and_blames_nobody() -> None:
    for w in load():
        for text in (w.claim, w.shows, w.null):
            assert text
            assert text == text.strip()
            assert not re.search(BLAME, text, re.IGNORECASE), w.code


def test_get() -> None:
    assert get("W94").seeds == ("E4",)
    assert load() is load()
    with pytest.raises(UnknownName, match="W107") as caught:
        get("W107")
    assert caught.value.known[0] == "W01"
    with pytest.raises(dataclasses.FrozenInstanceError):
        get("W01").kind = "odds"  # type: ignore[misc]


@needs_catalogue
def test_mechanical_columns_agree() -> None:
    rows = table()
    assert len(rows) == 106
    for row, w in zip(rows, load(), strict=True):
        assert (w.code, w.place, w.kind) == (row.code, row.place, row.kind)
        assert w.inferred == row.inferred, w.code
        for ours, theirs in ((w.games, row.games), (w.seeds, row.seeds), (w.fields, row.fields)):
            assert list(ours) == theirs, w.code


@needs_catalogue
def test_vocabulary_and_families_agree() -> None:
    assert tuple(re.findall(r"`(\w+)`", section("C0", "C1.").split("Kind:")[0])) == VOCABULARY
    ids = re.findall(r"`(\w+)`", section("0.3", "A1.").split("Named in passing")[0])
    assert len(ids) == 57
    for w in load():
        for family in w.games:
            assert any(i.startswith(family) for i in ids), (w.code, family)


@needs_catalogue
def test_words_are_our_own() -> None:
    for row, w in zip(table(), load(), strict=True):
        for theirs, ours in ((row.claim, w.claim), (row.shows, w.shows)):
            a, b = (re.findall(r"\w+", s.lower()) for s in (theirs, ours))
            assert a != b, w.code
            assert not runs_of_seven(a) & runs_of_seven(b), w.code
