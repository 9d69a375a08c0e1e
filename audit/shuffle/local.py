"""A live table in one process: house, seats and perhaps a relay, over a ledger in memory.

For the demo, for tests and for whoever wants to see every byte.  Everybody here holds the
same rules as over a network; only the carrying of messages is left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.checkpoint import sign_checkpoint
from audit.law import Law
from audit.note import COSIGNATURE, Note, Signer, read_note
from audit.plan import Question
from audit.shuffle.canonical import encode
from audit.shuffle.derive import SECRET_BYTES
from audit.shuffle.entries import (
    EVERYBODY,
    Entry,
    RootEntry,
    Signed,
    TableEntry,
    TableManifest,
    Witness,
    table_hash,
)
from audit.shuffle.house import House, Pack
from audit.shuffle.lawbook import law_hash, law_object
from audit.shuffle.messages import public_hex
from audit.shuffle.relay import Relay
from audit.shuffle.rules import book_of
from audit.shuffle.seat import Paths, SeatAtTable
from audit.shuffle.secret import Draw
from audit.shuffle.transcript import Anchor, Placed, Transcript
from audit.shuffle.tree import Tree, consistency_path, leaf_hash

Head = tuple[int, bytes]
#: How a seat decides: the seat, what it is asked, and its hand (places to card numbers).
Decide = Callable[[int, Question, Mapping[int, int]], str | Sequence[int]]


class Ledger:
    """Entries in memory, with heads and proofs."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []

    def append(self, raw: bytes) -> int:
        """Add an entry; return its index."""
        self.entries.append(raw)
        return len(self.entries) - 1

    def head(self, size: int | None = None) -> Head:
        """Return size and root of the first *size* entries (all if None)."""
        seen = self.entries[:size]
        return len(seen), Tree(seen).root

    def covers(self, head: Head, leaf: bytes) -> bool:
        """Whether *head* is one of this ledger and the entry of *leaf* stands under it."""
        size, root = head
        seen = self.entries[:size]
        return len(seen) == size and Tree(seen).root == root and leaf in map(leaf_hash, seen)

    def path(self, index: int) -> list[bytes]:
        """Return the inclusion path of an entry in the whole ledger."""
        return Tree(self.entries).path(index)

    def consistency(self, old: int) -> list[bytes]:
        """Return the proof from the first *old* entries to the whole ledger."""
        return consistency_path(self.entries, old)


