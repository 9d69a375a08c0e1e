"""The bytes that seats, house and relay sign or commit to, and their strict readers.

Source: PROTOCOL.md, "One pack" and "Cards".
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from audit.shuffle.canonical import encode
from audit.shuffle.entries import EVERYBODY, Signed, TableManifest
from audit.shuffle.framing import MAX_INT, PREFIX, digest, frame, same, unframe, whole
from audit.shuffle.refusal import NotVerified
from audit.shuffle.tree import Tree

#: Whether a head (size and root) is one of the ledger and covers the entry with this leaf.
Covers = Callable[[tuple[int, bytes], bytes], bool]
_PLACE = struct.Struct(">IQIQ")
FACE_BYTES = len(frame("face", 0, 0, bytes(16)))
_FACE = struct.Struct(f">{len(frame('face'))}sIQIQI16s")
_PLAIN_FACE = (frame("face"), 8, 8, 16)


@dataclass(frozen=True, kw_only=True)
class Face:
    """One card shown: its leaf (place in the uncut pack), its number and its salt."""

    leaf: int
    card: int
    salt: bytes

    @property
    def raw(self) -> bytes:
        """T(face, leaf, card, salt)."""
        return frame("face", self.leaf, self.card, self.salt)


def sign(key: Ed25519PrivateKey, body: bytes) -> Signed:
    """Return *body* with its signature."""
    return Signed(body=body.hex(), sig=key.sign(body).hex())


def check_signature(public: str, body: bytes, sig: str, where: str) -> None:
    """Refuse unless the key *public* signed *body*."""
    try:
        _verified(public, body, sig)
    except (InvalidSignature, ValueError) as err:
        raise NotVerified(where, "signature", "is not that of the key in the manifest") from err


# A message is checked when it comes, in the entry that holds it and when that is replayed;
# only what verified is remembered, for an exception is not kept.
@lru_cache(maxsize=4096)
def _verified(public: str, body: bytes, sig: str) -> None:
    _key(public).verify(bytes.fromhex(sig), body)


@lru_cache(maxsize=1024)
def _key(public: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))


def public_hex(key: Ed25519PrivateKey) -> str:
    """Return the public half, 32 bytes in hex."""
    return key.public_key().public_bytes_raw().hex()


def bind(where: str, names: Sequence[str], wanted: Sequence[bytes], got: Sequence[bytes]) -> None:
    """Refuse the first of *got* that differs from *wanted*, by its name."""
    for name, one, other in zip(names, wanted, got, strict=False):
        if not same(one, other):
            raise NotVerified(where, name, "is bound to another one", one.hex(), other.hex())


def u64(number: int) -> bytes:
    """Return the field of an integer in a frame."""
    return number.to_bytes(8, "big")


# --- commitments ---------------------------------------------------------------------------


def house_commitment(mh: bytes, pack: int, secret: bytes) -> bytes:
    """Return c_k, the house's commitment, made before any seat contributes."""
    return digest(frame("house", mh, pack, secret))


def contribution(mh: bytes, pack: int, seat: int, call: bytes, data: bytes) -> bytes:
    """Return the commitment of a seat to its 64 bytes."""
    return digest(frame("contrib", mh, pack, seat, call, data))


def choice_commitment(
    mh: bytes, pack: int, seat: int, call: bytes, name: str, value: int, nonce: bytes
) -> bytes:
    """Return the commitment to a choice; the nonce hides it, for there are few values."""
    return digest(frame("choice", mh, pack, seat, call, name.encode(), value, nonce))


def discard_commitment(
    mh: bytes, pack: int, seat: int, nonce: bytes, leaves: Sequence[int]
) -> bytes:
    """Return the commitment to a hidden pick, its leaves in the order picked."""
    return digest(frame("discard", mh, pack, seat, nonce, *leaves))


# --- transcript hash -----------------------------------------------------------------------


def first_hash(mh: bytes, pack: int, prev: bytes) -> bytes:
    """Return the transcript hash before the call."""
    return digest(frame("t0", mh, pack, prev))


def step_hash(th: bytes, kind: str, data: bytes) -> bytes:
    """Return the transcript hash after one more public item."""
    return digest(frame("t", th, kind.encode(), data))


