"""What dealing service and clients say to each other: one struct for each body.

Everything that has to be believed is signed or proved by what it carries; these structs
only carry it.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from audit.shuffle.entries import Discard, Limits, Seat, Signed, TableManifest
from audit.shuffle.framing import MAX_INT
from audit.shuffle.manifest import Bytes, Hex32, Hex64, Name

Token = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$(?!\n)")]
Text = Annotated[str, Meta(pattern=r"^[ -~]{0,64}$(?!\n)")]
Place = Annotated[int, Meta(ge=0, le=MAX_INT)]
Number = Annotated[int, Meta(ge=1, le=10_000)]


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request: by name only, and refusing fields that it does not know."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A response."""


# --- a table comes into being ----------------------------------------------------------------


class NewTable(Body, frozen=True, kw_only=True):
    """What a table is to be; the law's own defaults where nothing is said."""

    game: Name
    players: Annotated[int, Meta(ge=2, le=78)]
    options: dict[Name, Text] = {}
    packs: Number = 1
    opening: Literal["pack", "session"] = "pack"
    limits: Limits = Limits()
    voids: Annotated[int, Meta(ge=1, le=1000)] = 2
    relay: Annotated[int, Meta(ge=0, le=31)] | Literal["none"] = "none"
    hours: Annotated[int, Meta(ge=1, le=720)] = 24


class Tokens(Answer, frozen=True, kw_only=True):
    """The name of a new table, and a token for each seat, which opens its door and no more."""

    table: Name
    tokens: tuple[Token, ...]


class Taking(Body, frozen=True, kw_only=True):
    """A seat is taken by a key; *nonce* goes into the manifest."""

    seat: Seat
    token: Token
    key: Hex32
    nonce: Hex32


class Draft(Answer, frozen=True, kw_only=True):
    """Law (canonical text) and manifest, to be checked and signed by every seat."""

    law: str
    manifest: TableManifest
    mh: Hex32


class Signature(Body, frozen=True, kw_only=True):
    seat: Seat
    token: Token
    sig: Hex64


class Done(Answer, frozen=True, kw_only=True):
    """The request was carried out, now or before."""

    done: bool = True


# --- the log of a table ----------------------------------------------------------------------


class Entered(Answer, frozen=True, kw_only=True):
    """An entry's canonical text, its index, and its path under the checkpoint beside it."""

    index: Place
    entry: str
    path: tuple[Hex32, ...]


class Log(Answer, frozen=True, kw_only=True):
    """Entries of one table, a checkpoint that holds them, and how it extends an older one."""

    checkpoint: Bytes
    consistency: tuple[Hex32, ...]
    entries: tuple[Entered, ...]
    more: bool


class Following(Body, frozen=True, kw_only=True):
    """A wish to have the log too: entries from index *after* on, proved from size *start*.

    Where there is none yet the answer waits for one, at most *wait* seconds.
    """

    after: Place
    start: Place
    wait: Annotated[int, Meta(ge=0, le=25)] = 0


# --- play ------------------------------------------------------------------------------------


class Message(Body, frozen=True, kw_only=True):
    """A signed message of a seat: commit, open or decide."""

    seat: Seat
    step: Literal["commit", "open", "decide"]
    signed: Signed
    log: Following | None = None


class Accepted(Answer, frozen=True, kw_only=True):
    """The house's signed receipt for a message that stands."""

    receipt: Signed
    log: Log | None = None


class Choices(Body, frozen=True, kw_only=True):
    """Opened choices: each is a frame that its commitment authenticates."""

    chosen: Annotated[tuple[Bytes, ...], Meta(min_length=1, max_length=156)]


class Discards(Body, frozen=True, kw_only=True):
    """Opened hidden picks of one pack."""

    pack: Number
    discards: Annotated[tuple[Discard, ...], Meta(max_length=256)]


class Held(Body, frozen=True, kw_only=True):
    """The relay's statement, and every opening that it speaks of."""

    pack: Number
    held: Signed
    opens: Annotated[tuple[Signed, ...], Meta(min_length=2, max_length=78)]


class Missing(Body, frozen=True, kw_only=True):
    """The relay's statement about openings that had not come."""

    pack: Number
    missing: Signed


