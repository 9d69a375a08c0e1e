"""Deals as columns: Parquet and Arrow IPC files in the schema of `record.Deal`.

Cards are bytes of card numbers, `order_after_cut` of fixed size.  Every column
but the game may be absent, and the game may stand in the schema's metadata.
pyarrow is an extra and is imported only where such a file is met.
"""

from __future__ import annotations

import struct
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from audit.columns import DEALT_BY, Columns, Ragged, parties_of, starts
from audit.errors import Refused, UnknownFormat, UsageError, printable
from audit.format import PIECE, Reader, Stream
from audit.readers import _blocks, _footer, _pages
from audit.readers._schema import arrow_types
from audit.record import ENDED, Deal, Flaw, Holds, Record

#: Rows that are in memory at a time.
ROWS = 1 << 16
#: No part of a deal has more cards than a pack, and no deal more hands than this.
_CARDS, _HANDS = 78, 99
#: A column of a deal has two leaves at most, the keys and values of a map.
_LEAVES = 2
#: Bytes that the hands of the rows in memory take, each row being as wide as the widest.
_HELD = 1 << 23
_PARQUET, _ARROW = b"PAR1", b"ARROW1"


def _arrow(name: str) -> Any:
    """Return pyarrow.

    Raises: UsageError where the extra is not installed.
    """
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError as err:
        cure = "pip install 'fairdeal[parquet]'"
        raise UsageError(name, "parquet", "the extra is not installed", cure) from err
    return pyarrow


def _typed(pa: Any, text: str) -> Any:
    """Return the Arrow type that *text* names."""
    if text.startswith("fixed_size_binary["):
        return pa.binary(int(text[18:-1]))
    named = {
        "map<string, string>": pa.map_(pa.string(), pa.string()),
        "list<binary>": pa.list_(pa.binary()),
        "list<string>": pa.list_(pa.string()),
        "list<int16>": pa.list_(pa.int16()),
    }
    return named[text] if text in named else getattr(pa, text.replace("bool", "bool_"))()