def item_bytes(signed: Signed) -> bytes:
    """Return the canonical bytes with which a signed item enters the transcript hash."""
    return encode(signed)


# --- messages of seats ---------------------------------------------------------------------


def message(
    mh: bytes, pack: int, seat: int, step: str, th: bytes, head: tuple[int, bytes], payload: bytes
) -> bytes:
    """Return the bytes a seat signs; *head* is size and root of its last checkpoint."""
    return frame("msg", mh, pack, seat, step.encode(), th, head[0], head[1], payload)


@dataclass(frozen=True, kw_only=True)
class Message:
    """A message of a seat, taken apart but not checked against anything."""

    mh: bytes
    pack: int
    seat: int
    step: str
    th: bytes
    head: tuple[int, bytes]
    payload: bytes


class Bound(Protocol):
    """What a table entry binds: the manifest and its hash."""

    @property
    def manifest(self) -> TableManifest:
        """The manifest that every seat signed."""

    @property
    def mh(self) -> bytes:
        """Its hash."""


# The same message is read when it comes, in the entry that holds it and in the transcript.
@lru_cache(maxsize=4096)
def _parts(body: str) -> tuple[bytes, tuple[bytes, ...]]:
    raw = bytes.fromhex(body)
    return raw, tuple(unframe("msg", raw, 8))


@lru_cache(maxsize=4096)
def take_apart(signed: Signed) -> Message:
    """Return the parts of a message of any seat; refuses what is no message."""
    mh, pack, seat, step, th, size, root, payload = _parts(signed.body)[1]
    if step not in (b"commit", b"open", b"decide") or len(root) != 32:
        raise NotVerified("msg", "step", "is no step of a pack")
    head = (whole("msg", size), root)
    return Message(
        mh=mh,
        pack=whole("msg", pack),
        seat=whole("msg", seat),
        step=step.decode(),
        th=th,
        head=head,
        payload=payload,
    )


def read_message(
    signed: Signed, book: Bound, pack: int, seat: int, step: str, th: bytes
) -> Message:
    """Return a message after checking signature and everything it is bound to.

    Raises: NotVerified, naming the part that is bound to something else.
    """
    where = f"{step} of seat {seat}"
    if not 0 <= seat < len(book.manifest.seats):
        raise NotVerified(where, "seat", "is none of this table")
    body, got = _parts(signed.body)
    bind(
        where,
        ("manifest", "pack", "seat", "step", "transcript"),
        (book.mh, u64(pack), u64(seat), step.encode(), th),
        got,
    )
    check_signature(book.manifest.seats[seat], body, signed.sig, where)
    return take_apart(signed)


def check_covers(covers: Covers | None, said: Message, leaf: bytes) -> None:
    """Refuse a message that names a head which does not cover the entry it answers.

    A transcript with such a message would not verify, and a seat could spoil a pack by it.
    """
    if covers is not None and not covers(said.head, leaf):
        where = f"{said.step} of seat {said.seat}"
        raise NotVerified(where, "checkpoint", "is none of this ledger that covers the entry")


def answer_payload(name: str, text: str) -> bytes:
    """Return the payload of an answer in a word or a number."""
    return frame("answer", name.encode(), text.encode())


def show_payload(zone: str, faces: Sequence[Face]) -> bytes:
    """Return the payload of cards shown as they are picked."""
    return frame("show", zone.encode(), b"".join(f.raw for f in faces))


def hide_payload(zone: str, count: int, commitment: bytes) -> bytes:
    """Return the payload of a hidden pick."""
    return frame("hide", zone.encode(), count, commitment)


def read_faces(raw: bytes, where: str) -> list[Face]:
    """Return the faces of a run of frames, none left over."""
    if len(raw) % FACE_BYTES:
        raise NotVerified(where, "cards", "are not whole")
    faces: list[Face] = []
    for at in range(0, len(raw), FACE_BYTES):
        head, first, place, second, number, third, salt = _FACE.unpack_from(raw, at)
        if (head, first, second, third) == _PLAIN_FACE and place <= MAX_INT >= number:
            faces.append(Face(leaf=place, card=number, salt=salt))
            continue
        # One that is not of that form says what it lacks.
        leaf, card, salt = unframe("face", raw[at : at + FACE_BYTES], 3)
        faces.append(Face(leaf=whole(where, leaf), card=whole(where, card), salt=salt))
    return faces


