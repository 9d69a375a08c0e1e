"""Workers ask and tell one another; nobody waits for one that is gone."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from audit.service.asgi import Answer
from audit.service.refusal import Busy
from audit.service.team import Asked, News, Team

LOOPS = ["asyncio", *(["uvloop"] if importlib.util.find_spec("uvloop") else [])]
ASKED = Asked("POST", "/p/{table}", {"table": "t-1"}, {"wait": 3}, b'{"a":1}')


@pytest.fixture(params=LOOPS)
def run(request: pytest.FixtureRequest) -> Callable[[Awaitable[None]], None]:
    def running(work: Awaitable[None]) -> None:
        factory = None
        if request.param == "uvloop":
            factory = importlib.import_module("uvloop").new_event_loop
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(asyncio.wait_for(work, 20))

    return running


class Worker:
    """One of two workers, which answers with what it was asked and keeps what it is told."""

    def __init__(self, folder: Path, me: int) -> None:
        self.folder, self.me = folder, me
        self.told: list[News] = []
        self.closed = asyncio.Event()

    async def begin(self) -> Worker:
        self.team = Team(self.folder, self.me, 2)
        await self.team.begin(self.answer, self.told.append)
        return self

    async def answer(self, asked: Asked) -> Answer:
        if asked.method == "LINES":
            return Answer(status=200, media="lines", pieces=self.lines(asked.query["wait"]))
        data = f"{self.me} {asked.path} {dict(asked.names)} {asked.body!r}".encode()
        return Answer(status=201, media="text", data=data, more=[(b"x", b"y")])

    async def lines(self, count: int) -> AsyncIterator[bytes]:
        try:
            for number in range(count):
                yield b"line %d" % number
                await asyncio.sleep(0)
        finally:
            self.closed.set()


async def two(folder: Path) -> tuple[Worker, Worker]:
    return await Worker(folder, 0).begin(), await Worker(folder, 1).begin()


def test_an_answer_comes_back_as_it_was_given(
    tmp_path: Path, run: Callable[[Awaitable[None]], None]
) -> None:
    async def work() -> None:
        one, other = await two(tmp_path)
        for _ in range(3):
            answer = await one.team.ask(1, ASKED)
            assert (answer.status, answer.media, answer.pieces) == (201, "text", None)
            assert answer.data == b"1 /p/{table} {'table': 't-1'} b'{\"a\":1}'"
            assert [tuple(m) for m in answer.more] == [(b"x", b"y")]
            asked = Asked("LINES", "", {}, {"wait": 200}, b"")
            lines = (await one.team.ask(1, asked)).pieces
            assert lines is not None
            assert [x async for x in lines] == [b"line %d" % n for n in range(200)]
        # All went over one line, which is used again.
        assert len(one.team._idle[1]) == 1
        await one.team.end()
        await other.team.end()

    run(work())


def test_who_stops_reading_ends_the_answer_of_the_other(
    tmp_path: Path, run: Callable[[Awaitable[None]], None]
) -> None:
    async def work() -> None:
        one, other = await two(tmp_path)
        lines = (await one.team.ask(1, Asked("LINES", "", {}, {"wait": 10**9}, b""))).pieces
        assert lines is not None
        assert await anext(lines) == b"line 0"
        await lines.aclose()  # type: ignore[attr-defined]
        await other.closed.wait()
        assert one.team._idle[1] == []
        await one.team.end()
        await other.team.end()

    run(work())


def test_one_that_was_started_again_is_asked_and_told_again(
    tmp_path: Path, run: Callable[[Awaitable[None]], None]
) -> None:
    async def work() -> None:
        one, other = await two(tmp_path)
        await one.team.ask(1, ASKED)
        one.team.tell(b"first", 1, cosigned=False)
        while not other.told:
            await asyncio.sleep(0.01)
        lines = (await one.team.ask(1, Asked("LINES", "", {}, {"wait": 10**9}, b""))).pieces
        assert lines is not None
        await anext(lines)
        await other.team.end()
        # What was told of a long answer stands, and it is over.
        assert all([x.startswith(b"line") async for x in lines])
        with pytest.raises(Busy):
            await one.team.ask(1, ASKED)
        for size in (2, 3):
            one.team.tell(b"lost", size, cosigned=True)
            await asyncio.sleep(0.05)
        again = await Worker(tmp_path, 1).begin()
        assert (await one.team.ask(1, ASKED)).status == 201
        one.team.tell(b"last", 4, cosigned=True)
        while not again.told:
            await asyncio.sleep(0.01)
        assert again.told[-1] == News(b"last", 4, cosigned=True)
        await one.team.end()
        await again.team.end()

    run(work())


def test_the_largest_of_what_is_to_be_told_is_told_with_every_signature(tmp_path: Path) -> None:
    async def work() -> None:
        one, other = await two(tmp_path)
        one.team.tell(b"c", 3, cosigned=True)
        one.team.tell(b"b", 2, cosigned=False)
        while not other.told:
            await asyncio.sleep(0.01)
        assert other.told == [News(b"c", 3, cosigned=True)]
        await one.team.end()
        await other.team.end()

    asyncio.run(work())
