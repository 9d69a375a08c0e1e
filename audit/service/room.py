"""One table of the service: its house, its place in the ledger, and what it has accepted.

Whatever is answered was durable before: an accepted message is a row, and the entries that
it makes due go into the same write.  A room can be built again from ledger, rows and vault
at any moment, and stands where it stood.

Without witnesses the house goes on from an entry as soon as it is written; with a quorum in
the manifest it acts on an entry only when its checkpoint has that quorum.

Source: PROTOCOL.md, "One pack", "Deadlines"; design section 3, P2, P6, P8, P10, P12.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.errors import FairdealError
from audit.ledger.log import Appended, Ledger
from audit.service import rows
from audit.service.refusal import Busy, Conflict
from audit.service.shown import Shown
from audit.shuffle.canonical import encode, read_as
from audit.shuffle.derive import SECRET_BYTES
from audit.shuffle.entries import (
    ChoicesEntry,
    Discard,
    Entry,
    OpenedEntry,
    RootEntry,
    Signed,
    TableEntry,
    VoidEntry,
    read_entry,
)
from audit.shuffle.framing import same, unframe, whole
from audit.shuffle.house import House, Pack
from audit.shuffle.messages import (
    bind,
    check_signature,
    receipt,
    refused,
    sign,
    take_apart,
)
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import Book
from audit.shuffle.tree import leaf_hash
from audit.wire import Chapter, Held, Item

ASK_SLACK = 120
#: Only a start from the store knows what stands of that which was taken into memory.
BROKEN = "the store failed; the service has to be started again"
#: The stage of a pack in which each message of a seat is due.
_DUE = {"commit": "commit", "open": "open", "decide": "deal"}


@dataclass(frozen=True, kw_only=True)
class Standing:
    """An entry of this table under a checkpoint with the manifest's quorum."""

    index: int
    raw: bytes
    kind: str
    pack: int


