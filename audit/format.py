"""The shape of a reader: one log format, one file, one value named READER.

A log is read as a stream, a piece at a time, so that its size costs no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from audit.columns import Columns
from audit.record import Flaw, Holds, Record

#: A line of more bytes than this is one flaw and is not stored.
LONGEST = 1 << 20
#: So many bytes are read at a time.
PIECE = 1 << 18


class Stream(Protocol):
    """Whatever bytes can be read from, in order."""

    def read(self, size: int, /) -> bytes: ...


class Piece(NamedTuple):
    """Whole lines: the number of the first, their bytes with LF ends, the flaws among them."""

    line: int
    data: bytes
    flaws: tuple[Flaw, ...]


@dataclass(frozen=True, kw_only=True)
class Reader:
    """One log format.

    *sniff* is given the first 64 KiB and the file name and says whether the
    format claims them.  *read* is given the content as a stream and yields one
    record or flaw for each deal, in file order, and never raises for content.
    *batches*, where a format has columns, yields the same deals of a file as
    columns, with the flaws between them.  *part*, where a format has every deal on a line of
    its own, yields what *read* does for some whole lines, so that a log can be read in parts.
    """

    id: str
    title: str
    suffixes: tuple[str, ...]
    game: str
    holds: Holds
    sniff: Callable[[bytes, str], bool]
    read: Callable[[Stream, str], Iterator[Record]]
    batches: Callable[[Path, str], Iterator[Columns | Flaw]] | None = None
    part: Callable[[Piece], Iterator[Record]] | None = None


def _plain(chunk: bytes) -> bytes:
    return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in chunk else chunk


def _chunks(stream: Stream) -> Iterator[bytes]:
    """Yield the content with LF line ends and without a byte order mark."""
    held, first = b"", True
    while chunk := stream.read(PIECE):
        if held:
            chunk, held = held + chunk, b""
        if first:
            if len(chunk) < 3 and b"\xef\xbb\xbf".startswith(chunk):
                held = chunk
                continue
            chunk, first = chunk.removeprefix(b"\xef\xbb\xbf"), False
        if b"\r" in chunk:
            if chunk.endswith(b"\r"):
                chunk, held = chunk[:-1], b"\r"
            chunk = _plain(chunk)
        yield chunk
    if held:
        yield _plain(held)


def pieces(stream: Stream, mark: bytes = b"") -> Iterator[Piece]:
    """Yield the whole lines of *stream* in pieces of some `PIECE` bytes.

    A line longer than `LONGEST` stands as *mark* and is a flaw of its piece.
    """
    line, rest, skips = 1, b"", False
    for chunk in _chunks(stream):
        flaws: tuple[Flaw, ...] = ()
        if skips:
            end = chunk.find(b"\n")
            if end < 0:
                continue
            flaws = (Flaw(line=line, field="line", why="longer than 1 MiB"),)
            chunk, skips = mark + chunk[end:], False
        end = chunk.rfind(b"\n") + 1
        if not end:
            rest += chunk
            if len(rest) > LONGEST:
                rest, skips = b"", True
            continue
        if len(rest) + end > LONGEST and len(rest) + (first := chunk.find(b"\n")) > LONGEST:
            flaws += (Flaw(line=line, field="line", why="longer than 1 MiB"),)
            data = mark + chunk[first:end]
        else:
            data = rest + chunk[:end]
        rest = chunk[end:]
        yield Piece(line, data, flaws)
        line += data.count(b"\n")
    if skips:
        flaw = Flaw(line=line, field="line", why="longer than 1 MiB")
        yield Piece(line, mark, (flaw,))
    elif rest:
        yield Piece(line, rest, ())


def numbered(piece: Piece) -> Iterator[tuple[int, bytes | Flaw]]:
    """Yield each line of *piece* with its number, a flaw in the place of one that is too long."""
    flaws = {flaw.line: flaw for flaw in piece.flaws}
    for number, raw in enumerate(piece.data.removesuffix(b"\n").split(b"\n"), piece.line):
        yield number, flaws.get(number, raw)


def lines(stream: Stream) -> Iterator[tuple[int, bytes | Flaw]]:
    """Yield each line with its number from 1, a flaw in the place of one that is too long."""
    for piece in pieces(stream):
        yield from numbered(piece)


def cut(piece: Piece, most: int) -> Iterator[Piece]:
    """Yield the lines of *piece* in pieces of at most *most* lines."""
    if piece.data.count(b"\n") < most:
        yield piece
        return
    rows = piece.data.removesuffix(b"\n").split(b"\n")
    for start in range(0, len(rows), most):
        line, some = piece.line + start, rows[start : start + most]
        flaws = tuple(flaw for flaw in piece.flaws if 0 <= flaw.line - line < len(some))
        yield Piece(line, b"\n".join(some) + b"\n", flaws)


def text_of(raw: bytes) -> str:
    """Return *raw* as text: UTF-8 where it is that, else Latin-1."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
