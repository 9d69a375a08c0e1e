"""Hands turned so that one place always declares are strong there, and nobody favoured it."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from audit.columns import batch_of
from audit.count import strength
from audit.detect import favoured_seat
from audit.detect.favoured_seat import turned_to
from audit.games import GAMES
from audit.lab._random import Words, uniform_orders
from audit.readers.jsonl import READER, encode
from audit.readers.pbn import read
from audit.record import Deal
from audit.run.audit import audit
from audit.tally import Looks, Table

LAW = GAMES["bridge"]
RANKS, SUITS = "23456789TJQKA", range(4)


def points(hands: Sequence[bytes]) -> list[int]:
    return [sum(max(0, c % 13 - 8) for c in hand) for hand in hands]


def rotated(hands: Sequence[bytes], by: int) -> tuple[bytes, ...]:
    return tuple(hands[(place - by) % 4] for place in range(4))


def played(count: int, seed: int) -> list[Deal]:
    """Return fair deals with declarers: mostly, but not always, who has most points."""
    words = Words(seed)
    orders = uniform_orders(words, count, 52).astype(np.uint8)
    luck = words.words(4 * count).reshape(count, 4) % 9
    out = []
    for i, order in enumerate(orders):
        hands = tuple(h.tobytes() for h in order.reshape(4, 13))
        bids = [p + int(x) for p, x in zip(points(hands), luck[i], strict=True)]
        who = bids.index(max(bids)) + 1
        out.append(Deal(game="bridge", number=str(i), players=4, hands=hands, declarer=who))
    return out


def turned(deals: Sequence[Deal], places: Sequence[int]) -> list[Deal]:
    """Return *deals* with the hands turned so that the declarers are *places*, one by one."""
    out = []
    for i, deal in enumerate(deals):
        to = places[i % len(places)]
        hands = rotated(deal.hands, to - (deal.declarer or 1))
        out.append(msgspec.structs.replace(deal, hands=hands, declarer=to))
    return out


def favoured(deals: Sequence[Deal]) -> list[Deal]:
    """Return *deals* with the best hand given to South."""
    out = []
    for deal in deals:
        strong = points(deal.hands)
        best = strong.index(max(strong))
        hands = list(deal.hands)
        hands[2], hands[best] = hands[best], hands[2]
        who = {best + 1: 3, 3: best + 1}.get(deal.declarer or 0, deal.declarer)
        out.append(msgspec.structs.replace(deal, hands=tuple(hands), declarer=who))
    return out


def report(path: Path, deals: Sequence[Deal]) -> dict[str, Any]:
    path.write_bytes(b"".join(encode(d) + b"\n" for d in deals))
    return audit([str(path)], form=None, game=None)


def pbn(deals: Sequence[Deal], *, declarers: bool) -> str:
    blocks = []
    for deal in deals:
        hands = (
            ".".join(
                "".join(RANKS[c % 13] for c in sorted(hand, reverse=True) if c // 13 == s)
                for s in SUITS
            )
            for hand in deal.hands
        )
        who = f'[Declarer "{"NESW"[(deal.declarer or 1) - 1]}"]\n' if declarers else ""
        blocks.append(f'[Board "{deal.number}"]\n[Deal "N:{" ".join(hands)}"]\n{who}')
    return "% PBN 2.1\n" + "\n".join(blocks)


@pytest.mark.parametrize("places", [[3], [1, 3]])
def test_a_log_whose_declarers_all_sit_at_one_place_or_side_is_clear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: list[int]
) -> None:
    path, deals = tmp_path / "south.pbn", turned(played(400, 3), places)
    path.write_text(pbn(deals, declarers=True))
    found = audit([str(path)], form=None, game=None)
    assert found["verdict"] == "clear"
    (silent,) = (s for s in found["silent"] if s["detector"] == "favoured_seat")
    assert not silent["untouched"]
    assert "declares in 400 of 400 deals" in silent["why"]
    assert found["flag"]["fallen"] >= 4
    # The attack: without the declarers nothing can be known, and the finding says so.
    path.write_text(pbn(deals, declarers=False))
    found = audit([str(path)], form=None, game=None)
    assert found["verdict"] == "flagged"
    named = [f for f in found["findings"] if f["flagged"]]
    assert {"favoured_seat"} == {f["detector"] for f in named}
    assert all(any("turned towards one place" in e for e in f["explains"]) for f in named)
    monkeypatch.setattr(favoured_seat, "turned_to", lambda declared, table: "")
    path.write_text(pbn(deals, declarers=True))
    assert audit([str(path)], form=None, game=None)["verdict"] == "flagged"


def test_a_place_that_is_given_the_best_hand_is_flagged_though_it_declares_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deals = favoured(played(400, 4))
    share = sum(d.declarer == 3 for d in deals) / len(deals)
    assert 0.55 < share < 0.75
    found = report(tmp_path / "crook.jsonl", deals)
    named = [f["subject"] for f in found["findings"] if f["flagged"]]
    assert {"seat": "South"} in named
    bare = [msgspec.structs.replace(d, declarer=None) for d in deals]
    again = report(tmp_path / "bare.jsonl", bare)
    assert again["findings"] == found["findings"]


def table(deals: int) -> Table:
    return Table(
        law=LAW,
        pack=LAW.pack,
        players=4,
        holds=READER.holds,
        looks=Looks(deals=deals),
        dealers=(),
        machine=True,
    )


@pytest.mark.parametrize(
    ("declared", "who"),
    [
        ((0, 0, 22, 0), ""),
        ((0, 0, 23, 0), "South declares in 23 of 23 deals"),
        ((3, 3, 94, 0), "South declares in 94 of 100 deals"),
        ((10, 5, 75, 10), ""),
        ((0, 80, 0, 80), "East or West declares in 160 of 160 deals"),
        ((95, 5, 95, 5), ""),
        ((0, 0, 0, 0), ""),
    ],
)
def test_who_declares_more_than_any_table_lets_him(declared: tuple[int, ...], who: str) -> None:
    assert turned_to(np.array(declared), table(1)) == who


def test_a_table_where_the_best_hand_always_declares_is_seldom_taken_for_turned() -> None:
    """The whole chance, summed: a place declares in three of four deals, whatever is dealt."""
    for deals in (10, 23, 100):
        wrong = sum(
            math.comb(deals, k) * 0.75**k * 0.25 ** (deals - k)
            for k in range(deals + 1)
            if turned_to(np.array([0, deals - k, k, 0]), table(1)).startswith("South")
        )
        assert wrong < 1 / 600


def test_declarers_are_read_kept_and_counted_in_any_cut() -> None:
    deals = [
        msgspec.structs.replace(d, declarer=who)
        for d, who in zip(played(7, 1), (3, 3, 1, None, 4, 4, 9), strict=True)
    ]
    text = pbn(deals, declarers=False).replace('[Board "1"]', '[Board "1"]\n[Declarer "^S"]')
    records = [r for r in read(io.BytesIO(text.encode()), "x.pbn") if isinstance(r, Deal)]
    assert [r.declarer for r in records] == [None, 3, None, None, None, None, None]
    for cut in (7, 1, 3):
        total = np.zeros(4, np.int64)
        for first in range(0, 7, cut):
            batch = batch_of(deals[first : first + cut], first=first, names={})
            total += strength.TALLY.count(batch, table(7))["declared"]
        assert total.tolist() == [1, 0, 2, 2]
