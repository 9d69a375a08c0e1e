"""The two native readers: any bytes give records or flaws, never a traceback."""

from __future__ import annotations

import json
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.errors import UnknownFormat, UsageError
from audit.format import lines
from audit.readers import READERS, parquet, secretary
from audit.readers._schema import HERE, csv_header, files, json_schema
from audit.readers.jsonl import encode
from audit.record import Counts, Deal, Flaw, Other, Record

SAMPLE = {
    "jsonl": b'{"game":"seven_up_2","number":"1","dealer":"ann","turnups":"JC"}\n{"game":7}\n',
    "secretary": b"deal,dealer,turnup,hand_1\n1,ann,JC,2S 3S\n2,bob,??,\n",
}


@pytest.mark.parametrize("name", sorted(SAMPLE))
@given(noise=st.binary(max_size=200), at=st.integers(0, 120))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_any_bytes_are_records_or_flaws(name: str, noise: bytes, at: int) -> None:
    data = SAMPLE[name][:at] + noise + SAMPLE[name][at:]
    for record in READERS[name].read(BytesIO(data), "x"):
        assert isinstance(record, Deal | Flaw | Counts | Other)


@pytest.mark.parametrize("name", sorted(SAMPLE))
def test_one_good_row_and_one_flaw_are_both_kept(name: str) -> None:
    kinds = [type(r).__name__ for r in READERS[name].read(BytesIO(SAMPLE[name]), "x")]
    assert kinds == ["Deal", "Flaw"]


@pytest.mark.parametrize(
    "line",
    [
        b'{"game":"bridge","players":-1}',
        b'{"game":"bridge","players":99999999999}',
        b'{"game":"bridge","hands":"AS"}x',
        b'{"game":"bridge","surprise":1}',
        b'{"game":null}',
        b"[" * 100,
    ],
)
def test_a_line_that_is_no_deal_is_one_flaw(line: bytes) -> None:
    records = list(READERS["jsonl"].read(BytesIO(line), "x"))
    assert [type(r).__name__ for r in records] == ["Flaw"]


def read(name: str, text: str | bytes) -> list[Record]:
    data = text.encode() if isinstance(text, str) else text
    return list(READERS[name].read(BytesIO(data), "x"))


def kinds(name: str, text: str) -> list[str]:
    return [type(r).__name__ for r in read(name, text)]


def test_a_column_that_stands_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="stands twice in the header"):
        read("secretary", "deal,dealer,turnup,Dealer\n1,ann,2S,bob\n")
    assert kinds("secretary", "deal,dealer,turnup,,\n1,ann,2S,,\n").count("Deal") == 1


def test_turnup_and_turnups_that_disagree_are_a_flaw() -> None:
    rows = "deal,dealer,turnup,turnups\n1,ann,2S,3S 2S\n2,ann,2S,2S 3S\n3,ann,,2S 3S\n"
    assert kinds("secretary", rows) == ["Flaw", "Deal", "Deal"]


def test_an_open_quote_spoils_its_own_row_only() -> None:
    rows = 'deal,dealer,turnup\n1,"ann,2S\n2,"bob, the elder",3S\n3,ann,4S\n'
    assert kinds("secretary", rows) == ["Flaw", "Deal", "Deal"]
    assert [r.line for r in read("secretary", rows)] == [2, 3, 4]


@pytest.mark.parametrize("players", ["1_0", "٤", "0", "100", "4.0", "+4"])
def test_players_are_written_in_plain_digits(players: str) -> None:
    assert kinds("secretary", f"deal,dealer,turnup,players\n1,ann,2S,{players}\n") == ["Flaw"]


@pytest.mark.parametrize(
    "deal",
    [
        Deal(game="bridge", number="0", dealer="0", table="unknown"),
        Deal(game="", dealer="unknown", time="", irregularity="0"),
        Deal(game="bridge", options={"pack": "0"}, cut_short=True, dealt_by="machine"),
        Deal(game="bridge", hands=(b"\x00\xff", b""), turnups=b"\x00", order_after_cut=b""),
    ],
)
def test_what_is_written_is_read_back(deal: Deal) -> None:
    back = read("jsonl", encode(deal))
    assert back == [msgspec.structs.replace(deal, line=1)]


def test_a_count_that_no_room_turns_is_a_flaw() -> None:
    rows = "card,turned\n2S,1000000000001\n3S,5\n"
    assert kinds("turnup_counts", rows) == ["Flaw", "Flaw"]


