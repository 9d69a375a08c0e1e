"""The relay's own door: it takes sealed openings and gives all of them out together.

Seats hand it their openings, sealed to its fresh key; the house learns nothing before it
learns everything.  What was taken and what was signed is on disk before it is said: an
opening before its seat hears so and before it counts as held, a statement before anybody
sees it.  Where the disk fails, the relay says nothing more until it is started again.  Then it
says what is stored; a statement that is not, nobody has seen, and it is made anew.

Source: PROTOCOL.md, "Deadlines, voids and who is believed"; design section 3, P6.
"""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from audit.client import box
from audit.client.api import Api
from audit.client.hurried import Hurried
from audit.client.journal import Journal
from audit.client.log import View
from audit.client.refusal import Answered
from audit.errors import FairdealError
from audit.merkle import check_consistency
from audit.shuffle.canonical import read_as
from audit.shuffle.entries import (
    CallEntry,
    ClosingEntry,
    RootEntry,
    Signed,
    TableEntry,
    read_entry,
)
from audit.shuffle.messages import public_hex, take_apart
from audit.shuffle.refusal import NotVerified
from audit.shuffle.relay import Relay
from audit.shuffle.rules import Book, book_of
from audit.wire import (
    Accepted,
    Boxed,
    BoxKey,
    Choices,
    Done,
    Held,
    Log,
    Missing,
    Opening,
    Problem,
    Proof,
    Tables,
)

MAX_BODY = 65_536
SECONDS = 30


class _Followed:
    """One table whose manifest names this relay."""

    def __init__(self, book: Book, view: View) -> None:
        self.book, self.view, self.next = book, view, 0
        self.call = b""
        self.pack = 0
        self.index = 0
        self.root: RootEntry | None = None
        self.told: set[tuple[int, str]] = set()
        self.over = False


