"""What stands in the ledger for a live table: one struct for each kind of entry.

Source: PROTOCOL.md, "Manifest and table" and "One pack".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, Any, Literal

from msgspec import Meta

from audit.curve import fault
from audit.errors import UsageError
from audit.shuffle.canonical import at_once, encode, read, read_as
from audit.shuffle.framing import MAX_INT, digest, frame
from audit.shuffle.manifest import Bytes, Count, Hex32, Hex64, Name, Struct, Whole
from audit.shuffle.refusal import NotVerified

HOUSE = 255
EVERYBODY = 255
NOBODY = 254
ALGORITHM: Literal["fairdeal-table/1"] = "fairdeal-table/1"

Seconds = Annotated[int, Meta(ge=1, le=604_800)]
Time = Annotated[int, Meta(ge=0, le=MAX_INT)]
Seat = Annotated[int, Meta(ge=0, le=77)]
Party = Annotated[int, Meta(ge=0, le=255)]
Stage = Literal["commit", "open", "choice", "decide"]


class Signed(Struct, frozen=True, kw_only=True):
    """Framed bytes and one Ed25519 signature over all of them."""

    body: Bytes
    sig: Hex64


class Limits(Struct, frozen=True, kw_only=True):
    """Seconds from the cosignature of the entry that began a step to its deadline."""

    commit: Seconds = 60
    open: Seconds = 60
    choice: Seconds = 60
    decide: Seconds = 120


class Witness(Struct, frozen=True, kw_only=True):
    """One witness: the name and the key of its cosignatures."""

    name: Annotated[str, Meta(pattern=r"^[!-*,-~]{1,100}$(?!\n)")]
    key: Hex32


class TableManifest(Struct, frozen=True, kw_only=True):
    """What every seat signs before the first seal. Keys, never names of people."""

    v: Literal[1] = 1
    kind: Literal["table"] = "table"
    alg: Literal["fairdeal-table/1"] = ALGORITHM
    table: Name
    game: Name
    law: Hex32
    options: dict[Name, Annotated[str, Meta(pattern=r"^[ -~]{0,64}$(?!\n)")]]
    pack: Annotated[int, Meta(ge=2, le=78)]
    packs: Annotated[int, Meta(ge=1, le=10_000)]
    min_cut: Annotated[int, Meta(ge=0, le=39)]
    dealer: Seat
    seats: Annotated[tuple[Hex32, ...], Meta(min_length=2, max_length=78)]
    seat_nonces: tuple[Hex32, ...]
    ledger_key: Hex32
    nonce: Hex32
    origin: Annotated[str, Meta(pattern=r"^[!-*,-~]{1,200}$(?!\n)")]
    witnesses: Annotated[tuple[Witness, ...], Meta(max_length=32)] = ()
    quorum: Annotated[int, Meta(ge=0, le=32)] = 0
    relay: Annotated[int, Meta(ge=0, le=31)] | Literal["none"] = "none"
    limits: Limits = Limits()
    voids: Annotated[int, Meta(ge=1, le=1000)] = 2
    forfeit: Literal["loses the pack"] = "loses the pack"
    opening: Literal["pack", "session"] = "pack"
    last_opening: Time


class TableEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["table"] = "table"
    law: dict[str, Any]
    manifest: TableManifest
    sigs: tuple[Hex64, ...]


class BatchEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["batch"] = "batch"
    mh: Hex32
    root: Hex32
    size: Count


class CallEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["call"] = "call"
    mh: Hex32
    pack: Count
    batch: Hex32
    commitment: Hex32
    path: tuple[Hex32, ...]
    dealer: Seat
    dealt: Whole
    pone: Seat
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
    held: Signed | Literal["none"] = "none"
    opens: tuple[Signed, ...]
    root: Hex32


class Chosen(Struct, frozen=True, kw_only=True):
    """One opened choice; its commitment authenticates it."""

    name: Annotated[str, Meta(pattern=r"^[ -~]{1,64}$(?!\n)")]
    nonce: Hex32
    seat: Seat
    value: Whole


class ChoicesEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["choices"] = "choices"
    mh: Hex32
    pack: Count
    after: Hex32
    choices: tuple[Chosen, ...]


class EndEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["end"] = "end"
    mh: Hex32
    pack: Count
    items: Whole
    th: Hex32


class Discard(Struct, frozen=True, kw_only=True):
    """A hidden pick, opened: which item it was, and the leaves in the order picked."""

    item: Whole
    leaves: tuple[Seat, ...]
    nonce: Hex32


class OpenedEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["opened"] = "opened"
    mh: Hex32
    pack: Count
    end: Hex32
    secret: Hex64
    discards: tuple[Discard, ...] = ()


class VoidEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["void"] = "void"
    mh: Hex32
    pack: Count
    after: Hex32
    stage: Literal["commit", "open"]
    parties: Annotated[tuple[Party, ...], Meta(min_length=1)]
    deadline: Time
    commits: tuple[Signed, ...]
    missing: Signed | Literal["none"] = "none"
    secret: Hex64


class UnfinishedEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["unfinished"] = "unfinished"
    mh: Hex32
    pack: Count
    after: Hex32
    stage: Literal["open", "choice", "decide"]
    parties: Annotated[tuple[Party, ...], Meta(min_length=1)]
    deadline: Time
    items: Whole
    th: Hex32


class ClosedEntry(Struct, frozen=True, kw_only=True):
    kind: Literal["closed"] = "closed"
    mh: Hex32
    last: Hex32
    packs: Whole
    opened: Whole
    void: Whole
    unfinished: Whole


Entry = (
    TableEntry
    | BatchEntry
    | CallEntry
    | ClosingEntry
    | RootEntry
    | ChoicesEntry
    | EndEntry
    | OpenedEntry
    | VoidEntry
    | UnfinishedEntry
    | ClosedEntry
)
KINDS: dict[str, type[Entry]] = {
    "table": TableEntry,
    "batch": BatchEntry,
    "call": CallEntry,
    "closing": ClosingEntry,
    "root": RootEntry,
    "choices": ChoicesEntry,
    "end": EndEntry,
    "opened": OpenedEntry,
    "void": VoidEntry,
    "unfinished": UnfinishedEntry,
    "closed": ClosedEntry,
}
#: Where the kind stands in most entries; a wrong guess costs time and decides nothing.
_KIND = re.compile(rb'"kind":"([a-z]{1,20})"')


# A client reads an entry when it comes, when it follows it, and in the transcript.
@lru_cache(maxsize=128)
def read_entry(raw: bytes) -> Entry:
    """Return the entry of canonical bytes.

    Raises: NotVerified for anything that is no entry of a live table.
    """
    found = _KIND.search(raw)
    if found is not None and (named := found[1].decode()) in KINDS:
        made = at_once(raw, KINDS[named])
        if made is not None:
            return made
    value = read(raw, "entry")
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise NotVerified("entry", "kind", "is unknown", " ".join(KINDS), str(kind))
    return read_as(raw, KINDS[kind], kind)


def table_hash(manifest: TableManifest) -> bytes:
    """Return mh = H(T(manifest, canonical bytes)), to which everything is bound."""
    return digest(frame("manifest", encode(manifest)))


def pone_of(dealer: int, seats: int) -> int:
    """Return the seat on the dealer's right."""
    return (dealer - 1) % seats


