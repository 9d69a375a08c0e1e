"""Columnar files that stand for far more than they hold are refused in little memory."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from audit.errors import Refused, UnknownFormat
from audit.readers import _blocks, _footer, parquet
from audit.record import Flaw
from tests.test_engine import ROOT, limited

ROWS = 10_000
#: Enough for 300 MB where each row has it.
LONG = b"x" * 30_000


def repeated(value: pa.Array, rows: int) -> pa.Array:
    """Return *rows* times the one value of *value*."""
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), value)


def text_column() -> pa.Table:
    return pa.table({"game": repeated(pa.array([LONG.decode()]), ROWS)})


def hands_column() -> pa.Table:
    at = pa.array(np.arange(ROWS + 1, dtype=np.int32))
    cards = repeated(pa.array([LONG]), ROWS)
    game = repeated(pa.array(["bridge"]), ROWS)
    return pa.table({"game": game, "hands": pa.ListArray.from_arrays(at, cards)})


def plain_column() -> pa.Table:
    return pa.table(
        {"game": pa.array(["bridge"] * ROWS), "table": pa.array([LONG.decode()] * ROWS)}
    )


def one_row_of_many() -> pa.Table:
    count = 30_000_000
    at = pa.array(np.array([0, count], np.int32))
    cards = repeated(pa.array([b"\0"]), count)
    return pa.table({"game": ["bridge"], "hands": pa.ListArray.from_arrays(at, cards)})


def wide_values(names: str, value: pa.Array) -> pa.Table:
    """Return columns of which each is let be alone, and all of which together are not."""
    rows = 1 << 16
    columns = {name: repeated(value, rows) for name in names.split()}
    return pa.table({"game": repeated(pa.array(["bridge"]), rows), **columns})


def listed(value: bytes) -> pa.Table:
    at = pa.array(np.arange(ROWS + 1, dtype=np.int32) * 90)
    hands = pa.ListArray.from_arrays(at, repeated(pa.array([value]), 90 * ROWS))
    return pa.table({"game": repeated(pa.array(["bridge"]), ROWS), "hands": hands})


def views(kind: Any) -> pa.Array:
    """Return views that all show the same long text."""
    long = pa.array([LONG.decode()], pa.string_view()).buffers()
    shown = pa.py_buffer(long[1].to_pybytes()[:16] * ROWS)
    return pa.Array.from_buffers(kind, ROWS, [None, shown, long[2]])


def with_game(**columns: pa.Array) -> pa.Table:
    rows = len(next(iter(columns.values())))
    return pa.table({"game": repeated(pa.array(["bridge"]), rows), **columns})


def runs() -> pa.Array:
    end = pa.array([ROWS], pa.int32())
    return pa.RunEndEncodedArray.from_arrays(end, pa.array([LONG.decode()]))


def list_views() -> pa.Array:
    at, size = np.zeros(ROWS, np.int32), np.full(ROWS, 20_000, np.int32)
    return pa.ListViewArray.from_arrays(pa.array(at), pa.array(size), pa.array([b"\0"] * 20_000))


def parquet_of(table: pa.Table, path: Path, **options: Any) -> Path:
    pq.write_table(table, str(path), store_schema=False, **options)
    return path


def arrow_of(table: pa.Table, path: Path, compression: str | None = None) -> Path:
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_file(str(path), table.schema, options=options) as out:
        out.write_table(table)
    return path


BOMBS: dict[str, Callable[[Path], Path]] = {
    "texts": lambda p: parquet_of(text_column(), p / "x.parquet"),
    "texts, plain": lambda p: parquet_of(text_column(), p / "x.parquet", compression="none"),
    "cards": lambda p: parquet_of(hands_column(), p / "x.parquet"),
    "compressed": lambda p: parquet_of(
        plain_column(), p / "x.parquet", compression="zstd", use_dictionary=False
    ),
    "prefixes": lambda p: parquet_of(
        plain_column(),
        p / "x.parquet",
        use_dictionary=False,
        column_encoding={"game": "PLAIN", "table": "DELTA_BYTE_ARRAY"},
    ),
    "one row": lambda p: parquet_of(one_row_of_many(), p / "x.parquet"),
    "arrow texts": lambda p: arrow_of(text_column(), p / "x.arrow"),
    "arrow cards": lambda p: arrow_of(hands_column(), p / "x.arrow"),
    "fixed": lambda p: parquet_of(
        with_game(order_after_cut=repeated(pa.array([LONG], pa.binary(len(LONG))), ROWS)),
        p / "x.parquet",
    ),
    "nulls": lambda p: parquet_of(
        pa.table({"game": pa.nulls(30_000_000, pa.string())}), p / "x.parquet"
    ),
    "list": lambda p: parquet_of(listed(b"x" * 1000), p / "x.parquet"),
    "arrow nulls": lambda p: arrow_of(pa.table({"game": pa.nulls(10**9)}), p / "x.arrow"),
    "arrow views": lambda p: arrow_of(with_game(table=views(pa.string_view())), p / "x.arrow"),
    "arrow coded views": lambda p: arrow_of(
        with_game(
            table=pa.DictionaryArray.from_arrays(
                pa.array(np.arange(ROWS, dtype=np.int32)), views(pa.string_view())
            )
        ),
        p / "x.arrow",
    ),
    "arrow listed views": lambda p: arrow_of(
        with_game(
            hands=pa.ListArray.from_arrays(
                pa.array(np.arange(ROWS + 1, dtype=np.int32)), views(pa.binary_view())
            )
        ),
        p / "x.arrow",
    ),
    "arrow compressed": lambda p: arrow_of(plain_column(), p / "x.arrow", "zstd"),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_what_expands_is_refused_before_it_does(kind: str, tmp_path: Path) -> None:
    path = BOMBS[kind](tmp_path)
    got = limited("audit", str(path))
    assert got.returncode == 2, got.stderr
    assert "memory holds" not in got.stderr
    assert "Traceback" not in got.stderr
    with pytest.raises((Refused, UnknownFormat), match=r"expand|wrong type|many values|more than"):
        list(parquet.batches(path, "x"))


@pytest.mark.parametrize("column", [runs(), list_views()], ids=["runs", "list views"])
def test_types_that_may_repeat_are_wrong_types(column: pa.Array, tmp_path: Path) -> None:
    field = "table" if pa.types.is_run_end_encoded(column.type) else "hands"
    path = arrow_of(with_game(**{field: column}), tmp_path / "x.arrow")
    with pytest.raises(UnknownFormat, match="wrong type"):
        list(parquet.batches(path, "x"))


#: Prints the exit code and the most that was resident, in KiB.
MEASURED = """
import sys
from pathlib import Path
from audit.cli.main import outcome
code = outcome(["audit", sys.argv[1]])
peak = Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]
print(code, peak)
"""


@pytest.mark.parametrize(
    "table",
    [
        wide_values("gathered_order pack_order widow turnups runs board", pa.array([b"x" * 1000])),
        wide_values("table number time dealer pack_id irregularity", pa.array(["x" * 1000])),
        pa.table(
            {
                "game": ["bridge"] * (1 << 16),
                "hands": [[b"\0"]] * ((1 << 16) - 2) + [[b"\0"] * 99, [bytes(range(52))]],
            }
        ),
    ],
    ids=["cards", "texts", "hands"],
)
def test_many_rows_of_wide_values_are_read_in_little_memory(
    table: pa.Table, tmp_path: Path
) -> None:
    path = parquet_of(table, tmp_path / "x.parquet")
    got = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        env={"OPENBLAS_NUM_THREADS": "1", "PATH": "/usr/bin"},
    )
    code, peak = map(int, got.stdout.split()[-2:])
    assert code in (0, 1, 3), got.stderr
    assert peak < 200 << 10


def test_a_truth_is_no_place(tmp_path: Path) -> None:
    path = parquet_of(with_game(dealer_seat=pa.array([True] * 5)), tmp_path / "x")
    with pytest.raises(UnknownFormat, match="wrong type"):
        list(parquet.batches(path, "x"))


def beside(table: pa.Table, name: str, column: pa.Array) -> pa.Table:
    """Return *table* with a *column* of that *name* on either side of all others."""
    return table.add_column(0, name, column).append_column(f"{name}.y", column)


@pytest.mark.parametrize("name", ["game.x", "hands.list.element", "options.key_value", "game."])
@pytest.mark.parametrize("row_group_size", [1, 7, 5_000])
def test_a_name_with_a_point_is_no_part_of_a_column_of_a_deal(
    name: str, row_group_size: int, tmp_path: Path
) -> None:
    rows = 20
    options = pa.array([[("a", "b")]] * rows, pa.map_(pa.string(), pa.string()))
    hands = [[bytes([i]), bytes([20 + i])] for i in range(rows)]
    table = pa.table({"game": ["bridge"] * rows, "hands": hands, "options": options})
    foreign = pa.array([[{"a": 1, "b": "x"}]] * rows)
    path = parquet_of(beside(table, name, foreign), tmp_path / "x", row_group_size=row_group_size)
    *flaws, columns = parquet.batches(path, "x")
    (plain,) = parquet.batches(parquet_of(table, tmp_path / "y"), "y")
    assert [f.field for f in flaws if isinstance(f, Flaw)] == [name, f"{name}.y"]
    assert not isinstance(columns, Flaw)
    assert not isinstance(plain, Flaw)
    assert [columns.deal(i) for i in range(rows)] == [plain.deal(i) for i in range(rows)]
    with path.open("rb") as file, (tmp_path / "y").open("rb") as bare:
        assert list(parquet.read(file, "x")) == list(parquet.read(bare, "y"))


@pytest.mark.parametrize("write", [parquet_of, arrow_of])
def test_a_column_of_a_deal_that_stands_twice_is_refused(
    write: Callable[[pa.Table, Path], Path], tmp_path: Path
) -> None:
    columns = [pa.array(["bridge"]), pa.array(["A"]), pa.array(["B"])]
    path = write(pa.table(columns, names=["game", "dealer", "dealer"]), tmp_path / "x")
    with pytest.raises(UnknownFormat, match="dealer: a column that stands twice"):
        list(parquet.batches(path, "x"))
    with pytest.raises(UnknownFormat, match="stands twice"), path.open("rb") as file:
        list(parquet.read(file, "x"))
    path = write(pa.table(columns, names=["game", "other", "other"]), tmp_path / "x")
    assert [f.field for f in parquet.batches(path, "x") if isinstance(f, Flaw)] == ["other"] * 2


def test_a_foreign_column_with_a_point_in_its_name_is_not_read(tmp_path: Path) -> None:
    """A large one is let be as a large one of any other name is, and the long names are found."""
    names = repeated(pa.array([LONG.decode()]), 300)
    table = pa.table({"game": ["bridge"] * 300, "dealer": names})
    for name in ("unknown", "game.x", "dealer.list.element"):
        large = beside(table, name, repeated(pa.array([LONG.decode() * 1_000]), 300))
        *_, columns = parquet.batches(parquet_of(large, tmp_path / "x"), "x")
        assert not isinstance(columns, Flaw)
        assert columns.names == (LONG.decode(),)


def test_names_that_are_coded_views_are_read(tmp_path: Path) -> None:
    coded = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 0], pa.uint32()), pa.array(["A", "a name of some length"], pa.string_view())
    )
    table = with_game(dealer=coded, table=pa.array(["a", "b", "c"], pa.string_view()))
    (columns,) = parquet.batches(arrow_of(table, tmp_path / "x.arrow"), "x")
    assert not isinstance(columns, Flaw)
    assert [columns.names[k] for k in columns.dealer] == ["A", "a name of some length", "A"]


def test_lists_in_small_row_groups_are_read_together(tmp_path: Path) -> None:
    hands = [[bytes([i % 52])] * 2 for i in range(500)]
    table = pa.table({"game": ["bridge"] * 500, "hands": hands})
    (columns,) = parquet.batches(parquet_of(table, tmp_path / "x", row_group_size=1), "x")
    assert not isinstance(columns, Flaw)
    assert columns.hands[:, 1, 0].tolist() == [i % 52 for i in range(500)]


def test_long_values_that_fit_are_read(tmp_path: Path) -> None:
    names = repeated(pa.array([LONG.decode()]), 300)
    table = pa.table({"game": ["bridge"] * 300, "dealer": names})
    (columns,) = (c for c in parquet.batches(parquet_of(table, tmp_path / "x"), "x"))
    assert not isinstance(columns, Flaw)
    assert columns.names == (LONG.decode(),)


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "gzip"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_pages_are_followed_to_their_end(compression: str, version: str, tmp_path: Path) -> None:
    rows = 50_000
    table = pa.table({"game": ["bridge"] * rows, "number": [str(i) for i in range(rows)]})
    path = parquet_of(
        table,
        tmp_path / "x",
        compression=compression,
        data_page_version=version,
        row_group_size=20_000,
    )
    meta = pq.ParquetFile(str(path)).metadata
    with path.open("rb") as file:
        groups = _footer.groups(file)
        assert [g.rows for g in groups] == [20_000, 20_000, 10_000]
        for g, group in enumerate(groups):
            for k, chunk in enumerate(group.chunks):
                told = meta.row_group(g).column(k)
                assert ".".join(chunk.path) == told.path_in_schema
                found = list(_footer.pages(file, chunk))
                assert sum(p.values for p in found if not p.dictionary) == told.num_values
                headers = sum(p.bytes for p in found) - told.total_uncompressed_size
                assert -100 * len(found) < headers < 0
    got = [c for c in parquet.batches(path, "x") if not isinstance(c, Flaw)]
    assert sum(len(c) for c in got) == rows


def test_small_row_groups_are_read_together(tmp_path: Path) -> None:
    table = pa.table({"game": ["bridge"] * 900})
    path = parquet_of(table, tmp_path / "x", row_group_size=7)
    got = [c for c in parquet.batches(path, "x") if not isinstance(c, Flaw)]
    assert [len(c) for c in got] == [900]
    assert got[0].line.tolist() == list(range(1, 901))


@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
def test_blocks_of_an_arrow_file_are_measured(compression: str | None, tmp_path: Path) -> None:
    table = pa.table({"game": repeated(pa.array(["bridge"]), 5_000), "number": ["77"] * 5_000})
    with arrow_of(table, tmp_path / "x", compression).open("rb") as file:
        found = list(_blocks.blocks(file))
    assert len(found) == 2
    least = 5_000 * (4 + 4 + 4 + 2)  # and four bytes for each row
    assert least <= sum(b.unpacked for b in found) <= least + 1_000
    assert not any(b.refused for b in found)


@pytest.mark.parametrize("suffix", [".arrow", ".parquet"])
def test_a_damaged_file_is_a_clear_error_at_every_byte(suffix: str, tmp_path: Path) -> None:
    table = pa.table({"game": ["bridge"] * 4, "dealer": ["A"] * 4})
    path = tmp_path / f"x{suffix}"
    (arrow_of if suffix == ".arrow" else parquet_of)(table, path)
    whole = path.read_bytes()
    broken = tmp_path / f"y{suffix}"
    for at in range(6, len(whole)):
        byte = (0, 255, whole[at] ^ 1)[at % 3]
        broken.write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
        with suppress(UnknownFormat, Refused):
            list(parquet.batches(broken, "x"))
        with suppress(UnknownFormat, Refused), broken.open("rb") as file:
            list(parquet.read(file, "x"))


def test_a_text_that_is_none_is_one_flaw(tmp_path: Path) -> None:
    wrong = pa.array([b"A", b"\xff", b"A"]).view(pa.string())
    table = pa.table({"game": ["bridge"] * 3, "dealer": wrong, "table": wrong})
    path = parquet_of(table, tmp_path / "x")
    with path.open("rb") as file:
        rows = list(parquet.read(file, "x"))
    assert [isinstance(r, Flaw) for r in rows] == [False, True, False]
    (columns,) = parquet.batches(path, "x")
    assert not isinstance(columns, Flaw)
    assert columns.names == ("A", "\ufffd")


def test_a_number_of_the_thrift_protocol_has_an_end() -> None:
    with pytest.raises(ValueError, match="ten bytes"):
        _footer.Compact(b"\xff" * 20).varint()
    with pytest.raises(ValueError, match="deeply"):
        _footer.Compact(b"\x1c" * 40).struct()
    with pytest.raises(ValueError, match="outside"):
        _blocks._Flat(b"\x10\0\0\0" * 3, 0)
    with pytest.raises(struct.error):
        _blocks._Flat(b"\0", 0)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x15\x02\x05\x02\x04\0", "twice"),
        (b"\x05\x82\x80\x08\x02\0", "more bits"),
        (b"\x15\x80\x80\x80\x80\x20\0", "more bits"),
    ],
    ids=["again", "field 65537", "33 bits"],
)
def test_what_two_readers_take_differently_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        _footer.Compact(data).struct()


def header(*fields: tuple[int, int, bytes]) -> bytes:
    """Return a struct of fields (number, kind, bytes) in the compact protocol."""
    return b"".join(bytes([kind, 2 * n]) + data for n, kind, data in fields) + b"\0"


def page(kind: int, *parts: tuple[int, bytes], size: tuple[int, bytes] = (5, b"\0")) -> bytes:
    """Return a page header of this *kind* that tells of no bytes and has these *parts*."""
    told = [(1, 5, bytes([2 * kind])), (2, *size), (3, 5, b"\0")]
    return header(*told, *[(n, 12, data) for n, data in parts])


ONE = header((1, 5, b"\2"), (2, 5, b"\0"), (4, 5, b"\x0e"))


@pytest.mark.parametrize(
    "data",
    [
        page(1, (5, ONE)),
        page(0, (8, ONE)),
        page(3, (5, ONE)),
        page(0, (5, ONE), size=(6, b"\0")),
        page(0, (5, header((1, 6, b"\2"), (2, 5, b"\0")))),
        page(0, (5, header((1, 5, b"\4"), (2, 5, b"\0")))),
        b"",
    ],
    ids=["index", "other form", "older form", "wide size", "wide count", "too many", "too few"],
)
def test_pages_that_another_reader_would_count_otherwise_are_refused(
    data: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    chunk = _footer.Chunk(path=("game",), codec=0, values=1, start=0, packed=len(data))
    with path.open("rb") as file, pytest.raises((ValueError, IndexError)):
        list(_footer.pages(file, chunk))


def test_both_forms_in_one_header_count_as_the_kind_says(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(data := page(3, (5, header((1, 5, b"\6"), (2, 5, b"\0"))), (8, ONE)))
    chunk = _footer.Chunk(path=("game",), codec=0, values=1, start=0, packed=len(data))
    with path.open("rb") as file:
        (found,) = _footer.pages(file, chunk)
    assert (found.values, found.encoding) == (1, 7)


def test_a_footer_of_very_many_parts_is_refused_before_it_is_held(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    schema = b"\x29\xfc" + b"\xc0\x96\xb1\x02" + b"\x48\0\0" * 5_000_000
    footer = schema + b"\0"
    path.write_bytes(b"PAR1" + footer + struct.pack("<I", len(footer)) + b"PAR1")
    got = limited("audit", str(path))
    assert got.returncode == 2
    assert "parquet: damaged" in got.stderr
