"""Sets of deals sealed in bulk: one key a session, whose deals open together.

`make_bulk` draws one secret per session and publishes a root over their commitments;
`open_bulk` hands out the sessions wanted; `deal_lines` writes their orders, block by block,
so that a set of millions is never in memory.

Source: design section 3, P1, P3, P7, P11; PROTOCOL.md, "Sets in bulk".
"""

from __future__ import annotations

import binascii
import os
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from audit.errors import UsageError
from audit.shuffle import pattern
from audit.shuffle.bulk import SIDE_BY_SIDE, Session
from audit.shuffle.canonical import encode, read_as
from audit.shuffle.derive import extract
from audit.shuffle.framing import digest, frame, same
from audit.shuffle.manifest import (
    BulkManifest,
    Count,
    Hex32,
    Hex64,
    Struct,
    check_bulk_manifest,
    manifest_hash,
)
from audit.shuffle.refusal import NotVerified
from audit.shuffle.sealed import (
    SetSeal,
    SetSecret,
    caveats,
    fresh_keys,
    public_value,
    seal_hash,
)
from audit.shuffle.secret import Draw
from audit.shuffle.tree import Tree

BULK_SEAL = b'{"kind":"fairdeal-bulk-seal/1"'
BULK_OPENED = b'{"kind":"fairdeal-bulk-opened/1"'


class BulkSeal(SetSeal, frozen=True, kw_only=True):
    """The seal of a set with one key a session."""

    kind: Literal["fairdeal-bulk-seal/1"] = "fairdeal-bulk-seal/1"
    manifest: BulkManifest


class OpenedSession(Struct, frozen=True, kw_only=True):
    """The key of one session, with the path of its commitment to the root."""

    session: Count
    key: Hex64
    path: Annotated[tuple[Hex32, ...], Meta(max_length=24)]


class BulkOpened(Struct, frozen=True, kw_only=True):
    """The first line of an opened set; the orders of its sessions follow, one a line."""

    kind: Literal["fairdeal-bulk-opened/1"] = "fairdeal-bulk-opened/1"
    seal: BulkSeal
    value: Annotated[str, Meta(pattern="^([0-9a-f]{2})*$", max_length=2 * pattern.MAX_VALUE)] = ""
    notes: tuple[str, ...] = ()
    sessions: Annotated[tuple[OpenedSession, ...], Meta(min_length=1)]

    @property
    def deals(self) -> int:
        """How many deals follow."""
        return sum(len(self.seal.manifest.span(one.session)) for one in self.sessions)


def make_bulk(manifest: BulkManifest, *, draw: Draw = os.urandom) -> tuple[BulkSeal, SetSecret]:
    """Draw one secret per session and seal them. The order of no deal is computed here."""
    check_bulk_manifest(manifest)
    keys = fresh_keys(manifest.sessions, draw)
    tree = _tree(manifest, [key.reveal() for key in keys])
    seal = BulkSeal(manifest=manifest, root=tree.root.hex())
    return seal, SetSecret(seal_hash(seal), keys)


def bulk_commitment(mh: bytes, session: int, key: bytes) -> bytes:
    """Return the leaf of one session: hiding, and good for this manifest and number only."""
    return digest(frame("bulk-session", mh, session, key))


def _tree(manifest: BulkManifest, keys: list[bytes]) -> Tree:
    mh = manifest_hash(manifest)
    return Tree([bulk_commitment(mh, number, key) for number, key in enumerate(keys, start=1)])


def session_orders(seal: BulkSeal, session: int, key: bytes, value: bytes) -> Session:
    """Return the orders of one session from its key, the whole seal and the public value."""
    manifest = seal.manifest
    mh, root = manifest_hash(manifest), bytes.fromhex(seal.root)
    seed = frame("bulk-seed", mh, root, session, key, value)
    return Session(extract(seed), manifest.pack, manifest.alg)


def open_bulk(
    seal: BulkSeal, secret: SetSecret, value: bytes | None = None, deals: range | None = None
) -> BulkOpened:
    """Open the sessions that make up *deals* (from 1; all if None).

    Raises: NotVerified when secret and seal do not belong together, or the value has
    another form than the manifest says; UsageError for a value not to be had, and for deals
    that are not whole sessions.
    """
    manifest = seal.manifest
    check_bulk_manifest(manifest)
    public = public_value(manifest, value)
    wanted = range(1, manifest.sessions + 1) if deals is None else _sessions(manifest, deals)
    if not same(secret.seal, seal_hash(seal)) or len(secret.keys) != manifest.sessions:
        raise NotVerified("secret", "seal", "belongs to another seal")
    keys = [key.reveal() for key in secret.keys]
    tree = _tree(manifest, keys)
    if not same(tree.root, bytes.fromhex(seal.root)):
        raise NotVerified("secret", "keys", "are not those that were sealed")
    sessions = tuple(
        OpenedSession(
            session=number,
            key=keys[number - 1].hex(),
            path=tuple(step.hex() for step in tree.path(number - 1)),
        )
        for number in wanted
    )
    return BulkOpened(seal=seal, value=public.hex(), notes=caveats(manifest), sessions=sessions)


def _sessions(manifest: BulkManifest, deals: range) -> range:
    """Return the sessions whose deals are *deals*; refuses a part of one.

    One key orders a whole session, so that a part of it cannot be shown alone.
    """
    if not deals or deals[0] < 1 or deals[-1] > manifest.deals or deals.step != 1:
        got = f"{deals[0]} to {deals[-1]}" if deals else "none"
        raise UsageError("set", "deals", "are not in the set", f"1 to {manifest.deals}", got)
    first, last = (-(-number // manifest.session) for number in (deals[0], deals[-1]))
    start, stop = manifest.span(first)[0], manifest.span(last)[-1]
    if (start, stop) != (deals[0], deals[-1]):
        raise UsageError(
            "set",
            "deals",
            "are a part of a session, whose deals open together",
            f"{start} to {stop}",
            f"{deals[0]} to {deals[-1]}",
        )
    return range(first, last + 1)


def deal_blocks(opened: BulkOpened) -> Iterator[tuple[int, bytes]]:
    """Yield (number of the first deal, lines) of the deals that *opened* opens.

    A line is the order in lower-case hex, two signs a card, top card first, and a newline.
    """
    seal, value = opened.seal, bytes.fromhex(opened.value)
    for one in opened.sessions:
        span = seal.manifest.span(one.session)
        orders = session_orders(seal, one.session, bytes.fromhex(one.key), value)
        for at in range(0, len(span), SIDE_BY_SIDE):
            some = orders.orders(at, min(SIDE_BY_SIDE, len(span) - at))
            yield span[at], binascii.hexlify(some.tobytes(), b"\n", seal.manifest.pack) + b"\n"


def opened_bytes(opened: BulkOpened) -> Iterator[bytes]:
    """Yield the bytes of the opened set: its first line, then the lines of its deals."""
    yield encode(opened) + b"\n"
    for _, lines in deal_blocks(opened):
        yield lines


def read_bulk_seal(raw: bytes) -> BulkSeal:
    """Return a seal from its canonical bytes. Raises: NotVerified, naming the field."""
    seal = read_as(raw, BulkSeal, "seal")
    check_bulk_manifest(seal.manifest)
    return seal


def read_bulk_opened(raw: bytes) -> BulkOpened:
    """Return the first line of an opened set, without its newline, from its canonical bytes.

    Raises: NotVerified, naming the field.
    """
    opened = read_as(raw, BulkOpened, "opened")
    check_bulk_manifest(opened.seal.manifest)
    return opened
