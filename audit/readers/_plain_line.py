"""Lines of the native log as a program writes them, read at once into a deal.

Most lines of a log hold nothing but what a deal may hold, and most of their events are some
hundred plays, calls and scores that stand in every deal.  Such a line is decoded straight
into the fields, and an event that was read before is looked up by its bytes.  Whatever is
amiss with a line, and whatever may be, is left to `jsonl`, which says what.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from audit.cards import UNKNOWN, in_step, parse
from audit.event import Event
from audit.record import Deal

#: The fields of a deal that are cards.
CARDS = ("gathered_order", "pack_order", "order_after_cut", "widow", "turnups", "runs", "board")
MOST_HANDS = 99
#: So many events of so many bytes are known; a game has some hundred, and its counts of a pool.
#: Those of several cards are not: there are too many ways to lay cards aside.
MOST_KNOWN, LONGEST_KNOWN = 4096, 128
_KNOWN: dict[bytes, Event] = {}
#: How long the texts are of one card, of two, ... with a blank between any two.
EVEN_SIZES = frozenset(range(2, 3 * 52, 3))


def cards_of(text: str) -> bytes:
    """Return the cards of *text*, in which `??` is one that is not known.

    Raises: ValueError, TypeError, AttributeError.
    """
    if "??" not in text:
        return parse(text)
    parts = re.split(r"(\?\?)", text)
    return b"".join(bytes([UNKNOWN]) if part == "??" else parse(part) for part in parts)


def read_event(row: Any) -> Any:
    """Return the plain data of an event with its cards as bytes.

    Raises: ValueError, TypeError, AttributeError.
    """
    if not isinstance(row, dict):
        raise TypeError("an event is no object")
    return {**row, "cards": cards_of(row["cards"])} if "cards" in row else row


def _as_text(field: msgspec.structs.FieldInfo) -> tuple[str, Any, Any]:
    """Return name, type and default of *field* as a line has it; cards are None without any."""
    if field.name == "hands":
        return field.name, Annotated[list[str], Meta(max_length=MOST_HANDS)], ()
    if field.name == "events":
        return field.name, list[msgspec.Raw], ()
    if field.name in (*CARDS, "cards"):
        return field.name, str, None
    made = field.default_factory
    default = field.default if made is msgspec.NODEFAULT else msgspec.field(default_factory=made)
    return field.name, field.type, default


def _decoder(fields: Iterable[msgspec.structs.FieldInfo]) -> msgspec.json.Decoder[Any]:
    """Return what decodes an object of just those of *fields* that it gives."""
    found = [_as_text(field) for field in fields]
    kind = msgspec.defstruct("_Plain", found, kw_only=True, forbid_unknown_fields=True)
    return msgspec.json.Decoder(kind)


_FIELDS = {field.name: field for field in msgspec.structs.fields(Deal) if field.name != "line"}
_ABSENT = [(name, _FIELDS[name].default) for name in CARDS]
_LINE = _decoder(_FIELDS.values())
_EVENT = _decoder(msgspec.structs.fields(Event))


def plain_line(line: bytes, number: int) -> Deal | None:
    """Return the deal of the *number*-th line, None where it has to be looked at more closely.

    The decoder passes over the bytes of a list of events, so what a second list would hide is
    not known to be text.  A line where there may be two, the name of one being spelt, is None.
    """
    if b"\\" in line or line.count(b'"events"') > 1:
        return None
    try:
        row = msgspec.structs.asdict(_LINE.decode(line))
        for name, absent in _ABSENT:
            text = row[name]
            row[name] = absent if text is None else cards_of(text)
        row["hands"] = _hands(row["hands"])
        events = map(bytes, row["events"])
        row["events"] = tuple([_KNOWN.get(raw) or _event(raw) for raw in events])
    except (ValueError, RecursionError):
        return None
    return Deal(line=number, **row)


def _hands(texts: list[str]) -> tuple[bytes, ...]:
    """Return the cards of each of *texts*, those of equal hands all at once.

    Raises: ValueError.
    """
    sizes = {*map(len, texts)}
    if len(sizes) == 1 and sizes <= EVEN_SIZES and (cards := in_step(" ".join(texts))):
        size = len(cards) // len(texts)
        return tuple([cards[at : at + size] for at in range(0, len(cards), size)])
    return tuple([cards_of(text) for text in texts])


def _event(raw: bytes) -> Event:
    """Return the event of *raw*, which is known from now on where it is like most.

    Raises: ValueError; also for what has fields that no event has.
    """
    row = msgspec.structs.asdict(_EVENT.decode(raw))
    text = row["cards"]
    row["cards"] = b"" if text is None else cards_of(text)
    event = Event(**row)
    if len(raw) <= LONGEST_KNOWN and len(event.cards) < 2:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[raw] = event
    return event
