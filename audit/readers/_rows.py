"""The columns of one Arrow record batch in the schema of `record.Deal`, checked cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.columns import DEALT_BY, Columns, Ragged, parties_of, starts
from audit.errors import UnknownFormat, printable
from audit.readers import _pages
from audit.readers._schema import arrow_types
from audit.record import ENDED, Flaw

#: No part of a deal has more cards than a pack, and no deal more hands than this.
MOST_CARDS, MOST_HANDS = 78, 99


class Rows:
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
        bad[owner[cards.sizes > MOST_CARDS]] = True
        self.flaw(bad, field, f"more than {MOST_CARDS} cards")
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
        if not 0 < width <= MOST_CARDS or not len(column):
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
        many = given > MOST_HANDS
        self.flaw(many, "hands", f"more than {MOST_HANDS} hands")
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
            declarer=self.small("declarer"),
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