class Asking(Body, frozen=True, kw_only=True):
    """A seat's signed request (frame `ask`): its own items from *after* on, waiting for one."""

    ask: Signed
    after: Place = 0
    wait: Annotated[int, Meta(ge=0, le=25)] = 0
    log: Following | None = None


class Leaf(Answer, frozen=True, kw_only=True):
    """The inclusion path of one shown card under the root of the pack."""

    leaf: Seat
    path: tuple[Hex32, ...]


class Item(Answer, frozen=True, kw_only=True):
    """An item: delivery to a seat, delivery to all (to 255), or a decision (to 254)."""

    number: Place
    to: Annotated[int, Meta(ge=0, le=255)]
    signed: Signed
    leaves: tuple[Leaf, ...]


class Items(Answer, frozen=True, kw_only=True):
    """What this seat may see from *after* on; *count* numbers all items there are."""

    pack: Number
    count: Place
    items: tuple[Item, ...]
    log: Log | None = None


class Listening(Body, frozen=True, kw_only=True):
    """A seat's signed request to be told all of a pack as it comes, for *wait* seconds at most.

    Items from *after* on, and what *log* wishes for; *say* is taken first, if there is one.
    With *transcript* that of the pack comes with the line in which it is opened.
    """

    ask: Signed
    after: Place = 0
    wait: Annotated[int, Meta(ge=0, le=25)] = 0
    log: Following
    say: Message | None = None
    transcript: bool = False


class Told(Answer, frozen=True, kw_only=True):
    """One line of what a listening seat is told; *count* numbers all items there are.

    The first line comes at once and bears the receipt of what was said.
    """

    pack: Number
    count: Place
    items: tuple[Item, ...]
    log: Log | None = None
    receipt: Signed | None = None
    transcript: str | None = None


# --- the relay's own door --------------------------------------------------------------------


class Boxed(Body, frozen=True, kw_only=True):
    """An opening and opened choices on their way to the relay, sealed to it (`client.box`)."""

    table: Name
    pack: Number
    seat: Seat
    box: Bytes


class Opening(Body, frozen=True, kw_only=True):
    """What stands in the box."""

    signed: Signed
    chosen: tuple[Bytes, ...]


class BoxKey(Answer, frozen=True, kw_only=True):
    """The relay's fresh box key, signed by the key in the manifest."""

    key: Signed


# --- the ledger ------------------------------------------------------------------------------


class Head(Answer, frozen=True, kw_only=True):
    """The newest checkpoint and the lines it has so far.

    *consistency* proves that it extends the size that was asked for; none for size 0.
    """

    size: Place
    checkpoint: Bytes
    consistency: tuple[Hex32, ...] = ()


class Proof(Answer, frozen=True, kw_only=True):
    """A path of the ledger's tree, under the checkpoint beside it."""

    checkpoint: Bytes
    path: tuple[Hex32, ...]


class Cosigned(Body, frozen=True, kw_only=True):
    """A witness's line under the checkpoint of *size*."""

    size: Place
    line: Annotated[str, Meta(min_length=1, max_length=400)]


class Chapter(Answer, frozen=True, kw_only=True):
    """Where an entry of a table stands."""

    index: Place
    kind: str
    pack: Place


class TableState(Answer, frozen=True, kw_only=True):
    """What everybody may know of a table; stage is the pack's, or seating, signing, closed."""

    table: Name
    game: Name
    players: int
    stage: str
    taken: tuple[Seat, ...]
    mh: str
    pack: Place
    packs: Place
    deadline: Place
    waiting: tuple[Seat, ...]
    relay: int | Literal["none"]
    entries: tuple[Chapter, ...]


class Tables(Answer, frozen=True, kw_only=True):
    tables: tuple[Name, ...]


class Health(Answer, frozen=True, kw_only=True):
    """`stopped` says why nothing more is appended; empty while all is well."""

    ok: bool
    size: Place
    stopped: str


class Problem(Answer, frozen=True, kw_only=True):
    """A refusal (RFC 9457). The refused value is never repeated."""

    type: str = "about:blank"
    title: str
    status: int
    where: str = ""
    what: str = ""
    why: str = ""
    refused: Signed | None = None
