"""One write to the socket for all that is said in one turn of the loop.

The server writes the head of an answer, its body, and every line by itself; each write is a
system call that also wakes the reader, and together they took a quarter of the loop's time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, cast

from uvicorn.protocols.http.auto import AutoHTTPProtocol


class Gathering(asyncio.Transport):
    """A transport that keeps what is written until the loop comes round."""

    def __init__(self, plain: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._plain, self._loop = plain, loop
        self._pieces: list[bytes | bytearray | memoryview] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write *data* soon, after everything written before."""
        if not self._pieces:
            self._loop.call_soon(self._flush)
        self._pieces.append(data)

    def writelines(self, list_of_data: Iterable[bytes | bytearray | memoryview]) -> None:
        """Write all of it soon."""
        for data in list_of_data:
            self.write(data)

    def _flush(self) -> None:
        pieces, self._pieces = self._pieces, []
        if pieces and not self._plain.is_closing():
            self._plain.write(pieces[0] if len(pieces) == 1 else b"".join(pieces))

    def close(self) -> None:
        """Write what is left, and close."""
        self._flush()
        self._plain.close()

    def abort(self) -> None:
        """Close at once."""
        self._plain.abort()

    def write_eof(self) -> None:
        """Write what is left, and no more."""
        self._flush()
        self._plain.write_eof()

    def can_write_eof(self) -> bool:
        """Whether the plain transport can."""
        return self._plain.can_write_eof()

    def is_closing(self) -> bool:
        """Whether the plain transport is."""
        return self._plain.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what the plain transport says."""
        return self._plain.get_extra_info(name, default)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Change who is told."""
        self._plain.set_protocol(protocol)

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Return who is told."""
        return self._plain.get_protocol()

    def pause_reading(self) -> None:
        """Read nothing for a while."""
        self._plain.pause_reading()

    def resume_reading(self) -> None:
        """Read again."""
        self._plain.resume_reading()

    def is_reading(self) -> bool:
        """Whether the plain transport reads."""
        return self._plain.is_reading()

    def get_write_buffer_size(self) -> int:
        """Return the number of bytes that are not written yet."""
        return self._plain.get_write_buffer_size() + sum(map(len, self._pieces))

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Set when the protocol is told to wait."""
        self._plain.set_write_buffer_limits(high, low)

    def get_write_buffer_limits(self) -> tuple[int, int]:
        """Return when the protocol is told to wait."""
        return self._plain.get_write_buffer_limits()


class GatheringProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """HTTP as the server speaks it, over a transport that gathers."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin a connection."""
        # A loop may have transports of its own that only look like this one.
        super().connection_made(Gathering(cast(asyncio.Transport, transport), self.loop))


__all__ = ["Gathering", "GatheringProtocol"]
