"""The exact bytes that are hashed and signed at a live table, and their checked reading.

Every message is bound to manifest, pack, seat, step, transcript and ledger; every commitment
to the place it was made for.

Source: design section 3, P2, P4, P5, P12; PROTOCOL.md, "Live table".
"""

from __future__ import annotations

from collections.abc import Sequence

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from audit.shuffle.canonical import encode
from audit.shuffle.derive import extract, pack_order, salts
from audit.shuffle.entries import Signed, TableManifest
from audit.shuffle.framing import digest, frame, same, unframe, whole
from audit.shuffle.refusal import NotVerified


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


def delivery(mh: bytes, seat: int, th: bytes, cards: Sequence[tuple[int, int, bytes]]) -> bytes:
    """Return what the house signs when it hands over (leaf, card, salt) to a seat."""
    flat = b"".join(frame("face", leaf, card, salt) for leaf, card, salt in cards)
    return frame("deliver", mh, 1, seat, th, flat)


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
