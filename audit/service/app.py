"""The service as an ASGI application: limits, one handler of refusals, and the routes.

A refusal says where, what and why, and never repeats a value that was sent or wanted; an
internal fault says only that there was one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as Path

from audit.errors import FairdealError
from audit.service import openapi
from audit.service.api import ROUTES, Call, Raw, Route
from audit.service.hall import Hall
from audit.service.limits import Buckets
from audit.service.metrics import Metrics
from audit.service.pages_routes import page_routes
from audit.service.refusal import Conflict, ServiceError, TooMany
from audit.shuffle.refusal import NotVerified
from audit.wire import Problem

MAX_BODY = 65_536
BODY_SECONDS = 10
LOG = logging.getLogger("fairdeal.service")
TITLES = {
    400: "The request cannot be read",
    403: "Not this seat's",
    404: "Not found",
    405: "Method not allowed",
    408: "The body did not come in time",
    409: "Not due",
    413: "Too long",
    415: "Not JSON",
    422: "Does not verify",
    429: "Too many requests",
    500: "Internal fault",
    503: "Not now",
}
_PATH = re.compile(r"`(\$[A-Za-z0-9_.\[\]]*)`")
_WORD = re.compile(r"[a-z][a-z0-9 _.]{0,39}")
_HEADERS = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
}


class _Unreadable(FairdealError):
    def __init__(self, status: int, what: str, why: str) -> None:
        self.status = status
        super().__init__("request", what, why)


def problem(status: int, err: FairdealError | None = None) -> Response:
    """Return a refusal as a problem document."""
    title = TITLES.get(status, "Refused")
    told = Problem(title=title, status=status)
    if err is not None:
        # Only our own words: a name that came with the request is not repeated.
        where, what = (w if _WORD.fullmatch(w) else "request" for w in (err.where, err.what))
        statement = err.statement if isinstance(err, Conflict) else None
        why = err.why if isinstance(err, NotVerified | ServiceError | _Unreadable) else title
        told = Problem(
            title=title,
            status=status,
            where=where,
            what=what,
            why=why if why.isascii() and len(why) < 120 else title,
            refused=statement,
        )
    headers = {"retry-after": "1"} if status in (429, 503) else {}
    return Response(
        msgspec.json.encode(told),
        status,
        {**_HEADERS, **headers},
        "application/problem+json",
    )


def _status(err: FairdealError) -> int:
    if isinstance(err, ServiceError | _Unreadable):
        return err.status
    return 422 if isinstance(err, NotVerified) else 503


async def _body(request: Request) -> bytes:
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        raise _Unreadable(415, "content-type", "is not application/json")
    found = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                found += chunk
                if len(found) > MAX_BODY:
                    raise _Unreadable(413, "body", f"is over {MAX_BODY} bytes")
    except TimeoutError as err:
        raise _Unreadable(408, "body", "did not come in time") from err
    except ClientDisconnect as err:
        raise _Unreadable(400, "body", "was cut off") from err
    return bytes(found)


def _decode(raw: bytes, kind: type[msgspec.Struct]) -> msgspec.Struct:
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as err:
        found = _PATH.search(str(err))
        what = found[1].removeprefix("$").lstrip(".") if found else ""
        raise _Unreadable(400, what or "body", "is not of the form in openapi.json") from err
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as err:
        raise _Unreadable(400, "body", "is not JSON") from err


def _query(request: Request, wanted: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    found = dict.fromkeys(wanted, 0)
    seen: set[str] = set()
    for name, text in request.query_params.multi_items():
        if name not in wanted or name in seen:
            raise _Unreadable(400, "query", "has a name that is unknown or stands twice")
        seen.add(name)
        least, most = wanted[name]
        if not (text.isascii() and text.isdigit()) or len(text) > 16:
            raise _Unreadable(400, name, "is not a plain number")
        if not least <= int(text) <= most:
            raise _Unreadable(400, name, f"is not from {least} to {most}")
        found[name] = int(text)
    return found


class Service:
    """The application around one hall; *open_hall* makes it when the loop runs."""

    def __init__(self, open_hall: Callable[[], Hall], *, rate: float, burst: float) -> None:
        self._open, self._buckets = open_hall, Buckets(rate, burst)
        self.metrics = Metrics()
        self.hall: Hall | None = None
        self._document = json.dumps(openapi.document(), indent=1).encode()
        self._page = openapi.page().encode()
        routes = [
            Path(path, self._endpoint(path), methods=sorted(_methods(path))) for path in _paths()
        ]
        routes += [
            Path("/openapi.json", self._plain(self._document, "application/json")),
            Path("/docs", self._plain(self._page, "text/html; charset=utf-8")),
            Path("/metrics", self._metrics),
            *page_routes(),
        ]
        self.app = Starlette(
            routes=routes,
            lifespan=self._life,
            exception_handlers={HTTPException: _http, Exception: _fault},
        )
        self.app.router.redirect_slashes = False

    @asynccontextmanager
    async def _life(self, _: Starlette) -> AsyncIterator[None]:
        self.hall = self._open()
        await self.hall.begin()
        try:
            yield
        finally:
            await self.hall.end()
            self.hall.ledger.close()

    def _plain(self, data: bytes, media: str) -> Callable[[Request], Awaitable[Response]]:
        async def give(_: Request) -> Response:
            return Response(data, 200, _HEADERS, media)

        return give

    async def _metrics(self, _: Request) -> Response:
        assert self.hall is not None
        media = "text/plain; version=0.0.4; charset=utf-8"
        return Response(self.metrics.text(self.hall), 200, _HEADERS, media)

    def _endpoint(self, path: str) -> Callable[[Request], Awaitable[Response]]:
        both = _methods(path)

        async def answer(request: Request) -> Response:
            start = time.perf_counter()
            route = both["GET" if request.method == "HEAD" else request.method]
            response = await self._answer(route, request)
            seconds = time.perf_counter() - start
            status = response.status_code
            self.metrics.answered(route.method, path, status, seconds)
            if LOG.isEnabledFor(logging.INFO):
                LOG.info(
                    "request",
                    extra={
                        "method": route.method,
                        "route": path,
                        "status": status,
                        "ms": round(seconds * 1000, 2),
                    },
                )
            return response

        return answer

    async def _answer(self, route: Route, request: Request) -> Response:
        hall = self.hall
        assert hall is not None
        try:
            if not self._buckets.take(request.client.host if request.client else ""):
                raise TooMany("peer", "number of requests")
            query = _query(request, route.query)
            body = None
            if route.takes is not None:
                body = _decode(await _body(request), route.takes)
            call = Call(path=request.path_params, query=query, body=body)
            found = await route.run(hall, call)
        except FairdealError as err:
            return problem(_status(err), err)
        if isinstance(found, Raw):
            return Response(found.data, route.status, _HEADERS, found.media)
        return Response(msgspec.json.encode(found), route.status, _HEADERS, "application/json")


def _paths() -> list[str]:
    return list(dict.fromkeys(route.path for route in ROUTES))


def _methods(path: str) -> dict[str, Route]:
    """Return the routes of one path by method, so that a wrong method is answered as such."""
    return {route.method: route for route in ROUTES if route.path == path}


async def _http(_: Request, err: Exception) -> Response:
    status = err.status_code if isinstance(err, HTTPException) else 500
    response = problem(status)
    if isinstance(err, HTTPException):
        response.headers.update(err.headers or {})
    return response


async def _fault(_: Request, err: Exception) -> Response:
    return problem(500)


__all__ = ["MAX_BODY", "Service", "problem"]