# --- of the house --------------------------------------------------------------------------


def card_leaf(mh: bytes, pack: int, face: Face) -> bytes:
    """Return the tree entry of one card; its place counts in the uncut pack."""
    return frame("card", mh, pack, face.leaf, face.card, face.salt)


def pack_tree(mh: bytes, pack: int, order: Sequence[int], salt: Sequence[bytes]) -> Tree:
    """Return the tree over the leaves of a whole uncut pack, in order of place."""
    # As `card_leaf` for each place; what all of them have in common is written once.
    head, size = frame("card", mh, pack), struct.pack(">I", 16)
    leaves = [
        head + _PLACE.pack(8, place, 8, card) + size + one
        for place, (card, one) in enumerate(zip(order, salt, strict=True))
    ]
    return Tree(leaves)


def deal_bytes(moves: Sequence[tuple[int, int]]) -> bytes:
    """Return the public bytes of which places of the cut pack go to whom."""
    return frame("deal", *(number for move in moves for number in move))


def delivery(mh: bytes, pack: int, to: int, th: bytes, faces: Sequence[Face]) -> bytes:
    """Return the bytes of cards for one seat, or for all (255)."""
    return frame("deliver", mh, pack, to, th, b"".join(f.raw for f in faces))


def read_delivery(book: Bound, item: Signed, pack: int, to: int, th: bytes) -> list[Face]:
    """Return the faces of a delivery that the house signed for this seat and moment."""
    where = f"delivery to {'all' if to == EVERYBODY else f'seat {to}'}"
    body = bytes.fromhex(item.body)
    parts = unframe("deliver", body, 5)
    wanted = (book.mh, u64(pack), u64(to), th)
    bind(where, ("manifest", "pack", "seat", "transcript"), wanted, parts)
    check_signature(book.manifest.ledger_key, body, item.sig, where)
    return read_faces(parts[4], where)


def receipt(mh: bytes, pack: int, seat: int, body: bytes) -> bytes:
    """Return what the house signs for every message that it accepts."""
    return frame("receipt", mh, pack, seat, digest(body))


def check_message_receipt(public: str, signed: Signed, message: Signed, where: str) -> None:
    """Refuse what is not the receipt that the key *public* signs for exactly *message*."""
    said = take_apart(message)
    body = bytes.fromhex(signed.body)
    wanted = receipt(said.mh, said.pack, said.seat, bytes.fromhex(message.body))
    if not same(body, wanted):
        raise NotVerified(where, "message", "is not the one that was sent")
    check_signature(public, body, signed.sig, where)


def refused(mh: bytes, pack: int, seat: int, body: bytes, stands: bytes) -> bytes:
    """Return what the house signs where another message stands for the step."""
    return frame("refused", mh, pack, seat, digest(body), digest(stands))


# --- of the relay --------------------------------------------------------------------------


def opens_hash(opens: Sequence[Signed]) -> bytes:
    """Return H(T(opens, body, sig, body, sig, ..)) over all openings in seat order."""
    parts = [bytes.fromhex(text) for one in opens for text in (one.body, one.sig)]
    return digest(frame("opens", *parts))


def held(mh: bytes, pack: int, closing: bytes, opens: Sequence[Signed], time: int) -> bytes:
    """Return the relay's statement that it holds every opening."""
    return frame("held", mh, pack, closing, opens_hash(opens), time)


def missing(mh: bytes, pack: int, closing: bytes, time: int, seats: Sequence[int]) -> bytes:
    """Return the relay's statement that these openings had not come at the deadline."""
    return frame("missing", mh, pack, closing, time, *seats)


def chosen(mh: bytes, pack: int, seat: int, name: str, value: int, nonce: bytes) -> bytes:
    """Return the opening of a choice; its commitment authenticates it."""
    return frame("chosen", mh, pack, seat, name.encode(), value, nonce)


def card_request(mh: bytes, pack: int, seat: int, step: str, th: bytes, time: int) -> bytes:
    """Return a seat's request for its own cards."""
    return frame("ask", mh, pack, seat, step.encode(), th, time)


assert PREFIX == b"fairdeal/1/"
