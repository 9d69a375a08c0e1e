"""Deal numbers that no record bears are counted, and only where numbers count deals."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from audit.columns import columns_of
from audit.record import Deal
from audit.render.html import page
from audit.render.schema import schema
from audit.run.audit import audit
from audit.run.gaps import MOST_TABLES, Gaps


def gaps(*parts: list[tuple[str | None, str | None]], ledger: bool = False) -> dict[str, object]:
    out = Gaps()
    for rows in parts:
        deals = [Deal(game="seven_up_4", table=t, number=n) for t, n in rows]
        out.take(columns_of(deals, {}), 0)
    return out.told(0, ledger=ledger)


def rows(table: str | None, numbers: object) -> list[tuple[str | None, str | None]]:
    assert isinstance(numbers, list | range)
    return [(table, None if n is None else str(n)) for n in numbers]


def test_missing_numbers_are_counted_in_any_order_and_any_blocks() -> None:
    kept = [n for n in range(40, 100) if n not in (44, 60, 61)]
    want = {"tables": 1, "missing": 3, "uncounted": 0, "complete": False}
    assert gaps(rows("a", kept)) == want
    assert gaps(rows("a", kept[::-1])) == want
    assert gaps(rows("a", kept[30:]), [], rows("a", kept[:30])) == want
    two = gaps(rows("a", kept), rows("b", [1, 2, 4]), rows("a", [100]))
    assert two == {"tables": 2, "missing": 4, "uncounted": 0, "complete": False}


@pytest.mark.parametrize(
    "numbers", [[1, 500, 9000], [5, 10, 15, 20, 25], [None, 2, 3], [1, 2, "3b"], [1, None]]
)
def test_numbers_that_do_not_count_deals_say_nothing(numbers: list[object]) -> None:
    got = gaps(rows("a", numbers))
    assert got == {"tables": 0, "missing": 0, "uncounted": 1, "complete": False}


def test_rows_that_stand_twice_hide_no_gap_as_a_negative_number() -> None:
    assert gaps(rows(None, [1, 2, 3, 3, 3, 4]))["missing"] == 0


def test_only_a_ledger_without_a_gap_is_complete() -> None:
    assert gaps(rows("a", range(1, 9)), ledger=True)["complete"] is True
    assert gaps(rows("a", range(1, 9)))["complete"] is False
    assert gaps(rows("a", [1, 2, 4]), ledger=True)["complete"] is False
    assert gaps(rows("a", range(1, 9)), rows("b", [None]), ledger=True)["complete"] is False
    assert gaps(ledger=True)["complete"] is False


def test_many_tables_and_long_names_are_followed_in_bounds() -> None:
    many: list[tuple[str | None, str | None]] = [(f"t{k}", "1") for k in range(MOST_TABLES + 5)]
    got = gaps(many)
    assert got["tables"] == MOST_TABLES
    assert gaps(rows("x" * 300, [1, 2, 3])) == gaps(rows("a", [None]))


def test_a_flag_stands_beside_the_gaps_of_its_log(tmp_path: Path) -> None:
    log = ["deal,dealer,turnup"]
    plain = [r + s for r in "23456789TQKA" for s in "SHDC"]
    for i in range(400):
        if i % 50 != 7:
            jack = "J" + "SHDC"[i % 4]
            log.append(f"{i + 1},ann,{jack if i % 3 == 0 else plain[(i * 7) % 48]}")
    path = tmp_path / "night.csv"
    path.write_text("\n".join(log) + "\n")
    report = audit([str(path)], form=None, game=None)
    jsonschema.Draft202012Validator(schema()).validate(json.loads(json.dumps(report)))
    told = {"tables": 1, "missing": 8, "uncounted": 0, "complete": False}
    assert report["inputs"][0]["numbering"] == told
    assert "8 deal numbers are missing" in page(report)
    assert np.isfinite([f["share_explaining"] for f in report["findings"] if f["flagged"]]).all()
    report["inputs"][0]["numbering"] |= {"missing": 0, "complete": True}
    assert "the share of hidden deals is zero" in page(report)
