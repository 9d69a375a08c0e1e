"""The little of HTTP that the interface needs, straight on ASGI.

A page or a document may take the long way through a framework; a pack of four seats asks
some twenty times, and the framework would take more of it than the dealing.

Source: ASGI 3.0, "HTTP Connection Scope" and its events.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from audit.errors import FairdealError

MAX_BODY = 65_536
BODY_SECONDS = 10
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
SAFE = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'"),
)


class Unreadable(FairdealError):
    """A request that cannot be read; *status* is what HTTP calls that."""

    def __init__(self, status: int, what: str, why: str) -> None:
        self.status = status
        super().__init__("request", what, why)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What is sent: whole *data*, or *pieces* one by one as they come."""

    status: int
    media: str
    data: bytes = b""
    pieces: AsyncIterator[bytes] | None = None
    more: Sequence[tuple[bytes, bytes]] = ()


async def respond(send: Send, answer: Answer) -> None:
    """Send an answer.  A reader who is gone is noticed by the next piece that fails."""
    headers = [(b"content-type", answer.media.encode()), *SAFE, *answer.more]
    if answer.pieces is None:
        headers.append((b"content-length", b"%d" % len(answer.data)))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if answer.pieces is not None:
        async for piece in answer.pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": answer.data, "more_body": False})


async def read_json_body(scope: Scope, receive: Receive) -> bytes:
    """Return the body of a request that says it is JSON.  Raises: Unreadable."""
    kind = next((v for k, v in scope["headers"] if k == b"content-type"), b"")
    if kind.partition(b";")[0].strip().lower() != b"application/json":
        raise Unreadable(415, "content-type", "is not application/json")
    found: bytes = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                event = await receive()
                if event["type"] != "http.request":
                    raise Unreadable(400, "body", "was cut off")
                found += event.get("body", b"")
                if len(found) > MAX_BODY:
                    raise Unreadable(413, "body", f"is over {MAX_BODY} bytes")
                if not event.get("more_body", False):
                    return found
    except TimeoutError as err:
        raise Unreadable(408, "body", "did not come in time") from err


def read_query(raw: bytes, wanted: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """Return the numbers of a query, 0 where none is given.

    *wanted* has least and most of each by name.  Raises: Unreadable.
    """
    found = dict.fromkeys(wanted, 0)
    if not raw:
        return found
    seen: set[str] = set()
    for name, text in parse_qsl(raw.decode("latin-1"), keep_blank_values=True):
        if name not in wanted or name in seen:
            raise Unreadable(400, "query", "has a name that is unknown or stands twice")
        seen.add(name)
        least, most = wanted[name]
        if not (text.isascii() and text.isdigit()) or len(text) > 16:
            raise Unreadable(400, name, "is not a plain number")
        if not least <= int(text) <= most:
            raise Unreadable(400, name, f"is not from {least} to {most}")
        found[name] = int(text)
    return found


__all__ = [
    "MAX_BODY",
    "SAFE",
    "Answer",
    "Receive",
    "Scope",
    "Send",
    "Unreadable",
    "read_json_body",
    "read_query",
    "respond",
]
