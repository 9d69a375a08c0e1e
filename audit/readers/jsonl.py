"""The native log: JSON Lines, one deal a line, field names as in `record.Deal`.

Cards are text (`"JC 10D"`); unknown fields are named in a flaw, never dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from audit.cards import show
from audit.event import Event
from audit.format import Piece, Reader, Stream, numbered, pieces
from audit.readers._plain_line import CARDS, cards_of, plain_line, read_event
from audit.record import Deal, Flaw, Holds, Record

DEEPEST = 64
#: Strings, and what is neither string nor bracket.
_OTHER = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[^][{}"]+', re.DOTALL)
_FIELDS = frozenset(f.name for f in msgspec.structs.fields(Deal)) - {"line"}
_DEFAULTS = {f.name: f.default for f in msgspec.structs.fields(Deal)} | {"options": {}}


def encode(deal: Deal) -> bytes:
    """Return *deal* as one line of JSON without the line end; only defaults are left out."""
    row: dict[str, Any] = {
        k: v
        for k, v in msgspec.structs.asdict(deal).items()
        if k != "line" and not (type(v) is type(_DEFAULTS[k]) and v == _DEFAULTS[k])
    }
    for name in CARDS:
        if name in row:
            row[name] = show(row[name])
    if "hands" in row:
        row["hands"] = [show(h) for h in row["hands"]]
    if "events" in row:
        row["events"] = [events_row(e) for e in deal.events]
    return msgspec.json.encode(row)


def events_row(event: Event) -> dict[str, Any]:
    """Return one event as plain data, its cards as text."""
    row: dict[str, Any] = msgspec.to_builtins(event)
    if event.cards:
        row["cards"] = show(event.cards)
    return row


def _depth(line: bytes) -> int:
    """Return the most brackets open at once, those in strings left out."""
    deepest = now = 0
    for char in _OTHER.sub(b"", line):
        if char in b"[{":
            now += 1
            deepest = max(deepest, now)
        elif char in b"]}":
            now -= 1
    return deepest


def _deal(line: bytes, number: int) -> Record:
    if line.count(b"[") + line.count(b"{") > DEEPEST and _depth(line) > DEEPEST:
        return Flaw(line=number, field="line", why=f"nested deeper than {DEEPEST}")
    try:
        row = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return Flaw(line=number, field="line", why="no JSON")
    if not isinstance(row, dict):
        return Flaw(line=number, field="line", why="no JSON object")
    unknown = sorted(str(k)[:40] for k in row.keys() - _FIELDS)
    if unknown:
        return Flaw(line=number, field=unknown[0], why="no field of a deal")
    for name in (*CARDS, "hands"):
        if name not in row:
            continue
        try:
            if name == "hands" and not isinstance(row[name], list):
                raise TypeError("no list of hands")
            if name == "hands":
                row[name] = tuple(cards_of(h) for h in row[name])
            else:
                row[name] = cards_of(row[name])
        except (ValueError, TypeError, AttributeError) as err:
            return Flaw(line=number, field=name, why=str(err)[:80])
    row["line"] = number
    try:
        if "events" in row:
            row["events"] = [read_event(event) for event in row["events"]]
    except (ValueError, TypeError, AttributeError) as err:
        return Flaw(line=number, field="events", why=str(err)[:80])
    try:
        return msgspec.convert(row, Deal)
    except (msgspec.ValidationError, OverflowError) as err:
        return Flaw(line=number, field="line", why=str(err)[:80])


def _part(piece: Piece) -> Iterator[Record]:
    for number, line in numbered(piece):
        if isinstance(line, Flaw):
            yield line
        elif line.strip():
            yield plain_line(line, number) or _deal(line, number)


def _read(stream: Stream, name: str) -> Iterator[Record]:
    for piece in pieces(stream):
        yield from _part(piece)


def _sniff(head: bytes, name: str) -> bool:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    first = start.partition(b"\n")[0]
    return start.startswith(b'{"') and b'"game"' in head and b'"manifest":{' not in first


READER = Reader(
    id="jsonl",
    title="fairdeal JSON Lines",
    suffixes=(".jsonl",),
    game="",
    holds=Holds(order="dealt", widow_order="dealt", exposure="dealt", numbered=True),
    sniff=_sniff,
    read=_read,
    part=_part,
)
