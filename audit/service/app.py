"""The service as an ASGI application: limits, one handler of refusals, and the routes.

A refusal says where, what and why, and never repeats a value that was sent or wanted; an
internal fault says only that there was one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as Path

from audit.errors import FairdealError
from audit.service import api, openapi, together
from audit.service.api import Call, Pieces, Raw
from audit.service.asgi import (
    MAX_BODY,
    SAFE,
    Answer,
    Receive,
    Scope,
    Send,
    Unreadable,
    read_json_body,
    read_query,
    respond,
)
from audit.service.hall import Hall
from audit.service.limits import Buckets
from audit.service.metrics import Metrics, text
from audit.service.pages_routes import page_routes
from audit.service.refusal import Conflict, ServiceError, TooMany
from audit.service.routes import ROUTES, Route
from audit.service.team import Asked, Team
from audit.shuffle.refusal import NotVerified
from audit.wire import Problem

LOG = logging.getLogger("fairdeal.service")
METRICS = "/metrics"
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
_HEADERS = {name.decode(): value.decode() for name, value in SAFE}


def problem(status: int, err: FairdealError | None = None) -> Answer:
    """Return a refusal as a problem document."""
    title = TITLES.get(status, "Refused")
    told = Problem(title=title, status=status)
    if err is not None:
        # Only our own words: a name that came with the request is not repeated.
        where, what = (w if _WORD.fullmatch(w) else "request" for w in (err.where, err.what))
        statement = err.statement if isinstance(err, Conflict) else None
        why = err.why if isinstance(err, NotVerified | ServiceError | Unreadable) else title
        told = Problem(
            title=title,
            status=status,
            where=where,
            what=what,
            why=why if why.isascii() and len(why) < 120 else title,
            refused=statement,
        )
    more = [(b"retry-after", b"1")] if status in (429, 503) else []
    data = msgspec.json.encode(told)
    return Answer(status=status, media="application/problem+json", data=data, more=more)


def _status(err: FairdealError) -> int:
    if isinstance(err, ServiceError | Unreadable):
        return err.status
    return 422 if isinstance(err, NotVerified) else 503


def _decode(raw: bytes, kind: type[msgspec.Struct]) -> msgspec.Struct:
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as err:
        found = _PATH.search(str(err))
        what = found[1].removeprefix("$").lstrip(".") if found else ""
        raise Unreadable(400, what or "body", "is not of the form in openapi.json") from err
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as err:
        raise Unreadable(400, "body", "is not JSON") from err


class Service:
    """The application around one hall; *open_hall* makes it when the loop runs."""

    def __init__(
        self, open_hall: Callable[[], Hall], *, rate: float, burst: float, team: Team | None = None
    ) -> None:
        self._open, self._buckets, self._team = open_hall, Buckets(rate, burst), team
        self.metrics = Metrics()
        self.hall: Hall | None = None
        self._document = json.dumps(openapi.document(), indent=1).encode()
        self._page = openapi.page().encode()
        self._fixed = {path: (path, _methods(path)) for path in _paths() if "{" not in path}
        self._others = [(_matcher(path), path, _methods(path)) for path in _paths() if "{" in path]
        self._rest = Starlette(
            routes=[
                Path("/openapi.json", self._plain(self._document, "application/json")),
                Path("/docs", self._plain(self._page, "text/html; charset=utf-8")),
                Path(METRICS, self._metrics),
                *page_routes(),
            ],
            lifespan=self._life,
            exception_handlers={HTTPException: _http, Exception: _fault},
        )
        self._rest.router.redirect_slashes = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as an ASGI application."""
        if scope["type"] == "http":
            path = scope["path"]
            if path in self._fixed:
                await self._endpoint(*self._fixed[path], {}, scope, receive, send)
                return
            for pattern, template, both in self._others:
                found = pattern.fullmatch(path)
                if found is not None:
                    names = found.groupdict()
                    await self._endpoint(template, both, names, scope, receive, send)
                    return
        await self._rest(scope, receive, send)

    @asynccontextmanager
    async def _life(self, _: Starlette) -> AsyncIterator[None]:
        self.hall = self._open()
        if self._team is not None:
            self.hall.tell = self._team.tell
            await self._team.begin(self._asked, self.hall.heard)
        await self.hall.begin()
        try:
            yield
        finally:
            if self._team is not None:
                await self._team.end()
            await self.hall.end()
            self.hall.ledger.close()

    def _plain(self, data: bytes, media: str) -> Callable[[Request], Awaitable[Response]]:
        async def give(_: Request) -> Response:
            return Response(data, 200, _HEADERS, media)

        return give

    async def _metrics(self, _: Request) -> Response:
        assert self.hall is not None
        media = "text/plain; version=0.0.4; charset=utf-8"
        asked = Asked("GET", METRICS, {}, {}, b"")
        others = () if self._team is None else self._team.others
        try:
            each = [await self._asked(asked), *(await self._all(asked, others))]
        except FairdealError as err:
            return _response(problem(_status(err), err))
        refusal = next((one for one in each if one.status != 200), None)
        if refusal is not None:
            return _response(refusal)
        counts = together.metrics(one.data for one in each)
        return Response(text(counts), 200, _HEADERS, media)

    async def _endpoint(
        self,
        path: str,
        both: Mapping[str, Route],
        names: Mapping[str, str],
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        start = time.perf_counter()
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        if method not in both:
            allowed = ", ".join(sorted({*both, "HEAD"} if "GET" in both else both))
            answer = problem(405)
            await respond(send, replace(answer, more=[(b"allow", allowed.encode())]))
            return
        route = both[method]
        try:
            answer = await self._answer(route, names, scope, receive)
        except Exception:
            await respond(send, problem(500))
            raise
        # A long answer is over for the metrics when it begins.
        seconds = time.perf_counter() - start
        self.metrics.answered(route.method, path, answer.status, seconds)
        if LOG.isEnabledFor(logging.INFO):
            LOG.info(
                "request",
                extra={
                    "method": route.method,
                    "route": path,
                    "status": answer.status,
                    "ms": round(seconds * 1000, 2),
                },
            )
        await respond(send, answer)

    async def _answer(
        self, route: Route, names: Mapping[str, str], scope: Scope, receive: Receive
    ) -> Answer:
        try:
            if not self._buckets.take(scope["client"][0] if scope.get("client") else ""):
                raise TooMany("peer", "number of requests")
            query = read_query(scope["query_string"], route.query)
            raw = b""
            if route.takes is not None:
                raw = await read_json_body(scope, receive)
            team = self._team
            if team is not None:
                asked = Asked(route.method, route.path, names, query, raw)
                if "table" in names:
                    number = team.worker(names["table"])
                elif route.run is api.make_table:
                    # Who takes most connections shall not have most tables.
                    number = secrets.randbelow(team.count)
                else:
                    number = team.me
                if number != team.me:
                    return await team.ask(number, asked)
                if route.method == "GET" and route.path in together.WHOLE:
                    return await self._together(team, route, asked)
        except FairdealError as err:
            return problem(_status(err), err)
        return await self._run(route, names, query, raw)

    async def _run(
        self, route: Route, names: Mapping[str, str], query: Mapping[str, int], raw: bytes
    ) -> Answer:
        """Answer a request from what this process has."""
        hall = self.hall
        assert hall is not None
        try:
            body = None if route.takes is None else _decode(raw, route.takes)
            found = await route.run(hall, Call(path=names, query=query, body=body))
        except FairdealError as err:
            return problem(_status(err), err)
        if isinstance(found, Raw):
            return Answer(status=route.status, media=found.media, data=found.data)
        if isinstance(found, Pieces):
            return Answer(status=route.status, media=route.media, pieces=found.each)
        data = msgspec.json.encode(found)
        return Answer(status=route.status, media="application/json", data=data)

    async def _together(self, team: Team, route: Route, asked: Asked) -> Answer:
        """Ask all workers, this one too.  Raises: Busy where one does not answer."""
        mine = await self._run(route, asked.names, asked.query, asked.body)
        answers = [mine, *(await self._all(asked, team.others))]
        for one in answers:
            # What one of them does not know the whole does not know.
            if one.status != route.status:
                return one
        data = msgspec.json.encode(together.WHOLE[route.path](answers))
        return Answer(status=route.status, media="application/json", data=data)

    async def _all(self, asked: Asked, others: Sequence[int]) -> list[Answer]:
        """Return the answers of *others*.  Raises: Busy where one does not answer."""
        if self._team is None:
            return []
        each = [self._team.ask(number, asked) for number in others]
        found = await asyncio.gather(*each, return_exceptions=True)
        answers: list[Answer] = []
        for one in found:
            if isinstance(one, BaseException):
                raise one
            answers.append(one)
        return answers

    async def _asked(self, asked: Asked) -> Answer:
        """Answer another worker, who has read the request and bounded it."""
        assert self.hall is not None
        if asked.path == METRICS:
            try:
                counts = msgspec.msgpack.encode(self.metrics.counts(self.hall))
            except FairdealError as err:
                return problem(_status(err), err)
            return Answer(status=200, media="application/msgpack", data=counts)
        route = _methods(asked.path)[asked.method]
        try:
            return await self._run(route, asked.names, asked.query, asked.body)
        except Exception:
            LOG.exception("fault")
            return problem(500)


def _matcher(path: str) -> re.Pattern[str]:
    """Return the pattern of a path with names in braces; `:path` takes slashes too."""
    text = re.sub(r"\{([a-z]+)\}", r"(?P<\1>[^/]+)", path)
    return re.compile(re.sub(r"\{([a-z]+):path\}", r"(?P<\1>.*)", text))


def _paths() -> list[str]:
    return list(dict.fromkeys(route.path for route in ROUTES))


@cache
def _methods(path: str) -> dict[str, Route]:
    """Return the routes of one path by method, so that a wrong method is answered as such."""
    return {route.method: route for route in ROUTES if route.path == path}


def _response(answer: Answer) -> Response:
    headers = {k.decode(): v.decode() for k, v in (*SAFE, *answer.more)}
    return Response(answer.data, answer.status, headers, answer.media)


async def _http(_: Request, err: Exception) -> Response:
    status = err.status_code if isinstance(err, HTTPException) else 500
    response = _response(problem(status))
    if isinstance(err, HTTPException):
        response.headers.update(err.headers or {})
    return response


async def _fault(_: Request, err: Exception) -> Response:
    return _response(problem(500))


__all__ = ["MAX_BODY", "Service", "problem"]
