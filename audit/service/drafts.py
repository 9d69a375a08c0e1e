"""Tables that are not open yet: seats are taken by keys, then everybody signs the manifest.

A draft's rows go when the table opens or its day is over; the manifest is made once, when
the last seat is taken, and never changes.

Source: PROTOCOL.md, "Manifest and table"; design section 3, P7, P12.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence

import msgspec

from audit.errors import UnknownName
from audit.games import GAMES
from audit.ledger.log import Appended, Ledger
from audit.service.refusal import Conflict, Forbidden, TooMany, Unknown
from audit.service.room import same_token, token_hash
from audit.shuffle.canonical import encode, read_as
from audit.shuffle.entries import TableEntry, TableManifest, Witness, check_manifest, table_hash
from audit.shuffle.framing import frame
from audit.shuffle.lawbook import law_hash, law_object
from audit.shuffle.messages import check_signature
from audit.shuffle.refusal import NotVerified
from audit.wire import NewTable, Tokens

MOST_DRAFTS = 500
DAY = 86_400


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for, when, and the hashes of the seats' tokens."""

    asked: NewTable
    made: int
    tokens: tuple[str, ...]


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's key and nonce, in hex."""

    key: str
    nonce: str


class Unsigned(msgspec.Struct, frozen=True, kw_only=True):
    """Law and manifest before the signatures."""

    law: str
    manifest: TableManifest


class DraftTable:
    """One table before it opens."""

    def __init__(self, name: str, seating: Seating) -> None:
        self.name, self.seating = name, seating
        self.taken: dict[int, Taken] = {}
        self.unsigned: Unsigned | None = None
        self.sigs: dict[int, str] = {}
        self.opening = False
        #: The last write of its rows, once there was one.
        self.write: asyncio.Future[Appended] | None = None


