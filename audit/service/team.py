"""The workers of one service: each has the tables whose names fall to it.

All of them take connections at the same door. A request for a table is answered by the
worker that has the table; another one reads and bounds it, passes it on, and passes the
answer back as it comes. What a worker has entered, and that a witness has signed, it tells
the others. They speak over sockets in a folder that only their own user may enter.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from audit.service.asgi import Answer
from audit.service.refusal import Busy

MAX_FRAME = 2**26
#: Longer than any request may wait for its answer to begin.
SECONDS = 40
_LENGTH = 4


class Asked(msgspec.Struct, frozen=True, array_like=True, tag=0):
    """A request that was read: its route, the names in its path, its numbers and its body."""

    method: str
    path: str
    names: Mapping[str, str]
    query: Mapping[str, int]
    body: bytes


class News(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """A checkpoint of *size* that another worker has stored; *cosigned* by a witness, too."""

    note: bytes
    size: int
    cosigned: bool


class Head(msgspec.Struct, frozen=True, array_like=True):
    """The beginning of an answer, *whole* with all its data, or before its pieces."""

    status: int
    media: str
    more: list[tuple[bytes, bytes]]
    data: bytes
    whole: bool


_FRAMES = msgspec.msgpack.Decoder(Asked | News)
_HEADS = msgspec.msgpack.Decoder(Head)


def worker_of(table: str, count: int) -> int:
    """Return which of *count* workers has a table: 0 to count - 1."""
    return int.from_bytes(hashlib.sha256(table.encode()).digest()[:8], "big") % count


class _Line:
    """One connection between two workers: frames of a length and as many bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def send(self, data: bytes) -> None:
        """Send one frame, at the other side's pace.  Raises: OSError."""
        try:
            self._writer.write(len(data).to_bytes(_LENGTH, "big") + data)
            await self._writer.drain()
        except RuntimeError as err:
            # So one kind of loop says that the other side has gone.
            raise ConnectionResetError("the line is closed") from err

    async def take(self) -> bytes:
        """Return the next frame.  Raises: OSError, EOFError."""
        length = int.from_bytes(await self._reader.readexactly(_LENGTH), "big")
        if length > MAX_FRAME:
            raise OSError("a frame is too long")
        return await self._reader.readexactly(length)

    def close(self) -> None:
        """Close."""
        self._writer.close()


class Team:
    """One worker's view of all *count*; it is number *me*, and *folder* holds their sockets."""

    def __init__(self, folder: Path, me: int, count: int) -> None:
        self._folder, self.me, self.count = folder, me, count
        self.others = tuple(n for n in range(count) if n != me)
        self._idle: dict[int, list[_Line]] = {n: [] for n in self.others}
        self._telling: dict[int, _Line] = {}
        self._taken: set[_Line] = set()
        self._news: News | None = None
        self._anything = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    def worker(self, table: str) -> int:
        """Return the number of the worker that has *table*."""
        return worker_of(table, self.count)

    def has(self, table: str) -> bool:
        """Whether this worker has *table*."""
        return self.worker(table) == self.me

    async def begin(
        self, answer: Callable[[Asked], Awaitable[Answer]], heard: Callable[[News], None]
    ) -> None:
        """Answer the others with *answer*, and do *heard* with what they tell."""
        self._answer, self._heard = answer, heard
        place = self._place(self.me)
        place.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._take, path=place)
        self._start(self._spread())

    async def end(self) -> None:
        """Answer and tell nobody any more."""
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for lines in (self._taken, self._telling.values(), *self._idle.values()):
            for line in lines:
                line.close()
        await asyncio.sleep(0)

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _place(self, number: int) -> Path:
        return self._folder / f"worker-{number}"

    async def _open(self, number: int) -> _Line:
        return _Line(*await asyncio.open_unix_connection(self._place(number)))

    # -- being asked --------------------------------------------------------------------------

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._start(self._serve(_Line(reader, writer)))

    async def _serve(self, line: _Line) -> None:
        self._taken.add(line)
        try:
            while True:
                found = _FRAMES.decode(await line.take())
                if isinstance(found, News):
                    self._heard(found)
                else:
                    await self._give(line, await self._answer(found))
        except (OSError, EOFError):
            # The other one is gone, or has done with us.
            return
        finally:
            self._taken.discard(line)
            line.close()

    async def _give(self, line: _Line, answer: Answer) -> None:
        head = Head(
            answer.status, answer.media, list(answer.more), answer.data, answer.pieces is None
        )
        await line.send(msgspec.msgpack.encode(head))
        if answer.pieces is not None:
            async for piece in answer.pieces:
                await line.send(piece)
            await line.send(b"")

    # -- asking -------------------------------------------------------------------------------

    async def ask(self, number: int, asked: Asked) -> Answer:
        """Return another worker's answer.  Raises: Busy when it gives none."""
        frame = msgspec.msgpack.encode(asked)
        while True:
            kept = self._idle[number].pop() if self._idle[number] else None
            line = kept
            try:
                line = line or await self._open(number)
                await line.send(frame)
                async with asyncio.timeout(SECONDS):
                    head = _HEADS.decode(await line.take())
                break
            except (OSError, EOFError, TimeoutError) as err:
                if line is not None:
                    line.close()
                # Whoever was started again has closed what was kept; the same request has
                # the same answer, so it may be sent twice.
                if kept is None or isinstance(err, TimeoutError):
                    raise Busy("worker", "does not answer") from err
            except asyncio.CancelledError:
                if line is not None:
                    line.close()
                raise
        if head.whole:
            self._idle[number].append(line)
            return Answer(status=head.status, media=head.media, data=head.data, more=head.more)
        pieces = self._pieces(number, line)
        return Answer(status=head.status, media=head.media, pieces=pieces, more=head.more)

    async def _pieces(self, number: int, line: _Line) -> AsyncIterator[bytes]:
        over = False
        try:
            while piece := await line.take():
                yield piece
            over = True
        except (OSError, EOFError):
            # The other one has stopped: what was told stands, and who wants more asks again.
            return
        finally:
            if over:
                self._idle[number].append(line)
            else:
                line.close()

    # -- telling ------------------------------------------------------------------------------

    def tell(self, note: bytes, size: int, *, cosigned: bool) -> None:
        """Tell the others of a checkpoint, soon; the last one is enough."""
        before = self._news
        if before is not None:
            cosigned = cosigned or before.cosigned
            if before.size > size:
                note, size = before.note, before.size
        self._news = News(note, size, cosigned)
        self._anything.set()

    async def _spread(self) -> None:
        while True:
            await self._anything.wait()
            self._anything.clear()
            news, self._news = self._news, None
            if news is None:
                continue
            frame = msgspec.msgpack.encode(news)
            for number in self.others:
                # Whoever cannot be told looks at the ledger by itself before long.
                with suppress(OSError):
                    if number not in self._telling:
                        self._telling[number] = await self._open(number)
                    try:
                        await self._telling[number].send(frame)
                    except OSError:
                        self._telling.pop(number).close()


__all__ = ["Asked", "Head", "News", "Team", "worker_of"]
