"""The CSV that a club secretary types: `deal,dealer,turnup`, and more if known.

Columns: game, players, date, table, turnups (blanks between), hand_1..hand_n by
place at the table, irregularity.  A column that is not known makes one flaw
that names it, and nothing of the row is lost.  Every line is a row: a quote that
is not closed on it spoils that row and no other.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from audit.cards import UNKNOWN, parse, show
from audit.errors import UsageError
from audit.format import Reader, Stream, lines, text_of
from audit.readers._schema import CSV
from audit.record import Deal, Flaw, Holds, Record

HEADER = ("deal", "dealer", "turnup")
KNOWN = {*HEADER, "game", "players", "date", "table", "turnups", "irregularity", "dealer_seat"}
_SMALL = re.compile(r"[0-9]{1,2}").fullmatch


def _is_hand(column: str) -> bool:
    return re.fullmatch(r"hand_([1-9]|10)", column) is not None


def _small(cell: str) -> int | None:
    """Return the number in *cell*, None where it is empty.

    Raises: ValueError where it is none from 1 to 99.
    """
    text = cell.strip()
    if not text:
        return None
    if not _SMALL(text) or not int(text):
        raise ValueError("out of range, wanted 1 to 99")
    return int(text)


def _cells(text: str) -> list[str]:
    """Return the cells of one row.

    Raises: ValueError where a quote is opened and not closed on the row.
    """
    # A second row is only asked for when a quote of the first is still open.
    lines = csv.reader([text + "\n", "."])
    try:
        cells = next(lines)
    except csv.Error as err:
        raise ValueError(str(err)) from err
    if lines.line_num > 1:
        raise ValueError("a quote is not closed")
    return cells


def _header(cells: list[str], name: str) -> list[str]:
    header = [c.strip().lower() for c in cells]
    for column in header:
        if column and header.count(column) > 1:
            raise UsageError(name, f"column {column[:40]}", "stands twice in the header", "once")
    return header


def _row(row: dict[str, str], line: int) -> Record:
    field = "turnup"
    try:
        turnups = parse(row.get("turnup", ""))
        field = "turnups"
        all_turned = parse(row.get("turnups", ""))
        if turnups and all_turned and turnups[:1] != all_turned[:1]:
            return Flaw(line=line, field="turnups", why="its first card is not the turnup")
        turnups = all_turned or turnups
        hands = []
        columns = sorted((c for c in row if _is_hand(c)), key=lambda c: int(c[5:]))
        for place, column in enumerate(columns, start=1):
            field = column
            if column != f"hand_{place}":
                return Flaw(line=line, field=column, why=f"hand_{place} has no column")
            hands.append(parse(row[column]))
        field = "players"
        players = _small(row.get("players", ""))
        field = "dealer_seat"
        seat = _small(row.get("dealer_seat", ""))
    except ValueError as err:
        return Flaw(line=line, field=field, why=str(err)[:80])
    if not turnups and not any(hands):
        return Flaw(line=line, field="turnup", why="no card in the row")
    return Deal(
        game=row.get("game", "").strip(),
        line=line,
        table=row.get("table", "").strip() or None,
        number=row.get("deal", "").strip() or None,
        time=row.get("date", "").strip() or None,
        players=players,
        dealer=row.get("dealer", "").strip() or None,
        dealer_seat=seat,
        dealt_by="person" if row.get("dealer", "").strip() else "unknown",
        hands=tuple(hands) if any(hands) else (),
        turnups=turnups,
        irregularity=row.get("irregularity", "").strip() or None,
    )


def _read(stream: Stream, name: str) -> Iterator[Record]:
    header: list[str] | None = None
    for line, raw in lines(stream):
        if isinstance(raw, Flaw):
            yield raw
            continue
        try:
            cells = _cells(text_of(raw).replace("\x00", "\ufffd"))
        except ValueError as err:
            yield Flaw(line=line, field="line", why=str(err)[:80])
            continue
        if not any(c.strip() for c in cells):
            continue
        if header is None:
            header = _header(cells, name)
            for column in header:
                if column not in KNOWN and not _is_hand(column):
                    yield Flaw(line=1, field=column[:40], why="unknown column, not used")
        elif len(cells) > len(header):
            yield Flaw(line=line, field="line", why="more cells than the header names")
        else:
            yield _row(dict(zip(header, cells, strict=False)), line)


def _sniff(head: bytes, name: str) -> bool:
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].lower().strip()
    columns = {c.strip() for c in first.split(b",")}
    return b"deal" in columns and (b"turnup" in columns or b"turnups" in columns)


def write(out: TextIO, deals: Iterable[Deal]) -> None:
    """Write *deals* as such a CSV, as far as it has columns for them.

    Hands that hold a card not known are left empty, for the CSV has no word for it.
    """
    places, line, held = 0, csv.writer(out, lineterminator="\n"), list[Deal]()
    for deal in deals:
        held.append(deal)
        places = max(places, len(deal.hands))
    columns = [*csv_names(), *(f"hand_{p}" for p in range(1, places + 1))]
    line.writerow(columns)
    for deal in held:
        row = [_cell(getattr(deal, field)) for field in CSV if field != "hands"]
        hands = [_cell(h) for h in deal.hands]
        line.writerow([*row, *hands, *[""] * (places - len(hands))])


def left_out(deal: Deal) -> Iterator[str]:
    """Yield the fields of *deal* that `write` has no column or no word for."""
    blank = Deal(game="")
    for name in deal.__struct_fields__:
        value = getattr(deal, name)
        if name in ("hands", "turnups"):
            if UNKNOWN in (b"".join(value) if name == "hands" else value):
                yield f"{name} with cards not known"
        elif name == "dealt_by":
            if value == "machine":
                yield name
        elif name not in CSV and name != "line" and value != getattr(blank, name):
            yield name


def csv_names() -> list[str]:
    """Return the columns beside the hands, in order."""
    return [name for field, name in CSV.items() if field != "hands"]


def _cell(value: str | bytes | int | None) -> str:
    if isinstance(value, bytes):
        return "" if UNKNOWN in value else show(value)
    return "" if value is None else " ".join(str(value).split())


READER = Reader(
    id="secretary",
    title="secretary's CSV",
    suffixes=(".csv",),
    game="seven_up_4",
    holds=Holds(exposure="unknown", turnup="claimed", numbered=True),
    sniff=_sniff,
    read=_read,
)
