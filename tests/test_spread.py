"""A log read by several processes: the same report, one clear error, bounded memory."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from audit.cli.main import outcome
from audit.errors import FairdealError, NotVerified, UnknownName
from audit.event import Event
from audit.format import LONGEST, PIECE, Piece, cut, numbered
from audit.games import GAMES
from audit.play import PLAY
from audit.readers.jsonl import encode
from audit.record import Deal, Flaw
from audit.referee.simulate import deals as played
from audit.run.audit import audit
from audit.run.workers import AHEAD, Workers


def report(*paths: Path, **options: Any) -> str:
    return json.dumps(audit([str(p) for p in paths], form=None, game=None, **options))


def whole(count: int = 160, seed: int = 5) -> list[Deal]:
    """Return deals of two tables with every play."""
    choose = PLAY["by_lot"].choose
    assert choose is not None
    made = played(GAMES["seven_up_4"], players=4, choose=choose, count=count, seed=seed)
    return [
        replace(d, number=str(i // 2 + 1), table=f"{i % 2}", dealer=f"P{d.dealer_seat}")
        for i, d in enumerate(made)
    ]


def amiss(deal: Deal, how: int) -> list[bytes]:
    """Return the lines in which *deal* stands, one way of going wrong for each *how*."""
    first, second, *rest = deal.hands
    bare = replace(deal, order_after_cut=None, events=())
    match how:
        case 0:
            return [b'{"game": nonsense', encode(deal)]
        case 1:
            return [encode(replace(deal, game="seven_up_2"))]
        case 2:
            return [encode(replace(bare, hands=(first + second, second, *rest)))]
        case 3:
            return [encode(replace(bare, hands=(first[:5] + second[:1], second, *rest)))]
        case 4:
            return [encode(replace(deal, events=deal.events[:3] + deal.events[4:]))]
        case 5:
            more = Event(kind="score", seat=1, word="high", number=10**25)
            return [encode(replace(deal, events=(*deal.events, more)))]
        case 6:
            return [encode(replace(deal, options={"pack": "none such"}))]
        case 7:
            return [encode(deal), b"", encode(deal)]
        case 8:
            return [encode(replace(deal, cut=2))]
        case 9:
            return [b"[" * (LONGEST + 9)]
        case _:
            return [encode(deal)]


def odd(count: int = 160) -> bytes:
    """Return a log with everything in it that can go wrong, each several times."""
    ways = (10, 0, 10, 5, 1, 10, 2, 3, 10, 10, 4, 6, 10, 7, 8)
    lines = [
        line
        for i, deal in enumerate(whole(count))
        for line in amiss(deal, 9 if i in (60, 61) else ways[i % len(ways)])
    ]
    return b"\n".join(lines)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], str]:
    """Return an odd log beside a part of it that is packed, and their report by one process."""
    folder = tmp_path_factory.mktemp("odd")
    one, two = folder / "odd.jsonl", folder / "again.jsonl.gz"
    one.write_bytes(odd())
    again = one.read_bytes().splitlines()[:90]
    two.write_bytes(gzip.compress(b"\r\n".join(again)))
    return [one, two], report(one, two)


def test_the_odd_log_holds_what_can_go_wrong(logs: tuple[list[Path], str]) -> None:
    found = json.loads(logs[1])
    first, second = found["inputs"]
    kinds = {f["kind"] for f in found["findings"]}
    assert {"contradiction", "ruling"} <= kinds
    assert {"thin_cut", "referee", "pack_integrity"} <= {f["detector"] for f in found["findings"]}
    assert {"line", "game", "options"} <= {f["field"] for f in found["flaws"]}
    assert any(f["why"] == "longer than 1 MiB" for f in found["flaws"])
    assert min(first["flaws"], first["contradictions"], first["rulings"], second["flaws"]) > 5
    assert found["inputs"][0]["repeated_records"] > 40
    assert first["across"]["followed"] > 20


@pytest.mark.parametrize("block", [1, 2, 7, 50, 161])
def test_no_block_size_changes_the_report(logs: tuple[list[Path], str], block: int) -> None:
    assert report(*logs[0], block=block) == logs[1]


@pytest.mark.parametrize(("jobs", "block"), [(2, 8192), (2, 40), (3, 7)])
def test_no_number_of_processes_changes_the_report(
    logs: tuple[list[Path], str], jobs: int, block: int
) -> None:
    assert report(*logs[0], jobs=jobs, block=block, spread=0) == logs[1]


def test_hidden_names_stay_hidden_with_several_processes(logs: tuple[list[Path], str]) -> None:
    one = report(*logs[0], hide=True)
    assert report(*logs[0], hide=True, jobs=2, block=30, spread=0) == one
    assert "P1" not in one


@pytest.mark.parametrize("how", [0, 2, 4, 7, 9])
def test_a_bad_record_at_the_edge_of_a_block_is_told_the_same(tmp_path: Path, how: int) -> None:
    log, deals = tmp_path / "log.jsonl", whole(12)
    lines = [encode(d) for d in deals]
    lines[6:7] = amiss(deals[6], how)
    log.write_bytes(b"\n".join(lines) + b"\n")
    once = report(log)
    for block in range(5, 10):
        assert report(log, block=block) == once


def test_a_bad_record_at_the_edge_of_a_part_is_told_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = LONGEST
    monkeypatch.setattr("audit.run.intake.PART", size)
    log, deals = tmp_path / "log.jsonl", whole(16)
    lines = [encode(d) for d in deals]
    # Parts end where the next line does not go into them: the bad ones stand on both sides.
    lines[7:9] = [b"[" * (size - 500), b"{" * (size - 500)]
    lines.insert(8, encode(deals[7]).replace(b'"play"', b'"plaid"'))
    log.write_bytes(b"\n".join(lines))
    assert report(log, jobs=2, spread=0) == report(log)
    assert json.loads(report(log))["inputs"][0]["flaws"] == 3


def test_a_log_whose_game_nobody_knows_is_refused_by_several_too(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b'{"game":"nothing"}\n' * 4)
    with pytest.raises(UnknownName, match="nothing"):
        report(log, jobs=2, block=1, spread=0)


# -- what is told, and what is counted ------------------------------------------------------------


def test_every_ruling_is_counted_whatever_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.jsonl"
    # Two plays of another seat than the one whose turn it is, in each deal.
    wrong = [replace(d, events=tuple(map(_next_seat, d.events))) for d in whole(12)]
    log.write_bytes(b"".join(encode(d) + b"\n" for d in wrong))
    full = json.loads(report(log))["inputs"][0]["rulings"]
    assert full > 24
    for name in ("intake", "audit"):
        monkeypatch.setattr(f"audit.run.{name}.TOLD", 3)
    few = json.loads(report(log))
    assert few["inputs"][0]["rulings"] == full
    assert sum(f["kind"] == "ruling" for f in few["findings"]) == 3


def _next_seat(event: Event) -> Event:
    return replace(event, seat=event.seat % 4 + 1) if event.kind == "score" else event


# -- processes that fail --------------------------------------------------------------------------


def killed(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def failing(*_: object) -> None:
    raise NotVerified("here", "this", wanted="that")


def test_a_process_that_is_killed_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "r.json"
    log.write_bytes(b"".join(encode(d) + b"\n" for d in whole()) + b"\n" * (2 * PIECE))
    monkeypatch.setattr("audit.run.intake._check_part", killed)
    monkeypatch.setattr("audit.run.intake.PART", 1)
    monkeypatch.setattr(audit, "__kwdefaults__", {**(audit.__kwdefaults__ or {}), "spread": 0})
    assert outcome(["audit", str(log), "--jobs", "2", "--json", str(out)]) == 70
    said = capsys.readouterr().err.strip()
    assert said.startswith("error: audit: a process: it ended before its part was done")
    assert "\n" not in said
    assert not out.exists()


def test_the_error_of_another_process_comes_whole() -> None:
    with Workers(2) as workers, pytest.raises(NotVerified) as caught:
        list(workers.each(failing, [1, 2]))
    assert str(caught.value) == "here: this: does not verify, wanted that"
    assert (caught.value.wanted, caught.value.exit_code) == ("that", 1)


def test_every_error_can_be_handed_on() -> None:
    for err in (UnknownName("game", "x", ("y",)), FairdealError("a", "b", "c", "d", "e")):
        again = pickle.loads(pickle.dumps(err))
        assert (type(again), str(again), vars(again)) == (type(err), str(err), vars(err))


# -- what it costs --------------------------------------------------------------------------------


def test_a_small_log_starts_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(encode(d) + b"\n" for d in whole(40)))

    def each(*_: object, **__: object) -> None:
        raise AssertionError("a process for so little")

    once = report(log)
    monkeypatch.setattr(Workers, "each", each)
    assert report(log, jobs=2) == once
    with pytest.raises(AssertionError, match="so little"):
        report(log, jobs=2, block=20, spread=0)


def same(part: int) -> int:
    return part


def test_few_parts_are_taken_ahead_and_all_come_in_order() -> None:
    taken: list[int] = []

    def parts() -> Iterator[int]:
        for k in range(60):
            taken.append(k)
            yield k

    with Workers(2) as workers:
        for place, got in enumerate(workers.each(same, parts())):
            assert got == place
            assert len(taken) <= place + 2 * AHEAD


@given(
    rows=st.lists(st.sampled_from([b"", b"a", b"{}", b"  "]), min_size=1, max_size=9),
    ends=st.booleans(),
    long=st.sets(st.integers(0, 8)),
    most=st.integers(1, 10),
)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_cut_lines_are_the_lines_of_the_whole(
    rows: list[bytes],
    ends: bool,  # noqa: FBT001
    long: set[int],
    most: int,
) -> None:
    flaws = tuple(Flaw(line=3 + k, field="line", why="long") for k in sorted(long) if k < len(rows))
    piece = Piece(3, b"\n".join(rows) + b"\n" * ends, flaws)
    parts = list(cut(piece, most))
    assert [row for part in parts for row in numbered(part)] == list(numbered(piece))
    assert max(len(list(numbered(part))) for part in parts) <= most