class RelayDesk:
    """The relay of one service; *lock* guards everything but the waiting."""

    def __init__(
        self,
        api: Api,
        key: Ed25519PrivateKey,
        journal: Journal,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._api, self._journal, self._clock = api, journal, clock
        self._public = public_hex(key)
        self._relay = Relay(key)
        self._box = X25519PrivateKey.generate()
        self.key = BoxKey(key=box.announce(key, self._box))
        self._tables: dict[str, _Followed] = {}
        self._passed: set[str] = set()
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, int], list[dict[str, Any]]] = {}
        for line in journal.lines:
            self._kept.setdefault((line["mh"], line["pack"]), []).append(line)

    # -- following tables ---------------------------------------------------------------------

    def step(self) -> None:
        """Look at every table of the service once, and say what is due.

        Raises: Answered for the first table whose message is refused, when all were looked at;
        NotStored from the first failure of the disk on.
        """
        refusal: Answered | None = None
        with self._lock:
            self._journal.check()
            for name in self._api.get("/api/tables", Tables).tables:
                if name in self._passed:
                    continue
                try:
                    self._look(name)
                except Answered as err:
                    if err.status not in (404, 409, 429, 503):
                        refusal = refusal or err
            self._tables = {n: t for n, t in self._tables.items() if not t.over}
        if refusal is not None:
            raise refusal

    def _look(self, name: str) -> None:
        table = self._tables.get(name)
        path = f"/api/tables/{name}/log"
        start = 0 if table is None else table.view.start
        told = self._api.get(path, Log, after=0 if table is None else table.next, start=start)
        if table is None:
            if not told.entries:
                return
            entry = read_entry(told.entries[0].entry.encode("ascii", "replace"))
            if not isinstance(entry, TableEntry):
                raise NotVerified("log", "entries", "do not begin with the table")
            made = entry.manifest
            if made.relay == "none" or made.witnesses[made.relay].key != self._public:
                self._passed.add(name)
                return
            table = _Followed(book_of(entry), View.of(made))
            self._tables[name] = table
        for index, raw in table.view.take(told, table.next - 1):
            self._feed(table, index, raw)
            table.next = index + 1
        if table.pack:
            since = self._since(table)
            if since is not None:
                self._relay.counts_from(table.book.mh, table.pack, since)
            self._speak(name, table)

    def _since(self, table: _Followed) -> int | None:
        """Return from when the limit counts, by the newest checkpoint; None if not known yet.

        Nothing smaller than a checkpoint that bears this relay's own cosignature gets one any
        more, and none of them has a later time.  So whoever holds a smaller one can check that
        the limit was kept, and nobody can make it seem that it was not.  A table without a
        quorum has no such checkpoints: there the limit counts from when this relay looked.
        """
        if not table.book.manifest.quorum:
            return int(self._clock())
        own = table.view.time_of(self._public)
        return None if own is None else max(own, table.view.time())

    def _feed(self, table: _Followed, index: int, raw: bytes) -> None:
        entry = read_entry(raw)
        if isinstance(entry, CallEntry):
            table.call, table.pack, table.root = raw, 0, None
        elif isinstance(entry, ClosingEntry):
            self._relay.closing(table.book, table.call, raw, self._since(table))
            table.pack, table.index = entry.pack, index
            self._remember(table.book.mh, entry.pack)
        elif isinstance(entry, RootEntry):
            table.root = entry
        elif entry.kind in ("void", "unfinished", "opened"):
            table.pack = 0
        elif entry.kind == "closed":
            table.over = True

    def _remember(self, mh: bytes, pack: int) -> None:
        """Put back what was taken and signed for a closing before a restart."""
        one = self._relay.packs[mh, pack]
        for line in self._kept.pop((mh.hex(), pack), []):
            match line["k"]:
                case "open":
                    one.opens[line["seat"]] = msgspec.convert(line["signed"], Signed)
                    for raw in line["chosen"]:
                        self._relay.take_chosen(mh, pack, bytes.fromhex(raw))
                case "statement":
                    one.statement = msgspec.convert(line["signed"], Signed)
                    one.holds = line["holds"]

    def _speak(self, name: str, table: _Followed) -> None:
        mh, pack = table.book.mh, table.pack
        one = self._relay.packs[mh, pack]
        before = one.statement
        statement = self._relay.speak(mh, pack, int(self._clock()))
        if statement is None:
            return
        if before is None:
            self._journal.add(
                k="statement", mh=mh.hex(), pack=pack, signed=statement, holds=one.holds
            )
        door = f"/api/tables/{name}"
        if not one.holds:
            self._tell(table, "missing", f"{door}/missing", Missing(pack=pack, missing=statement))
            return
        if table.root is None:
            opens = tuple(self._relay.opens(mh, pack))
            held = Held(pack=pack, held=statement, opens=opens)
            self._tell(table, "held", f"{door}/held", held)
        else:
            raws = self._relay.chosen(mh, pack, table.root)
            body = Choices(chosen=tuple(raw.hex() for raw in raws))
            self._tell(table, "chosen", f"{door}/chosen", body)

    def _tell(self, table: _Followed, what: str, path: str, body: msgspec.Struct) -> None:
        """Say a thing until it was taken."""
        if (table.pack, what) not in table.told:
            self._api.post(path, body, Done)
            table.told.add((table.pack, what))

    # -- the door -----------------------------------------------------------------------------

    def take(self, boxed: Boxed) -> Signed:
        """Take an opening in its box; return the receipt for it, which is on disk by then.

        Raises: NotVerified; KeyError while it is not due here, or is not due any more;
        NotStored from the first failure of the disk on.
        """
        with self._lock:
            self._journal.check()
            table = self._tables[boxed.table]
            if table.pack != boxed.pack:
                raise KeyError(boxed.pack)
            mh = table.book.mh
            bound = f"{mh.hex()}|{boxed.pack}".encode()
            raw = box.unseal(self._box, bytes.fromhex(boxed.box), bound)
            opening = read_as(raw, Opening, "box")
            self._check_head(table, opening.signed)
            one = self._relay.packs[mh, boxed.pack]
            if one.statement is not None and not one.holds:
                raise KeyError(boxed.pack)
            known = one.opens.get(boxed.seat)
            self._relay.take(mh, boxed.pack, boxed.seat, opening.signed)
            try:
                for chosen in opening.chosen:
                    self._relay.take_chosen(mh, boxed.pack, bytes.fromhex(chosen))
                given = self._relay.receipt(mh, boxed.pack, boxed.seat)
            except NotVerified:
                # An opening without its choices is no opening: nothing of it stays.
                if known is None:
                    del one.opens[boxed.seat]
                raise
            if known is None:
                self._journal.add(
                    k="open",
                    mh=mh.hex(),
                    pack=boxed.pack,
                    seat=boxed.seat,
                    signed=opening.signed,
                    chosen=opening.chosen,
                )
            self._speak(boxed.table, table)
            return given

    def _check_head(self, table: _Followed, signed: Signed) -> None:
        """Refuse an opening whose checkpoint no transcript of this ledger could prove.

        Raises: NotVerified; KeyError for a checkpoint that has not been seen here yet.
        """
        size, root = take_apart(signed).head
        head = table.view.head
        if head is None or size > head[0]:
            # The seat has seen more of the ledger than this relay has yet.
            raise KeyError(size)
        if size <= table.index:
            raise NotVerified("open", "checkpoint", "is none after the closing")
        path: list[bytes] = []
        if size < head[0]:
            proof = self._api.get("/api/proof/consistency", Proof, old=size, new=head[0])
            path = [bytes.fromhex(step) for step in proof.path]
        check_consistency(size, head[0], path, root, head[1], "open")


