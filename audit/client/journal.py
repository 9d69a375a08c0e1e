"""What a client has said, on disk before it is sent.

One JSON object a line, synced before `add` returns; a last line that was cut off by a crash
was never acted upon and is dropped.  The file is its owner's alone, for it holds the key and
unopened bytes.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from audit.errors import NotVerified, UsageError


class Journal:
    """A file of lines that only grows, until `replace` puts a shorter one in its place."""

    def __init__(self, path: Path) -> None:
        """Open or create *path*.  Raises: UsageError, NotVerified."""
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            with path.open("rb") as file:
                raw = file.read()
        except OSError as err:
            raise UsageError(str(path), "state", err.strerror or "cannot be opened") from err
        if os.fstat(self._file).st_mode & 0o077:
            raise UsageError(str(path), "state", "is not its owner's alone", "mode 0600")
        whole, _, rest = raw.rpartition(b"\n")
        if rest:
            os.ftruncate(self._file, len(raw) - len(rest))
        try:
            self.lines: list[dict[str, Any]] = [
                msgspec.json.decode(line, type=dict[str, Any]) for line in whole.splitlines()
            ]
        except msgspec.DecodeError as err:
            raise NotVerified(str(path), "state", "is damaged; sit down with a new key") from err

    def add(self, **line: object) -> None:
        """Write one line; it is durable when this returns."""
        os.write(self._file, msgspec.json.encode(line) + b"\n")
        os.fdatasync(self._file)

    def replace(self, lines: list[dict[str, object]]) -> None:
        """Keep *lines* and nothing else, old or new and never half."""
        temporary = self._path.with_suffix(".new")
        handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
        os.write(handle, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        os.fdatasync(handle)
        os.replace(temporary, self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
        os.close(self._file)
        self._file = handle

    def close(self) -> None:
        """Give the file back; nothing can be added afterwards."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
