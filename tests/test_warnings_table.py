"""Every warning of the books has an answer with tests, or the words why no log can show it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec import structs

from audit.games import GAMES
from audit.play import PLAY
from audit.readers.jsonl import encode
from audit.referee import referee
from audit.referee.simulate import deals
from audit.run.audit import audit
from audit.run.integrity import fault
from audit.warnings import load
from audit.warnings.answers import BEYOND, DUTIES, answers
from tests._answers import EVIDENCE, NO_RULING, RULINGS, SPARED_ROWS, without_parameters
from tests._suspected import dealt
from tests.test_warnings import BLAME
from tests.warnings_table import REPORT, Row, collected, page, row


@pytest.fixture(scope="module")
def nodes() -> list[str]:
    return collected()


@pytest.fixture(scope="module")
def rows(nodes: list[str]) -> list[Row]:
    return [row(w, nodes) for w in load()]


def test_the_table_is_current(rows: list[Row]) -> None:
    assert REPORT.read_text(encoding="utf-8") == page(rows)


def test_every_row_has_an_answer_with_both_tests_or_says_why_none_can_be(rows: list[Row]) -> None:
    assert len(rows) == 106
    assert [r.warning.code for r in rows if not r.whole] == []


def test_no_row_is_both_answered_and_beyond(rows: list[Row]) -> None:
    assert not any(r.by and r.beyond for r in rows)
    for code in (*BEYOND, *DUTIES):
        assert code in {w.code for w in load()}
    assert not {c for c in BEYOND if answers(c).anybody}


def test_words_of_the_table_blame_nobody() -> None:
    for text in (*BEYOND.values(), *DUTIES.values()):
        assert text.endswith(".")
        assert not re.search(BLAME, text, re.IGNORECASE)


def test_every_test_that_is_listed_exists(nodes: list[str]) -> None:
    known = {without_parameters(n) for n in nodes}
    listed = {t for pair in EVIDENCE.values() for t in pair if t}
    listed |= {*RULINGS.values(), *NO_RULING.values(), *SPARED_ROWS.values()}
    assert listed <= known


@pytest.mark.parametrize(
    ("game", "card", "code"), [("ecarte_enquire", "KS", "W79"), ("euchre_2", "JS", "W100")]
)
def test_paying_turn_ups_of_other_games_are_named(
    tmp_path: Path, game: str, card: str, code: str
) -> None:
    law = GAMES[game]
    for planted in (True, False):
        made = list(dealt(law, 2, 120, 4, {"turn": card} if planted else None, own=2))
        path = tmp_path / f"{planted}.jsonl"
        path.write_bytes(b"".join(encode(d) + b"\n" for d in made))
        found = audit([str(path)], form=None, game=None)["findings"]
        named = [f["subject"] for f in found if f["code"] == code and f["flagged"]]
        assert named == ([{"dealer": "P2"}] if planted else [])


def test_a_card_turned_from_the_bottom_contradicts_the_order() -> None:
    law = GAMES["loo3_limited_double"]
    deal = next(dealt(law, 5, 1, 3))
    assert fault(deal, law, law.pack, 5) is None
    bottom = (deal.order_after_cut or b"")[-1:]
    why = fault(structs.replace(deal, turnups=bottom), law, law.pack, 5)
    assert why is not None
    assert "turn" in why


def test_a_cut_of_one_card_at_ecarte_is_ruled_on_and_of_two_is_not(tmp_path: Path) -> None:
    law = GAMES["ecarte_enquire"]
    made = dealt(law, 2, 5, 3)
    cuts = [structs.replace(d, cut=c) for d, c in zip(made, (1, 2, 16, 30, 31), strict=True)]
    path = tmp_path / "cuts.jsonl"
    path.write_bytes(b"".join(encode(d) + b"\n" for d in cuts))
    found = audit([str(path)], form=None, game=None)["findings"]
    ruled = [f["subject"]["deal"] for f in found if f["kind"] == "ruling"]
    assert ruled == ["1", "5"]


def test_a_player_of_cassino_who_is_dealt_too_few_is_ruled_on() -> None:
    law, choose = GAMES["cassino_2"], PLAY["by_lot"].choose
    assert choose is not None
    deal = next(deals(law, players=2, choose=choose, count=1, seed=3))
    events = list(deal.events)
    at = next(k for k, e in enumerate(events) if e.kind == "draw")
    assert referee(law, deal) == ([], 0)
    events[at] = structs.replace(events[at], cards=events[at].cards[:3])
    rulings, _ = referee(law, structs.replace(deal, events=tuple(events)))
    assert "W90" in {r.code for r in rulings}
