"""The native log: JSON Lines, one deal a line, field names as in `record.Deal`.

Cards are text (`"JC 10D"`); unknown fields are named in a flaw, never dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from audit.cards import NAMES, UNKNOWN, parse, show
from audit.event import Event
from audit.format import Piece, Reader, Stream, numbered, pieces
from audit.record import Deal, Flaw, Holds, Record

DEEPEST = 64
_OTHER = re.compile(rb"[^][{}]+")
_CARDS = ("gathered_order", "pack_order", "order_after_cut", "widow", "turnups", "runs", "board")
_FIELDS = frozenset(f.name for f in msgspec.structs.fields(Deal)) - {"line"}
#: Single cards, which is what most events have.
_ONE = {name: bytes([card]) for card, name in enumerate(NAMES)}
_DEFAULTS = {f.name: f.default for f in msgspec.structs.fields(Deal)} | {"options": {}}


def encode(deal: Deal) -> bytes:
    """Return *deal* as one line of JSON without the line end; only defaults are left out."""
    row: dict[str, Any] = {
        k: v
        for k, v in msgspec.structs.asdict(deal).items()
        if k != "line" and not (type(v) is type(_DEFAULTS[k]) and v == _DEFAULTS[k])
    }
    for name in _CARDS:
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


def read_event(row: Any) -> Any:
    """Return the plain data of an event with its cards as bytes.

    Raises: ValueError, TypeError.
    """
    if not isinstance(row, dict):
        raise TypeError("an event is no object")
    return {**row, "cards": _cards(row["cards"])} if "cards" in row else row


def _depth(line: bytes) -> int:
    """Return the most brackets open at once, strings not looked into (an upper bound)."""
    deepest = now = 0
    for char in _OTHER.sub(b"", line):
        if char in b"[{":
            now += 1
            deepest = max(deepest, now)
        elif char in b"]}":
            now -= 1
    return deepest


def _cards(text: str) -> bytes:
    """Return the cards of *text*, in which `??` is one that is not known."""
    if type(text) is str and (one := _ONE.get(text)):
        return one
    if "??" not in text:
        return parse(text)
    parts = re.split(r"(\?\?)", text)
    return b"".join(bytes([UNKNOWN]) if part == "??" else parse(part) for part in parts)


def _events(rows: Any) -> list[Any]:
    """Return `read_event` of each of *rows*, which nobody else holds.

    Raises: ValueError, TypeError.
    """
    found = list(rows)
    for at, row in enumerate(found):
        if type(row) is dict:
            text = row.get("cards")
            one = _ONE.get(text) if type(text) is str else None
            if one is not None:
                row["cards"] = one
                continue
        found[at] = read_event(row)
    return found


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
    for name in (*_CARDS, "hands"):
        if name not in row:
            continue
        try:
            if name == "hands" and not isinstance(row[name], list):
                raise TypeError("no list of hands")
            if name == "hands":
                row[name] = tuple(_cards(h) for h in row[name])
            else:
                row[name] = _cards(row[name])
        except (ValueError, TypeError, AttributeError) as err:
            return Flaw(line=number, field=name, why=str(err)[:80])
    row["line"] = number
    try:
        if "events" in row:
            row["events"] = _events(row["events"])
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
            yield _deal(line, number)


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
