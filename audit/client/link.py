"""One connection to a service: a request, then its answer whole or piece by piece.

As much of HTTP/1.1 as the service speaks, bounded at every step; `http.client` spends more
on the head of an answer than all checks of a message, and cannot wait for a piece in vain.

Source: RFC 9112 sections 2.2, 4, 5 and 6 (message format, status line, fields, body length)
and 7.1 (chunks).
"""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Mapping

MAX_HEAD = 65_536
MAX_ANSWER = 16 * 2**20
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: [^\r\n]*)?")
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?")
_TARGET = re.compile(r"/[!-~]*")
_GATHER = 65_536


class Garbled(OSError):
    """What came is no answer of HTTP/1.1, or is cut off or too long."""


class Link:
    """A connection.  After `ask` come `head`, then `whole`, or `piece` until it is empty."""

    def __init__(
        self, host: str, port: int, *, tls: ssl.SSLContext | None, seconds: float, name: str
    ) -> None:
        """Connect within *seconds*; *name* is that of the host field.

        As long a time bounds everything from a request to the end of its answer.
        """
        self._seconds, self._host = seconds, name.encode("ascii")
        self._until_when = 0.0
        plain = socket.create_connection((host, port), seconds)
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket = plain if tls is None else tls.wrap_socket(plain, server_hostname=host)
        except BaseException:
            plain.close()
            raise
        self._seen = bytearray()
        self._fields: Mapping[bytes, bytes] = {}
        self._left = 0
        self._chunked = self._to_end = self._over = False
        self.closing = False

    def close(self) -> None:
        """Give the connection back."""
        self._socket.close()

    def ask(self, method: str, target: str, body: bytes | None) -> None:
        """Send a request, in one piece with its JSON *body*.  Raises: OSError."""
        if _TARGET.fullmatch(target) is None:
            raise Garbled("the path holds a character that none may hold")
        lines = [b"%s %s HTTP/1.1" % (method.encode("ascii"), target.encode("ascii"))]
        lines.append(b"host: " + self._host)
        if body is not None:
            lines += [b"content-type: application/json", b"content-length: %d" % len(body)]
        self._socket.settimeout(self._seconds)
        self._until_when = time.monotonic() + self._seconds
        self._socket.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + (body or b""))

    def head(self) -> int:
        """Return the status of the answer.  Raises: OSError."""
        status = 100
        while status < 200:
            status = self._head()
        coding = self._fields.get(b"transfer-encoding", b"").lower()
        length = self._fields.get(b"content-length", b"")
        self.closing = self._fields.get(b"connection", b"").lower() == b"close"
        self._chunked = coding == b"chunked"
        self._to_end = not self._chunked and not length
        if coding not in (b"", b"chunked") or (length and not re.fullmatch(b"[0-9]{1,9}", length)):
            raise Garbled("its answer has a body of unknown length")
        self._left = 0 if self._chunked else int(length or 0)
        self._over = status in (204, 304) or not (self._chunked or self._to_end or self._left)
        return status

    def _head(self) -> int:
        end = self._until(b"\r\n\r\n", MAX_HEAD)
        first, *rest = bytes(self._seen[:end]).split(b"\r\n")
        del self._seen[: end + 4]
        found = _STATUS.fullmatch(first)
        if found is None:
            raise Garbled("its answer has no status line of HTTP/1.1")
        fields: dict[bytes, bytes] = {}
        for line in rest:
            name, colon, value = line.partition(b":")
            if not colon or name.strip() != name:
                raise Garbled("its answer has a field that cannot be read")
            fields[name.lower()] = value.strip()
        self._fields = fields
        return int(found[1])

    def whole(self) -> bytes:
        """Return the rest of the body, all of it in time.  Raises: OSError."""
        found = bytearray()
        while True:
            piece = self.piece(self._left_now())
            if piece is None:
                raise TimeoutError("timed out")
            if not piece:
                return bytes(found)
            found += piece
            if len(found) > MAX_ANSWER:
                raise Garbled("its answer is too long")

    def piece(self, wait: float) -> bytes | None:
        """Return what has come of the body, empty at its end, None if nothing in *wait* seconds.

        Raises: OSError, also when the whole answer has taken too long.
        """
        if self._over:
            return b""
        end = time.monotonic() + min(wait, self._left_now())
        looked = False
        while not self._over:
            if self._chunked and not self._left:
                if not self._chunk():
                    # A byte now and then of what stands between chunks is nothing either.
                    left = end - time.monotonic()
                    if (looked and left <= 0) or not self._more(left):
                        return None
                    looked = True
                    continue
                if self._over:
                    break
            if self._seen:
                most = len(self._seen) if self._to_end else self._left
                found = bytes(self._seen[:most])
                del self._seen[:most]
                self._left -= len(found)
                self._over = not (self._chunked or self._to_end or self._left)
                return found
            if not self._more(end - time.monotonic()):
                return None
        return b""

    def _chunk(self) -> bool:
        """Read the line before a chunk; return whether it was there."""
        # The line end of the chunk before stands in front of it.
        start = 2 if self._seen[:2] == b"\r\n" else 0
        end = self._seen.find(b"\r\n", start)
        if end < 0:
            if len(self._seen) > MAX_HEAD:
                raise Garbled("its answer has a chunk of unknown length")
            return False
        found = _SIZE.fullmatch(self._seen[start:end])
        if found is None:
            raise Garbled("its answer has a chunk of unknown length")
        size = int(found[1], 16)
        if not size:
            # Trailer fields say nothing that is wanted here.
            tail = self._seen.find(b"\r\n\r\n", start)
            if tail < 0:
                if len(self._seen) > MAX_HEAD:
                    raise Garbled("its answer does not end")
                return False
            del self._seen[: tail + 4]
            self._over = True
            return True
        if size > MAX_ANSWER:
            raise Garbled("its answer is too long")
        del self._seen[: end + 2]
        self._left = size
        return True

    def _until(self, mark: bytes, most: int) -> int:
        while (end := self._seen.find(mark)) < 0:
            if len(self._seen) > most:
                raise Garbled("its answer has a head without end")
            if not self._more(self._left_now()):
                raise TimeoutError("timed out")
        return end

    def _left_now(self) -> float:
        """Return how long the answer may still take.

        Somebody who sends a byte now and then is never silent, and never done either.
        Raises: TimeoutError.
        """
        left = self._until_when - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        return left

    def _more(self, wait: float) -> bool:
        """Wait for more bytes; False when none came in time.  Raises: OSError at the end."""
        self._socket.settimeout(max(wait, 0.001))
        try:
            got = self._socket.recv(_GATHER)
        except TimeoutError:
            return False
        if not got:
            if self._to_end and not self._over:
                self._over = self.closing = True
                return True
            raise Garbled("its answer is cut off")
        self._seen += got
        return True


__all__ = ["MAX_ANSWER", "Garbled", "Link"]
