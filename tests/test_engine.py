"""The engine: any cut, any number of processes, any form of a log give the same report."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from audit.cli.main import outcome
from audit.columns import columns_of, derived
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._simulate import simulate
from audit.lab._table import Table
from audit.play import PLAY
from audit.readers import parquet
from audit.readers.jsonl import encode
from audit.record import Deal, Holds, weakest
from audit.run import spill
from audit.run.audit import audit
from audit.run.exchange import Exchange, kept_before, settle
from audit.run.integrity import fault, suspects, unwieldy
from audit.run.joining import join
from audit.run.keys import Keys

LAW = GAMES["seven_up_2"]
ROOT = Path(__file__).resolve().parents[1]


def simulated(deals: int, *, crook: str = "fair", dial: int = 0, game: str = "seven_up_4") -> Table:
    return simulate(GAMES[game], LAB[crook], deals, Fraction(dial), 7, player=PLAY["sensible"])


def written(path: Path, deals: list[Deal]) -> str:
    if path.suffix in (".parquet", ".arrow"):
        parquet.write(path, deals, arrow=path.suffix == ".arrow")
    else:
        path.write_bytes(b"".join(encode(d) + b"\n" for d in deals))
    return str(path)


def report(*paths: str, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = audit(list(paths), form=None, game=None, **options)
    back: dict[str, Any] = json.loads(json.dumps(found))
    return back


def evidence(found: dict[str, Any]) -> dict[str, Any]:
    """Return what a report says of the deals, not of the file that they lie in."""
    return {k: v for k, v in found.items() if k != "inputs"}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    deals = list(simulated(700, crook="turned_jacks", dial=1).records())
    deals[300:300] = deals[:40]
    return written(tmp_path_factory.mktemp("log") / "log.jsonl", deals)


@pytest.mark.parametrize("block", [1, 7, 64, 740])
def test_any_cut_gives_the_same_report(log: str, block: int) -> None:
    assert report(log, block=block) == report(log)


def test_any_number_of_processes_gives_the_same_report(log: str) -> None:
    assert report(log, jobs=2, block=100) == report(log, jobs=1)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_columns_give_the_report_that_rows_give(log: str, tmp_path: Path, suffix: str) -> None:
    copy = str(tmp_path / f"copy{suffix}")
    assert outcome(["convert", log, "-o", copy]) == 0
    assert evidence(report(copy)) == evidence(report(log))
    assert outcome(["convert", copy, "-o", str(tmp_path / "back.jsonl")]) == 0
    assert (tmp_path / "back.jsonl").read_bytes() == Path(log).read_bytes()


@pytest.mark.parametrize("game", ["seven_up_2", "seven_up_3", "seven_up_4"])
def test_hands_and_first_turn_up_follow_from_the_order(game: str) -> None:
    full = list(simulated(50, game=game).records())
    bare = [
        Deal(
            game=d.game,
            order_after_cut=d.order_after_cut,
            players=d.players,
            dealer_seat=d.dealer_seat,
        )
        for d in full
    ]
    got = derived(columns_of(bare, {}), GAMES[game], 52)
    assert [got.deal(i).hands for i in range(50)] == [d.hands for d in full]
    assert [got.turnups[i] for i in range(50)] == [d.turnups[:1] for d in full]


def test_without_the_dealer_s_place_the_order_gives_the_turn_up_only() -> None:
    first = next(iter(simulated(1).records()))
    bare = Deal(game="seven_up_4", order_after_cut=first.order_after_cut, players=4)
    got = derived(columns_of([bare], {}), GAMES["seven_up_4"], 52)
    assert (got.deal(0).hands, got.turnups[0]) == ((), first.turnups[:1])


@pytest.mark.parametrize("deals", [2100, 4200])
def test_a_long_fair_log_is_clear(tmp_path: Path, deals: int) -> None:
    # So many hands that are not the best one once overflowed their sum.
    path = written(tmp_path / "fair.parquet", list(simulated(deals).records()))
    found = report(path)
    assert found["verdict"] == "clear"
    assert abs(found["flag"]["sum_log10"]) < 3


def nights(path: Path, turns: str) -> str:
    rows = [f"{i},ann,1,{card}" for i, card in enumerate(turns.split(), start=1)]
    path.write_text("\n".join(["deal,dealer,table,turnup", *rows]))
    return str(path)


def test_numbers_join_nothing_across_nights(tmp_path: Path) -> None:
    one = nights(tmp_path / "a.csv", "2S 3S 4S")
    two = nights(tmp_path / "b.csv", "2S 3H 4S 5S")
    assert [r["deals"] for r in report(one, two)["inputs"]] == [3, 4]


def test_the_same_file_twice_counts_once(tmp_path: Path) -> None:
    one, two = (nights(tmp_path / n, "2S 3S 4S") for n in ("a.csv", "b.csv"))
    found = report(one, two)
    assert [r["deals"] for r in found["inputs"]] == [3, 0]
    assert found["inputs"][0]["repeated_records"] == 3


def half_told(how: str, deals: list[Deal]) -> list[Deal]:
    """Return *deals*, of which all but four are told by halves, as *how* says."""
    if how == "no dealer":
        less = [replace(d, dealer=None, dealer_seat=None) for d in deals]
    elif how == "no declarer":
        less = [replace(d, declarer=None) for d in deals]
    elif how == "no hands":
        less = [replace(d, hands=()) for d in deals]
    else:
        less = [replace(d, hands=(), turnups=b"") for d in deals]
    return deals[:4] + less[4:]


@pytest.mark.parametrize("how", ["no dealer", "no declarer", "no hands", "no cards"])
def test_a_thin_record_hides_no_full_one_of_another_input(tmp_path: Path, how: str) -> None:
    """Named first, a few true deals and many empty ones hid what another scribe wrote.

    Without the declarer nobody would know that hands were turned towards one place.
    """
    deals = [
        replace(d, order_after_cut=None, events=(), table="T", number=str(i), declarer=2)
        for i, d in enumerate(simulated(100).records())
    ]
    paths = []
    for name, some in (("full", deals), ("thin", half_told(how, deals))):
        paths.append(str(tmp_path / f"{name}.jsonl"))
        Path(paths[-1]).write_bytes(b"".join(encode(d) + b"\n" for d in some))
    alone, first, last = report(paths[0]), report(*paths), report(*paths[::-1])
    assert [r["deals"] for r in first["inputs"]] == [100, 0]
    assert [r["deals"] for r in last["inputs"]] == [4, 96]
    assert first["flag"] == last["flag"] == alone["flag"]


def test_records_with_nothing_in_common_are_kept_where_both_show_cards() -> None:
    """Made-up hands of other places hid those that another scribe wrote."""
    law, deals = GAMES["seven_up_2"], []
    for i in range(8):
        hands = bytes(range(6)), bytes(range(6, 12))
        both = Deal(game=law.id, table="T", number=str(i), hands=hands)
        one, other = (hands[0], b""), (b"", hands[1])
        deals += [both, both] if i < 4 else [replace(both, hands=h) for h in (one, other)]
    assert len(join(deals, law, [0, 1] * 8).deals) == 4 + 2 * 4


CARDS = st.sampled_from([0, 1, 2, 3, 4, 5])
HANDS = st.sampled_from([b"", bytes(range(6)), bytes(range(6, 12)), b"\x00\x01\xff"])


@st.composite
def small_deals(draw: st.DrawFn) -> Deal:
    order = draw(st.sampled_from([None, bytes(range(52)), bytes(range(51, -1, -1))]))
    hands = draw(st.sampled_from([(), (bytes(range(10)), bytes(range(10, 20)))]))
    if not hands and draw(st.booleans()):
        hands = (draw(HANDS), draw(HANDS))
    return Deal(
        game="holdem",
        table=draw(st.sampled_from([None, "1", "2"])),
        number=draw(st.sampled_from([None, "1", "2", "3"])),
        time=draw(st.sampled_from([None, None, "8"])),
        dealer=draw(st.sampled_from([None, "", "ann"])),
        dealer_seat=draw(st.sampled_from([None, 1])),
        declarer=draw(st.sampled_from([None, 2])),
        order_after_cut=order,
        hands=hands,
        turnups=bytes(draw(st.lists(CARDS, max_size=2))),
    )


#: One record tells all there is beside the cards, the other only a hand more.
TELLS = Deal(
    game="holdem",
    number="1",
    dealer="ann",
    dealer_seat=1,
    declarer=2,
    order_after_cut=bytes(range(52)),
    turnups=b"\x00",
)
SHOWS = Deal(game="holdem", number="1", hands=(bytes(range(6)), b""), turnups=b"\x00")


@example(deals=[TELLS, SHOWS], twice=False, cuts=1, held=0, hand=6, enough=1)
@example(deals=[SHOWS, TELLS], twice=False, cuts=1, held=0, hand=6, enough=1)
@given(
    deals=st.lists(small_deals(), max_size=14),
    twice=st.booleans(),
    cuts=st.integers(1, 5),
    held=st.sampled_from([0, 3, 100]),
    hand=st.sampled_from([6, 10]),
    enough=st.sampled_from([1, 2, 4]),
)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_the_exchange_joins_as_the_plain_rule_does(
    tmp_path_factory: pytest.TempPathFactory,
    deals: list[Deal],
    twice: bool,  # noqa: FBT001
    cuts: int,
    held: int,
    hand: int,
    enough: int,
) -> None:
    """Each cut is an input of its own, and with *twice* the first few deals stand in two."""
    deals = deals + deals[:cuts] if twice else deals
    inputs = [i // cuts for i in range(len(deals))]
    folder = tmp_path_factory.mktemp("exchange")
    keys = Keys(_law_of_hand(hand))
    numbers = Exchange(folder, "n", keys.number_row, held)
    contents = Exchange(folder, "c", keys.content_row, held)
    for start in range(0, len(deals), cuts):
        columns = columns_of(deals[start : start + cuts], {})
        numbers.add(keys.numbers(columns, start, str(start), start // cuts))
        contents.add(keys.contents(columns, start))
    dropped = np.zeros(len(deals), np.bool_)
    with (
        patch("audit.run.exchange.RESTATES", enough),
        patch("audit.run.joining.RESTATES", enough),
    ):
        records, repeats = settle(numbers, contents, dropped)
        plain = join(deals, _law_of_hand(hand), inputs)
    assert [d for d, gone in zip(deals, dropped, strict=True) if not gone] == plain.deals
    assert records == plain.repeated_records
    before = kept_before(dropped, repeats[:, 1]).tolist()
    found = [(b, deals[f], deals[a]) for b, (f, a) in zip(before, repeats, strict=True)]
    assert found == plain.repeats


def _law_of_hand(hand: int) -> Any:
    from dataclasses import replace

    from audit.plan import Deal as Deal_step

    return replace(GAMES["seven_up_2"], plan=(Deal_step(cards=hand),))


@st.composite
def odd_deals(draw: st.DrawFn) -> Deal:
    cards = st.sampled_from([0, 1, 2, 13, 26, 51, 255])
    few = st.lists(cards, max_size=7).map(bytes)
    order = list(range(52))
    if draw(st.booleans()):
        order[draw(st.integers(0, 51))] = draw(cards)
    return Deal(
        game="seven_up_2",
        players=draw(st.sampled_from([None, 1, 2, 3])),
        order_after_cut=draw(st.sampled_from([None, bytes(order), bytes(order[:30])])),
        hands=tuple(draw(st.lists(few, max_size=3))),
        widow=draw(few),
        turnups=draw(few),
        runs=draw(few),
        board=draw(few),
    )


@given(deals=st.lists(odd_deals(), min_size=1, max_size=6), stripped=st.booleans())
@settings(max_examples=400, deadline=None, derandomize=True)
def test_no_fault_escapes_the_look_at_whole_blocks(deals: list[Deal], stripped: bool) -> None:  # noqa: FBT001
    pack = tuple(range(1, 53 - 1)) if stripped else LAW.pack
    faults = [
        fault(d, LAW, pack, max(d.players or len(d.hands) or 2, LAW.players[0])) for d in deals
    ]
    for deal, why in zip(deals, faults, strict=True):
        if unwieldy(deal, LAW, pack):
            assert why is not None
    tame = [(d, f) for d, f in zip(deals, faults, strict=True) if not unwieldy(d, LAW, pack)]
    if tame:
        looked = suspects(columns_of([d for d, _ in tame], {}), LAW, pack)
        assert all(looked[i] for i, (_, why) in enumerate(tame) if why is not None)


def test_a_good_block_has_no_suspect() -> None:
    columns = columns_of(list(simulated(60).records()), {})
    assert not suspects(columns, GAMES["seven_up_4"], GAMES["seven_up_4"].pack).any()


def test_a_block_reads_back_as_it_was_written(tmp_path: Path) -> None:
    deals = list(simulated(20).records())
    columns = columns_of(deals, {})
    block = spill.write(tmp_path / "b", columns, start=0, of_input=0)
    back = spill.read(block, columns.names)
    assert [back.deal(i) for i in range(20)] == deals


def test_the_weakest_claim_stands_for_several_inputs() -> None:
    strong = Holds(order="dealt", exposure="dealt", turnup="seen", numbered=True)
    weak = Holds(order="sorted", exposure="owner", turnup="claimed", selection="kept")
    assert weakest([strong]) == strong
    both = weakest([strong, weak])
    assert (both.order, both.exposure, both.turnup) == ("sorted", "owner", "claimed")
    assert (both.numbered, both.selection) == (False, "kept")
    assert weakest([weak, strong]) == both
    assert weakest([strong, Holds(turnup="none")]).turnup == "seen"


def test_several_inputs_are_judged_by_the_weakest(tmp_path: Path, log: str) -> None:
    other = nights(tmp_path / "b.csv", "2S 3H 4S 5S")
    found = report(log, other)
    assert found["inputs"][0]["holds"]["exposure"] == "dealt"
    assert [r["deals"] for r in found["inputs"]] == [700, 4]


def test_an_interrupt_leaves_nothing_behind(
    log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("audit.run.audit.judge_all", stop)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert outcome(["audit", log, "--json", str(tmp_path / "r.json")]) == 130
    assert list(tmp_path.iterdir()) == []


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20))
from msgspec.structs import replace

from audit.cli.main import outcome
code = outcome(sys.argv[1:])
with open("/proc/self/status") as status:
    peak = next(int(row.split()[1]) for row in status if row.startswith("VmHWM"))
sys.exit(code if peak < 200 << 10 else 99)
"""


