"""A whole house for tests: the service on a free port, seats and witnesses on threads."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from audit.client.api import Api
from audit.client.journal import Journal
from audit.client.player import Auto, Player
from audit.client.refusal import Answered, Unreachable
from audit.client.relay import RelayDesk, door
from audit.client.seat import Seat
from audit.client.witness import Witness
from audit.keyfile import make_key, read_private
from audit.note import COSIGNATURE, Key, Signer
from audit.service.app import Service
from audit.service.serve import Settings, create, open_hall
from audit.service.server import HallServer
from audit.shuffle.entries import Signed
from audit.wire import Boxed, BoxKey, Health, NewTable, Tokens

ORIGIN = "house.example/ledger"


def free_port() -> int:
    """Return a port that was free just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class House:
    """The service; `stop` and `start` are a restart on the same files."""

    def __init__(
        self,
        folder: Path,
        witnesses: tuple[Key, ...] = (),
        quorum: int = 0,
        rate: float = 1e6,
        db: str | None = None,
    ) -> None:
        self.settings = Settings(
            db=db or str(folder / "ledger.db"),
            key=folder / "house.key",
            vault=folder / "vault.key",
            origin=ORIGIN,
            port=free_port(),
            witnesses=witnesses,
            quorum=quorum,
            rate=rate,
            burst=rate,
        )
        create(self.settings)
        self.url = f"http://127.0.0.1:{self.settings.port}"
        self.key = Signer(ORIGIN, read_private(self.settings.key)).key
        self.start()

    def start(self) -> None:
        hall = open_hall(self.settings)
        self.hall = hall
        self.service = Service(lambda: hall, rate=self.settings.rate, burst=self.settings.burst)
        self.server = HallServer(self.service, hall, "127.0.0.1", self.settings.port, grace=1)
        self._thread = threading.Thread(target=self.server.run)
        self._thread.start()
        api = Api(self.url)
        for _ in range(400):
            try:
                api.get("/health", Health)
                break
            except Unreachable:
                time.sleep(0.01)
        api.close()

    def stop(self) -> None:
        self.server.soon(self.server.leave)
        self._thread.join(10)
        assert not self._thread.is_alive()

    def restart(self) -> None:
        self.stop()
        self.start()

    def table(self, game: str, players: int, **more: object) -> Tokens:
        api = Api(self.url)
        asked = NewTable(game=game, players=players, **more)  # type: ignore[arg-type]
        made = api.post("/api/tables", asked, Tokens)
        api.close()
        return made