def dealer_of(manifest: TableManifest, dealt: int) -> int:
    """Return who deals when *dealt* packs of the table have not been void."""
    return (manifest.dealer + dealt) % len(manifest.seats)


def check_manifest(made: TableManifest) -> None:
    """Refuse a manifest whose fields contradict each other; names the field."""
    seats = len(made.seats)
    keys = [*made.seats, made.ledger_key, *(w.key for w in made.witnesses)]
    if len(set(keys)) != len(keys):
        raise NotVerified("manifest", "keys", "are shared by two parties")
    for public in keys:
        wrong = fault(bytes.fromhex(public))
        if wrong:
            raise NotVerified("manifest", "keys", f"hold one that {wrong}", "", public)
    if len({w.name for w in made.witnesses}) != len(made.witnesses):
        raise NotVerified("manifest", "witnesses", "share a name")
    if len(made.seat_nonces) != seats:
        raise NotVerified("manifest", "seat_nonces", "are not one for each seat")
    if made.dealer >= seats:
        raise NotVerified("manifest", "dealer", "is no seat of the table")
    if 2 * made.min_cut > made.pack:
        raise NotVerified("manifest", "min_cut", "leaves no depth to cut at")
    if made.quorum > len(made.witnesses):
        raise NotVerified("manifest", "quorum", "is more than there are witnesses")
    if made.relay != "none" and made.relay >= len(made.witnesses):
        raise NotVerified("manifest", "relay", "is none of the witnesses")


def usage(err: NotVerified) -> UsageError:
    """Return the same complaint about something that the user asked for."""
    return UsageError(err.where, err.what, err.why, err.wanted, err.got)
