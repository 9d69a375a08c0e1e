"""What a live table writes down: its manifest, the entries of its ledger, its transcript.

Each is a struct with one canonical byte string; a field that is not known is refused.

Source: design section 3, P1, P2, P4, P7; PROTOCOL.md, "Live table".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from audit.shuffle.canonical import encode
from audit.shuffle.manifest import Count, Hex32, Hex64, Name, Struct, Version, Whole
from audit.shuffle.refusal import NotVerified
from audit.shuffle.tree import Tree

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
    """Entry 0: the manifest, and a signature of every seat over its hash."""

    kind: Literal["manifest"] = "manifest"
    manifest: TableManifest
    sigs: tuple[Hex64, ...]


class BatchEntry(Struct, frozen=True, kw_only=True):
    """Entry 1: the root over the commitments of the house that lie ready."""

    kind: Literal["batch"] = "batch"
    mh: Hex32
    size: Literal[1] = 1
    root: Hex32


class CallEntry(Struct, frozen=True, kw_only=True):
    """Entry 2, the seal of the pack: one commitment is taken, dealer and pone are named."""

    kind: Literal["call"] = "call"
    mh: Hex32
    pack: Count
    place: Literal[0] = 0
    commitment: Hex32
    dealer: Whole
    pone: Whole
    prev: Hex32


class ClosingEntry(Struct, frozen=True, kw_only=True):
    """Entry 3: the commitments of all seats in seat order; no more come after it."""

    kind: Literal["closing"] = "closing"
    mh: Hex32
    pack: Count
    call: Hex32
    commits: tuple[Signed, ...]


class RootEntry(Struct, frozen=True, kw_only=True):
    """Entry 4: the openings of all seats, and the root of the whole salted order."""

    kind: Literal["root"] = "root"
    mh: Hex32
    pack: Count
    closing: Hex32
    opens: tuple[Signed, ...]
    root: Hex32


class CutEntry(Struct, frozen=True, kw_only=True):
    """Entry 5: the depth that the pone had committed to, with its nonce."""

    kind: Literal["cut"] = "cut"
    mh: Hex32
    pack: Count
    after: Hex32
    depth: Whole
    nonce: Hex32


class EndEntry(Struct, frozen=True, kw_only=True):
    """Entry 6: the house's secret, the last transcript hash, how many messages there were."""

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
        """The canonical bytes of all entries, oldest first."""
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