@contextmanager
def house(folder: Path, **more: object) -> Iterator[House]:
    """Run a house in *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    made = House(folder, **more)  # type: ignore[arg-type]
    try:
        yield made
    finally:
        made.stop()


def seats_at(
    url: str,
    made: Tokens,
    folder: Path,
    *,
    only: int | None = None,
    player: Callable[[], Player] = Auto,
    relay: str | None = None,
    wait: int = 5,
    connect: Callable[[str], Api] = Api,
) -> list[Seat]:
    """Return a client for every seat of a table, or the *only* one.

    *connect* makes their connections.
    """
    found = []
    for number, token in enumerate(made.tokens):
        if only not in (None, number):
            continue
        place = folder / f"seat-{number}"
        seat = Seat(
            connect(url),
            made.table,
            number,
            token,
            Journal(place / "seat.jsonl"),
            player(),
            folder=place,
            relay=None if relay is None else connect(relay),
            wait=wait,
        )
        found.append(seat)
    return found


def together(work: list[Callable[[], None]], seconds: float = 60) -> None:
    """Run all of *work* on threads, and raise what any of them raised."""
    failed: list[BaseException] = []

    def guarded(one: Callable[[], None]) -> None:
        try:
            one()
        except BaseException as err:
            failed.append(err)

    threads = [threading.Thread(target=guarded, args=(one,), daemon=True) for one in work]
    for thread in threads:
        thread.start()
    end = time.monotonic() + seconds
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
        if failed:
            raise failed[0]
    assert not any(thread.is_alive() for thread in threads), "somebody is still waiting"
    if failed:
        raise failed[0]


def play(seats: list[Seat], packs: int = 0) -> None:
    """Let every seat play to the close of the table, or *packs* packs, and stand up."""
    try:
        together([lambda seat=seat: seat.run(packs) for seat in seats])  # type: ignore[misc]
    finally:
        for seat in seats:
            seat.close()


class Losing(Api):
    """A connection that loses the first request, or the answer to it, of every kind.

    *lost* holds what was lost already, by the last word of the path and, for a message of a
    seat, its step; *between* is run before the loss is noticed.
    """

    def __init__(
        self, url: str, *, answer: bool, lost: set[str], between: Callable[[], None]
    ) -> None:
        super().__init__(url)
        self._answer, self._lost, self._between = answer, lost, between

    def _call(self, method: str, path: str, body: bytes | None) -> bytes:
        kind = path.rpartition("/")[2]
        if kind == "messages" and body is not None:
            kind = str(msgspec.json.decode(body)["step"])
        if method != "POST" or kind in self._lost:
            return super()._call(method, path, body)
        return self._lose(kind, lambda: super(Losing, self)._call(method, path, body))

    def _follow(self, path: str, body: bytes) -> bytes:
        said = msgspec.json.decode(body)["say"]
        kind = "listen" if said is None else str(said["step"])
        if kind in self._lost:
            return super()._follow(path, body)
        return self._lose(kind, lambda: super(Losing, self)._follow(path, body))

    def _next_line(self, wait: float) -> bytes | None:
        if "line" in self._lost or self._lines is None:
            return super()._next_line(wait)
        self._unfollow()
        return self._lose("line", lambda: b"")

    def _lose(self, kind: str, answered: Callable[[], bytes]) -> bytes:
        if self._answer:
            # What is refused has not come to its step yet, and is not what is to be lost.
            answered()
        self._lost.add(kind)
        self._between()
        self._unfollow()
        raise Unreachable(self.url, "service", "is lost")


class _Front:
    """The relay that runs now, behind a door that stays."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    @property
    def key(self) -> BoxKey:
        assert self._watch.desk is not None
        return self._watch.desk.key

    def take(self, boxed: Boxed) -> Signed:
        assert self._watch.desk is not None
        return self._watch.desk.take(boxed)


class Watch:
    """A witness on a thread, perhaps a relay too; *connect* makes their connections.

    With *again* both are stopped and started from their own files at every loss.
    """

    def __init__(
        self,
        folder: Path,
        name: str = "witness.example",
        *,
        relay: bool = False,
        connect: Callable[[str], Api] = Api,
        again: bool = False,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "witness.key"
        make_key(path)
        self._private = read_private(path)
        self.signer = Signer(name, self._private, COSIGNATURE)
        self.key = self.signer.key
        self._folder, self._relay = folder, relay
        self._connect, self._again = connect, again
        self.url: str | None = None
        self.failure: BaseException | None = None
        self._stop = threading.Event()

    def start(self, made: House) -> None:
        self._made = made
        self._open()
        self._door = None
        if self._relay:
            front: Any = _Front(self)
            self._door = door(front, "127.0.0.1", 0)
            self.url = f"http://127.0.0.1:{self._door.server_address[1]}"
            threading.Thread(target=self._door.serve_forever, daemon=True).start()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _open(self) -> None:
        """Sit down as a process would that has just been started."""
        journal = Journal(self._folder / "heads.jsonl")
        self._apis, self._journals = [self._connect(self._made.url)], [journal]
        self.witness = Witness(self._apis[0], self.signer, self._made.key, journal)
        self.desk: RelayDesk | None = None
        if self._relay:
            relay_journal = Journal(self._folder / "relay.jsonl")
            self._apis.append(self._connect(self._made.url))
            self._journals.append(relay_journal)
            self.desk = RelayDesk(self._apis[1], self._private, relay_journal)

    def _close(self) -> None:
        for api in self._apis:
            api.close()
        for journal in self._journals:
            journal.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self.witness.step(1)
                if self.desk is not None:
                    self.desk.step()
            except (Unreachable, Answered) as err:
                if self._again and isinstance(err, Unreachable):
                    self._close()
                    self._open()
                time.sleep(0.05)
            except BaseException as err:
                self.failure = err
                return

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(10)
        self._close()
        if self._door is not None:
            self._door.shutdown()
            self._door.server_close()
