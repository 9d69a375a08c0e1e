"""Cards turned at once that a scribe put in order: whose they were is not told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from audit.cards import parse
from audit.games import GAMES
from audit.lab._random import Words, uniform_orders
from audit.readers.jsonl import encode
from audit.record import Deal, put_in_order
from audit.run.audit import audit
from tests._suspected import dealt

LAW = GAMES["matrimony"]
DIAMONDS_FIRST = (1, 2, 0, 3)


def by_rank(card: int) -> tuple[int, int]:
    return -(card % 13), card


def by_suit(card: int) -> tuple[int, int]:
    return DIAMONDS_FIRST[card // 13], -(card % 13)


def banked(count: int, seed: int) -> list[Deal]:
    """Deals of six players under one dealer, who keeps the bank for the evening."""
    every = dealt(LAW, 6, count, seed)
    return [replace(d, order_after_cut=None, dealer="P1", dealer_seat=1) for d in every]


def report(path: Path, deals: list[Deal]) -> dict[str, Any]:
    path.write_bytes(b"".join(encode(deal) + b"\n" for deal in deals))
    return audit([str(path)], form=None, game=None)


@pytest.mark.parametrize("key", [by_rank, by_suit])
def test_cards_turned_that_are_written_best_first_favour_nobody(
    tmp_path: Path, key: Callable[[int], tuple[int, int]]
) -> None:
    """The eldest seemed to be turned the ace of diamonds, at 10^157, in 20 of 20 fair logs."""
    deals = []
    for deal in banked(300, 11):
        cards: list[int] = sorted(deal.turnups, key=key)
        deals.append(replace(deal, turnups=bytes(cards)))
    assert report(tmp_path / "ordered.jsonl", deals)["verdict"] == "clear"
    # A third of the evenings written as dealt makes no difference.
    deals[::3] = banked(300, 11)[::3]
    assert report(tmp_path / "some.jsonl", deals)["verdict"] == "clear"


def best_alone(deal: Deal) -> bytes:
    return bytes([min(deal.turnups, key=by_rank)])


def ace_of_diamonds_alone(deal: Deal) -> bytes:
    return b"\x26" if 38 in deal.turnups else deal.turnups


def one_unread(deal: Deal) -> bytes:
    cards = sorted(deal.turnups, key=by_rank)
    return bytes([*cards[:3], 255, *cards[4:]])


@pytest.mark.parametrize("written", [best_alone, ace_of_diamonds_alone, one_unread])
def test_cards_turned_that_are_written_in_part_favour_nobody(
    tmp_path: Path, written: Callable[[Deal], bytes]
) -> None:
    """Taken for the first ones turned they stood at 10^153, 10^10 and 10^5."""
    deals = [replace(deal, turnups=written(deal)) for deal in banked(400, 11)]
    assert report(tmp_path / "part.jsonl", deals)["verdict"] == "clear"


def test_a_card_that_is_turned_first_too_often_is_found_all_the_same(tmp_path: Path) -> None:
    """The five of clubs in a deal of eight, and in those beside where it fell first."""
    deals, five = [], parse("5C")
    for i, deal in enumerate(banked(400, 14)):
        rest = deal.turnups[1:]
        planted = not i % 8 and five not in rest and not any(five in h for h in deal.hands)
        deals.append(replace(deal, turnups=five + rest) if planted else deal)
    found = report(tmp_path / "planted.jsonl", deals)
    assert "turned_card" in {f["detector"] for f in found["findings"] if f["flagged"]}


def test_an_ace_that_is_turned_for_one_place_is_found_all_the_same(tmp_path: Path) -> None:
    every = dealt(LAW, 6, 300, 12, {"up 3": "AD"}, own=3)
    deals = [replace(deal, order_after_cut=None) for deal in every]
    found = report(tmp_path / "planted.jsonl", deals)
    named = {(f["detector"], f["subject"].get("place")) for f in found["findings"] if f["flagged"]}
    assert ("ace_of_diamonds", "3") in named


@pytest.mark.parametrize(
    ("cards", "ordered"),
    [
        ("AS KS QH JD 2C", True),
        ("2C JD QH KS AS", True),
        ("KS QH JD 2C AD", True),
        ("AD 9D KS 3S 2H", True),
        ("AS 3S KH 2H QC", True),
        ("AS QH KS 2D JC TC", False),
        ("2C KH 3S QD 5C", False),
        ("KS QH ? JD 2C", True),
        ("? 2C JD QH KS", True),
        ("2C KH ? QD 5C", False),
        ("QD ? ?", True),
        ("AS", False),
    ],
)
def test_what_counts_as_put_in_order(cards: str, ordered: bool) -> None:  # noqa: FBT001
    row = np.full((1, 8), 255, np.uint8)
    some = bytes(255 if name == "?" else parse(name)[0] for name in cards.split())
    row[0, : len(some)] = list(some)
    assert put_in_order(row, np.array([len(some)]))[0] == ordered


def test_cards_as_dealt_are_seldom_in_order() -> None:
    orders = uniform_orders(Words(1), 20_000)
    for players, most in ((5, 0.15), (6, 0.035), (8, 0.002)):
        some = put_in_order(orders[:, :players].copy(), np.full(20_000, players))
        assert some.mean() < most