class Room:
    """One table. *clock* gives whole seconds; *wake* is called when something is new.

    Everything here runs on one thread and never waits; `stored` and `settled` wait for the store.
    """

    def __init__(
        self,
        ledger: Ledger,
        key: Ed25519PrivateKey,
        sealed: rows.Sealed,
        table: TableEntry,
        mh: str,
        clock: Callable[[], int],
    ) -> None:
        self._ledger, self._key, self._sealed, self._clock = ledger, key, sealed, clock
        self.table, self.mh = table, mh
        self.quorum = table.manifest.quorum
        self._secrets: dict[int, bytes] = {}
        self.house = House(key, self._secrets.__getitem__, self._covers)
        self.standing: list[Standing] = []
        self._places: dict[bytes, int] = {}
        self._waiting: list[tuple[int, bytes]] = []
        self._opened: set[int] = set()
        #: Who hears of a pack for each seat; the last to ask takes the place of the one before.
        self.listening: dict[int, object] = {}
        # Writes of this table, in the order in which the store takes them.
        self._submitted = self._done = self._telling = 0
        self._news = False
        self._one_done = asyncio.Event()
        self._said: dict[tuple[int, str, int, bytes], Signed] = {}
        self._shown = Shown()
        self._seen: dict[str, bytes] = {}
        self.broken = ""
        self.changed = asyncio.Event()
        self.entered: Callable[[bytes, int], None] = lambda *_: None

    # -- building it again --------------------------------------------------------------------

    def load(self, entries: Iterable[tuple[int, bytes]], times: Callable[[int], int]) -> None:
        """Feed the entries (index, bytes) of this table from the ledger, and the stored rows.

        *times* gives the time of the quorum's cosignature over an index, -1 before there is
        one.
        """
        found = list(entries)
        for _, raw in found:
            entry = read_entry(raw)
            if isinstance(entry, OpenedEntry | VoidEntry):
                self._secrets[entry.pack] = bytes.fromhex(entry.secret)
        for name, value in self._ledger.scan(f"secret/{self.mh}/"):
            pack = int(name.rpartition("/")[2])
            self._secrets[pack] = self._sealed.unseal(pack, value)
        messages: dict[int, list[tuple[str, str, bytes]]] = {}
        for name, value in self._ledger.scan(f"msg/{self.mh}/"):
            _, _, number, step, which = name.split("/")
            messages.setdefault(int(number), []).append((step, which, value))
        for index, raw in found:
            entry = read_entry(raw)
            stands = self._ledger.get(rows.first(self.mh, entry)) if not self.quorum else None
            time = int(stands) if stands else self._time(entry, index, times)
            if time < 0:
                self._waiting.append((index, raw))
                continue
            self._feed(index, raw, entry, time)
            if isinstance(entry, ChoicesEntry):
                self._replay(messages.get(entry.pack, []), entry.pack, ("decide",))
        if self._ledger.get(f"close/{self.mh}"):
            self.house.closing = True
        for stood, dealt in self.house.packs.items():
            kept_rows = messages.get(stood, [])
            if dealt.stage not in ("over", "deal"):
                self._replay(kept_rows, stood, ("commit", "open", "chosen"))
                self._replay(kept_rows, stood, ("held", "missing"))
            if dealt.stage != "over":
                self._replay(kept_rows, stood, ("discard",))

    def _time(self, entry: Entry, index: int, times: Callable[[int], int]) -> int:
        kept = self._ledger.get(f"seen/{rows.first(self.mh, entry)}")
        return int(kept) if kept else times(index)

    def _replay(
        self, found: Sequence[tuple[str, str, bytes]], number: int, steps: Sequence[str]
    ) -> None:
        pack = self.house.packs[number]
        due = {"commit": ("commit",), "open": ("open", "held", "missing"), "choice": ("chosen",)}
        for step, _, value in found:
            if step not in steps:
                continue
            if step == "decide":
                told = read_as(value, rows.Timed, "row")
                seat = take_apart(told.signed).seat
                self.house.accept(told.signed, seat, "decide")
                self.house.touch(told.time)
                self._remember(pack, "decide", seat, told.signed)
                continue
            if step == "discard":
                raw = self._sealed.unseal(number, value)
                self.house.accept_discard(read_as(raw, Discard, "row"), number)
                continue
            # A row of a step that is over was on its way to be taken away.
            if step not in due.get(pack.stage, ()):
                continue
            raw = value if step in ("commit", "missing") else self._sealed.unseal(number, value)
            if step in ("commit", "open"):
                signed = read_as(raw, Signed, "row")
                seat = take_apart(signed).seat
                self.house.accept(signed, seat, step)
                self._remember(pack, step, seat, signed)
            elif step == "chosen":
                self.house.accept_chosen(raw)
            elif step == "held":
                told_held = read_as(raw, Held, "row")
                self.house.accept_held(told_held.held, told_held.opens)
            else:
                self.house.accept_missing(read_as(raw, Signed, "row"))

    # -- entries ------------------------------------------------------------------------------

    def _feed(self, index: int, raw: bytes, entry: Entry, time: int) -> None:
        self.house.feed(raw, time)
        self._stand(index, raw, entry)

    def _stand(self, index: int, raw: bytes, entry: Entry) -> None:
        number = getattr(entry, "pack", 0)
        self._places[leaf_hash(raw)] = index
        self._news = True
        if isinstance(entry, OpenedEntry):
            self._opened.add(number)
        self.standing.append(Standing(index=index, raw=raw, kind=entry.kind, pack=number))
        if isinstance(entry, RootEntry):
            for seat, signed in enumerate(entry.opens):
                self._remember(self.house.packs[number], "open", seat, signed)
        elif entry.kind == "closing":
            for seat, signed in enumerate(getattr(entry, "commits", ())):
                self._remember(self.house.packs[number], "commit", seat, signed)

    def begin(self, puts: dict[str, bytes], deletes: Sequence[str]) -> Future[Appended]:
        """Enter the table itself, once, with *puts* and *deletes* in the same write."""
        return self._enter([self.table], dict(puts), list(deletes))

    def advance(self) -> None:
        """Enter what is due now, if anything is."""
        self._go_on({}, [])

    def _go_on(self, puts: dict[str, bytes], deletes: list[str]) -> Future[Appended] | None:
        """Write *puts* together with all entries that are due; without witnesses, all the
        way to the next thing that somebody else has to say."""
        due: list[Entry] = []
        now = self._clock()
        while not self._waiting and not self.broken and self.house.book is not None:
            if not self.house.batch and not self._secrets:
                self._draw(puts)
            found = self.house.due(now)
            if not found:
                break
            due += found
            if self.quorum:
                break
            for entry in found:
                self.house.feed(encode(entry), now)
        if due or puts:
            return self._enter(due, puts, deletes)
        return None

    def _draw(self, puts: dict[str, bytes]) -> None:
        """Draw the secret of every pack, once; sealed, they go in with the batch entry."""
        for pack in range(1, self.table.manifest.packs + 1):
            self._secrets[pack] = os.urandom(SECRET_BYTES)
            puts[rows.secret(self.mh, pack)] = self._sealed.seal(pack, self._secrets[pack])

    def _enter(
        self, entries: Sequence[Entry], puts: dict[str, bytes], deletes: list[str]
    ) -> Future[Appended]:
        now, manifest = str(self._clock()).encode(), self.table.manifest
        names = [rows.first(self.mh, entry) for entry in entries]
        puts.update(dict.fromkeys(names, now))
        if self._seen:
            puts.update(self._seen)
            self._seen = {}
        for entry in entries:
            for name in rows.over(self.mh, entry, manifest):
                # The message that made the entry due is in it: its own row is not needed either.
                puts.pop(name, None)
                deletes.append(name)
        raws = [encode(entry) for entry in entries]
        mark = len(self._waiting)
        self._waiting += [(-1, raw) for raw in raws]
        return self._submit(
            raws, puts, deletes, names, lambda done: self._entered(done, mark, entries)
        )

    def _submit(
        self,
        raws: Sequence[bytes],
        puts: dict[str, bytes],
        deletes: Sequence[str] = (),
        unless: Sequence[str] = (),
        then: Callable[[Appended], None] = lambda _: None,
        *,
        telling: bool = True,
    ) -> Future[Appended]:
        """Write, and do *then* when that is durable; *telling* if others hear of it.

        When it fails, what is in memory may not stand, and the table stops.
        """
        try:
            future = self._ledger.submit(raws, puts, deletes, unless)
        except FairdealError as err:
            self.broken = BROKEN
            raise Busy("table", self.broken) from err
        loop = asyncio.get_running_loop()
        self._submitted += 1
        if telling:
            self._telling = self._submitted
        future.add_done_callback(lambda done: loop.call_soon_threadsafe(self._written, done, then))
        return future

    def _written(self, done: Future[Appended], then: Callable[[Appended], None]) -> None:
        self._done += 1
        try:
            if done.exception() is not None:
                self.broken = BROKEN
            else:
                then(done.result())
        finally:
            woken, self._one_done = self._one_done, asyncio.Event()
            woken.set()
            # What only one seat has said is no news to the others.
            if self.broken or (self._news and self._done >= self._telling):
                self.ring()

    def _entered(self, last: Appended, mark: int, entries: Sequence[Entry]) -> None:
        count, first = len(entries), last.first
        if not count:
            return
        placed = [(first + n, raw) for n, (_, raw) in enumerate(self._waiting[mark : mark + count])]
        self._waiting[mark : mark + count] = placed
        if not self.quorum:
            for (index, raw), entry in zip(placed, entries, strict=True):
                if isinstance(entry, TableEntry):
                    self.house.feed(raw, self._clock())
                self._stand(index, raw, entry)
            del self._waiting[mark : mark + count]
            self._go_on({}, [])
        self.entered(last.checkpoint, last.size)

    def cosigned(self, size: int, time: int) -> None:
        """The checkpoint of *size* has this table's quorum since *time*."""
        fed = False
        while self._waiting and 0 <= self._waiting[0][0] < size:
            index, raw = self._waiting.pop(0)
            entry = read_entry(raw)
            self._seen[f"seen/{rows.first(self.mh, entry)}"] = str(time).encode()
            self._feed(index, raw, entry, time)
            fed = True
        if fed:
            self._go_on({}, [])
            self.ring()

    def ring(self) -> None:
        """Wake everybody who waits for something new."""
        self._news = False
        self.changed.set()
        self.changed = asyncio.Event()

    async def stored(self) -> None:
        """Wait until what was taken up to now is durable.  Raises: Busy when it failed."""
        mark = self._submitted
        while self._done < mark and not self.broken:
            await self._one_done.wait()
        if self.broken:
            raise Busy("table", self.broken)

    async def settled(self) -> None:
        """Wait until all that anybody may be told is durable.  Raises: Busy when it failed."""
        while self._done < self._telling and not self.broken:
            await self._one_done.wait()
        if self.broken:
            raise Busy("table", self.broken)

    # -- messages -----------------------------------------------------------------------------

    @property
    def book(self) -> Book:
        """What the table entry binds.  Raises: Conflict before it stands."""
        if self.house.book is None:
            raise Conflict("table", "stage", "is not open yet")
        return self.house.book

    def _due(self) -> Pack:
        if self.broken:
            raise Busy("table", self.broken)
        if self._waiting:
            raise Busy("table", "an entry waits for its witnesses")
        if self.house.pack is None:
            raise Conflict("table", "step", "no pack was called yet")
        return self.house.pack

    def _remember(self, pack: Pack, step: str, seat: int, signed: Signed) -> None:
        th = take_apart(signed).th if step == "decide" else b""
        self._said[pack.number, step, seat, th] = signed

    def _receipt(self, pack: int, seat: int, signed: Signed) -> Signed:
        mh = bytes.fromhex(self.mh)
        return sign(self._key, receipt(mh, pack, seat, bytes.fromhex(signed.body)))

    def message(self, seat: int, step: str, signed: Signed) -> Signed:
        """Take a message of a seat; the same one again gives the same receipt.

        Raises: NotVerified; Conflict, with the house's signed statement, when another message
        stands for the step.
        """
        said = take_apart(signed)
        th = said.th if step == "decide" else b""
        stands = self._said.get((said.pack, step, seat, th))
        if stands is not None:
            if stands == signed:
                return self._receipt(said.pack, seat, signed)
            raise self._breach(said.pack, seat, step, signed, stands)
        pack = self._due()
        if step == "decide" and said.th != pack.th:
            raise Conflict("decide", "transcript", "has gone on since")
        if said.pack < pack.number or pack.stage != _DUE[step]:
            raise Conflict(step, "step", "is not due")
        self.house.accept(signed, seat, step)
        now = self._clock()
        if step == "decide":
            self._news = True
            self.house.touch(now)
            number = next(n for n in reversed(range(len(pack.items))) if pack.items[n].to is None)
            value = encode(rows.Timed(signed=signed, time=now))
            name = rows.said(self.mh, pack.number, step, number)
        else:
            value = encode(signed)
            name = rows.said(self.mh, pack.number, step, seat)
            if step == "open":
                value = self._sealed.seal(pack.number, value)
        self._remember(pack, step, seat, signed)
        self._go_on({name: value}, [])
        return self._receipt(pack.number, seat, signed)

    def _covers(self, head: tuple[int, bytes], leaf: bytes) -> bool:
        """Whether a head is one of this ledger and holds the entry with this leaf."""
        size, root = head
        try:
            return size > self._places[leaf] and same(self._ledger.root(size), root)
        except (IndexError, KeyError):
            return False

    def _breach(
        self, pack: int, seat: int, step: str, signed: Signed, stands: Signed
    ) -> FairdealError:
        """Keep two signed messages for one step as evidence, and say so, signed."""
        if not 0 <= seat < len(self.table.manifest.seats):
            return NotVerified(step, "seat", "is none of this table")
        body = bytes.fromhex(signed.body)
        try:
            check_signature(self.table.manifest.seats[seat], body, signed.sig, step)
        except NotVerified as err:
            return err
        mine = refused(bytes.fromhex(self.mh), pack, seat, body, bytes.fromhex(stands.body))
        statement = sign(self._key, mine)
        digest = hashlib.sha256(body).hexdigest()
        # An opening is sealed even as evidence: the pack may not have its root yet.
        value = self._sealed.seal(pack, encode([signed, stands, statement]))
        # Evidence is told to nobody: a seat that sends much of it keeps nobody waiting.
        self._submit((), {f"refused/{self.mh}/{pack}/{digest}": value}, telling=False)
        return Conflict(step, "message", "another one stands for this step", statement)

    def chosen(self, raws: Sequence[bytes]) -> None:
        """Take opened choices; the same ones again change nothing."""
        puts: dict[str, bytes] = {}
        for raw in raws:
            mh, number, _, name, value, _ = unframe("chosen", raw, 6)
            bind("chosen", ("manifest",), (bytes.fromhex(self.mh),), (mh,))
            pack = self.house.packs.get(whole("chosen", number))
            word = name.decode("ascii", "replace")
            if pack is not None and pack.stage in ("deal", "wait", "over") and pack.chosen:
                made = pack.chosen.get(word)
                if made is not None and made.value == whole("chosen", value):
                    continue
            now = self._due()
            if whole("chosen", number) != now.number or now.stage != "choice":
                raise Conflict("chosen", "pack", "is not at this step")
            self.house.accept_chosen(raw)
            puts[rows.said(self.mh, now.number, "chosen", word)] = self._sealed.seal(
                now.number, raw
            )
        if puts:
            self._go_on(puts, [])

    def discards(self, number: int, found: Sequence[Discard]) -> None:
        """Take opened hidden picks of a pack that waits to be opened."""
        if self.broken:
            raise Busy("table", self.broken)
        pack = self.house.packs.get(number)
        if pack is not None and pack.stage == "over":
            if all(pack.discards.get(d.item) == d for d in found):
                return
            raise Conflict("discard", "pack", "is open already")
        puts: dict[str, bytes] = {}
        if found:
            self.house.accept_discards(found, number)
        for one in found:
            puts[rows.said(self.mh, number, "discard", one.item)] = self._sealed.seal(
                number, encode(one)
            )
        if puts:
            self._go_on(puts, [])

    def held(self, told: Held) -> None:
        """Take the relay's openings, all together."""
        pack = self.house.packs.get(told.pack)
        if pack is not None and pack.held is not None:
            if pack.held == told.held:
                return
            raise Conflict("held", "statement", "another one stands")
        if pack is not None and pack.root and pack.opens == dict(enumerate(told.opens)):
            # The root took the openings in, and a start from the store knows no statement.
            return
        due = self._due()
        if due.number != told.pack or due.stage != "open":
            raise Conflict("held", "pack", "is not at this step")
        self.house.accept_held(told.held, told.opens)
        value = self._sealed.seal(told.pack, encode(told))
        self._go_on({rows.said(self.mh, told.pack, "held", 0): value}, [])

    def missing(self, number: int, statement: Signed) -> None:
        """Take the relay's statement that openings had not come."""
        pack = self.house.packs.get(number)
        if pack is not None and pack.missing == statement:
            return
        due = self._due()
        if due.number != number or due.stage != "open":
            raise Conflict("missing", "pack", "is not at this step")
        self.house.accept_missing(statement)
        self._go_on({rows.said(self.mh, number, "missing", 0): encode(statement)}, [])

    def asked(self, ask: Signed, step: str) -> tuple[int, int]:
        """Return pack and seat of a signed request.

        Raises: NotVerified unless the seat's own key signed it for this table and just now.
        """
        body = bytes.fromhex(ask.body)
        mh, pack, seat, named, _, time = unframe("ask", body, 6)
        bind("ask", ("manifest", "step"), (bytes.fromhex(self.mh), step.encode()), (mh, named))
        number = whole("ask", seat)
        if number >= len(self.table.manifest.seats):
            raise NotVerified("ask", "seat", "is none of this table")
        check_signature(self.table.manifest.seats[number], body, ask.sig, "ask")
        if abs(whole("ask", time) - self._clock()) > ASK_SLACK:
            raise NotVerified("ask", "time", "is not within two minutes of the house's")
        return whole("ask", pack), number

    def close(self, ask: Signed) -> None:
        """Close the table at a seat's signed wish."""
        self.asked(ask, "close")
        self._due()
        self.house.closing = True
        self._go_on({f"close/{self.mh}": encode(ask)}, [])

    # -- cards --------------------------------------------------------------------------------

    def items(self, number: int, seat: int, after: int) -> tuple[int, list[Item]]:
        """Return how many items the pack has, and those from *after* on that *seat* may see."""
        pack = self.called(number)
        return len(pack.items), self._shown.items(pack, seat, after)

    def shown(self, number: int, seat: int, after: int) -> tuple[int, list[bytes]]:
        """Return the same as `items`, each as JSON."""
        pack = self.called(number)
        return len(pack.items), self._shown.written(pack, seat, after)

    def called(self, number: int) -> Pack:
        """Return a pack.  Raises: Conflict before it was called."""
        pack = self.house.packs.get(number)
        if pack is None:
            raise Conflict("cards", "pack", "was not called")
        return pack

    def has_opened(self, number: int) -> bool:
        """Whether the entry that opens a pack stands."""
        return number in self._opened

    def past(self, number: int) -> bool:
        """Whether nothing more can come of a pack: there is a later one, or none any more."""
        last = self.standing[-1]
        return last.pack > number or last.kind == "closed"

    def chapters(self, most: int) -> tuple[Chapter, ...]:
        """Return where the last *most* entries stand."""
        return tuple(
            Chapter(index=one.index, kind=one.kind, pack=one.pack) for one in self.standing[-most:]
        )

    def opened(self, number: int) -> Pack:
        """Return a pack that is opened.  Raises: Conflict."""
        pack = self.house.packs.get(number)
        if pack is None or pack.stage != "over" or pack.ended != "opened":
            raise Conflict("transcript", "pack", "is not opened")
        return pack


def token_hash(token: str) -> str:
    """Return what is kept of a door token."""
    return hashlib.sha256(token.encode()).hexdigest()


def same_token(kept: str, token: str) -> bool:
    """Whether *token* is the one whose hash was kept, in constant time."""
    return hmac.compare_digest(kept, token_hash(token))


__all__ = ["ASK_SLACK", "Room", "Standing", "same_token", "token_hash"]
