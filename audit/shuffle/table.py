"""A live table in one process: four hands on one pack, and none of them alone decides it.

House and seats exchange signed bytes; the ledger is a list of canonical entries. The seats
commit before the house closes the set, open only over that closing entry, and the pone's cut
was chosen before anybody knew an order and is opened after the order was bound. The module
knows no game: a callable says which place goes to whom after each decision.

Source: design section 3, P1, P2, P4, P5, P12, P13; PROTOCOL.md, "Live table".
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Meta

from audit.shuffle.canonical import encode, read_as
from audit.shuffle.derive import extract, pack_order, salts
from audit.shuffle.framing import digest, frame, same, unframe, whole
from audit.shuffle.manifest import Count, Hex32, Hex64, Name, Struct, Version, Whole
from audit.shuffle.refusal import NotVerified
from audit.shuffle.secret import Draw, Secret
from audit.shuffle.tree import Tree, check_inclusion, leaf_hash

EVERYBODY = 255
Decision = tuple[int, str]
Move = tuple[int, int]
NextMoves = Callable[[Sequence[Decision]], Sequence[Move]]
Bytes = Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]


class TableManifest(Struct, frozen=True, kw_only=True):
    """What every seat signs before the first seal. Keys, never names of people."""

    v: Literal[1] = 1
    kind: Literal["table"] = "table"
    alg: Literal["fairdeal-table/1"] = "fairdeal-table/1"
    game: Name
    law: Version
    pack: Annotated[int, Meta(ge=2, le=78)]
    min_cut: Annotated[int, Meta(ge=0, le=39)]
    dealer: Annotated[int, Meta(ge=0, le=77)]
    pone: Annotated[int, Meta(ge=0, le=77)]
    seats: Annotated[tuple[Hex32, ...], Meta(min_length=1, max_length=78)]
    seat_nonces: tuple[Hex32, ...]
    ledger_key: Hex32
    nonce: Hex32
    entropy: Literal["seats"] = "seats"
    witnesses: Literal["none"] = "none"
    quorum: Literal["none"] = "none"
    limits: Literal["none"] = "none"
    voids: Literal["none"] = "none"
    origin: Literal["none"] = "none"
    last_opening: Literal["end of the pack"] = "end of the pack"


class Signed(Struct, frozen=True, kw_only=True):
    """Framed bytes and one Ed25519 signature over all of them."""

    body: Bytes
    sig: Hex64


class ManifestEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["manifest"] = "manifest"
    manifest: TableManifest
    sigs: tuple[Hex64, ...]


class BatchEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["batch"] = "batch"
    mh: Hex32
    size: Literal[1] = 1
    root: Hex32


class CallEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["call"] = "call"
    mh: Hex32
    pack: Count
    place: Literal[0] = 0
    commitment: Hex32
    dealer: Whole
    pone: Whole
    prev: Hex32


class ClosingEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["closing"] = "closing"
    mh: Hex32
    pack: Count
    call: Hex32
    commits: tuple[Signed, ...]


class RootEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["root"] = "root"
    mh: Hex32
    pack: Count
    closing: Hex32
    opens: tuple[Signed, ...]
    root: Hex32


class CutEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["cut"] = "cut"
    mh: Hex32
    pack: Count
    after: Hex32
    depth: Whole
    nonce: Hex32


class EndEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["end"] = "end"
    mh: Hex32
    pack: Count
    secret: Hex64
    th: Hex32
    items: Whole


class Transcript(Struct, frozen=True, kw_only=True):
    """A finished pack: the ledger's entries, and the signed messages in their order."""

    kind: Literal["fairdeal-table/1"] = "fairdeal-table/1"
    ledger: tuple[str, ...]
    items: tuple[Signed, ...]


class Ledger:
    """Append-only canonical entries; as a plain file, one entry a line."""

    def __init__(self, entries: Sequence[bytes] = ()) -> None:
        self._entries = list(entries)

    @property
    def entries(self) -> tuple[bytes, ...]:
        return tuple(self._entries)

    def append(self, entry: Struct) -> bytes:
        """Add an entry at the end and return its bytes."""
        raw = encode(entry)
        self._entries.append(raw)
        return raw

    def head(self, size: int | None = None) -> tuple[int, bytes]:
        """Return the size and tree root of the first *size* entries (all if None)."""
        seen = self._entries[:size]
        return len(seen), Tree(seen).root

    def lines(self) -> bytes:
        """Return the bytes of the plain file."""
        return b"".join(entry + b"\n" for entry in self._entries)

    @classmethod
    def from_lines(cls, data: bytes) -> Ledger:
        """Return the ledger of a plain file; an unfinished last line is refused."""
        if data and not data.endswith(b"\n"):
            raise NotVerified("ledger", "last line", "is cut short")
        return cls(data.split(b"\n")[:-1])