def _magic(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(6)


def _schema(pa: Any, path: Path, name: str) -> Any:
    """Return the schema of a file, its footer read before the library trusts it.

    Raises: UnknownFormat where it is damaged or a column of a deal of another type.
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

    def opened(coded: list[str], meta: Any = None) -> Any:
        return pa.parquet.ParquetFile(
            str(path), memory_map=False, pre_buffer=False, read_dictionary=coded, metadata=meta
        )

    types = arrow_types(52)
    with opened([]) as source, path.open("rb") as file:
        groups, meta = _footer.groups(file), source.metadata
        names = [n for n in source.schema_arrow.names if n in types]
        if not names:
            raise UnknownFormat(name, "parquet", "no column of a deal", "a column `game`")
        leaves = Counter(c.leaf.split(".")[0] for g in groups[:1] for c in g.chunks)
        if wide := next((n for n in names if leaves[n] > _LEAVES), ""):
            raise UnknownFormat(name, printable(wide), "wrong type", types[wide])
        if [g.rows for g in groups] != [meta.row_group(k).num_rows for k in range(len(groups))]:
            raise ValueError("a footer that can be read in two ways")
        first = 0
        while first < len(groups):
            last, rows = first, 0
            while last < len(groups) and rows < ROWS:
                rows, last = rows + groups[last].rows, last + 1
            plan = _pages.plan(
                pa,
                file,
                groups[first:last],
                known=lambda leaf: leaf.split(".")[0] in names,
                most=ROWS,
                name=name,
            )
            with opened(plan.coded, meta) if plan.coded else nullcontext(source) as part:
                read = part.iter_batches(
                    plan.rows, row_groups=list(range(first, last)), columns=names
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


class _Batch:
    """One record batch, column by column, with the rows that cannot be used."""

    def __init__(self, pa: Any, batch: Any, name: str) -> None:
        self._pa, self._batch, self._name = pa, batch, name
        self.rows: int = batch.num_rows
        self.wrong: dict[int, tuple[str, str]] = {}
        self._types = arrow_types(52)

    def column(self, field: str, kind: Any) -> Any:
        """Return column *field* as *kind*, None where it is absent.

        Raises: UnknownFormat where it is of another type.
        """
        at = self._batch.schema.get_field_index(field)
        if at < 0:
            return None
        column = self._batch.column(at)
        if self._pa.types.is_dictionary(column.type):
            column = _pages.decoded(self._pa, column)
        try:
            return column if column.type == kind else column.cast(kind)
        except self._pa.ArrowException as err:
            raise UnknownFormat(
                self._name, printable(field), "wrong type", self._types[field], str(column.type)
            ) from err

    def flaw(self, rows: NDArray[np.bool_], field: str, why: str) -> None:
        """Note that *rows* cannot be used."""
        for i in np.flatnonzero(rows):
            self.wrong.setdefault(int(i), (field, why))

    def _offsets(self, column: Any) -> NDArray[np.int64]:
        raw = np.frombuffer(column.buffers()[1], np.int32)
        return raw[column.offset : column.offset + len(column) + 1].astype(np.int64)

    def _bytes(self, column: Any) -> Ragged:
        """Return a binary or string *column* as rows, null ones empty."""
        column = column.fill_null(b"" if column.type == self._pa.binary() else "")
        if not len(column):
            return _empty(0)
        at = self._offsets(column)
        buffer = column.buffers()[2]
        data = np.frombuffer(buffer, np.uint8) if buffer else np.zeros(0, np.uint8)
        return Ragged(at=at - at[0], data=data[at[0] : at[-1]])

    def text(self, field: str) -> Ragged:
        """Return a column of texts."""
        column = self.column(field, self._pa.string())
        return _empty(self.rows) if column is None else self._bytes(column)

    def codes(self, field: str) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """Return a column of texts as places in the tuple of those that occur, -1 for none."""
        column = self.column(field, self._pa.string())
        if column is None:
            return np.full(self.rows, -1, np.int32), ()
        coded = column.dictionary_encode()
        place = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
        raw = coded.dictionary.cast(self._pa.binary())
        # A file may hold texts that are none; what cannot be read stands as U+FFFD.
        words = tuple(w.decode("utf-8", "replace") for w in raw.to_pylist())
        if "" in words:
            place[place == words.index("")] = -1
        return place, words

    def small(self, field: str) -> NDArray[np.int16]:
        """Return a column of numbers from 1 to 99, 0 where it is null."""
        column = self.column(field, self._pa.int64())
        if column is None:
            return np.zeros(self.rows, np.int16)
        out = column.fill_null(0).to_numpy(zero_copy_only=False)
        given = column.is_valid().to_numpy(zero_copy_only=False)
        bad: NDArray[np.bool_] = np.asarray(given & ((out < 1) | (out > 99)))
        self.flaw(bad, field, "out of range, wanted 1 to 99")
        return np.where(bad, 0, out).astype(np.int16)

    def _cut(self) -> NDArray[np.int16]:
        column = self.column("cut", self._pa.int64())
        if column is None:
            return np.full(self.rows, -1, np.int16)
        out = column.fill_null(-1).to_numpy(zero_copy_only=False)
        bad: NDArray[np.bool_] = np.asarray((out < -1) | (out > 99))
        self.flaw(bad, "cut", "out of range, wanted 0 to 99")
        return np.where(bad, -1, out).astype(np.int16)

    def cards(self, field: str) -> Ragged:
        """Return a column of cards; rows with too many or with no card numbers are flaws."""
        column = self.column(field, self._pa.binary())
        if column is None:
            return _empty(self.rows)
        return self._checked(self._bytes(column), np.arange(self.rows), field)

    def _checked(self, cards: Ragged, owner: NDArray[np.int64], field: str) -> Ragged:
        """Return *cards* with the rows emptied that belong to a deal that is a flaw for them."""
        bad = np.zeros(self.rows, np.bool_)
        bad[owner[cards.sizes > _CARDS]] = True
        self.flaw(bad, field, f"more than {_CARDS} cards")
        # First of all, for what follows takes eight bytes for each card.
        cards = _without(cards, bad[owner])
        strange = (cards.data > 51) & (cards.data < 255)
        if strange.any():
            odd = np.zeros(self.rows, np.bool_)
            odd[np.repeat(owner, cards.sizes)[strange]] = True
            self.flaw(odd, field, "no card: a number over 51")
            cards = _without(cards, odd[owner])
        return cards

    def padded(self, field: str) -> NDArray[np.uint8]:
        """Return a column of cards as (rows, most), padded with 255."""
        at = self._batch.schema.get_field_index(field)
        if at >= 0 and self._pa.types.is_fixed_size_binary(self._batch.schema.field(at).type):
            fixed = self._fixed(self._batch.column(at), field)
            if fixed is not None:
                return fixed
        cards = self.cards(field)
        sizes = cards.sizes
        out = np.full((self.rows, int(sizes.max(initial=0))), 255, np.uint8)
        row = np.repeat(np.arange(self.rows), sizes)
        out[row, np.arange(len(row)) - np.repeat(cards.at[:-1], sizes)] = cards.data
        return out

    def _fixed(self, column: Any, field: str) -> NDArray[np.uint8] | None:
        width = column.type.byte_width
        if not 0 < width <= _CARDS or not len(column):
            return None
        raw = np.frombuffer(column.buffers()[1], np.uint8)
        out = raw[column.offset * width : (column.offset + len(column)) * width]
        out = out.reshape(len(column), width)
        if column.null_count:
            out = out.copy()
            out[~column.is_valid().to_numpy(zero_copy_only=False)] = 255
        strange = (out > 51) & (out < 255)
        if strange.any():
            odd: NDArray[np.bool_] = np.asarray(strange.any(axis=1))
            self.flaw(odd, field, "no card: a number over 51")
            out = out.copy()
            out[odd] = 255
        return out

    def hands(self) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
        """Return the hands (rows, places, cards), padded, and how many each row gives."""
        column = self.column("hands", self._pa.list_(self._pa.binary()))
        if column is None or not len(column):
            return np.zeros((self.rows, 0, 0), np.uint8), np.zeros(self.rows, np.int16)
        at = self._offsets(column)
        valid = column.is_valid().to_numpy(zero_copy_only=False)
        given = np.where(valid, np.diff(at), 0)
        many = given > _HANDS
        self.flaw(many, "hands", f"more than {_HANDS} hands")
        values = self._bytes(column.values.slice(int(at[0]), int(at[-1] - at[0])))
        # A null list may still span values: they belong to no deal.
        use = np.repeat(valid & ~many, np.diff(at))
        given = np.where(many, 0, given)
        owner = np.repeat(np.arange(self.rows), given)
        cards = self._checked(values.take(use), owner, "hands")
        place = np.arange(len(owner)) - np.repeat(starts(given)[:-1], given)
        sizes = cards.sizes
        shape = (self.rows, int(given.max(initial=0)), int(sizes.max(initial=0)))
        out = np.full(shape, 255, np.uint8)
        nth = np.arange(len(cards.data)) - np.repeat(cards.at[:-1], sizes)
        out[np.repeat(owner, sizes), np.repeat(place, sizes), nth] = cards.data
        return out, given.astype(np.int16)

    def kinds(self) -> tuple[NDArray[np.int16], tuple[tuple[str, str], ...]]:
        """Return for each row the place of its game and pack among those that occur."""
        code, games = self.codes("game")
        meta = (self._batch.schema.metadata or {}).get(b"game", b"").decode("utf-8", "replace")
        packs: Sequence[str] = ()
        options = self.column("options", self._pa.map_(self._pa.binary(), self._pa.binary()))
        if options is not None and options.null_count < len(options):
            raw = [dict(o or ()).get(b"pack") or b"" for o in options.to_pylist()]
            packs = [pack.decode("utf-8", "replace") for pack in raw]
        if not packs and not (code < 0).any():
            return code.astype(np.int16), tuple((g, "") for g in games)
        pairs = [
            (games[c] if c >= 0 else meta, packs[i] if packs else "")
            for i, c in enumerate(code.tolist())
        ]
        found = {pair: k for k, pair in enumerate(dict.fromkeys(pairs))}
        return np.array([found[p] for p in pairs], np.int16), tuple(found)

    def _endings(self) -> tuple[list[list[str]], list[list[int]]]:
        """Return the parties of each row and the places that ended it; flaws have none."""
        kinds = {"parties": self._pa.binary(), "ended_by": self._pa.int64()}
        found: dict[str, list[list[Any]]] = {}
        for field, kind in kinds.items():
            column = self.column(field, self._pa.list_(kind))
            empty = column is None or column.null_count == len(column)
            rows = [[]] * self.rows if empty else [list(v or ()) for v in column.to_pylist()]
            for i, row in enumerate(() if empty else rows):
                strange = any(v is None or (field == "ended_by" and not 0 <= v <= 99) for v in row)
                if strange or len(row) > 100:
                    self.wrong.setdefault(i, (field, "wanted at most 100 places from 0 to 99"))
                    rows[i] = []
            found[field] = rows
        named = found["parties"]
        if any(named):
            named = [[p.decode("utf-8", "replace") for p in row] for row in named]
        return named, found["ended_by"]

    def columns(self, first: int) -> tuple[Columns, list[Flaw]]:
        """Return the rows that can be used, *first* being the number of the first row."""
        place, names = self.codes("dealer")
        by, words = self.codes("dealt_by")
        known = np.array([DEALT_BY.index(w) if w in DEALT_BY else 255 for w in words], np.uint8)
        dealt_by = np.where(by >= 0, known[by], 0) if len(known) else np.zeros(self.rows, np.uint8)
        self.flaw(dealt_by == 255, "dealt_by", "wanted person, machine or unknown")
        kind, kinds = self.kinds()
        hands, given = self.hands()
        how, words = self.codes("ended")
        of = np.array([ENDED.index(w) if w in ENDED else 255 for w in words], np.uint8)
        ended = np.where(how >= 0, of[how], 0) if len(of) else np.zeros(self.rows, np.uint8)
        self.flaw(ended == 255, "ended", f"wanted one of {', '.join(ENDED[1:])}")
        known_names = {name: k for k, name in enumerate(names)}
        party, dropped = parties_of(*self._endings(), known_names)
        players = self.small("players")
        got = Columns(
            line=first + np.arange(self.rows, dtype=np.int64),
            kinds=kinds,
            kind=kind,
            table=self.text("table"),
            number=self.text("number"),
            time=self.text("time"),
            players=np.where(players > 0, players, given).astype(np.int16),
            dealer=place,
            names=tuple(known_names),
            dealer_seat=self.small("dealer_seat"),
            dealt_by=dealt_by.astype(np.uint8),
            given=given,
            hands=hands,
            widow=self.padded("widow"),
            board=self.padded("board"),
            order=self.padded("order_after_cut"),
            turnups=self.cards("turnups"),
            runs=self.cards("runs"),
            gathered=self.padded("gathered_order"),
            pack=self.padded("pack_order"),
            cut=self._cut(),
            trials=_empty(self.rows),
            ended=ended.astype(np.uint8),
            party=party,
            dropped=dropped,
            fresh=np.zeros_like(dropped),
        )
        keep = np.ones(self.rows, np.bool_)
        keep[list(self.wrong)] = False
        flaws = [
            Flaw(line=first + i, field=field, why=why)
            for i, (field, why) in sorted(self.wrong.items())
        ]
        return got.take(keep), flaws


def _without(rows: Ragged, bad: NDArray[np.bool_]) -> Ragged:
    """Return *rows* with the *bad* ones emptied."""
    if not bad.any():
        return rows
    keep = np.repeat(~bad, rows.sizes)
    return Ragged(at=starts(np.where(bad, 0, rows.sizes)), data=rows.data[keep])


def _empty(rows: int) -> Ragged:
    return Ragged(at=np.zeros(rows + 1, np.int64), data=np.zeros(0, np.uint8))


def batches(path: Path, name: str) -> Iterator[Columns | Flaw]:
    """Yield the deals of the file at *path* as columns, after the flaws among them.

    Raises: UnknownFormat where the file is damaged or a column of another type.
    """
    pa, first = _arrow(name), 1
    for column in _schema(pa, path, name).names:
        if column not in arrow_types(52):
            yield Flaw(line=1, field=printable(column), why="unknown column, not used")
    for batch in (piece for whole in _tables(pa, path, name) for piece in _narrow(pa, whole)):
        try:
            columns, flaws = _Batch(pa, batch, name).columns(first)
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
    if batch.num_rows * min(hands, _HANDS) * min(cards, _CARDS) <= _HELD:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _narrow(pa, batch.slice(0, half))
    yield from _narrow(pa, batch.slice(half))


def read(stream: Stream, name: str) -> Iterator[Record]:
    """Yield one record for each row, in file order, with every field of a deal."""
    pa, line = _arrow(name), 0
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


def write(path: Path, deals: Iterable[Deal], *, arrow: bool) -> int:
    """Write *deals* to *path* as Arrow IPC or else Parquet, and return how many they are.

    Raises: UsageError where the orders of the pack are of several sizes.
    """
    pa, count = _arrow(str(path)), 0
    rest = iter(deals)
    block = list(islice(rest, ROWS))
    size = next((len(d.order_after_cut) for d in block if d.order_after_cut), 52)
    required = {"game"}
    schema = pa.schema(
        [
            pa.field(n, _typed(pa, t), nullable=n not in required)
            for n, t in arrow_types(size).items()
        ]
    )
    maker = pa.ipc.new_file if arrow else pa.parquet.ParquetWriter
    with maker(str(path), schema) as out:
        while block:
            count += len(block)
            try:
                out.write_batch(_rows(pa, block, schema))
            except pa.ArrowInvalid as err:
                raise UsageError(path.name, "order_after_cut", "of several sizes") from err
            block = list(islice(rest, ROWS))
    return count


def _rows(pa: Any, deals: Sequence[Deal], schema: Any) -> Any:
    """Return *deals* as one record batch; what a deal has by default is null."""
    blank = Deal(game="")
    columns = {}
    for name in schema.names:
        default = getattr(blank, name)
        values = [getattr(d, name) for d in deals]
        if name != "game":
            values = [None if v == default and type(v) is type(default) else v for v in values]
        if name == "options":
            values = [None if v is None else list(v.items()) for v in values]
        if name in ("hands", "ended_by", "parties"):
            values = [None if v is None else list(v) for v in values]
        columns[name] = pa.array(values, schema.field(name).type)
    return pa.record_batch(columns, schema=schema)


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