class Room:
    """One table with everybody at it. *clock* gives whole seconds."""

    def __init__(
        self,
        law: Law,
        players: int,
        *,
        options: Mapping[str, str] | None = None,
        packs: int = 1,
        relay: bool = False,
        opening: str = "pack",
        dealer: int | None = None,
        origin: str = "room.example/fairdeal",
        draw: Draw = os.urandom,
        clock: Callable[[], int] = lambda: 1_000_000,
    ) -> None:
        self.clock, self.ledger = clock, Ledger()
        self._now = 0
        self._carried: dict[int, int] = {}
        self.house_key = Ed25519PrivateKey.from_private_bytes(draw(32))
        self._secrets = {k: draw(SECRET_BYTES) for k in range(1, packs + 1)}
        self.house = House(self.house_key, self._secrets.__getitem__, self.ledger.covers)
        keys = [Ed25519PrivateKey.from_private_bytes(draw(32)) for _ in range(players)]
        self.seats = [SeatAtTable(n, key, draw) for n, key in enumerate(keys)]
        self.relay_key = Ed25519PrivateKey.from_private_bytes(draw(32))
        self.relay = Relay(self.relay_key, self.ledger.covers) if relay else None
        said = dict(options or {})
        law_data = law_object(law, players, said)
        raw = encode(law_data)
        witness = Witness(name="witness.example", key=public_hex(self.relay_key))
        manifest = TableManifest(
            table="table-1",
            game=law.id,
            law=law_hash(raw).hex(),
            options=said,
            pack=len(law_data["pack"]),
            packs=packs,
            min_cut=law.least_cut(players) or 0,
            dealer=players - 1 if dealer is None else dealer,
            seats=tuple(public_hex(key) for key in keys),
            seat_nonces=tuple(seat.nonce.hex() for seat in self.seats),
            ledger_key=public_hex(self.house_key),
            nonce=draw(32).hex(),
            origin=origin,
            witnesses=(witness,) if relay else (),
            quorum=1 if relay else 0,
            relay=0 if relay else "none",
            opening="session" if opening == "session" else "pack",
            last_opening=clock() + 86_400,
        )
        draft = TableEntry(law=law_data, manifest=manifest, sigs=("00" * 64,) * players)
        mh = table_hash(manifest)
        sigs = tuple(seat.sign_manifest(draft, mh) for seat in self.seats)
        self.append(TableEntry(law=law_data, manifest=manifest, sigs=sigs))
        self.go_on()

    def append(self, entry: Entry) -> None:
        """Enter an entry and show it to everybody."""
        raw = encode(entry)
        self.ledger.append(raw)
        self.house.feed(raw, self.clock())
        for seat in self.seats:
            seat.feed(raw)

    def go_on(self) -> None:
        """Let the house enter what is due, until nothing is."""
        while entries := self.house.due(self.clock()):
            for entry in entries:
                self.append(entry)
            if self.house.pack is not None and self.house.pack.stage == "deal":
                self.carry()

    @property
    def pack(self) -> Pack:
        """The pack in play."""
        assert self.house.pack is not None
        return self.house.pack

    def contribute(self, depth: int, packets: int = 0) -> None:
        """Play commitments, openings and choices of one pack."""
        head, pack = self.ledger.head(), self.pack
        self._now = pack.number
        values = {"cut": depth, "packets": packets}
        for seat in self.seats:
            self.house.accept(seat.say_commit(head, values), seat.number, "commit")
        self.go_on()
        head = self.ledger.head()
        if self.relay is None:
            for seat in self.seats:
                self.house.accept(seat.say_open(head), seat.number, "open")
            self.go_on()
            for seat in self.seats:
                for raw in seat.say_chosen():
                    self.house.accept_chosen(raw)
        else:
            self._relayed(head, pack)
        self.go_on()
        self.carry()

    def _relayed(self, head: Head, pack: Pack) -> None:
        relay, book = self.relay, book_of(self._table())
        assert relay is not None
        raws = self.ledger.entries
        relay.closing(book, raws[-2], raws[-1], self.clock())
        for seat in self.seats:
            relay.take(book.mh, pack.number, seat.number, seat.say_open(head))
            for raw in seat.say_chosen():
                relay.take_chosen(book.mh, pack.number, raw)
        statement = relay.speak(book.mh, pack.number, self.clock())
        assert statement is not None
        self.house.accept_held(statement, relay.opens(book.mh, pack.number))
        self.go_on()
        from audit.shuffle.entries import read_entry

        root = read_entry(self.ledger.entries[-1])
        assert isinstance(root, RootEntry)
        for raw in relay.chosen(book.mh, pack.number, root):
            self.house.accept_chosen(raw)

    def _table(self) -> TableEntry:
        from audit.shuffle.entries import read_entry

        table = read_entry(self.ledger.entries[0])
        assert isinstance(table, TableEntry)
        return table

    # -- carrying items -----------------------------------------------------------------------

    def paths(self, leaves: Sequence[int]) -> Paths:
        """Return the paths of leaves to the root of the pack."""
        tree = self.pack.tree
        assert tree is not None
        return {leaf: tree.path(leaf) for leaf in leaves}

    def carry(self) -> None:
        """Hand every seat the items that nobody has seen yet."""
        at = self._carried.get(self.pack.number, 0)
        for item in self.pack.items[at:]:
            for seat in self.seats:
                self._hand(seat, item.signed, item.to, [f.leaf for f in item.faces])
        self._carried[self.pack.number] = len(self.pack.items)

    def _hand(
        self, seat: SeatAtTable, signed: Signed, to: int | None, leaves: Sequence[int]
    ) -> None:
        if to is None:
            seat.follow(signed, self.paths(range(len(self.pack.order))))
        elif to in (seat.number, EVERYBODY):
            found = self.paths(leaves)
            seat.receive(signed, [found[leaf] for leaf in leaves])

    def decide(self, seat: int, answer: str | Sequence[int]) -> None:
        """Let *seat* answer in a word, or pick places of its hand."""
        player, head = self.seats[seat], self.ledger.head()
        question = player.question()
        if isinstance(answer, str):
            said = player.say_answer(head, answer)
        elif question is not None and question.hidden:
            said = player.say_hide(head, answer)
        else:
            said = player.say_show(head, answer)
        self.house.accept(said, seat, "decide")
        self.carry()

    def play(self, decide: Decide) -> None:
        """Play the pack to its end, every question answered by *decide*."""
        play = self.house.packs[self._now].play
        assert play is not None
        while not play.over:
            seat = play.asked
            assert seat is not None
            player = self.seats[seat]
            question = player.question()
            assert question is not None
            hand = {p: f.card for p, f in player.mine().faces.items()}
            self.decide(seat, decide(seat, question, hand))

    def finish(self) -> None:
        """Open what was hidden and end the pack."""
        self.go_on()
        if self.house.packs[self._now].stage == "over":
            return
        for seat in self.seats:
            for discard in seat.say_discards(self._now):
                self.house.accept_discard(discard, self._now)
        self.go_on()

    def checkpoint(self) -> bytes:
        """Return the newest head, signed by the house and cosigned by the witness."""
        size, root = self.ledger.head()
        made = self.house.book
        assert made is not None
        raw = sign_checkpoint(Signer(made.manifest.origin, self.house_key), size, root)
        if self.relay is None:
            return raw
        note = read_note(raw, "checkpoint")
        signer = Signer(made.manifest.witnesses[0].name, self.relay_key, COSIGNATURE)
        line = signer.cosign(note.text, self.clock())
        return Note(text=note.text, lines=(*note.lines, line)).raw

    def transcript(self, number: int) -> bytes:
        """Return the transcript of an opened pack under the ledger's newest head."""
        size = self.ledger.head()[0]
        wanted = [0, 1, *self._of(number)]
        placed = tuple(
            Placed(
                entry=self.ledger.entries[i].decode("ascii"),
                index=i,
                path=tuple(p.hex() for p in self.ledger.path(i)),
            )
            for i in wanted
        )
        anchors = tuple(
            Anchor(
                size=n,
                root=self.ledger.head(n)[1].hex(),
                consistency=tuple(p.hex() for p in self.ledger.consistency(n)),
            )
            for n in range(wanted[2] + 1, size)
        )
        pack = self.house.packs[number]
        made = Transcript(
            checkpoint=self.checkpoint().hex(),
            anchors=anchors,
            entries=placed,
            items=tuple(i.signed for i in pack.items),
        )
        return encode(made)

    def _of(self, number: int) -> list[int]:
        from audit.shuffle.entries import read_entry

        return [
            i
            for i, raw in enumerate(self.ledger.entries)
            if getattr(read_entry(raw), "pack", 0) == number
        ]
