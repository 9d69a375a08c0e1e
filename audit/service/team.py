"""The workers of one service: each has the tables whose names fall to it.

All of them take connections at the same door. A request for a table is answered by the
worker that has the table; another one reads and bounds it, passes it on, and passes the
answer back as it comes. What a worker has entered, and that a witness has signed, it tells
the others. They speak over sockets in a folder that only their own user may enter.

A worker that is gone is noticed at once, and one that stands still before long: nothing more
is asked of it until it answers again, so that who waits for it takes no room from others.
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
#: How often each of the others is looked for, and after how long it is taken to stand still.
LOOK_SECONDS, STILL_SECONDS = 1, 5
#: How long answers under way may take at the end.
LAST_SECONDS = 2
#: Lines to one worker that are kept while nothing is asked.
KEPT_LINES = 16
BACKLOG = 2048
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
        self._asking: dict[int, set[_Line]] = {n: set() for n in self.others}
        self._still: set[int] = set()
        self._taken: set[_Line] = set()
        self._news: dict[int, News] = {}
        self._anything = {n: asyncio.Event() for n in self.others}
        self._tasks: set[asyncio.Task[None]] = set()
        self._giving: set[asyncio.Task[None]] = set()
        self._ended = False

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
        self._server = await asyncio.start_unix_server(self._take, path=place, backlog=BACKLOG)
        for number in self.others:
            self._start(self._tell(number))

    async def end(self) -> None:
        """Finish the answers under way in their time, and answer and tell nobody any more."""
        self._ended = True
        self._server.close()
        if self._giving:
            await asyncio.wait(self._giving, timeout=LAST_SECONDS)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for line in list(self._taken):
            line.close()
        for number in self.others:
            self._hang_up(number)
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
        line = _Line(reader, writer)
        if self._ended:
            line.close()
            return
        # Known before its task runs, lest nobody closes it at the end.
        self._taken.add(line)
        self._start(self._serve(line))

    async def _serve(self, line: _Line) -> None:
        try:
            while not self._ended:
                raw = await line.take()
                found = _FRAMES.decode(raw) if raw else None
                if isinstance(found, Asked):
                    await self._finish(line, found)
                    continue
                if found is not None:
                    self._heard(found)
                await line.send(b"")
        except (OSError, EOFError, msgspec.DecodeError):
            # The other one is gone, has done with us, or is none of us.
            return
        finally:
            self._taken.discard(line)
            line.close()

    async def _finish(self, line: _Line, asked: Asked) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._giving.add(task)
        try:
            await self._give(line, await self._answer(asked))
        finally:
            self._giving.discard(task)

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
            if number in self._still:
                raise Busy("worker", "does not answer")
            kept = self._idle[number].pop() if self._idle[number] else None
            line = kept
            try:
                line = line or await self._open(number)
                self._asking[number].add(line)
                await line.send(frame)
                async with asyncio.timeout(SECONDS):
                    head = _HEADS.decode(await line.take())
                break
            except BaseException as err:
                if line is not None:
                    self._drop(number, line)
                if not isinstance(err, OSError | EOFError | msgspec.DecodeError):
                    raise
                # Whoever was started again has closed what was kept; the same request has
                # the same answer, so it may be sent twice.
                if kept is None or isinstance(err, TimeoutError | msgspec.DecodeError):
                    raise Busy("worker", "does not answer") from err
        if head.whole:
            self._keep(number, line)
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
                self._keep(number, line)
            else:
                self._drop(number, line)

    def _keep(self, number: int, line: _Line) -> None:
        if len(self._idle[number]) >= KEPT_LINES:
            self._drop(number, line)
            return
        self._asking[number].discard(line)
        self._idle[number].append(line)

    def _drop(self, number: int, line: _Line) -> None:
        self._asking[number].discard(line)
        line.close()

    def _hang_up(self, number: int) -> None:
        """Close every line to another worker; whoever waits for it waits no longer."""
        idle, self._idle[number] = self._idle[number], []
        for line in [*idle, *self._asking[number]]:
            line.close()

    # -- telling ------------------------------------------------------------------------------

    def tell(self, note: bytes, size: int, *, cosigned: bool) -> None:
        """Tell the others of a checkpoint, soon; the last one is enough."""
        for number in self.others:
            news, before = News(note, size, cosigned), self._news.get(number)
            if before is not None:
                last = before if before.size > size else news
                news = News(last.note, last.size, cosigned or before.cosigned)
            self._news[number] = news
            self._anything[number].set()

    async def _tell(self, number: int) -> None:
        """Tell one of the others what is new, and look now and then whether it answers."""
        line: _Line | None = None
        something = self._anything[number]
        try:
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS):
                        await something.wait()
                something.clear()
                news = self._news.pop(number, None)
                frame = b"" if news is None else msgspec.msgpack.encode(news)
                try:
                    async with asyncio.timeout(STILL_SECONDS):
                        line = line or await self._open(number)
                        await line.send(frame)
                        await line.take()
                    self._still.discard(number)
                except (OSError, EOFError) as err:
                    # Whoever cannot be told looks at the ledger by itself before long.
                    if line is not None:
                        line.close()
                    line = None
                    if isinstance(err, TimeoutError):
                        self._still.add(number)
                        self._hang_up(number)
                    else:
                        self._still.discard(number)
        finally:
            if line is not None:
                line.close()


__all__ = ["Asked", "Head", "News", "Team", "worker_of"]