def table_hash(manifest: TableManifest) -> bytes:
    """Return the manifest hash that every message of the table is bound to."""
    return digest(frame("manifest", encode(manifest)))


def sign(key: Ed25519PrivateKey, body: bytes) -> Signed:
    """Return *body* with its signature."""
    return Signed(body=body.hex(), sig=key.sign(body).hex())


def check_signature(public: str, body: bytes, sig: str, where: str) -> None:
    """Refuse unless the key *public* signed *body*."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(sig), body)
    except (InvalidSignature, ValueError) as err:
        raise NotVerified(where, "signature", "is not that of the key in the manifest") from err


def public_hex(key: Ed25519PrivateKey) -> str:
    """Return the public half, 32 bytes in hex."""
    return key.public_key().public_bytes_raw().hex()


def message(
    mh: bytes, pack: int, seat: int, step: str, th: bytes, head: tuple[int, bytes], payload: bytes
) -> bytes:
    """Return the bytes a seat signs: everything that the message is bound to."""
    return frame("msg", mh, pack, seat, step.encode(), th, head[0], head[1], payload)


def read_message(
    signed: Signed, manifest: TableManifest, seat: int, step: str, th: bytes
) -> tuple[int, bytes, bytes]:
    """Return ledger size, ledger root and payload of a checked message.

    Raises: NotVerified, naming the part that is bound to something else.
    """
    where = f"{step} of seat {seat}"
    body = bytes.fromhex(signed.body)
    check_signature(manifest.seats[seat], body, signed.sig, where)
    got = unframe("msg", body, 8)
    bound = [
        table_hash(manifest),
        (1).to_bytes(8, "big"),
        seat.to_bytes(8, "big"),
        step.encode(),
        th,
    ]
    for name, one, other in zip(
        ("manifest", "pack", "seat", "step", "transcript"), bound, got, strict=False
    ):
        if not same(one, other):
            raise NotVerified(where, name, "is bound to another one", one.hex(), other.hex())
    return whole(where, got[5]), got[6], got[7]


def contribution(mh: bytes, seat: int, call: bytes, data: bytes) -> bytes:
    """Return the commitment of a seat to its 64 bytes."""
    return digest(frame("contrib", mh, 1, seat, call, data))


def cut_commitment(mh: bytes, seat: int, call: bytes, depth: int, nonce: bytes) -> bytes:
    """Return the commitment to a depth; the nonce hides it, there are few depths."""
    return digest(frame("choice", mh, 1, seat, call, depth, nonce))


def house_commitment(mh: bytes, secret: bytes) -> bytes:
    """Return the commitment of the house, made before any seat contributes."""
    return digest(frame("house", mh, 1, secret))


def step_hash(th: bytes, kind: str, data: bytes) -> bytes:
    """Return the transcript hash after one more public item."""
    return digest(frame("t", th, kind.encode(), data))


def first_hash(mh: bytes, prev: bytes) -> bytes:
    """Return the transcript hash before the call."""
    return digest(frame("t0", mh, 1, prev))


def pack_key(
    mh: bytes, call: bytes, closing: bytes, secret: bytes, parts: Sequence[bytes]
) -> bytes:
    """Return the key of the pack: one extract over all bytes in full, in seat order."""
    return extract(frame("seed", mh, call, closing, secret, *parts))


def card_leaves(mh: bytes, key: bytes, size: int) -> tuple[list[int], list[bytes], list[bytes]]:
    """Return the uncut order, the salts and the salted leaves."""
    cards, salt = pack_order(key, size), salts(key, size)
    return cards, salt, [card_leaf(mh, p, cards[p], salt[p]) for p in range(size)]


def card_leaf(mh: bytes, place: int, card: int, salt: bytes) -> bytes:
    """Return the leaf of one card; *place* counts in the uncut pack."""
    return frame("card", mh, 1, place, card, salt)


def check_depth(manifest: TableManifest, depth: int) -> None:
    """Refuse a depth that leaves fewer cards in a packet than the manifest says."""
    most = manifest.pack - manifest.min_cut
    if not manifest.min_cut <= depth <= most:
        raise NotVerified(
            "cut", "depth", "is outside the packets", f"{manifest.min_cut} to {most}", str(depth)
        )


def deal_moves(moves: Sequence[Move]) -> bytes:
    """Return the public bytes of which places go to whom."""
    return frame("deal", *(n for move in moves for n in move))


def delivery(mh: bytes, seat: int, th: bytes, cards: Sequence[tuple[int, int, bytes]]) -> bytes:
    """Return what the house signs when it hands over (leaf, card, salt) to a seat."""
    flat = b"".join(frame("face", leaf, card, salt) for leaf, card, salt in cards)
    return frame("deliver", mh, 1, seat, th, flat)


def recipients(moves: Sequence[Move]) -> list[int]:
    """Return who gets cards, seats in order, then the table face up."""
    return sorted({seat for _, seat in moves})


def cards_for(moves: Sequence[Move], seat: int, depth: int, size: int) -> list[int]:
    """Return the leaves (uncut places) that go to *seat*: dealt p is uncut (depth + p) mod size."""
    return [(depth + place) % size for place, to in moves if to == seat]


@dataclass
class Seat:
    """One player's side: own key, own bytes, and what it has seen; trusts nobody."""

    number: int
    draw: Draw = os.urandom
    key: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate, repr=False)
    hand: dict[int, int] = field(default_factory=dict, repr=False)
    _data: Secret | None = field(default=None, repr=False)
    _depth: int = field(default=0, repr=False)
    _nonce: bytes = field(default=b"", repr=False)
    _sent: Signed | None = field(default=None, repr=False)
    _closing: bytes | None = None

    def commit(
        self, manifest: TableManifest, ledger: Ledger, th: bytes, depth: int | None
    ) -> Signed:
        """Commit to 64 fresh bytes, and as pone to a depth, once the call is in the ledger."""
        if self._sent is not None:
            return self._sent
        mh, call = table_hash(manifest), leaf_hash(ledger.entries[2])
        check_call(manifest, ledger)
        self._data = Secret.fresh(self.draw)
        payload = contribution(mh, self.number, call, self._data.reveal())
        if self.number == manifest.pone:
            if depth is None:
                raise NotVerified("cut", "depth", "the pone has to choose one")
            check_depth(manifest, depth)
            self._depth, self._nonce = depth, self.draw(32)
            payload += cut_commitment(mh, self.number, call, depth, self._nonce)
        head = ledger.head()
        self._sent = sign(self.key, message(mh, 1, self.number, "commit", th, head, payload))
        return self._sent

    def open(self, manifest: TableManifest, ledger: Ledger, before: bytes, th: bytes) -> Signed:
        """Open over the closing entry; every commitment in it is checked, and no second one is."""
        raw = ledger.entries[3]
        if self._closing is not None and not same(self._closing, raw):
            raise NotVerified("closing", "closing", "is the second one for this pack")
        closing = read_as(raw, ClosingEntry, "closing")
        check_closing(manifest, closing, leaf_hash(ledger.entries[2]), before)
        if self._sent is None or self._data is None or closing.commits[self.number] != self._sent:
            raise NotVerified("closing", f"seat {self.number}", "is not what this seat sent")
        self._closing = raw
        payload = leaf_hash(raw) + self._data.reveal()
        body = message(table_hash(manifest), 1, self.number, "open", th, ledger.head(), payload)
        return sign(self.key, body)

    def open_cut(self, ledger: Ledger) -> tuple[int, bytes]:
        """Show depth and nonce, once the root of the whole order stands in the ledger."""
        read_as(ledger.entries[4], RootEntry, "root")
        return self._depth, self._nonce

    def receive(
        self,
        manifest: TableManifest,
        item: Signed,
        to: int,
        th: bytes,
        leaves: Sequence[int],
        paths: Sequence[Sequence[bytes]],
        root: bytes,
    ) -> list[int]:
        """Check a delivery at once: signature, places by law, and inclusion of each card."""
        cards = read_delivery(manifest, item, to, th)
        check_places(cards, leaves, to)
        mh = table_hash(manifest)
        for (leaf, card, salt), path in zip(cards, paths, strict=True):
            entry = card_leaf(mh, leaf, card, salt)
            check_inclusion(entry, leaf, manifest.pack, path, root, f"delivery to {to}")
            if to == self.number:
                self.hand[leaf] = card
        return [card for _, card, _ in cards]

    def decide(
        self, manifest: TableManifest, head: tuple[int, bytes], th: bytes, code: str
    ) -> Signed:
        """Sign one decision, bound to everything public before it."""
        payload = frame("code", code.encode("ascii"))
        return sign(
            self.key, message(table_hash(manifest), 1, self.number, "decide", th, head, payload)
        )


