"""Rows that are lost for the cards that stand in them, and misdeals that are written as deals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from audit.cards import parse
from audit.games import GAMES
from audit.lab._random import Words
from audit.readers.jsonl import encode
from audit.record import Deal
from audit.run.audit import audit
from tests._suspected import dealt

TEN = parse("TC")[0]


def deals_of(game: str, players: int, count: int, seed: int) -> list[Deal]:
    every = dealt(GAMES[game], players, count, seed)
    return [replace(deal, order_after_cut=None) for deal in every]


def report(path: Path, lines: list[bytes]) -> dict[str, Any]:
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return audit([str(path)], form=None, game=None)


@pytest.mark.parametrize(
    ("players", "card", "written"), [(5, b"7C", b"JK"), (2, b"J", b"V"), (2, b"T", b"X")]
)
def test_rows_lost_for_a_card_that_cannot_be_read_tell_of_no_missing_card(
    tmp_path: Path, players: int, card: bytes, written: bytes
) -> None:
    """A joker for a lost card, a knave as V, a ten as X: 6 of 6 such logs were flagged at 10^89.

    Only rows without the card could be read.
    """
    lines = []
    for deal in deals_of("nap", players, 600, 31):
        head, hands, rest = encode(deal).partition(b'"hands":')
        lines.append(head + hands + rest.replace(card, written))
    found = report(tmp_path / "odd.jsonl", lines)
    assert 100 < found["inputs"][0]["flaws"] < 500
    assert found["verdict"] == "clear"
    assert found["flag"]["sum_log10"] < 1


@pytest.mark.parametrize("unread", [0, 6])
def test_a_ten_that_is_gone_is_found_beside_a_few_rows_that_cannot_be_read(
    tmp_path: Path, unread: int
) -> None:
    lines = []
    for deal in deals_of("nap", 5, 1500, 32):
        if any(TEN in hand for hand in deal.hands):
            continue
        lines.append(encode(deal))
    lines[10:10] = [lines[0].replace(b"S ", b"? ")] * unread
    found = report(tmp_path / "ten.jsonl", lines)
    assert found["inputs"][0]["flaws"] == unread
    named = {f["subject"].get("card") for f in found["findings"] if f["flagged"]}
    assert "TC" in named


def _with_seven(deal: Deal, called: str | None) -> Deal:
    held = {c for hand in deal.hands for c in hand} | {*deal.turnups}
    more = bytes([min({*range(52)} - held)])
    hands = (deal.hands[0], deal.hands[1] + more, *deal.hands[2:])
    return replace(deal, hands=hands, irregularity=called)


@pytest.mark.parametrize("called", ["misdeal", "Foul hand"])
def test_a_misdeal_that_is_written_as_a_deal_accuses_nobody_of_a_seventh_card(
    tmp_path: Path, called: str
) -> None:
    words = Words(33).words(300)
    deals = deals_of("seven_up_4", 4, 300, 33)
    some = [_with_seven(d, called) if w % 16 == 0 else d for d, w in zip(deals, words, strict=True)]
    found = report(tmp_path / "misdeals.jsonl", [encode(deal) for deal in some])
    assert found["verdict"] == "clear"
    assert found["inputs"][0]["deals"] == 300


@pytest.mark.parametrize("called", [None, "exposed card"])
def test_a_seventh_card_that_nobody_called_a_misdeal_is_told(
    tmp_path: Path, called: str | None
) -> None:
    deals = deals_of("seven_up_4", 4, 3, 34)
    deals[1] = _with_seven(deals[1], called)
    found = report(tmp_path / "seven.jsonl", [encode(deal) for deal in deals])
    assert [f["code"] for f in found["findings"] if f["kind"] == "contradiction"] == ["W03"]