def limited(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in 200 MB."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={"OPENBLAS_NUM_THREADS": "1", "PATH": "/usr/bin"},
    )


def hostile(kind: str) -> Iterator[bytes]:
    row = b'{"game":"seven_up_2","turnups":"2S"}\n'
    if kind == "line":
        yield row
        for _ in range(300):
            yield b"[" * (1 << 20)
        yield b"\n" + row
    else:
        yield row + b'{"game":' + b"[" * 65 + b"]" * 65 + b"}\n" + row


@pytest.mark.parametrize("kind", ["line", "nesting"])
def test_a_hostile_line_is_one_flaw_in_little_memory(tmp_path: Path, kind: str) -> None:
    path, out = tmp_path / "x.jsonl", tmp_path / "r.json"
    with path.open("wb") as file:
        file.writelines(hostile(kind))
    got = limited("audit", str(path), "--json", str(out))
    assert got.returncode == 0, got.stderr
    row = json.loads(out.read_text())["inputs"][0]
    assert (row["records"], row["flaws"], row["deals"]) == (3, 1, 2)


def bomb(path: Path) -> Path:
    with gzip.open(path, "wb") as out:
        out.write(b'{"game":"seven_up_2","turnups":"2S"}\n')
        for _ in range(400):
            out.write(b"\n" * (1 << 20))
    return path


