"""What may go wrong between several workers: what one promises, all of them together keep."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import stat
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from audit.client.api import Api
from audit.client.seat import Seat
from audit.errors import UsageError
from audit.ledger.place import Hold
from audit.ledger.refusal import InUse
from audit.service import team
from audit.service.asgi import Answer
from audit.service.refusal import Busy
from audit.service.routes import ROUTES
from audit.service.serve import Settings
from audit.service.team import KEPT_LINES, Asked, Head, Team, worker_of
from audit.service.workers import supervise
from audit.shuffle.messages import card_request, sign
from audit.wire import Following, Listening, NewTable, TableState, Taking, Tokens, Told
from tests.ledger.server import Server
from tests.service.rig import House, free_port, house, seats_at, together
from tests.service.test_workers import ORIGIN, WORKERS, Crew, check_ledger, crew, tables

Reply = tuple[int, dict[str, str], bytes]
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def made(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crew]:
    with crew(tmp_path_factory.mktemp("crew"), server) as running:
        yield running


def _ask(
    port: int, method: str, path: str, body: bytes | None = None, head: dict[str, str] | None = None
) -> Reply:
    """Return status, headers and body of one request over a connection of its own."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        line.request(method, path, body, head or {})
        got = line.getresponse()
        headers = {k.lower(): v for k, v in got.getheaders() if k.lower() != "date"}
        return got.status, headers, got.read()
    finally:
        line.close()


def _shape(found: Any) -> Any:
    """Return what kind of thing a JSON value is, without what stands in it."""
    if isinstance(found, dict):
        return {k: _shape(v) for k, v in found.items()}
    if isinstance(found, list):
        return [_shape(found[0])] if found else []
    return type(found).__name__


def _told(reply: Reply) -> Any:
    status, headers, body = reply
    more = {k: v for k, v in headers.items() if k != "content-length"}
    more["allow"] = str(sorted(more.get("allow", "").split(", ")))
    if "json" not in headers.get("content-type", "") or not body:
        return status, more, body if status >= 400 else b""
    found = json.loads(body)
    # A refusal is the same to the letter; of anything else the kind.
    return status, more, found if status >= 400 else _shape(found)


BODIES: tuple[tuple[bytes | None, dict[str, str]], ...] = (
    (None, {}),
    (b"{}", {}),
    (b"{}", {"content-type": "text/plain"}),
    (b"{}", JSON),
    (b"{", JSON),
    (b"\xff\xfe", JSON),
    (b"[" * 30_000, JSON),
    (b'{"seat":-1}', {"content-type": "application/json; charset=utf-8"}),
    (b"{" + b" " * 70_000 + b"}", JSON),
)


def _requests(table: str) -> list[tuple[str, str, bytes | None, dict[str, str]]]:
    found: list[tuple[str, str, bytes | None, dict[str, str]]] = []
    names = (table, "t-0000000000000000", "%00", "%ff", "a%2Fb", "x" * 300)
    for route in ROUTES:
        path = route.path.replace("{tile:path}", "0/000").replace("{pack}", "1")
        for at, name in enumerate(names if "{table}" in path else ("",)):
            filled = path.replace("{table}", name)
            if at == 0:
                methods = ("HEAD", "PUT", "OPTIONS", "POST" if route.method == "GET" else "GET")
                found += [(method, filled, None, {}) for method in methods]
            bodies = BODIES if at == 0 and route.method == "POST" else BODIES[3:4]
            if route.method == "GET":
                bodies = BODIES[:1]
            found += [(route.method, filled, body, head) for body, head in bodies]
        if route.method == "GET":
            filled = path.replace("{table}", table)
            queries = ["nobody=1", "=&", "%00=1"]
            for name, (low, high) in route.query.items():
                queries += [f"{name}={low}", f"{name}={high + 1}", f"{name}=-1", f"{name}=%D9%A1"]
                queries.append(f"{name}=0&{name}=0")
            found += [("GET", f"{filled}?{query}", None, {}) for query in queries]
    body = msgspec.json.encode(NewTable(game="nothing", players=2))
    found.append(("POST", "/api/tables", body, JSON))
    for path in ("/metrics", "/openapi.json", "/docs", "/", "/no", "/api/tables/", "/seat", "//"):
        found += [(method, path, None, {}) for method in ("GET", "HEAD", "POST")]
    return found


