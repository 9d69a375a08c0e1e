"""Columnar files that stand for far more than they hold are refused in little memory."""

from __future__ import annotations

import struct
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
from tests.test_engine import limited

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
    "arrow compressed": lambda p: arrow_of(plain_column(), p / "x.arrow", "zstd"),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_what_expands_is_refused_before_it_does(kind: str, tmp_path: Path) -> None:
    path = BOMBS[kind](tmp_path)
    got = limited("audit", str(path))
    assert got.returncode == 2, got.stderr
    assert "memory holds" not in got.stderr
    assert "Traceback" not in got.stderr
    with pytest.raises(Refused):
        list(parquet.batches(path, "x"))


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
                assert chunk.leaf == told.path_in_schema
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
    least = 5_000 * (4 + 4 + 2)
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
