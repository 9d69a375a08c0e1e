"""All tables of one house over one ledger.

One event loop owns everything here; the ledger's own thread writes.  When the store fails,
what is durable is still served and nothing more is taken.
"""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.checkpoint import check_checkpoint
from audit.errors import FairdealError
from audit.ledger.log import Appended, Ledger
from audit.ledger.vault import Vault
from audit.note import Key
from audit.service import rows
from audit.service.drafts import Drafts, DraftTable
from audit.service.refusal import Busy, Conflict, Unknown
from audit.service.room import BROKEN, Room
from audit.service.team import News
from audit.service.transcript import Newest, transcript
from audit.service.waiting import waits_for
from audit.shuffle.entries import (
    Entry,
    TableEntry,
    Witness,
    read_entry,
    table_hash,
)
from audit.shuffle.messages import public_hex
from audit.wire import Entered, Following, Log, NewTable, TableState, Tokens

CHUNK = 4096
MOST_ENTRIES = 256
TICK = 0.5
KEPT_TRANSCRIPTS = 64
KEPT_PATHS = 4096
KEPT_LOGS = 1024


class Telling(Protocol):
    """Tells other processes of a checkpoint."""

    def __call__(self, note: bytes, size: int, *, cosigned: bool) -> None: ...


class Hall:
    """The house: its key, its ledger, its tables."""

    def __init__(
        self,
        ledger: Ledger,
        key: Ed25519PrivateKey,
        vault: Vault,
        *,
        witnesses: Sequence[Key] = (),
        quorum: int = 0,
        clock: Callable[[], int] = lambda: int(time.time()),
        has: Callable[[str], bool] | None = None,
    ) -> None:
        """Take over *ledger*; *has* says which tables are this process's, all where it is None."""
        self._alone, self._has = has is None, has or (lambda _: True)
        #: Tells the other processes of a checkpoint (note, size) that is new here.
        self.tell: Telling = _nobody
        self.ledger, self._key, self._vault, self.clock = ledger, key, vault, clock
        self.witnesses, self.quorum = tuple(witnesses), quorum
        self.rooms: dict[str, Room] = {}
        self.changed = asyncio.Event()
        self._newest: dict[int, Newest] = {}
        self._paths: dict[tuple[int, int], tuple[str, ...]] = {}
        self._told: dict[tuple[str, int, int, bytes], tuple[bytes, Following]] = {}
        self._strings: dict[tuple[str, int, int], bytes] = {}
        self._transcripts: dict[tuple[str, int, int], bytes] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.stopping = self.failed = False
        origin = ledger.key.name
        known = tuple(Witness(name=w.name, key=w.public.hex()) for w in witnesses)
        self.drafts = Drafts(
            ledger,
            origin=origin,
            ledger_key=public_hex(key),
            witnesses=known,
            quorum=quorum,
            clock=clock,
            has=self._has,
        )
        self._load()

    # -- start --------------------------------------------------------------------------------

    def _load(self) -> None:
        tables: dict[str, TableEntry] = {}
        entries: dict[str, list[tuple[int, bytes]]] = {}
        size = self.ledger.size
        for start in range(0, size, CHUNK):
            end = min(start + CHUNK, size)
            for index, raw in enumerate(self.ledger.entries(start, end), start):
                entry = read_entry(raw)
                mh = _table_of(entry)
                if isinstance(entry, TableEntry):
                    if not self._has(entry.manifest.table):
                        continue
                    tables[mh] = entry
                elif mh not in tables:
                    continue
                entries.setdefault(mh, []).append((index, raw))
        for mh, table in tables.items():
            room = self._room(table, mh)
            room.load(entries[mh], partial(self._time_of, quorum=room.quorum))

    def _room(self, table: TableEntry, mh: str) -> Room:
        sealed = rows.Sealed(self._vault, mh)
        room = Room(self.ledger, self._key, sealed, table, mh, self.clock)
        room.entered = self._entered
        self.rooms[table.manifest.table] = room
        return room

    def _time_of(self, index: int, quorum: int) -> int:
        found = self.newest(quorum)
        return found.time if found is not None and index < found.size else -1

    async def begin(self) -> None:
        """Go on with every table as it stood, and watch the clock from now on."""
        for draft in list(self.drafts.tables.values()):
            if draft.name in self.rooms:
                del self.drafts.tables[draft.name]
            elif (entry := self.drafts.ready(draft)) is not None:
                self._open(draft.name, entry)
        for room in self.rooms.values():
            room.advance()
        self.spawn(self._watch())

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run *work* beside the requests until the end."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self) -> None:
        while not self.stopping:
            await asyncio.sleep(TICK)
            if not self._alone:
                # What the others had to tell may have been lost.
                with suppress(FairdealError):
                    self.look()
            for room in list(self.rooms.values()):
                if not room.house.closed and not room.broken:
                    with suppress(FairdealError):
                        room.advance()

    async def end(self) -> None:
        """Wake everybody who waits, and take nothing more."""
        self.stopping = True
        self.ring_all()
        for task in list(self._tasks):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    # -- the ledger's head --------------------------------------------------------------------

    def newest(self, quorum: int) -> Newest | None:
        """Return the newest checkpoint with *quorum*, as last looked at; None without one."""
        if quorum not in self._newest:
            note = self.ledger.cosigned(quorum)
            if note is None:
                return None
            self._newest[quorum] = self._read(note, quorum)
        return self._newest[quorum]

    def _entered(self, note: bytes, size: int) -> None:
        """Take the checkpoint of a write that has just become durable: it is our own."""
        before = self._newest.get(0)
        if before is None or size > before.size:
            self._newest[0] = Newest(note=note, size=size, time=self.clock())
            self.ring()
            self.tell(note, size, cosigned=False)
        # A cosignature may have come before the write was known here.
        for room in self.rooms.values():
            found = self._newest.get(room.quorum) if room.quorum else None
            if found is not None:
                room.cosigned(found.size, found.time)

    def _read(self, note: bytes, quorum: int) -> Newest:
        seen = check_checkpoint(note, self.ledger.key, self.witnesses, quorum, where="ledger")
        times = sorted(t for _, t in seen.cosigned)
        when = times[quorum - 1] if quorum else self.clock()
        return Newest(note=note, size=seen.checkpoint.size, time=when)

    def look(self) -> None:
        """Look at the ledger's head again, and let tables go on whose entries it covers."""
        before = dict(self._newest)
        self._newest.clear()
        for quorum in {0, self.quorum, *(r.quorum for r in self.rooms.values())}:
            self.newest(quorum)
        # A reader may have seen the new head before this: tables are told of it in any case.
        for room in self.rooms.values():
            found = self.newest(room.quorum) if room.quorum else None
            if found is not None:
                room.cosigned(found.size, found.time)
        if self._newest != before:
            self.ring()

    def heard(self, news: News) -> None:
        """Take what another process has told."""
        before = self._newest.get(0)
        if before is None or news.size > before.size:
            self._newest[0] = Newest(note=news.note, size=news.size, time=self.clock())
            self.ring()
        if news.cosigned:
            with suppress(FairdealError):
                self.look()

    def cosigned(self) -> None:
        """Take it that a witness has just signed."""
        self.look()
        newest = self.newest(0)
        if newest is not None:
            self.tell(newest.note, newest.size, cosigned=True)

    def ring(self) -> None:
        """Wake everybody who waits for a new head."""
        self.changed.set()
        self.changed = asyncio.Event()

    def ring_all(self) -> None:
        """Wake everybody who waits for anything."""
        self.ring()
        for room in self.rooms.values():
            room.ring()

    def path(self, index: int, size: int) -> tuple[str, ...]:
        """Return the inclusion path of an entry, in hex."""
        key = (index, size)
        if key not in self._paths:
            if len(self._paths) >= KEPT_PATHS:
                self._paths.clear()
            self._paths[key] = tuple(p.hex() for p in self.ledger.inclusion(index, size))
        return self._paths[key]

    async def written(self, future: Future[Appended]) -> None:
        """Wait until a write is durable.  Raises: Busy."""
        await self._durable(asyncio.wrap_future(future))

    async def _durable(self, write: asyncio.Future[Appended]) -> None:
        try:
            # Several may wait for one write, and none of them takes it from the others.
            await asyncio.shield(write)
        except FairdealError as err:
            self.failed = True
            raise Busy("store", BROKEN) from err

    async def _store(self, draft: DraftTable, puts: dict[str, bytes]) -> None:
        """Write rows of a draft, or wait for those that are on their way.  Raises: Busy."""
        if puts:
            draft.write = asyncio.wrap_future(self.ledger.submit((), puts))
        await self.settled(draft)

    async def settled(self, draft: DraftTable) -> None:
        """Wait until all that may be told of a draft is durable.  Raises: Busy."""
        write = None
        # Writes become durable in their order; while one is waited for another may have come.
        while draft.write is not write:
            write = draft.write
            assert write is not None
            await self._durable(write)
        if write is not None:
            self._check()

    def _check(self) -> None:
        if self.failed:
            raise Busy("store", BROKEN)

    # -- tables -------------------------------------------------------------------------------

    def room(self, name: str) -> Room:
        """Return an open table.  Raises: Unknown."""
        if name not in self.rooms:
            raise Unknown("table", "name")
        return self.rooms[name]

    async def make(self, asked: NewTable) -> Tokens:
        """Make a table whose seats are to be taken."""
        self._check()
        made, puts = self.drafts.make(asked)
        await self.written(self.ledger.submit((), puts))
        return made

    async def take(self, name: str, seat: int, token: str, key: str, nonce: str) -> None:
        """Let a key take a seat."""
        self._check()
        draft, puts = self.drafts.take(name, seat, token, key, nonce)
        await self._store(draft, puts)
        if puts:
            self.ring()

    async def sign(self, name: str, seat: int, token: str, sig: str) -> None:
        """Take a signature; the last one opens the table."""
        if name in self.rooms:
            table = self.rooms[name].table
            if seat < len(table.sigs) and table.sigs[seat] == sig:
                await self.rooms[name].stored()
                return
        self._check()
        entry, puts = self.drafts.sign(name, seat, token, sig)
        if entry is None:
            await self._store(self.drafts.get(name), puts)
            return
        await self.written(self._open(name, entry))

    def _open(self, name: str, entry: TableEntry) -> Future[Appended]:
        rows_of_draft = self.drafts.rows(name)
        self.drafts.tables[name].opening = True
        room = self._room(entry, table_hash(entry.manifest).hex())
        self.drafts.tables.pop(name)
        return room.begin({f"table/{name}": room.mh.encode()}, rows_of_draft)

    def transcript(self, room: Room, number: int, anchor: int) -> bytes:
        """Return the transcript of an opened pack; all seats ask for the same one."""
        key = (room.mh, number, anchor)
        if key not in self._transcripts:
            raw = transcript(room, self.ledger, self.newest(room.quorum), number, anchor)
            if len(self._transcripts) >= KEPT_TRANSCRIPTS:
                self._transcripts.clear()
            self._transcripts[key] = raw
        return self._transcripts[key]

    def written_transcript(self, room: Room, number: int, anchor: int) -> bytes:
        """Return `transcript` as a JSON string; `null` where there is none, of a pack not dealt."""
        key = (room.mh, number, anchor)
        if key not in self._strings:
            try:
                raw = self.transcript(room, number, anchor)
            except Conflict:
                return b"null"
            if len(self._strings) >= KEPT_TRANSCRIPTS:
                self._strings.clear()
            self._strings[key] = msgspec.json.encode(raw.decode("ascii"))
        return self._strings[key]

    def log(self, room: Room, after: int, start: int) -> Log:
        """Return the table's entries above index *after*; the proof is from size *start*."""
        newest = self.newest(room.quorum)
        if newest is None:
            raise Busy("ledger", "has no checkpoint with its quorum yet")
        at = bisect_right(room.standing, after, key=lambda one: one.index)
        end = bisect_left(room.standing, newest.size, lo=at, key=lambda one: one.index)
        some = room.standing[at : min(end, at + MOST_ENTRIES)]
        proof: Sequence[bytes] = ()
        if 0 < start < newest.size:
            proof = self.ledger.consistency(start, newest.size)
        return Log(
            checkpoint=newest.note.hex(),
            consistency=tuple(p.hex() for p in proof),
            entries=tuple(
                Entered(
                    index=one.index,
                    entry=one.raw.decode("ascii"),
                    path=self.path(one.index, newest.size),
                )
                for one in some
            ),
            more=at + len(some) < end,
        )

    def told(self, room: Room, wish: Following) -> tuple[bytes, Following]:
        """Return the log that is wished for, as JSON, and what is to be wished for next.

        Empty where no entry has come. Seats that have heard the same are told the same bytes.
        """
        if not room.standing or room.standing[-1].index < wish.after:
            return b"", wish
        newest = self.newest(room.quorum)
        if newest is None:
            return b"", wish
        key = (room.mh, wish.after, wish.start, newest.note)
        if key not in self._told:
            log = self.log(room, wish.after - 1, wish.start)
            if not log.entries:
                return b"", wish
            after = log.entries[-1].index + 1
            following = Following(after=after, start=newest.size, wait=wish.wait)
            if len(self._told) >= KEPT_LOGS:
                self._told.clear()
            self._told[key] = msgspec.json.encode(log), following
        return self._told[key]

    def state(self, name: str) -> TableState:
        """Return what everybody may know of a table."""
        if name in self.rooms:
            room = self.rooms[name]
            made, pack = room.table.manifest, room.house.pack
            stage, deadline, waiting = waits_for(room.house)
            return TableState(
                table=name,
                game=made.game,
                players=len(made.seats),
                stage=stage,
                taken=tuple(range(len(made.seats))),
                mh=room.mh,
                pack=pack.number if pack else 0,
                packs=made.packs,
                deadline=deadline,
                waiting=waiting,
                relay=made.relay,
                entries=room.chapters(100),
            )
        draft = self.drafts.get(name)
        asked = draft.seating.asked
        seats = range(asked.players)
        signing = draft.unsigned is not None
        rest = tuple(s for s in seats if s not in (draft.sigs if signing else draft.taken))
        return TableState(
            table=name,
            game=asked.game,
            players=asked.players,
            stage="signing" if signing else "seating",
            taken=tuple(sorted(draft.taken)),
            mh=table_hash(draft.unsigned.manifest).hex() if draft.unsigned else "",
            pack=0,
            packs=asked.packs,
            deadline=0,
            waiting=rest,
            relay=asked.relay,
            entries=(),
        )


def _nobody(note: bytes, size: int, *, cosigned: bool) -> None:
    """Tell nobody: this process is alone."""


def _table_of(entry: Entry) -> str:
    if isinstance(entry, TableEntry):
        return table_hash(entry.manifest).hex()
    return entry.mh


__all__ = ["Hall", "Newest"]
