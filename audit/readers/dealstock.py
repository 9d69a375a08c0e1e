"""A server's stock of euchre deals: `n;purpose;cards`, five cards a seat, then the kitty."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.cards import NAMES
from audit.errors import printable
from audit.format import Reader, Stream, lines
from audit.record import Deal, Flaw, Holds, Other, Record

_CODES = {name.replace("T", "1"): card for card, name in enumerate(NAMES) if name[0] in "9TJQKA"}
_ROW = re.compile(rb"^[0-9]+;[DJ];[ ]*(?:[91JQKA][CDHS] +){5}", re.MULTILINE)


def _cards(text: str) -> bytes:
    try:
        cards = bytes([_CODES[code] for code in text.split()])
    except KeyError as problem:
        raise ValueError(f"no card: {problem.args[0]!r}") from None
    if len(cards) != 24:
        raise ValueError(f"{len(cards)} cards, wanted 24")
    return cards


def _row(text: str, line: int) -> Record:
    fields = text.split(";")
    if len(fields) != 3:
        return Flaw(line=line, field="row", why=f"{len(fields)} fields, wanted 3")
    number, purpose = fields[0].strip(), fields[1].strip()
    if not (number.isascii() and number.isdigit()):
        return Flaw(line=line, field="number", why=printable(f"no number: {number[:20]!r}"))
    if purpose not in ("D", "J"):
        return Flaw(line=line, field="purpose", why=printable(f"unknown: {purpose[:20]!r}"))
    try:
        cards = _cards(fields[2])
    except ValueError as problem:
        return Flaw(line=line, field="cards", why=printable(str(problem)))
    if purpose == "J":
        return Other(line=line, kind="first-Jack draw")
    return Deal(
        game="euchre_4",
        line=line,
        number=number,
        options={"pack": "24"},
        players=4,
        dealt_by="machine",
        hands=(cards[:5], cards[5:10], cards[10:15], cards[15:20]),
        widow=cards[20:],
        turnups=cards[20:21],
    )


def read(stream: Stream, name: str) -> Iterator[Record]:
    """Yield one record for each row, in file order."""
    for line, raw in lines(stream):
        if isinstance(raw, Flaw):
            yield raw
            continue
        text = raw.decode("latin-1").strip()
        if text and not text.startswith("#"):
            yield _row(text, line)


def sniff(head: bytes, name: str) -> bool:
    """Say whether the first row of *head* is one of a stock."""
    for raw in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if raw.strip() and not raw.startswith(b"#"):
            return _ROW.match(raw) is not None
    return False


READER = Reader(
    id="dealstock",
    title="Stock of euchre deals",
    suffixes=(".txt",),
    game="euchre_4",
    holds=Holds(
        order="sorted",
        widow_order="dealt",
        exposure="dealt",
        turnup="claimed",
        numbered=True,
    ),
    sniff=sniff,
    read=read,
)