class Drafts:
    """All tables that are not open yet."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        origin: str,
        ledger_key: str,
        witnesses: Sequence[Witness],
        quorum: int,
        clock: Callable[[], int],
        has: Callable[[str], bool] = lambda _: True,
    ) -> None:
        """Take those that *has* says are this process's."""
        self._ledger, self._clock, self._has = ledger, clock, has
        self._origin, self._key = origin, ledger_key
        self._witnesses, self._quorum = tuple(witnesses), quorum
        self.tables: dict[str, DraftTable] = {}
        self._load()

    def _load(self) -> None:
        for name, value in self._ledger.scan("draft/"):
            _, table, *rest = name.split("/")
            if not self._has(table):
                continue
            if not rest:
                seating = msgspec.json.decode(value, type=Seating)
                self.tables[table] = DraftTable(table, seating)
                continue
            draft = self.tables[table]
            match rest[0]:
                case "manifest":
                    draft.unsigned = read_as(value, Unsigned, "row")
                case "seat":
                    draft.taken[int(rest[1])] = msgspec.json.decode(value, type=Taken)
                case _:
                    draft.sigs[int(rest[1])] = value.decode()

    def get(self, name: str) -> DraftTable:
        """Return a draft.  Raises: Unknown."""
        if name not in self.tables:
            raise Unknown("table", "name")
        return self.tables[name]

    def make(self, asked: NewTable) -> tuple[Tokens, dict[str, bytes]]:
        """Return a new table's name and tokens, and the row to keep.

        Raises: NotVerified for a game or options that the law does not have; TooMany.
        """
        self._forget()
        if len(self.tables) >= MOST_DRAFTS:
            raise TooMany("tables", "number of tables that are not open")
        if asked.relay != "none" and asked.relay >= len(self._witnesses):
            raise NotVerified("table", "relay", "is none of the witnesses of this house")
        self._law(asked)
        name = self._name()
        tokens = tuple(os.urandom(16).hex() for _ in range(asked.players))
        seating = Seating(
            asked=asked, made=self._clock(), tokens=tuple(token_hash(t) for t in tokens)
        )
        self.tables[name] = DraftTable(name, seating)
        return Tokens(table=name, tokens=tokens), {f"draft/{name}": msgspec.json.encode(seating)}

    def _name(self) -> str:
        """Return a new name that falls to this process."""
        while not self._has(name := f"t-{os.urandom(8).hex()}"):
            continue
        return name

    def _forget(self) -> None:
        now = self._clock()
        old = [n for n, d in self.tables.items() if d.seating.made + DAY < now and not d.opening]
        for name in old:
            self._ledger.submit((), (), self.rows(name))
            del self.tables[name]

    def rows(self, name: str) -> list[str]:
        """Return the names of all rows of a draft."""
        seats = range(self.tables[name].seating.asked.players)
        found = [f"draft/{name}", f"draft/{name}/manifest"]
        found += [f"draft/{name}/seat/{n}" for n in seats]
        return found + [f"draft/{name}/sig/{n}" for n in seats]

    def _law(self, asked: NewTable) -> str:
        """Return the canonical text of the law as this table plays it."""
        try:
            law = GAMES[asked.game]
        except UnknownName as err:
            raise NotVerified("table", "game", "is not known") from err
        low, high = law.players
        if not low <= asked.players <= high:
            raise NotVerified("table", "players", "are not as many as the law has")
        try:
            return encode(law_object(law, asked.players, dict(asked.options))).decode("ascii")
        except NotVerified:
            raise
        except (KeyError, ValueError) as err:
            raise NotVerified("table", "options", "are not the law's") from err

    def _door(self, name: str, seat: int, token: str) -> DraftTable:
        draft = self.get(name)
        if seat >= draft.seating.asked.players:
            raise Unknown("table", "seat")
        if not same_token(draft.seating.tokens[seat], token):
            raise Forbidden("table", "token")
        return draft

    def take(
        self, name: str, seat: int, token: str, key: str, nonce: str
    ) -> tuple[DraftTable, dict[str, bytes]]:
        """Let *key* take a seat; return the rows to keep, with the manifest at the last."""
        draft = self._door(name, seat, token)
        taken = Taken(key=key, nonce=nonce)
        if seat in draft.taken:
            if draft.taken[seat] == taken:
                return draft, {}
            raise Conflict("table", "seat", "is taken by another key")
        others = {t.key for t in draft.taken.values()} | {self._key}
        if key in others or key in {w.key for w in self._witnesses}:
            raise Conflict("table", "key", "is another party's")
        draft.taken[seat] = taken
        puts = {f"draft/{name}/seat/{seat}": msgspec.json.encode(taken)}
        if len(draft.taken) == draft.seating.asked.players:
            draft.unsigned = self._manifest(draft)
            puts[f"draft/{name}/manifest"] = encode(draft.unsigned)
        return draft, puts

    def _manifest(self, draft: DraftTable) -> Unsigned:
        asked = draft.seating.asked
        law = GAMES[asked.game]
        text = self._law(asked)
        seats = range(asked.players)
        made = TableManifest(
            table=draft.name,
            game=asked.game,
            law=law_hash(text.encode()).hex(),
            options=dict(asked.options),
            pack=len(msgspec.json.decode(text)["pack"]),
            packs=asked.packs,
            min_cut=law.cut_least or 0,
            dealer=asked.players - 1,
            seats=tuple(draft.taken[n].key for n in seats),
            seat_nonces=tuple(draft.taken[n].nonce for n in seats),
            ledger_key=self._key,
            nonce=os.urandom(32).hex(),
            origin=self._origin,
            witnesses=self._witnesses,
            quorum=self._quorum,
            relay=asked.relay,
            limits=asked.limits,
            voids=asked.voids,
            opening=asked.opening,
            last_opening=self._clock() + 3600 * asked.hours,
        )
        check_manifest(made)
        return Unsigned(law=text, manifest=made)

    def sign(
        self, name: str, seat: int, token: str, sig: str
    ) -> tuple[TableEntry | None, dict[str, bytes]]:
        """Take a seat's signature; return the table's entry when it was the last."""
        draft = self._door(name, seat, token)
        if draft.unsigned is None:
            raise Conflict("table", "manifest", "is not made before every seat is taken")
        made = draft.unsigned.manifest
        check_signature(
            made.seats[seat], frame("sign-manifest", table_hash(made)), sig, "signature"
        )
        draft.sigs[seat] = sig
        puts = {f"draft/{name}/sig/{seat}": sig.encode()}
        return self.ready(draft), puts

    def ready(self, draft: DraftTable) -> TableEntry | None:
        """Return the table's entry once everybody has signed."""
        players = draft.seating.asked.players
        if draft.unsigned is None or len(draft.sigs) < players:
            return None
        return TableEntry(
            law=msgspec.json.decode(draft.unsigned.law),
            manifest=draft.unsigned.manifest,
            sigs=tuple(draft.sigs[n] for n in range(players)),
        )
