"""Counts of turn-ups: a table with the columns card, turned and maybe stock, deals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from audit.cards import parse
from audit.errors import printable
from audit.format import Reader, Stream, lines
from audit.record import Counts, Flaw, Holds, Record

#: A card is turned at most so often in one row.
MOST = 10**12
_NUMBER = re.compile(r"[0-9]{1,15}").fullmatch
_NEEDED, _KNOWN = {"card", "turned"}, {"card", "turned", "stock", "deals"}


@dataclass
class _Stock:
    """The rows of one stock: where it starts, its deals as stated, the counts."""

    line: int
    deals: int | None
    turned: dict[int, int] = field(default_factory=dict)


def _columns(raw: bytes) -> list[str]:
    return [cell.strip().strip('"') for cell in raw.decode("utf-8", "replace").split(",")]


def _is_header(columns: list[str]) -> bool:
    names = set(columns)
    return len(names) == len(columns) and names >= _NEEDED and names <= _KNOWN


def _row(row: dict[str, str], line: int, stocks: dict[str, _Stock]) -> Flaw | None:
    """Put *row* into *stocks*, or return what is wrong with it."""
    try:
        cards = parse(row["card"])
    except ValueError:
        cards = b""
    if len(cards) != 1:
        return Flaw(line=line, field="card", why=printable(f"no card: {row['card'][:20]!r}"))
    for name in ("turned", "deals"):
        if name in row and not _NUMBER(row[name]):
            why = printable(f"no number: {row[name][:20]!r}")
            return Flaw(line=line, field=name, why=why)
    if int(row["turned"]) > MOST:
        return Flaw(line=line, field="turned", why=f"more than {MOST}")
    deals = int(row["deals"]) if "deals" in row else None
    stock = stocks.setdefault(printable(row.get("stock", "all")), _Stock(line, deals))
    if stock.deals != deals:
        return Flaw(line=line, field="deals", why=f"{deals}, but {stock.deals} before")
    if cards[0] in stock.turned:
        return Flaw(line=line, field="card", why="the card stands twice in its stock")
    stock.turned[cards[0]] = int(row["turned"])
    return None


def _totals(name: str, stock: _Stock, *, spoilt: bool) -> Iterator[Record]:
    total = sum(stock.turned.values())
    if stock.deals is not None and stock.deals != total:
        why = printable(f"{stock.deals} deals, but {total} cards turned")
        yield Flaw(line=stock.line, field="deals", why=why)
    if spoilt:
        why = "a row of the stock cannot be read, so that its turn-ups are not all known"
        yield Flaw(line=stock.line, field="stock", why=why)
        return
    turned = tuple(stock.turned.get(card, 0) for card in range(52))
    yield Counts(line=stock.line, stock=name, deals=total, turned=turned)


def read(stream: Stream, name: str) -> Iterator[Record]:
    """Yield flaws of rows, then the totals of each stock in order of its first row."""
    header: list[str] | None = None
    stocks: dict[str, _Stock] = {}
    spoilt: set[str | None] = set()
    for line, raw in lines(stream):
        if isinstance(raw, Flaw):
            yield raw
            spoilt.add(None)
            continue
        if not raw.strip() or raw.startswith(b"#"):
            continue
        cells = _columns(raw)
        if header is None:
            if not _is_header(cells):
                yield Flaw(line=line, field="header", why="no columns card and turned")
                return
            header = cells
        elif len(cells) != len(header):
            why = f"{len(cells)} columns, wanted {len(header)}"
            yield Flaw(line=line, field="row", why=why)
            spoilt.add(None)
        else:
            row = dict(zip(header, cells, strict=True))
            flaw = _row(row, line, stocks)
            if flaw is not None:
                yield flaw
                spoilt.add(printable(row.get("stock", "all")))
    for stock, rows in stocks.items():
        yield from _totals(stock, rows, spoilt=bool(spoilt & {None, stock}))


def sniff(head: bytes, name: str) -> bool:
    """Say whether the first line of *head* names the columns."""
    for raw in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if raw.strip() and not raw.startswith(b"#"):
            return len(raw) < 200 and _is_header(_columns(raw))
    return False


READER = Reader(
    id="turnup_counts",
    title="Counts of turn-ups",
    suffixes=(".csv",),
    game="euchre_4",
    holds=Holds(order="unknown", exposure="unknown", turnup="claimed"),
    sniff=sniff,
    read=read,
)
