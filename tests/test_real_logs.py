"""The page of real logs is current, and what it counts and reads is right."""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from itertools import combinations
from pathlib import Path

import pytest

from audit.readers import READERS
from audit.record import Deal
from tests import real_logs
from tests.foreign_logs import FOREIGN

BY_NAME = {reader.id: reader for reader in FOREIGN}


def read(folder: Path, form: str, name: str) -> list[Deal]:
    """Return the deals of one real log."""
    reader = BY_NAME.get(form) or READERS[form]
    content = BytesIO((folder / name).read_bytes())
    return [d for d in reader.read(content, name) if isinstance(d, Deal)]


def test_the_page_is_current(data: Path) -> None:
    assert real_logs.page(data) == real_logs.REPORT.read_text(encoding="utf-8")


def test_no_fair_real_log_is_flagged() -> None:
    text = real_logs.REPORT.read_text(encoding="utf-8")
    assert "**false alarms: 0**" in text
    assert "counted as a false alarm.**" not in text


def test_a_flag_that_nothing_explains_is_a_false_alarm() -> None:
    finding = {"detector": "riffles", "flagged": True}
    for name, alarms in (
        ("new.pbn", 1),
        ("stock_2022_sample.txt", 1),
        ("bbo_forums_sunday.pbn", 0),
    ):
        log = real_logs.Log(
            folder="", name=name, report={"verdict": "flagged", "findings": [finding]}
        )
        assert len(log.false_alarms) == alarms
    unnamed = real_logs.Log(
        folder="", name="new.pbn", report={"verdict": "flagged", "findings": []}
    )
    assert len(unnamed.false_alarms) == 1


def test_forms_of_one_set_of_boards_hold_the_same_hands(data: Path) -> None:
    wanted = [[set(h) for h in d.hands] for d in read(data / "bridge-pbn", "pbn", "big-deal.pbn")]
    for form in ("ber", "bri", "csv", "dge", "dlm", "dup"):
        found = read(data / "bridge-dealfiles", "machine", f"big-deal.{form}")
        assert [[set(h) for h in d.hands] for d in found] == wanted, form


@pytest.mark.parametrize(
    ("form", "name", "deals", "cards"),
    [
        ("solver", "bridge-dds/list100.txt", 100, 52),
        ("boards", "squaredeal/allpbn.actual", 1186, 52),
        ("lin", "bridge-lin/bbo_robot_game.lin", 8, 52),
        ("positions", "euchre-botjson/positions_a.jsonl", 250, 20),
        ("dealer", "poker-acpc/3p.nolimit.h1000.r0.log", 1000, 6),
    ],
)
def test_every_deal_of_a_foreign_log_is_read(
    data: Path, form: str, name: str, deals: int, cards: int
) -> None:
    found = read(data, form, name)
    assert len(found) == deals
    assert {len(set(b"".join(d.hands))) for d in found} == {cards}


def test_rooms_show_every_seat(data: Path) -> None:
    found = read(data / "poker-ignition", "room", "ignition_ring_2016_a.txt")
    assert len(found) == 12
    assert all(len(h) == 2 for d in found for h in d.hands)
    assert {len(d.board) for d in found} <= {0, 3, 4, 5}


def test_lowest_card_of_a_kitty_agrees_with_every_kitty_of_a_small_pack() -> None:
    lows = [min(kitty) for kitty in combinations(range(6), 2)]
    assert real_logs.lowest_of_kitty(6, 2) == [Fraction(lows.count(c), len(lows)) for c in range(6)]


def test_a_pair_that_keeps_its_order_is_found() -> None:
    kept = [b"\x01\x02\x03"] * 20 + [b"\x03\x01\x02"] * 20
    assert real_logs.kept_pair(kept)[:4] == (1, 2, 40, 0)
    assert real_logs.kept_pair([b"\x01\x02", b"\x02\x01"])[4] == 1
