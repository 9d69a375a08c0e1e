"""The published power of the audit is what the program reaches today.

One cell of each crook is dealt anew with other seeds than the report's; the
whole table is `python -m tests.long_power`.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from audit.lab import missing_ten, stacked_stock, turned_jacks
from audit.stats.quantile import quantile, ranks
from audit.tally import Looks
from tests._checks import band, budget
from tests._logs import FAIR, PLACES
from tests.long_power import (
    BY,
    JACKS_DEALS,
    JACKS_DIALS,
    JACKS_ORDER,
    REPORTS,
    cell_logs,
    exact,
    figures,
    jacks_logs,
    text,
)

ROWS: list[dict[str, Any]] = json.loads((REPORTS / "power.json").read_text(encoding="utf-8"))[
    "rows"
]


def _row(crook: str, **what: object) -> dict[str, Any]:
    (row,) = (r for r in ROWS if r["crook"] == crook and all(r[k] == v for k, v in what.items()))
    return row


@pytest.mark.parametrize("dial", JACKS_DIALS)
def test_the_exact_power_of_the_jacks_is_as_published(dial: Fraction) -> None:
    step = (1 << Looks(deals=JACKS_DEALS).shift) // PLACES
    rate = FAIR + dial * (1 - FAIR)
    for field, looks in (("exact_every_deal", 1), ("exact_at_looks", step)):
        chances = exact(rate, BY[-1], looks, JACKS_ORDER)
        for by in BY:
            published = _row("turned_jacks", dial=str(dial), own_deals=by)[field]
            assert abs(float(chances[by]) - published) < 1e-4


def test_twice_the_jacks_are_named_half_the_time_by_400_and_nine_tenths_by_800() -> None:
    rows = [_row("turned_jacks", dial="1/12", own_deals=by) for by in BY]
    assert [row["multiple"] for row in rows] == ["2", "2"]
    assert rows[0]["exact_every_deal"] >= 0.5
    assert rows[1]["exact_every_deal"] >= 0.9
    assert all(row.get("agree", True) for row in ROWS)


def test_others_are_named_no_oftener_than_once_in_a_thousand_logs() -> None:
    cells = {(row["crook"], row["dial"]): row for row in ROWS}.values()
    logs = sum(row["logs"] for row in cells)
    assert sum(row["others_named"] for row in cells) <= budget(logs, Fraction(1, 1000))


def test_a_fair_dealer_is_named_more_seldom_than_his_share_allows() -> None:
    assert 0 < exact(FAIR, BY[-1], 1, JACKS_ORDER)[-1] < 1 / 160_000


def test_the_jacks_dealt_anew_agree_with_the_recursion() -> None:
    logs = 25
    named, flagged, wrong = jacks_logs(Fraction(1, 12), range(5000, 5000 + logs))
    assert wrong == 0
    for by in BY:
        row = _row("turned_jacks", dial="1/12", own_deals=by)
        hits = int((np.array(named) <= by * PLACES).sum())
        least, most = band(logs, row["exact_at_looks"], risk=1e-3)
        assert least <= hits <= most
        assert row["low"] <= row["exact_at_looks"] <= row["high"]
    assert all(whole <= his for whole, his in zip(flagged, named, strict=True))


@pytest.mark.parametrize(("crook", "logs"), [("stacked_stock", 50), ("missing_ten", 50)])
def test_a_cell_dealt_anew_lies_within_the_published_limits(crook: str, logs: int) -> None:
    row = _row(crook, dial="1")
    firsts, wrong = cell_logs(crook, Fraction(1), row["deals"], range(5000, 5000 + logs))
    assert wrong == 0
    half = quantile(firsts, Fraction(1, 2), row["deals"] + 1)[0]
    assert row["half"][1] <= half <= row["half"][2]


def test_limits_of_a_quantile_are_order_statistics() -> None:
    """Of ten logs the least and the largest enclose the median with chance 1 - 2/1024."""
    assert ranks(10, Fraction(1, 2), 1 - Fraction(2, 1024)) == (1, 10)
    assert ranks(10, Fraction(1, 2), 1 - Fraction(1, 1024)) == (0, 11)
    assert quantile([3, 1, 2, 9], Fraction(1, 2), 100) == (2, 0, 100)


def test_the_page_and_the_docstrings_repeat_the_published_figures() -> None:
    assert (REPORTS / "power.md").read_text(encoding="utf-8") == text(ROWS)
    for module in (turned_jacks, stacked_stock, missing_ten):
        name = module.__name__.rsplit(".", 1)[-1]
        for line in figures(ROWS, name):
            assert line in (module.__doc__ or "").splitlines()