def test_what_expands_over_200_times_is_refused_in_little_memory(tmp_path: Path) -> None:
    got = limited("audit", str(bomb(tmp_path / "b.jsonl.gz")))
    assert got.returncode == 2
    assert "expands more than 200 times" in got.stderr
    assert "Traceback" not in got.stderr


def test_a_compressed_log_is_read_as_it_is(log: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(Path(log).read_bytes()))
    assert evidence(report(str(path))) == evidence(report(log))
    path.write_bytes(path.read_bytes()[:-900])
    assert outcome(["audit", str(path)]) == 2


def test_zstd_is_read_where_the_extra_is_installed(log: str, tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    path = tmp_path / "log.jsonl.zst"
    path.write_bytes(zstandard.compress(Path(log).read_bytes()))
    assert evidence(report(str(path))) == evidence(report(log))
    path.write_bytes(zstandard.compress(b'{"game":"bridge"}\n' + b"\n" * (1 << 27)))
    assert outcome(["audit", str(path)]) == 2


def test_a_compressed_parquet_is_read(log: str, tmp_path: Path) -> None:
    plain = tmp_path / "log.parquet"
    assert outcome(["convert", log, "-o", str(plain)]) == 0
    packed = tmp_path / "log.parquet.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert evidence(report(str(packed))) == evidence(report(log))


def test_counts_too_large_to_add_are_refused(tmp_path: Path) -> None:
    rows = [f"s{i},{r}{s},1000000000000" for i in range(300) for r in "23456789T" for s in "SHDC"]
    path = tmp_path / "c.csv"
    path.write_text("\n".join(["stock,card,turned", *rows]))
    assert outcome(["audit", str(path)]) == 2