def _of_each(made: Crew) -> list[Tokens]:
    """Make tables until every worker has one; return one of each, by worker."""
    by = {worker_of(one.table, WORKERS): one for one in tables(made, WORKERS, 1)}
    return [by[n] for n in range(WORKERS)]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("alone")) as one:
        yield one


def test_several_workers_answer_as_one_process_does(made: Crew, alone: House) -> None:
    name = alone.table("ecarte_foster", 2).table
    wanted = [_told(_ask(alone.settings.port, *one)) for one in _requests(name)]
    for table in _of_each(made):
        asked = _requests(table.table)
        for one, want in zip(asked, wanted, strict=True):
            assert _told(_ask(made.port, *one)) == want, one[:2]


def _until(ready: Callable[[], bool], why: str) -> None:
    end = time.monotonic() + 30
    while not ready():
        assert time.monotonic() < end, why
        time.sleep(0.05)


def _open_files(made: Crew) -> list[int]:
    return [len(os.listdir(f"/proc/{pid}/fd")) for pid in made.workers()]


def _seated(made: Crew, table: Tokens, folder: Path) -> Seat:
    """Return the first seat of a table whose first pack is called; all seats are taken."""
    seats = seats_at(made.url, table, folder, wait=0)
    together([seat.sit for seat in seats])
    while seats[0].seat.pack is None:
        for seat in seats:
            seat.sync(1)
    for seat in seats:
        seat.close()
    return seats[0]


def _listening(seat: Seat, wait: int) -> Listening:
    body = card_request(bytes.fromhex(seat._mh), 1, 0, "cards", bytes(32), int(time.time()))
    log = Following(after=0, start=0)
    return Listening(ask=sign(seat.seat.key, body), log=log, wait=wait)


def test_thousands_of_requests_and_readers_who_leave_leave_nothing_open(
    made: Crew, tmp_path: Path
) -> None:
    of_each = _of_each(made)
    seats = [_seated(made, one, tmp_path / one.table) for one in of_each]

    def leave(at: int) -> None:
        """Begin to listen, and go without a word."""
        api = Api(made.url)
        path = f"/api/tables/{of_each[at].table}/listen"
        assert api.follow(path, _listening(seats[at], 1), Told).log is not None
        api.close()

    def look() -> None:
        api = Api(made.url)
        for number in range(100):
            api.get(f"/api/tables/{of_each[number % WORKERS].table}", TableState)
        api.close()

    def load() -> None:
        together([look] * 12 + [lambda n=n: leave(n % WORKERS) for n in range(60)])  # type: ignore[misc]
        together([lambda n=n: leave(n % WORKERS) for n in range(60)])  # type: ignore[misc]

    for _ in range(3):
        load()
    # Lines that are kept, of both sides, and what a process has open that does nothing.
    most = 2 * (WORKERS - 1) * KEPT_LINES + 40
    _until(lambda: max(_open_files(made)) <= most, "connections stay open")


def test_only_the_own_user_reaches_the_sockets_of_the_workers(made: Crew) -> None:
    rows = [row.split() for row in Path("/proc/net/unix").read_text().splitlines()[1:]]
    paths = {row[6]: Path(row[7]) for row in rows if len(row) == 8}
    found: set[Path] = set()
    for pid in made.workers():
        for one in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                path = paths.get(os.readlink(one).removeprefix("socket:[").removesuffix("]"))
                if path is not None and path.name.startswith("worker-"):
                    found.add(path)
    assert sorted(path.name for path in found) == [f"worker-{n}" for n in range(WORKERS)]
    (folder,) = {path.parent for path in found}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert folder.stat().st_uid == os.getuid()


def test_sockets_that_no_system_takes_are_refused_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    nobody = Path("nobody")
    settings = Settings(db="", key=nobody, vault=nobody, origin=ORIGIN, port=free_port())
    with pytest.raises(UsageError, match="TMPDIR: is too long a path"):
        supervise(settings, b"", 2, lambda: None)
    assert list(long.iterdir()) == []


