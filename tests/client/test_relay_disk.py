"""A relay whose disk fails at any call says nothing that is not stored, and never two things."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from audit.client import box, journal
from audit.client.journal import Journal
from audit.client.refusal import NotStored
from audit.client.relay import RelayDesk
from audit.errors import FairdealError
from audit.games import GAMES
from audit.shuffle.canonical import encode
from audit.shuffle.entries import Signed
from audit.shuffle.framing import frame, unframe, whole
from audit.shuffle.local import Room
from audit.shuffle.messages import public_hex
from audit.wire import Boxed, Done, Entered, Held, Log, Missing, Opening, Tables
from tests.client.disk import CALLS, Disk
from tests.shuffle.make_table_vectors import seeded

START, LATE = 1_000_000, 1_000_100
KINDS: dict[str, dict[str, bool]] = {"plain": {}, "short": {"short": True}, "late": {"late": True}}
STORIES = {
    "both open": ("look", "seat 0", "seat 1", "look", "look"),
    "one is late": ("look", "seat 0", "late", "look", "seat 1", "look"),
    "started again": ("look", "seat 0", "again", "look", "late", "look", "again", "look"),
}


class Unkept(AssertionError):
    """Something was said that a power cut would have undone, or two things were said."""


@cache
def closed() -> tuple[Room, list[Signed], bytes, list[Entered]]:
    """Return a room up to a closing, the openings, its checkpoint and its entries."""
    room = Room(GAMES["seven_up_2"], 2, relay=True, draw=seeded("disk"))
    head = room.ledger.head()
    for seat in room.seats:
        room.house.accept(seat.say_commit(head, {"cut": 10}), seat.number, "commit")
    room.go_on()
    opened = [seat.say_open(room.ledger.head()) for seat in room.seats]
    entries = [
        Entered(
            index=i, entry=raw.decode("ascii"), path=tuple(p.hex() for p in room.ledger.path(i))
        )
        for i, raw in enumerate(room.ledger.entries)
    ]
    return room, opened, room.checkpoint(), entries


class Story:
    """A closing over two seats, the house's answers, and a relay that may be started again."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self.path, self.disk, self.now = folder / "relay.jsonl", disk, START
        self.said: set[Signed] = set()
        self.lived = 0
        self.room, self.opened, self._note, self._entries = closed()
        self.desk: RelayDesk | None = None
        self.journal: Journal | None = None

    # -- the service that the relay asks --------------------------------------------------------

    def get(self, path: str, kind: type[Any], *, after: int = 0, start: int = 0) -> Any:
        if kind is Tables:
            return Tables(tables=("table-1",))
        return Log(
            checkpoint=self._note.hex(),
            consistency=(),
            entries=tuple(self._entries[after:]),
            more=False,
        )

    def post(self, path: str, body: msgspec.Struct, kind: type[Any]) -> Done:
        assert isinstance(body, Held | Missing)
        statement = body.held if isinstance(body, Held) else body.missing
        self.said.add(statement)
        self._stored(statement, "a statement")
        if len(self.said) > 1:
            raise Unkept("two statements about one closing")
        return Done()

    def _stored(self, signed: Signed, what: str) -> None:
        if signed.sig.encode() not in self.disk.durable(self.path):
            raise Unkept(f"{what} that is not stored")

    # -- what happens ---------------------------------------------------------------------------

    def start(self) -> None:
        if self.journal is not None:
            self.journal.close()
        self.desk = self.journal = None
        self.journal = Journal(self.path)
        api: Any = self
        self.desk = RelayDesk(api, self.room.relay_key, self.journal, lambda: self.now)

    def act(self, what: str) -> None:
        if what == "late":
            self.now = LATE
            return
        if self.desk is None or what == "again":
            self.start()
        if what == "again":
            return
        assert self.desk is not None
        if what == "look":
            self.desk.step()
            return
        number = int(what[-1])
        seat, signed = self.room.seats[number], self.opened[number]
        chosen = tuple(raw.hex() for raw in seat.say_chosen())
        mh = self.room.pack.call.mh
        public = box.read_announced(self.desk.key.key, public_hex(self.room.relay_key))
        raw = encode(Opening(signed=signed, chosen=chosen))
        sealed = box.seal(public, raw, f"{mh}|1".encode()).hex()
        with suppress(KeyError):
            # A KeyError is the answer "not due".
            self.desk.take(Boxed(table="table-1", pack=1, seat=number, box=sealed))
            self._stored(signed, "an opening")

    def tell(self, acts: tuple[str, ...]) -> int:
        """Let all of *acts* happen; return how many failed for the disk."""
        failed = 0
        for what in acts:
            try:
                self.act(what)
            except FairdealError:
                failed += 1
        return failed

    def end(self) -> None:
        if self.journal is not None:
            self.journal.close()


