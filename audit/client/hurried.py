"""What comes over a connection, up to one moment: a peer that drips bytes holds nobody up."""

from __future__ import annotations

import io
import socket
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class Hurried(io.RawIOBase):
    """The bytes that *connection* receives; all that is read after `start` shares its seconds."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__()
        self._connection, self._until_when = connection, 0.0

    def start(self, seconds: float) -> None:
        """Give what is read from now on so many *seconds* in all."""
        self._until_when = time.monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill *buffer* with what has come.  Raises: TimeoutError; other OSErrors."""
        left = self._until_when - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


__all__ = ["Hurried"]