def door(desk: RelayDesk, host: str, port: int, *, seconds: float = SECONDS) -> ThreadingHTTPServer:
    """Return the relay's HTTP server, bound and not yet running.

    A request has *seconds* to come whole, from the end of the one before it; so has its answer.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            self.rfile.close()
            self._incoming = Hurried(self.connection)
            self.rfile = io.BufferedReader(self._incoming)

        def handle_one_request(self) -> None:
            self._incoming.start(seconds)
            super().handle_one_request()

        def do_GET(self) -> None:
            if self.path == "/relay/key":
                self._say(200, desk.key)
            else:
                self._say(404, Problem(title="Not found", status=404))

        def do_POST(self) -> None:
            length = self.headers.get("content-length", "")
            if not (length.isascii() and length.isdigit()) or int(length) > MAX_BODY:
                self.close_connection = True
                self._say(413, Problem(title="Too long", status=413))
                return
            raw = self.rfile.read(int(length))
            if self.path != "/relay/open":
                self._say(404, Problem(title="Not found", status=404))
                return
            try:
                given = desk.take(msgspec.json.decode(raw, type=Boxed))
            except msgspec.DecodeError:
                self._say(400, Problem(title="The request cannot be read", status=400))
            except KeyError:
                self._say(409, Problem(title="Not due", status=409))
            except Answered:
                self._say(503, Problem(title="Not now", status=503))
            except NotVerified as err:
                told = Problem(title="Does not verify", status=422, where=err.where, why=err.why)
                self._say(422, told)
            except FairdealError:
                self._say(503, Problem(title="Not now", status=503))
            else:
                self._say(200, Accepted(receipt=given))

        def do_OPTIONS(self) -> None:
            self.send_response(204)
            self._open_to_pages()
            self.send_header("access-control-allow-methods", "GET, POST")
            self.send_header("access-control-allow-headers", "content-type")
            self.send_header("access-control-max-age", "600")
            self.end_headers()

        def _open_to_pages(self) -> None:
            # Seats come from pages of any house; nothing here depends on who asks.
            self.send_header("access-control-allow-origin", "*")

        def _say(self, status: int, body: msgspec.Struct) -> None:
            data = msgspec.json.encode(body)
            self.connection.settimeout(seconds)
            self.send_response(status)
            self._open_to_pages()
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Log nothing: what passes here is not to be kept."""

    server = ThreadingHTTPServer((host, port), Handler)
    server.daemon_threads = True
    return server


__all__ = ["RelayDesk", "door"]
