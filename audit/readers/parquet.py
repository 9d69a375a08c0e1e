"""Deals as columns: Parquet and Arrow IPC files in the schema of `record.Deal`.

Cards are bytes of card numbers, `order_after_cut` of fixed size.  Every column
but the game may be absent, and the game may stand in the schema's metadata.
pyarrow is an extra and is imported only where such a file is met.
"""

from __future__ import annotations

import struct
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec

from audit.columns import Columns
from audit.errors import Refused, UnknownFormat, printable
from audit.format import PIECE, Reader, Stream
from audit.readers import _blocks, _footer, _pages
from audit.readers._arrow_out import ROWS
from audit.readers._arrow_out import write as write
from audit.readers._rows import MOST_CARDS, MOST_HANDS, Rows
from audit.readers._schema import arrow_types, pyarrow_for
from audit.record import Deal, Flaw, Holds, Record

#: A column of a deal has two leaves at most, the keys and values of a map.
_LEAVES = 2
#: Bytes that the hands of the rows in memory take, each row being as wide as the widest.
_HELD = 1 << 23
_PARQUET, _ARROW = b"PAR1", b"ARROW1"


def _magic(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(6)


def _schema(pa: Any, path: Path, name: str) -> Any:
    """Return the schema of a file, its footer read before the library trusts it.

    Raises: UnknownFormat where it is damaged or a column of a deal of another type or twice there.
    """
    try:
        if _magic(path) == _ARROW:
            with pa.OSFile(str(path)) as source, pa.ipc.open_file(source) as reader:
                schema = reader.schema
        else:
            with path.open("rb") as file:
                _footer.groups(file)
            schema = pa.parquet.read_schema(str(path), memory_map=False)
        fields = [(f.name, f.type, str(f.type)) for f in schema]
    except (pa.ArrowException, OSError, ValueError, IndexError, struct.error) as err:
        raise _damaged(name, err) from err
    types = arrow_types(52)
    for field, kind, got in fields:
        if field not in types:
            continue
        if schema.names.count(field) > 1:
            raise UnknownFormat(name, field, "a column that stands twice")
        # A truth is no number of a place and no text, though it can be cast to either.
        truth = pa.types.is_boolean(kind) and types[field] != "bool"
        if truth or not _pages.usable(pa, kind):
            raise UnknownFormat(name, printable(field), "wrong type", types[field], got)
    return schema


def _damaged(name: str, err: Exception) -> UnknownFormat:
    return UnknownFormat(name, "parquet", "damaged", "a whole file", str(err).split("\n")[0])


def _tables(pa: Any, path: Path, name: str) -> Iterator[Any]:
    """Yield record batches of at most `ROWS` rows with their schema's metadata."""
    _schema(pa, path, name)
    magic = _magic(path)
    try:
        for batch in (_arrow_batches if magic == _ARROW else _parquet_batches)(pa, path, name):
            total, known = 0, arrow_types(52)
            for column, field in zip(batch.columns, batch.schema.names, strict=True):
                if field not in known:
                    continue
                total += _pages.expanded(pa, column)
                if total > _pages.MOST:
                    why = f"repeated values expand to more than {_pages.MOST >> 20} MiB"
                    raise Refused(name, printable(field), why)
            yield batch
    except MemoryError as err:
        raise Refused(name, "parquet", "expands to more than the memory holds") from err
    except (pa.ArrowException, OSError, ValueError, IndexError, struct.error, KeyError) as err:
        raise _damaged(name, err) from err


def _arrow_batches(pa: Any, path: Path, name: str) -> Iterator[Any]:
    with path.open("rb") as file:
        for block in _blocks.blocks(file):
            if block.refused:
                raise Refused(name, "arrow", block.refused)
    with pa.OSFile(str(path)) as source, pa.ipc.open_file(source) as reader:
        for k in range(reader.num_record_batches):
            batch = reader.get_batch(k)
            # Offsets in a damaged file may point outside of its memory.
            batch.validate(full=True)
            _ = batch.schema.names
            for start in range(0, batch.num_rows, ROWS):
                yield batch.slice(start, ROWS)


def _parquet_batches(pa: Any, path: Path, name: str) -> Iterator[Any]:
    """Yield the rows of a Parquet file, after the pages of each part of it were measured."""

    def opened(coded: list[int], meta: Any = None) -> Any:
        return pa.parquet.ParquetFile(
            str(path), memory_map=False, pre_buffer=False, read_dictionary=coded, metadata=meta
        )

    types = arrow_types(52)
    with opened([]) as source, path.open("rb") as file:
        groups, meta = _footer.groups(file), source.metadata
        names = [n for n in source.schema_arrow.names if n in types]
        if not names:
            raise UnknownFormat(name, "parquet", "no column of a deal", "a column `game`")
        paths = [c.path for g in groups[:1] for c in g.chunks]
        leaves = Counter(path[0] for path in paths)
        if wide := next((n for n in names if leaves[n] > _LEAVES), ""):
            raise UnknownFormat(name, printable(wide), "wrong type", types[wide])
        if [g.rows for g in groups] != [meta.row_group(k).num_rows for k in range(len(groups))]:
            raise ValueError("a footer that can be read in two ways")
        if groups and [tuple(path) for path in source.reader.column_paths] != paths:
            raise ValueError("a schema that can be read in two ways")
        # By number, for by name the library takes `game.x` for a part of `game`.
        taken = [k for k, path in enumerate(paths) if path[0] in names]
        first = 0
        while first < len(groups):
            last, rows = first, 0
            while last < len(groups) and rows < ROWS:
                rows, last = rows + groups[last].rows, last + 1
            plan = _pages.plan(
                pa,
                file,
                groups[first:last],
                known=taken,
                most=ROWS,
                name=name,
            )
            with opened(plan.coded, meta) if plan.coded else nullcontext(source) as part:
                read = part.reader.iter_batches(
                    plan.rows, row_groups=list(range(first, last)), column_indices=taken
                )
                yield from _joined(pa, read, plan.rows)
            first = last


def _joined(pa: Any, read: Iterable[Any], most: int) -> Iterator[Any]:
    """Yield the batches of *read*, small ones in one as long as it has at most *most* rows."""
    held: list[Any] = []
    rows = 0
    for batch in read:
        if held and rows + batch.num_rows > most:
            yield held[0] if len(held) == 1 else pa.concat_batches(held)
            held, rows = [], 0
        held.append(batch)
        rows += batch.num_rows
    if held:
        yield held[0] if len(held) == 1 else pa.concat_batches(held)


def batches(path: Path, name: str) -> Iterator[Columns | Flaw]:
    """Yield the deals of the file at *path* as columns, after the flaws among them.

    Raises: UnknownFormat where the file is damaged or a column of another type.
    """
    pa, first = pyarrow_for(name), 1
    for column in _schema(pa, path, name).names:
        if column not in arrow_types(52):
            yield Flaw(line=1, field=printable(column), why="unknown column, not used")
    for batch in (piece for whole in _tables(pa, path, name) for piece in _narrow(pa, whole)):
        try:
            columns, flaws = Rows(pa, batch, name).columns(first)
        except MemoryError as err:
            raise Refused(name, "parquet", "expands to more than the memory holds") from err
        yield from flaws
        if len(columns):
            yield columns
        first += batch.num_rows


def _narrow(pa: Any, batch: Any) -> Iterator[Any]:
    """Yield *batch* in parts whose hands take little room, all being as wide as the widest."""
    at = batch.schema.get_field_index("hands")
    column = batch.column(at) if at >= 0 else None
    if column is None or batch.num_rows < 2 or not pa.types.is_nested(column.type):
        yield batch
        return
    hands = pa.compute.max(pa.compute.list_value_length(column)).as_py() or 0
    cards = pa.compute.max(_pages.lengths(pa, column.flatten())).as_py() or 0
    if batch.num_rows * min(hands, MOST_HANDS) * min(cards, MOST_CARDS) <= _HELD:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _narrow(pa, batch.slice(0, half))
    yield from _narrow(pa, batch.slice(half))


def read(stream: Stream, name: str) -> Iterator[Record]:
    """Yield one record for each row, in file order, with every field of a deal."""
    pa, line = pyarrow_for(name), 0
    with tempfile.TemporaryDirectory(prefix="fairdeal-") as folder:
        path = Path(folder) / "log"
        with path.open("wb") as out:
            while data := stream.read(PIECE):
                out.write(data)
        for batch in _tables(pa, path, name):
            meta = (batch.schema.metadata or {}).get(b"game", b"").decode("utf-8", "replace")
            for row in _rows_of(batch):
                line += 1
                if row is None:
                    yield Flaw(line=line, field="row", why="a text that is not UTF-8")
                else:
                    yield _record(row, line, meta)


def _rows_of(batch: Any) -> Iterator[dict[str, Any] | None]:
    """Yield the rows of *batch*, None for one with a text that is none."""
    try:
        yield from batch.to_pylist(maps_as_pydicts="lossy")
    except UnicodeDecodeError:
        for i in range(batch.num_rows):
            try:
                yield from batch.slice(i, 1).to_pylist(maps_as_pydicts="lossy")
            except UnicodeDecodeError:
                yield None


def _record(row: dict[str, Any], line: int, game: str) -> Record:
    given = {k: v for k, v in row.items() if v is not None and k in arrow_types(52)}
    given = {"game": game, **given, "line": line}
    if not all(_is_cards(given[k]) for k, t in arrow_types(52).items() if _of_cards(t, k, given)):
        return Flaw(line=line, field="cards", why="no card: a number over 51")
    try:
        return msgspec.convert(given, Deal, strict=True, builtin_types=(bytes,))
    except (msgspec.ValidationError, OverflowError) as err:
        return Flaw(line=line, field="row", why=printable(str(err)))


def _of_cards(kind: str, field: str, given: dict[str, Any]) -> bool:
    return field in given and "binary" in kind


def _is_cards(value: Any) -> bool:
    parts = value if isinstance(value, list) else [value]
    return all(isinstance(p, bytes) and all(c < 52 or c == 255 for c in p) for p in parts)


def sniff(head: bytes, name: str) -> bool:
    """Say whether *head* is that of a Parquet or Arrow file."""
    return head.startswith((_PARQUET, _ARROW))


READER = Reader(
    id="parquet",
    title="Parquet or Arrow IPC",
    suffixes=(".parquet", ".arrow"),
    game="",
    holds=Holds(order="dealt", widow_order="dealt", exposure="dealt", numbered=True),
    sniff=sniff,
    read=read,
    batches=batches,
)
