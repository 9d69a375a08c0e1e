"""Looks over time are trusted only where the rows stand as dealt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest

from audit.cards import NAMES
from audit.columns import columns_of, ragged
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.readers.jsonl import encode
from audit.record import Deal
from audit.run.audit import audit
from audit.run.sequence import SORTED, UNORDERED, Rising, numbers
from audit.tally import Looks


def deals(count: int, seed: int) -> list[Deal]:
    law = GAMES["seven_up_4"]
    table = simulate(law, LAB["fair"], count, Fraction(0), seed, player=PLAY["sensible"])
    return list(table.records())


def rising(*blocks: list[Deal]) -> bool:
    one = Rising(GAMES["seven_up_4"])
    names: dict[str, int] = {}
    for block in blocks:
        one.take(columns_of(block, names), 0)
    return one.as_dealt


def test_numbers_are_plain_digits_only() -> None:
    texts = ragged([b"7", b"", b"007", b"1_0", b"-1", "²".encode(), b"9" * 18, b"9" * 19])
    assert numbers(texts).tolist() == [7, -1, 7, -1, -1, -1, 10**18 - 1, -1]
    assert numbers(ragged([])).tolist() == []


def test_rising_numbers_across_blocks_and_tables() -> None:
    some = deals(30, 1)
    assert rising(some[:10], some[10:])
    assert not rising(some[10:], some[:10])
    two = [msgspec.structs.replace(d, table=str(i % 2)) for i, d in enumerate(some)]
    assert rising(two)
    assert not rising(two[::-1])


def test_times_serve_where_numbers_do_not() -> None:
    some = [
        msgspec.structs.replace(d, number=None, time=f"2026-01-01T00:{i:02}")
        for i, d in enumerate(deals(30, 1))
    ]
    assert rising(some)
    assert not rising(some[::-1])
    assert not rising([msgspec.structs.replace(d, time=None) for d in some])


def test_turn_ups_that_all_rise_are_sorted_whatever_their_numbers_say() -> None:
    some = sorted(deals(80, 1), key=lambda d: d.turnups[0])
    again = [msgspec.structs.replace(d, number=str(i)) for i, d in enumerate(some)]
    assert not rising(again[:40], again[40:])
    assert not rising(again[::-1])
    assert not rising(again[:20])
    assert rising(again[:4])


SORTS: Mapping[str, Callable[[Deal], tuple[str | int, ...]]] = {
    "by name": lambda d: (NAMES[d.turnups[0]],),
    "by rank, the highest first": lambda d: (-(d.turnups[0] % 13),),
    "by suit": lambda d: (d.turnups[0] // 13,),
    "by dealer and rank": lambda d: (d.dealer or "", d.turnups[0] % 13),
    "by dealer and suit": lambda d: (d.dealer or "", d.turnups[0] // 13),
}


@pytest.mark.parametrize("key", SORTS)
def test_rows_numbered_after_they_were_sorted_by_what_was_turned_are_clear(
    tmp_path: Path, key: str
) -> None:
    """A spreadsheet sorts and then fills the numbers down: each was flagged, at 10^3 to 10^54."""
    some = sorted(deals(2000, 2), key=SORTS[key])
    again = [msgspec.structs.replace(d, number=str(i)) for i, d in enumerate(some)]
    assert not rising(again[:900], again[900:])
    path = tmp_path / "sorted.jsonl"
    path.write_bytes(b"".join(encode(d) + b"\n" for d in again))
    report = audit([str(path)], form=None, game=None)
    assert report["verdict"] == "clear"
    assert not any(f["flagged"] for f in report["findings"])
    assert SORTED in report["inputs"][0]["holds"]["notes"]


@pytest.mark.parametrize("dealers", [1, 4, 200])
def test_turn_ups_as_they_came_stand_together_in_no_way(dealers: int) -> None:
    some = [
        msgspec.structs.replace(d, dealer=f"P{i // 2 % dealers}")
        for i, d in enumerate(deals(400, 4))
    ]
    assert rising(some)
    assert rising(some[:60])
    assert rising(some[:100], some[100:])


def test_one_look_is_the_last_deal() -> None:
    for count in (1, 255, 256, 257, 100_000):
        looks = Looks(deals=count, once=True)
        assert (looks.count, looks.ends()) == (1, [count])
    assert Looks(deals=0, once=True).count == 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_fair_log_stored_sorted_by_what_was_turned_is_clear(tmp_path: Path, seed: int) -> None:
    """Sorted storage is honest: with a look after every deal it would be flagged."""
    some = sorted(deals(800, seed), key=lambda d: d.turnups[0] % 13)
    path = tmp_path / "sorted.jsonl"
    path.write_bytes(b"".join(encode(d) + b"\n" for d in some))
    report = audit([str(path)], form=None, game=None)
    assert report["verdict"] == "clear"
    assert UNORDERED in report["inputs"][0]["holds"]["notes"]


def test_the_same_log_looked_at_all_along_would_be_flagged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = sorted(deals(800, 1), key=lambda d: d.turnups[0])
    path = tmp_path / "sorted.jsonl"
    path.write_bytes(b"".join(encode(d) + b"\n" for d in some))
    monkeypatch.setattr(Rising, "as_dealt", True)
    assert audit([str(path)], form=None, game=None)["verdict"] == "flagged"


def test_a_crook_is_flagged_at_the_last_look_too(tmp_path: Path) -> None:
    law = GAMES["seven_up_4"]
    crook = LAB["turned_jacks"]
    table = simulate(law, crook, 1600, Fraction(1, 4), 5, player=PLAY["sensible"])
    order = np.argsort([d.turnups[0] for d in table.records()], kind="stable")
    some = list(table.records())
    path = tmp_path / "jacks.jsonl"
    path.write_bytes(b"".join(encode(some[i]) + b"\n" for i in order))
    report = audit([str(path)], form=None, game=None)
    assert report["verdict"] == "flagged"
    named = [f["subject"] for f in report["findings"] if f["flagged"] and f["code"] == "W13"]
    assert named == [{"dealer": "P4"}]


def _won(deal: Deal) -> int:
    points = [sum((12, 11, 10, 9).count(c % 13) * (c % 13 - 8) for c in h) for h in deal.hands]
    return points.index(max(points))


def bridge(count: int) -> list[Deal]:
    words = np.random.Generator(np.random.PCG64(5)).bit_generator.random_raw(52 * count)
    orders = words.reshape(count, 52).argsort(axis=1).astype(np.uint8)
    return [
        Deal(
            game="bridge",
            number=str(i),
            players=4,
            hands=tuple(h.tobytes() for h in order.reshape(4, 13)),
        )
        for i, order in enumerate(orders)
    ]


@pytest.mark.parametrize(
    "stored",
    [
        {"time": "2026-01-01"},
        {"number": "1"},
        {"number": "1", "table": "own"},
        {"number": None, "time": "2026-01-01"},
    ],
)
def test_numbers_and_dates_that_do_not_tell_rows_apart_say_nothing_of_their_order(
    tmp_path: Path, stored: dict[str, str | None]
) -> None:
    """A fair log stored by who won, under one date, one number, or a table for each deal."""
    some = sorted(bridge(400), key=_won)
    own = stored.get("table") == "own"
    rows = [
        msgspec.structs.replace(d, **{**stored, **({"table": d.number} if own else {})})
        for d in some
    ]
    path = tmp_path / "winner.jsonl"
    path.write_bytes(b"".join(encode(d) + b"\n" for d in rows))
    report = audit([str(path)], form=None, game=None)
    assert report["verdict"] == "clear"
    assert UNORDERED in report["inputs"][0]["holds"]["notes"]


def test_orders_that_no_card_chose() -> None:
    some = deals(40, 1)

    def named(*rows: tuple[str | None, str, str | None]) -> bool:
        put = [
            msgspec.structs.replace(d, table=t, number=n, time=w)
            for d, (t, n, w) in zip(some, rows, strict=False)
        ]
        return rising(put[:2], put[2:])

    assert named(("2", "1", None), ("2", "2", None), ("10", "1", None), ("10", "2", None))
    assert named(("a", "1", None), ("b", "1", None), ("a", "2", None), ("b", "2", None))
    assert named((None, "1", "d1"), (None, "2", "d1"), (None, "1", "d2"), (None, "2", "d2"))
    assert named(("a", "x", "d1"), ("b", "y", "d1"), ("a", "z", "d2"))
    assert not named(("a", "1", None), ("b", "1", None), ("b", "2", None), ("a", "2", None))
    assert not named((None, "1", "d1"), (None, "1", "d1"), (None, "2", "d1"))
    assert not named(("a" * 65, "1", None), ("b", "1", None), ("c", "1", None))