def test_the_generated_files_are_current() -> None:
    for name, text in files().items():
        assert (HERE / name).read_text(encoding="utf-8") == text, name


def test_a_line_of_a_log_keeps_to_the_schema() -> None:
    deal = Deal(game="bridge", players=4, hands=(b"\x01",), dealt_by="person", options={"a": "b"})
    jsonschema.validate(json.loads(encode(deal)), json_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"game": "bridge", "surprise": 1}, json_schema())


def test_a_written_csv_has_the_generated_columns() -> None:
    out = StringIO()
    hands = (b"\x00", b"")
    deal = Deal(game="seven_up_2", number="1", dealer="ann, x", hands=hands, turnups=b"\x01")
    secretary.write(out, [deal])
    header = out.getvalue().splitlines()[0]
    assert set(header.split(",")) - {"hand_2"} == set(csv_header().strip().split(","))
    back = read("secretary", out.getvalue())
    assert [(d.number, d.dealer, d.hands) for d in back if isinstance(d, Deal)] == [
        ("1", "ann, x", hands)
    ]


def small_file(path: Path, **columns: Any) -> Path:
    batch = pa.record_batch({k: pa.array(*v) for k, v in columns.items()})
    with pa.ipc.new_file(str(path), batch.schema) as out:
        out.write_batch(batch)
    return path


def test_rows_and_columns_of_an_arrow_file_agree(tmp_path: Path) -> None:
    path = small_file(
        tmp_path / "x.arrow",
        game=(["seven_up_2"] * 5, pa.string()),
        players=([2, None, 0, 2, 100], pa.int64()),
        hands=([[b"\x00\x01", None], None, [], [b"\x00" * 80], []], pa.list_(pa.binary())),
        turnups=([b"\x05", None, b"", b"\x40", b"\x01"], pa.binary()),
        dealer=(["a", "", None, "b", "a"], pa.string()),
    )
    rows = read("parquet", path.read_bytes())
    found = list(parquet.batches(path, "x"))
    columns = [part for part in found if not isinstance(part, Flaw)]
    assert [f.line for f in found if isinstance(f, Flaw)] == [3, 4, 5]
    assert [columns[0].deal(i).dealer for i in range(2)] == ["a", None]
    assert columns[0].deal(0).hands == (b"\x00\x01", b"")
    assert [type(r).__name__ for r in rows] == ["Flaw", "Deal", "Flaw", "Flaw", "Flaw"]


def test_a_damaged_or_strange_columnar_file_is_one_clear_error(tmp_path: Path) -> None:
    bad = tmp_path / "x.parquet"
    bad.write_bytes(b"PAR1" + b"x" * 100)
    with pytest.raises(UnknownFormat, match="damaged"):
        list(parquet.batches(bad, "x"))
    odd = small_file(tmp_path / "y.arrow", game=([{"a": 1}],))
    with pytest.raises(UnknownFormat, match="wrong type"):
        list(parquet.batches(odd, "x"))


def test_the_game_may_stand_in_the_metadata(tmp_path: Path) -> None:
    table = pa.table({"turnups": pa.array([b"\x01"], pa.binary())}, metadata={"game": "seven_up_2"})
    pq.write_table(table, str(tmp_path / "x.parquet"))
    (columns,) = parquet.batches(tmp_path / "x.parquet", "x")
    assert not isinstance(columns, Flaw)
    assert columns.deal(0).game == "seven_up_2"


LONG = b"x" * (1 << 20)


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b"\xef\xbb\xbfa\r\nb\rc\n\nd", [b"a", b"b", b"c", b"", b"d"]),
        (b"", []),
        (b"\xef\xbb", [b"\xef\xbb"]),
        (b"a\n" + LONG + b"\nb\n", [b"a", LONG, b"b"]),
        (b"a\n" + LONG + b"y\nb\n", [b"a", None, b"b"]),
        (LONG * 3, [None]),
        (LONG * 3 + b"\r\nb", [None, b"b"]),
    ],
)
@pytest.mark.parametrize("step", [1 << 18, 1 << 20, 7919])
def test_lines_are_cut_alike_however_the_stream_comes(
    data: bytes, wanted: list[bytes | None], step: int
) -> None:
    class Slow(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or step, step))

    found = list(lines(Slow(data)))
    assert [n for n, _ in found] == list(range(1, len(wanted) + 1))
    assert [None if isinstance(raw, Flaw) else raw for _, raw in found] == wanted