def check_call(manifest: TableManifest, ledger: Ledger) -> None:
    """Refuse a call that does not stand on the sealed batch, the manifest and its seats."""
    mh = table_hash(manifest).hex()
    batch = read_as(ledger.entries[1], BatchEntry, "batch")
    call = read_as(ledger.entries[2], CallEntry, "call")
    if (batch.mh, call.mh, call.pack) != (mh, mh, 1):
        raise NotVerified("call", "mh", "is bound to another table or pack")
    if Tree([bytes.fromhex(call.commitment)]).root.hex() != batch.root:
        raise NotVerified("call", "commitment", "is not in the batch")
    if (call.dealer, call.pone) != (manifest.dealer, manifest.pone):
        raise NotVerified("call", "pone", "is not the one of the manifest")
    if call.prev != leaf_hash(ledger.entries[0]).hex():
        raise NotVerified("call", "prev", "is another entry")


def check_closing(
    manifest: TableManifest, closing: ClosingEntry, call: bytes, th: bytes
) -> list[bytes]:
    """Return the payloads of a closing entry that holds every seat once, each signed."""
    if len(closing.commits) != len(manifest.seats):
        raise NotVerified(
            "closing",
            "seats",
            "are not exactly those of the manifest",
            str(len(manifest.seats)),
            str(len(closing.commits)),
        )
    if not same(bytes.fromhex(closing.call), call):
        raise NotVerified("closing", "call", "is another one")
    payloads: list[bytes] = []
    for seat, signed in enumerate(closing.commits):
        payload = read_message(signed, manifest, seat, "commit", th)[2]
        if len(payload) != (64 if seat == manifest.pone else 32):
            raise NotVerified("closing", f"seat {seat}", "commits to another number of things")
        payloads.append(payload)
    return payloads


