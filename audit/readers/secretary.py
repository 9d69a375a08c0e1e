"""The CSV that a club secretary types: `deal,dealer,turnup`, and more if known.

Columns: game, players, date, table, turnups (blanks between), hand_1..hand_n by
place at the table, irregularity.  A column that is not known makes one flaw
that names it, and nothing of the row is lost.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from audit.cards import parse
from audit.format import Reader
from audit.record import Deal, Flaw, Holds, Record

HEADER = ("deal", "dealer", "turnup")
KNOWN = {*HEADER, "game", "players", "date", "table", "turnups", "irregularity", "dealer_seat"}
LONGEST = 1 << 20


def _text(data: bytes) -> str:
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _is_hand(column: str) -> bool:
    return re.fullmatch(r"hand_([1-9]|10)", column) is not None


def _row(row: dict[str, str], line: int) -> Record:
    field = "turnup"
    try:
        turnups = parse(row.get("turnup", ""))
        field = "turnups"
        turnups = parse(row.get("turnups", "")) or turnups
        hands = []
        columns = sorted((c for c in row if _is_hand(c)), key=lambda c: int(c[5:]))
        for place, column in enumerate(columns, start=1):
            field = column
            if column != f"hand_{place}":
                return Flaw(line=line, field=column, why=f"hand_{place} has no column")
            hands.append(parse(row[column]))
        field = "players"
        players = int(row["players"]) if row.get("players", "").strip() else None
        field = "dealer_seat"
        seat = int(row["dealer_seat"]) if row.get("dealer_seat", "").strip() else None
        for field, value in (("players", players), ("dealer_seat", seat)):
            if value is not None and not 1 <= value <= 99:
                return Flaw(line=line, field=field, why="out of range, wanted 1 to 99")
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


def _read(data: bytes, name: str) -> Iterator[Record]:
    text = _text(data).replace("\x00", "\ufffd")
    lines = csv.reader(io.StringIO(text, newline=""))
    header: list[str] | None = None
    while True:
        try:
            cells = next(lines)
        except StopIteration:
            return
        except csv.Error as err:
            yield Flaw(line=lines.line_num, field="line", why=str(err)[:80])
            continue
        if not any(c.strip() for c in cells):
            continue
        if header is None:
            header = [c.strip().lower() for c in cells]
            for column in header:
                if column not in KNOWN and not _is_hand(column):
                    yield Flaw(line=1, field=column[:40], why="unknown column, not used")
            continue
        if sum(map(len, cells)) > LONGEST or len(cells) > len(header):
            yield Flaw(line=lines.line_num, field="line", why="more cells than the header names")
            continue
        yield _row(dict(zip(header, cells, strict=False)), lines.line_num)


def _sniff(head: bytes, name: str) -> bool:
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].lower().strip()
    columns = {c.strip() for c in first.split(b",")}
    return b"deal" in columns and (b"turnup" in columns or b"turnups" in columns)


READER = Reader(
    id="secretary",
    title="secretary's CSV",
    suffixes=(".csv",),
    game="seven_up_4",
    holds=Holds(exposure="unknown", turnup="claimed", numbered=True),
    sniff=_sniff,
    read=_read,
)
