"""Where each request of the service is answered: its path, what it takes and what it gives."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import msgspec

from audit.service import api
from audit.service.hall import Hall
from audit.wire import (
    Accepted,
    Asking,
    Choices,
    Cosigned,
    Discards,
    Done,
    Draft,
    Entered,
    Head,
    Health,
    Held,
    Items,
    Listening,
    Log,
    Message,
    Missing,
    NewTable,
    Proof,
    Signature,
    Tables,
    TableState,
    Taking,
    Tokens,
    Told,
)

Handler = Callable[[Hall, api.Call], Awaitable[object]]


@dataclass(frozen=True, kw_only=True)
class Route:
    """A path, what it takes and gives. *query* has name, least and most of each number."""

    method: str
    path: str
    does: str
    run: Handler
    takes: type[msgspec.Struct] | None = None
    gives: type[msgspec.Struct] | None = None
    media: str = "application/json"
    status: int = 200
    query: Mapping[str, tuple[int, int]] = field(default_factory=dict)


_WAIT = {"wait": (0, api.MOST_WAIT)}
_ANY = (0, api.MAX_QUERY)
ROUTES = (
    Route(
        method="POST",
        path="/api/tables/{table}/messages",
        does="Take a seat's signed message",
        run=api.take_message,
        takes=Message,
        gives=Accepted,
    ),
    Route(
        method="GET",
        path="/api/tables/{table}/log",
        does="Entries of a table from index `after` on, with proofs from size `start`",
        run=api.read_log,
        gives=Log,
        query={"after": _ANY, "start": _ANY, **_WAIT},
    ),
    Route(
        method="POST",
        path="/api/tables/{table}/cards",
        does="A seat's own items, at its signed request",
        run=api.give_cards,
        takes=Asking,
        gives=Items,
    ),
    Route(
        method="POST",
        path="/api/tables/{table}/listen",
        does="All of a pack that a seat may see, a JSON object a line as it comes",
        run=api.listen,
        takes=Listening,
        gives=Told,
        media="application/x-ndjson",
    ),
    Route(
        method="POST",
        path="/api/tables/{table}/chosen",
        does="Take opened choices",
        run=api.take_chosen,
        takes=Choices,
        gives=Done,
    ),
    Route(
        method="POST",
        path="/api/tables/{table}/discards",
        does="Take opened hidden picks",
        run=api.take_discards,
        takes=Discards,
        gives=Done,
    ),
    Route(
        method="GET",
        path="/api/tables/{table}/packs/{pack}/transcript",
        does="The transcript of an opened pack",
        run=api.give_transcript,
        query={"anchor": _ANY},
    ),
    Route(
        method="POST",
        path="/api/tables/{table}/held",
        does="Take the relay's openings",
        run=api.take_held,
        takes=Held,
        gives=Done,
    ),
    Route(
        method="POST",
        path="/api/tables/{table}/missing",
        does="Take the relay's statement that openings had not come",
        run=api.take_missing,
        takes=Missing,
        gives=Done,
    ),
    Route(
        method="POST",
        path="/api/tables/{table}/close",
        does="Close a table at a seat's signed request",
        run=api.close_table,
        takes=Asking,
        gives=Done,
    ),
    Route(
        method="POST",
        path="/api/tables",
        does="Make a table; each token opens the door to one seat and nothing else",
        run=api.make_table,
        takes=NewTable,
        gives=Tokens,
        status=201,
    ),
    Route(
        method="GET",
        path="/api/tables",
        does="The tables that are not closed",
        run=api.list_tables,
        gives=Tables,
    ),
    Route(
        method="GET",
        path="/api/tables/{table}",
        does="What everybody may know of a table",
        run=api.show_table,
        gives=TableState,
    ),
    Route(
        method="POST",
        path="/api/tables/{table}/seats",
        does="Take a seat with a key",
        run=api.take_seat,
        takes=Taking,
        gives=Done,
    ),
    Route(
        method="GET",
        path="/api/tables/{table}/manifest",
        does="Law and manifest, once every seat is taken",
        run=api.show_manifest,
        gives=Draft,
        query=_WAIT,
    ),
    Route(
        method="POST",
        path="/api/tables/{table}/signatures",
        does="Sign the manifest; the last signature opens the table",
        run=api.sign_manifest,
        takes=Signature,
        gives=Done,
    ),
    Route(
        method="GET",
        path="/api/checkpoint",
        does="The newest checkpoint, of more than `above` entries where that comes in time, "
        "with the proof that it extends size `start`",
        run=api.give_checkpoint,
        gives=Head,
        query={"above": _ANY, "start": _ANY, **_WAIT},
    ),
    Route(
        method="GET",
        path="/api/entries",
        does="One entry under the newest checkpoint",
        run=api.give_entry,
        gives=Entered,
        query={"index": _ANY},
    ),
    Route(
        method="GET",
        path="/api/proof/inclusion",
        does="The path of entry `index` in the tree of `size`",
        run=api.give_inclusion,
        gives=Proof,
        query={"index": _ANY, "size": _ANY},
    ),
    Route(
        method="GET",
        path="/api/proof/consistency",
        does="The proof that size `new` extends size `old`",
        run=api.give_consistency,
        gives=Proof,
        query={"old": _ANY, "new": _ANY},
    ),
    Route(
        method="POST",
        path="/api/cosignatures",
        does="Take a witness's line under a checkpoint",
        run=api.take_cosignature,
        takes=Cosigned,
        gives=Done,
    ),
    Route(
        method="GET",
        path="/checkpoint",
        does="The newest checkpoint as a signed note",
        run=api.give_note,
        media="text/plain",
    ),
    Route(
        method="GET",
        path="/tile/{tile:path}",
        does="Hashes or entries of the ledger (C2SP tlog-tiles)",
        run=api.give_tile,
        media="application/octet-stream",
    ),
    Route(
        method="GET",
        path="/health",
        does="Whether the service takes messages",
        run=api.health,
        gives=Health,
    ),
)

__all__ = ["ROUTES", "Route"]