def read_delivery(
    manifest: TableManifest, item: Signed, to: int, th: bytes
) -> list[tuple[int, int, bytes]]:
    """Return (leaf, card, salt) of a delivery that the house signed for this seat and moment."""
    where = f"delivery to {to}"
    body = bytes.fromhex(item.body)
    check_signature(manifest.ledger_key, body, item.sig, where)
    parts = unframe("deliver", body, 5)
    bound = (table_hash(manifest), (1).to_bytes(8, "big"), to.to_bytes(8, "big"), th)
    for name, one, other in zip(
        ("manifest", "pack", "seat", "transcript"), bound, parts, strict=False
    ):
        if not same(one, other):
            raise NotVerified(where, name, "is bound to another one", one.hex(), other.hex())
    one_face = len(frame("face", 0, 0, bytes(16)))
    if len(parts[4]) % one_face:
        raise NotVerified(where, "cards", "are not whole")
    cards: list[tuple[int, int, bytes]] = []
    for at in range(0, len(parts[4]), one_face):
        leaf, card, salt = unframe("face", parts[4][at : at + one_face], 3)
        cards.append((whole(where, leaf), whole(where, card), salt))
    return cards


def check_places(cards: Sequence[tuple[int, int, bytes]], leaves: Sequence[int], to: int) -> None:
    """Refuse a delivery of other places than law and decisions name."""
    got = [leaf for leaf, _, _ in cards]
    if got != list(leaves):
        raise NotVerified(
            f"delivery to {to}",
            "leaves",
            "are not the ones that follow",
            str(list(leaves)),
            str(got),
        )