def test_a_worker_that_stands_still_is_missed_and_keeps_nobody_waiting(made: Crew) -> None:
    of_each = _of_each(made)

    def states(wait: int = 0) -> list[int]:
        paths = [f"/api/tables/{one.table}/manifest?wait={wait}" for one in of_each]
        return [_ask(made.port, "GET", path)[0] for path in paths]

    assert states() == [409] * WORKERS
    stopped = made.workers()[0]
    os.kill(stopped, signal.SIGSTOP)
    try:
        _until(lambda: _ask(made.port, "GET", "/health")[0] == 503, "nobody misses it")
        for path in ("/health", "/api/tables", "/metrics"):
            status, headers, body = _ask(made.port, "GET", path)
            assert (status, headers["retry-after"]) == (503, "1")
            assert json.loads(body)["why"] == "does not answer"
        assert sorted(states()) == [409] * (WORKERS - 1) + [503]
    finally:
        os.kill(stopped, signal.SIGCONT)
    # Each of the others finds out by itself.
    _until(lambda: all(states() == [409] * WORKERS for _ in range(12)), "it is not asked again")
    assert stopped in made.workers()


def test_a_database_that_is_started_again_is_served_again(made: Crew, server: Server) -> None:
    of_each = _of_each(made)
    before = made.workers()
    names = json.loads(_ask(made.port, "GET", "/api/tables")[2])
    new = msgspec.json.encode(NewTable(game="ecarte_foster", players=2))
    server.kill()
    try:
        for one in of_each:
            # The seats are taken in memory, and nobody knows what of it stands.
            body = Taking(seat=0, token=one.tokens[0], key="ab" * 32, nonce="cd" * 32)
            path = f"/api/tables/{one.table}/seats"
            assert _ask(made.port, "POST", path, msgspec.json.encode(body), JSON)[0] == 503
        _until(lambda: _ask(made.port, "GET", "/health")[0] == 503, "it is not told")
        assert _ask(made.port, "GET", "/metrics")[0] == 503
        assert made.workers() == before
    finally:
        server.start()
    _until(lambda: not set(made.workers()) & set(before), "the workers are not started again")
    made.wait_until_well()
    assert json.loads(_ask(made.port, "GET", "/api/tables")[2]) == names
    for one in of_each:
        state = msgspec.json.decode(_ask(made.port, "GET", f"/api/tables/{one.table}")[2])
        assert state["taken"] == []
    assert _ask(made.port, "POST", "/api/tables", new, JSON)[0] == 201
    with psycopg.connect(server.dsn(), autocommit=True) as db:
        held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 5235"
        _until(lambda: db.execute(held).fetchone() == (1,), "the right to serve is lost")
    with pytest.raises(InUse, match="served by another"):
        Hold(made.db)


def test_an_interrupt_of_every_process_ends_all_in_order(made: Crew) -> None:
    of_each, log = _of_each(made), made._folder / "log"
    told = log.stat().st_size
    pids, found = [made.process.pid, *made.workers()], []

    def wait(table: str) -> None:
        found.append(_ask(made.port, "GET", f"/api/tables/{table}/manifest?wait=25")[0])

    waiting = [threading.Thread(target=wait, args=(one.table,)) for one in of_each * 3]
    for thread in waiting:
        thread.start()
    time.sleep(0.5)
    for pid in pids:
        os.kill(pid, signal.SIGINT)
    assert made.process.wait(30) == 0
    for thread in waiting:
        thread.join()
    # Each of them is told that nothing comes.
    assert found == [409] * len(waiting)
    assert log.read_bytes()[told:] == b""
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    check_ledger(made.db)


# --- one worker and what stands at the other end of its lines -----------------------------------

ASKED = Asked("GET", "/p", {}, {}, b"")


class Peer:
    """What stands at the place of a worker: it begins an answer perhaps, and then stands still."""

    def __init__(self, said: bytes = b"") -> None:
        self._said = said
        self.lines: list[asyncio.StreamWriter] = []
        self._ended = False

    async def begin(self, folder: Path, number: int) -> Peer:
        place = folder / f"worker-{number}"
        place.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._take, path=place, limit=1)
        return self

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._ended:
            writer.close()
            return
        self.lines.append(writer)
        size = int.from_bytes(await reader.readexactly(4), "big")
        await reader.readexactly(size)
        # What only asks whether anybody is there is not answered either.
        writer.write(self._said if size else b"")

    def end(self) -> None:
        self._ended = True
        self._server.close()
        for line in self.lines:
            line.close()


async def _answer(_: Asked) -> Answer:
    await asyncio.sleep(0.05)
    return Answer(status=200, media="text", data=b"here")


async def _team(folder: Path, me: int, told: list[int], count: int = 3) -> Team:
    made = Team(folder, me, count)
    await made.begin(_answer, lambda news: told.append(news.size))
    return made