def told(folder: Path, disk: Disk, acts: tuple[str, ...], *, cut: bool) -> Story:
    """Let a story happen on a disk that fails once, with a new start after it and two more.

    Raises: Unkept as soon as something is said that may not stand.
    """
    story = Story(folder, disk)
    try:
        story.tell(acts)
        story.lived = len(disk.calls)
        for power in (cut, True, False):
            if story.journal is not None:
                story.journal.close()
            if power:
                disk.cut(story.path)
            disk.mend()
            story.start()
            # The seats that heard nothing ask again, the late one first.
            assert story.tell(("look", "seat 1", "seat 0", "look")) == 0
        assert len(story.said) == 1
    finally:
        story.end()
    return story


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Story]:
    """Give a way to tell a story on a disk, in a new folder each time."""
    count = iter(range(10_000))

    def tell(disk: Disk, story: str, *, cut: bool) -> Story:
        monkeypatch.setattr(journal, "os", disk)
        folder = tmp_path / str(next(count))
        folder.mkdir()
        return told(folder, disk, STORIES[story], cut=cut)

    return tell


def failures(calls: list[str]) -> Iterator[tuple[int, str, bool]]:
    """Yield every call, how it fails, and whether the power is cut after it."""
    for at, name in enumerate(calls):
        for kind in KINDS:
            if kind == "plain" or (name in ("write", "fdatasync", "replace")):
                for cut in (False, True):
                    yield at, kind, cut


def calls_of(on_disk: Callable[..., Story], story: str) -> list[str]:
    """Return the calls before the first new start, where nothing fails."""
    whole = Disk()
    return whole.calls[: on_disk(whole, story, cut=False).lived]


@pytest.mark.parametrize("story", STORIES)
def test_nothing_is_said_that_is_not_stored(on_disk: Callable[..., Story], story: str) -> None:
    calls = calls_of(on_disk, story)
    assert set(calls) == set(CALLS)
    # Six calls open an empty file, one more where it holds lines, two keep a line.
    assert len(calls) == {"both open": 12, "one is late": 10, "started again": 24}[story]
    for at, kind, cut in failures(calls):
        on_disk(Disk(at, **KINDS[kind]), story, cut=cut)


def test_a_relay_whose_disk_failed_is_silent_until_it_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The write of its statement fails; the disk is well again, and still it says nothing."""
    plain = Disk()
    monkeypatch.setattr(journal, "os", plain)
    (tmp_path / "plain").mkdir()
    story = Story(tmp_path / "plain", plain)
    assert story.tell(("look", "seat 0", "late")) == 0
    statement = len(plain.calls)
    assert story.tell(("look",)) == 0
    assert len(story.said) == 1
    story.end()

    disk = Disk(statement)
    monkeypatch.setattr(journal, "os", disk)
    story = Story(tmp_path, disk)
    assert story.tell(("look", "seat 0", "late", "look")) == 1
    disk.mend()
    for what in ("look", "seat 1", "look", "seat 0"):
        with pytest.raises(NotStored):
            story.act(what)
    assert story.said == set()
    # Nobody has seen its statement: it makes one anew from what it finds.
    story.now += 5
    story.start()
    assert story.tell(("look", "seat 1", "look")) == 0
    (said,) = story.said
    assert bytes.fromhex(said.body).startswith(frame("missing"))
    assert whole("missing", unframe("missing", bytes.fromhex(said.body), 5)[3]) == LATE + 5
    story.end()


def careless_add(self: Journal, **line: object) -> None:
    """Store a line if the disk likes, and go on in any case."""
    with suppress(OSError):
        vars(journal)["os"].write(self._file, msgspec.json.encode(line) + b"\n")
        vars(journal)["os"].fdatasync(self._file)


def trusting_replace(self: Journal, lines: list[dict[str, object]]) -> None:
    """Take what was read for what stands on disk, once the file has a name."""
    folder = os.open(self._path.parent, os.O_RDONLY)
    vars(journal)["os"].fsync(folder)
    os.close(folder)


@pytest.mark.parametrize(
    ("name", "fault", "found"),
    [
        ("add", careless_add, {"a statement that is not stored", "an opening that is not stored"}),
        ("replace", trusting_replace, {"a statement that is not stored"}),
    ],
)
def test_a_relay_that_trusts_its_disk_is_found_out(
    on_disk: Callable[..., Story],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    fault: Callable[..., None],
    found: set[str],
) -> None:
    """The same failures with a journal that swallows them, or does not write anew what it read."""
    monkeypatch.setattr(Journal, name, fault)
    seen: set[str] = set()
    for story in STORIES:
        for at, kind, cut in failures(calls_of(on_disk, story)):
            try:
                on_disk(Disk(at, **KINDS[kind]), story, cut=cut)
            except Unkept as err:
                seen.add(str(err))
            except (FairdealError, OSError):
                # Half a line in the middle of the file: such a relay does not even start.
                seen.add("damaged")
    assert seen >= found