class Table:
    """House and seats in one process, playing one pack from the manifest to the end entry."""

    def __init__(
        self,
        *,
        game: str,
        law: str,
        pack: int,
        players: int,
        min_cut: int,
        next_moves: NextMoves,
        dealer: int = 0,
        pone: int | None = None,
        draw: Draw = os.urandom,
    ) -> None:
        self._house = Ed25519PrivateKey.generate()
        self._secret = Secret.fresh(draw)
        self._next = next_moves
        self.seats = [Seat(number, draw) for number in range(players)]
        self.ledger = Ledger()
        self.items: list[Signed] = []
        self.decisions: list[Decision] = []
        self.dealt: dict[int, tuple[int, int]] = {}
        self.manifest = TableManifest(
            game=game,
            law=law,
            pack=pack,
            min_cut=min_cut,
            dealer=dealer,
            pone=(dealer - 1) % players if pone is None else pone,
            seats=tuple(public_hex(seat.key) for seat in self.seats),
            seat_nonces=tuple(draw(32).hex() for _ in self.seats),
            ledger_key=public_hex(self._house),
            nonce=draw(32).hex(),
        )
        self._mh = table_hash(self.manifest)
        self._th = b""

    def seal(self) -> bytes:
        """Enter manifest, batch and call; return the ledger root that seats compare."""
        mh, made = self._mh, self.manifest
        body = frame("sign-manifest", mh)
        sigs = tuple(seat.key.sign(body).hex() for seat in self.seats)
        first = self.ledger.append(ManifestEntry(manifest=made, sigs=sigs))
        sealed = house_commitment(mh, self._secret.reveal())
        self.ledger.append(BatchEntry(mh=mh.hex(), root=Tree([sealed]).root.hex()))
        prev = leaf_hash(first)
        call = self.ledger.append(
            CallEntry(
                mh=mh.hex(),
                pack=1,
                commitment=sealed.hex(),
                dealer=made.dealer,
                pone=made.pone,
                prev=prev.hex(),
            )
        )
        self._th = step_hash(first_hash(mh, prev), "call", call)
        return self.ledger.head()[1]

    def contribute(self, depth: int) -> None:
        """Gather commitments, close, gather openings, bind the order, then open the cut."""
        mh, made = self._mh, self.manifest
        call = leaf_hash(self.ledger.entries[2])
        before = self._th
        commits = tuple(
            seat.commit(made, self.ledger, before, depth if seat.number == made.pone else None)
            for seat in self.seats
        )
        raw = self.ledger.append(
            ClosingEntry(mh=mh.hex(), pack=1, call=call.hex(), commits=commits)
        )
        closing = leaf_hash(raw)
        self._th = step_hash(before, "closing", raw)
        opens = tuple(seat.open(made, self.ledger, before, self._th) for seat in self.seats)
        parts = [read_message(o, made, s, "open", self._th)[2][32:] for s, o in enumerate(opens)]
        key = pack_key(mh, call, closing, self._secret.reveal(), parts)
        self._cards, self._salts, leaves = card_leaves(mh, key, made.pack)
        self._tree = Tree(leaves)
        raw = self.ledger.append(
            RootEntry(
                mh=mh.hex(), pack=1, closing=closing.hex(), opens=opens, root=self._tree.root.hex()
            )
        )
        self._th = step_hash(self._th, "root", raw)
        self._depth, nonce = self.seats[made.pone].open_cut(self.ledger)
        raw = self.ledger.append(
            CutEntry(
                mh=mh.hex(),
                pack=1,
                after=leaf_hash(raw).hex(),
                depth=self._depth,
                nonce=nonce.hex(),
            )
        )
        self._th = step_hash(self._th, "cut", raw)
        self._deal()

    def decide(self, seat: int, code: str) -> None:
        """Let *seat* sign a decision, and deal what follows from it."""
        item = self.seats[seat].decide(self.manifest, self.ledger.head(), self._th, code)
        self.items.append(item)
        self._th = step_hash(self._th, "decide", encode(item))
        self.decisions.append((seat, code))
        self._deal()

    def _deal(self) -> None:
        made, size = self.manifest, self.manifest.pack
        moves = list(self._next(tuple(self.decisions)))
        self._th = step_hash(self._th, "deal", deal_moves(moves))
        for to in recipients(moves):
            leaves = cards_for(moves, to, self._depth, size)
            cards = [(leaf, self._cards[leaf], self._salts[leaf]) for leaf in leaves]
            item = sign(self._house, delivery(self._mh, to, self._th, cards))
            paths = [self._tree.path(leaf) for leaf in leaves]
            for seat in self.seats:
                if to in (seat.number, EVERYBODY):
                    seat.receive(made, item, to, self._th, leaves, paths, self._tree.root)
            self.items.append(item)
            if to == EVERYBODY:
                self._th = step_hash(self._th, "face", encode(item))
        for place, to in moves:
            self.dealt[place] = (to, self._cards[(self._depth + place) % size])

    def finish(self) -> bytes:
        """Open the house's secret, end the pack, and return the transcript's canonical bytes."""
        self.ledger.append(
            EndEntry(
                mh=self._mh.hex(),
                pack=1,
                secret=self._secret.reveal().hex(),
                th=self._th.hex(),
                items=len(self.items),
            )
        )
        entries = tuple(entry.decode("ascii") for entry in self.ledger.entries)
        return encode(Transcript(ledger=entries, items=tuple(self.items)))