def _run(work: Awaitable[None]) -> None:
    with asyncio.Runner() as runner:
        runner.run(asyncio.wait_for(work, 20))


def test_a_crowd_that_comes_at_once_is_answered(tmp_path: Path) -> None:
    async def work() -> None:
        one, other = await _team(tmp_path, 0, []), await _team(tmp_path, 1, [])
        found = await asyncio.gather(*(one.ask(1, ASKED) for _ in range(400)))
        assert {answer.data for answer in found} == {b"here"}
        assert len(one._idle[1]) == KEPT_LINES
        await one.end()
        await other.end()

    _run(work())


def test_one_that_stands_still_keeps_nobody_from_news_or_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(team, "STILL_SECONDS", 0.2)

    async def work() -> None:
        told: list[int] = []
        still = await Peer().begin(tmp_path, 1)
        one, other = await _team(tmp_path, 0, []), await _team(tmp_path, 2, told)
        waiting = [asyncio.ensure_future(one.ask(1, ASKED)) for _ in range(20)]
        for size in range(2000):
            one.tell(bytes(300), size, cosigned=False)
            await asyncio.sleep(0)
        while told[-1:] != [1999]:
            await asyncio.sleep(0.01)
        assert (await one.ask(2, ASKED)).data == b"here"
        found = await asyncio.gather(*waiting, return_exceptions=True)
        assert {type(one) for one in found} == {Busy}
        # Until it answers again nobody waits for it.
        opened = len(still.lines)
        for _ in range(20):
            with pytest.raises(Busy):
                await one.ask(1, ASKED)
        assert len(still.lines) <= opened + 1
        still.end()
        again = await _team(tmp_path, 1, [])
        while True:
            with suppress(Busy):
                assert (await one.ask(1, ASKED)).data == b"here"
                break
            await asyncio.sleep(0.01)
        for each in (one, other, again):
            await each.end()

    _run(work())


def test_an_answer_that_stands_still_in_its_middle_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(team, "STILL_SECONDS", 0.2)

    async def work() -> None:
        head = msgspec.msgpack.encode(Head(200, "lines", [], b"", whole=False))
        parts = [len(p).to_bytes(4, "big") + p for p in (head, b"first line")]
        # The second piece does not come whole.
        still = await Peer(b"".join(parts) + (9).to_bytes(4, "big") + b"sec").begin(tmp_path, 1)
        one = await _team(tmp_path, 0, [], 2)
        pieces = (await one.ask(1, ASKED)).pieces
        assert pieces is not None
        assert [piece async for piece in pieces] == [b"first line"]
        assert one._idle[1] == []
        assert one._asking[1] == set()
        still.end()
        await one.end()

    _run(work())


@pytest.mark.parametrize("said", [b"\xff\xff\xff\xff", b"\0\0\0\2no", b"\0\0\0\0", b"\0\0"])
def test_what_is_no_frame_ends_the_line_and_nothing_else(tmp_path: Path, said: bytes) -> None:
    async def work() -> None:
        one = await _team(tmp_path, 0, [], 2)
        odd = await Peer(said).begin(tmp_path, 1)
        for _ in range(3):
            asking = asyncio.ensure_future(one.ask(1, ASKED))
            while not odd.lines:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            odd.lines.pop().close()
            with pytest.raises(Busy):
                await asking
        assert (one._idle[1], one._asking[1]) == ([], set())
        odd.end()
        reader, writer = await asyncio.open_unix_connection(tmp_path / "worker-0")
        writer.write(said)
        writer.write_eof()
        # An empty frame asks whether anybody is there.
        assert await reader.read() in (b"", b"\0\0\0\0")
        writer.close()
        other = await _team(tmp_path, 1, [], 2)
        assert (await other.ask(0, ASKED)).data == b"here"
        await one.end()
        await other.end()

    _run(work())


def test_who_is_being_answered_is_answered_before_the_end(tmp_path: Path) -> None:
    async def work() -> None:
        one, other = await _team(tmp_path, 0, [], 2), await _team(tmp_path, 1, [], 2)
        waiting = [asyncio.ensure_future(one.ask(1, ASKED)) for _ in range(5)]
        await asyncio.sleep(0.02)
        await other.end()
        assert {answer.data for answer in await asyncio.gather(*waiting)} == {b"here"}
        await one.end()

    _run(work())
