"""A dealing service over HTTP: one kept connection, typed bodies, every answer bounded.

    api = Api("http://127.0.0.1:8080")
    made = api.post("/api/tables", NewTable(game="seven_up_4", players=4), Tokens)

Nothing that comes back is believed here; `log` and `seat` check it.
"""

from __future__ import annotations

import ssl
import time
from typing import TypeVar
from urllib.parse import urlencode, urlsplit

import msgspec

from audit.client.link import MAX_ANSWER, Link
from audit.client.refusal import Answered, Unreachable
from audit.errors import UsageError
from audit.shuffle.refusal import NotVerified
from audit.wire import Problem

SECONDS = 40
#: How long the end of an answer may take that has no more to say.
LAST_SECONDS = 0.02
T = TypeVar("T")


class Api:
    """One service.  Not for several threads at once."""

    def __init__(self, url: str, seconds: float = SECONDS) -> None:
        """Take the address `http://host:port` or `https://host`.  Raises: UsageError."""
        try:
            parts = urlsplit(url)
            good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            good = False
        if not good or not url.isascii():
            raise UsageError(url, "address", "is no http:// or https:// address")
        self.url, self._base = url, parts.path.rstrip("/")
        self._parts, self._seconds = parts, seconds
        self._link: Link | None = None
        self._lines: Link | None = None
        self._spare: Link | None = None
        self._line = bytearray()

    def _connect(self) -> Link:
        parts = self._parts
        tls = ssl.create_default_context() if parts.scheme == "https" else None
        port = parts.port or (443 if tls else 80)
        name = parts.netloc.rpartition("@")[2]
        return Link(parts.hostname or "", port, tls=tls, seconds=self._seconds, name=name)

    def get(self, path: str, kind: type[T], **query: int) -> T:
        """Return what stands at *path*.  Raises: Answered, Unreachable, NotVerified."""
        return self._decode(path, self.raw(path, **query), kind)

    def raw(self, path: str, **query: int) -> bytes:
        """Return the bytes that stand at *path*.  Raises: Answered, Unreachable."""
        return self._call("GET", f"{path}?{urlencode(query)}" if query else path, None)

    def post(self, path: str, body: msgspec.Struct, kind: type[T]) -> T:
        """Send *body* and return the answer.  Raises: Answered, Unreachable, NotVerified."""
        return self._decode(path, self._call("POST", path, msgspec.json.encode(body)), kind)

    def follow(self, path: str, body: msgspec.Struct, kind: type[T]) -> T:
        """Send *body* and return the first line of the answer; `next_line` returns the others.

        They come over a connection of their own, which other requests do not disturb.
        Raises: Answered, Unreachable, NotVerified.
        """
        raw = self._follow(path, msgspec.json.encode(body))
        return self._decode(path, raw, kind)

    def next_line(self, path: str, kind: type[T], wait: float) -> T | None:
        """Return the next line, None when none comes in *wait* seconds or there are no more.

        `following` says which.  Raises: Unreachable, NotVerified.
        """
        raw = self._next_line(wait)
        return None if raw is None else self._decode(path, raw, kind)

    @property
    def following(self) -> bool:
        """Whether the last answer that was followed may have another line."""
        return self._lines is not None

    def _unfollow(self) -> None:
        """Let the rest of the answer be, and the connection with it."""
        for link in (self._lines, self._spare):
            if link is not None:
                link.close()
        self._lines = self._spare = None
        self._line.clear()

    def _follow(self, path: str, body: bytes) -> bytes:
        if self._lines is not None:
            self._next_line(LAST_SECONDS)
        if self._lines is not None:
            self._unfollow()
        self._line.clear()
        kept = self._spare is not None
        while True:
            self._lines, self._spare = self._spare, None
            try:
                if self._lines is None:
                    self._lines = self._connect()
                self._lines.ask("POST", self._base + path, body)
                status = self._lines.head()
                data = self._lines.whole() if status >= 400 else b""
                break
            except OSError as err:
                self._unfollow()
                if kept:
                    kept = False
                    continue
                raise self._gone(err) from err
        if status >= 400:
            self._lines, self._spare = None, self._lines
            self._refuse(status, data)
        first = self._next_line(self._seconds)
        if first is None:
            self._unfollow()
            raise Unreachable(self.url, "service", "does not answer: timed out")
        return first

    def _next_line(self, wait: float) -> bytes | None:
        until = time.monotonic() + wait
        while self._lines is not None:
            end = self._line.find(b"\n")
            if end >= 0:
                found = bytes(self._line[:end])
                del self._line[: end + 1]
                return found
            try:
                # A part of a line is no line, however often another part comes.
                piece = self._lines.piece(max(0.0, until - time.monotonic()))
            except OSError as err:
                self._unfollow()
                raise self._gone(err) from err
            if piece is None:
                return None
            if not piece:
                link, self._lines = self._lines, None
                self._line.clear()
                if link.closing:
                    link.close()
                else:
                    self._spare = link
                return None
            self._line += piece
            if b"\n" not in piece and time.monotonic() > until:
                return None
            if len(self._line) > MAX_ANSWER:
                self._unfollow()
                raise NotVerified("service", "answer", "is too long", f"at most {MAX_ANSWER} bytes")
        return None

    def close(self) -> None:
        """Give the connections back."""
        self._unfollow()
        self._hang_up()

    def _hang_up(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _gone(self, err: OSError) -> Unreachable:
        why = err.strerror or str(err) or type(err).__name__
        return Unreachable(self.url, "service", f"does not answer: {why}")

    def _refuse(self, status: int, data: bytes) -> None:
        try:
            told = msgspec.json.decode(data, type=Problem)
        except msgspec.DecodeError:
            told = Problem(title="refused", status=status)
        raise Answered(self.url, told)

    def _decode(self, path: str, raw: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(raw, type=kind)
        except msgspec.DecodeError as err:
            raise NotVerified("service", "answer", "is not of the form that was agreed") from err

    def _call(self, method: str, path: str, body: bytes | None) -> bytes:
        fresh = self._link is None
        while True:
            try:
                if self._link is None:
                    self._link = self._connect()
                self._link.ask(method, self._base + path, body)
                status = self._link.head()
                data = self._link.whole()
                break
            except OSError as err:
                self._hang_up()
                # A kept connection may have been closed meanwhile; every request may be sent
                # again, because the same bytes have the same answer.
                if not fresh:
                    fresh = True
                    continue
                raise self._gone(err) from err
        if self._link.closing:
            self._hang_up()
        if status >= 400:
            self._refuse(status, data)
        return data
