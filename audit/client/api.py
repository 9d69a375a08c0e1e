"""A dealing service over HTTP: one kept connection, typed bodies, every answer bounded.

    api = Api("http://127.0.0.1:8080")
    made = api.post("/api/tables", NewTable(game="seven_up_4", players=4), Tokens)

Nothing that comes back is believed here; `log` and `seat` check it.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from typing import TypeVar
from urllib.parse import urlencode, urlsplit

import msgspec

from audit.client.refusal import Answered, Unreachable
from audit.errors import UsageError
from audit.shuffle.refusal import NotVerified
from audit.wire import Problem

MAX_ANSWER = 16 * 2**20
SECONDS = 40
T = TypeVar("T")


class Api:
    """One service.  Not for several threads at once."""

    def __init__(self, url: str, seconds: float = SECONDS) -> None:
        """Take the address `http://host:port` or `https://host`.  Raises: UsageError."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(url, "address", "is no http:// or https:// address")
        self.url, self._base = url, parts.path.rstrip("/")
        self._parts, self._seconds = parts, seconds
        self._link: http.client.HTTPConnection | None = None

    def _connect(self) -> http.client.HTTPConnection:
        if self._link is None:
            host = self._parts.hostname or ""
            if self._parts.scheme == "https":
                context = ssl.create_default_context()
                self._link = http.client.HTTPSConnection(
                    host, self._parts.port, timeout=self._seconds, context=context
                )
            else:
                self._link = http.client.HTTPConnection(
                    host, self._parts.port, timeout=self._seconds
                )
            self._link.connect()
            self._link.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._link

    def get(self, path: str, kind: type[T], **query: int) -> T:
        """Return what stands at *path*.  Raises: Answered, Unreachable, NotVerified."""
        return self._decode(path, self.raw(path, **query), kind)

    def raw(self, path: str, **query: int) -> bytes:
        """Return the bytes that stand at *path*.  Raises: Answered, Unreachable."""
        return self._call("GET", f"{path}?{urlencode(query)}" if query else path, None)

    def post(self, path: str, body: msgspec.Struct, kind: type[T]) -> T:
        """Send *body* and return the answer.  Raises: Answered, Unreachable, NotVerified."""
        return self._decode(path, self._call("POST", path, msgspec.json.encode(body)), kind)

    def close(self) -> None:
        """Give the connection back."""
        if self._link is not None:
            self._link.close()
            self._link = None

    def _decode(self, path: str, raw: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(raw, type=kind)
        except msgspec.DecodeError as err:
            raise NotVerified("service", "answer", "is not of the form that was agreed") from err

    def _call(self, method: str, path: str, body: bytes | None) -> bytes:
        headers = {"content-type": "application/json"} if body is not None else {}
        fresh = self._link is None
        while True:
            try:
                link = self._connect()
                link.request(method, self._base + path, body, headers)
                answer = link.getresponse()
                data = answer.read(MAX_ANSWER + 1)
                break
            except (OSError, http.client.HTTPException) as err:
                self.close()
                # A kept connection may have been closed meanwhile; every request may be sent
                # again, because the same bytes have the same answer.
                if not fresh:
                    fresh = True
                    continue
                why = getattr(err, "strerror", None) or type(err).__name__
                raise Unreachable(self.url, "service", f"does not answer: {why}") from err
        if len(data) > MAX_ANSWER:
            self.close()
            raise NotVerified("service", "answer", "is too long", f"at most {MAX_ANSWER} bytes")
        if answer.status >= 400:
            try:
                told = msgspec.json.decode(data, type=Problem)
            except msgspec.DecodeError:
                told = Problem(title="refused", status=answer.status)
            raise Answered(self.url, told)
        return data
