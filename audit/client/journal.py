"""What a client has said, on disk before it is sent.

One JSON object a line, synced before `add` returns; a last line that was cut off by a crash
was never acted upon and is dropped.  The file is its owner's alone, for it holds the key and
unopened bytes.

A write or a sync that failed leaves nobody knowing what is on disk: a line may stand there,
half of it, or a whole one that only the memory of the machine holds, and a later sync that
succeeds says nothing of it.  So a journal that has failed once takes nothing more and its
owner says nothing more, until it is opened again; what is read then is written into a new
file before anybody acts upon it.

Source: Rebello et al., Can applications recover from fsync failures? USENIX ATC 2020.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from audit.client.refusal import NotStored
from audit.errors import NotVerified, UsageError


class Journal:
    """A file of lines that only grows, until `replace` puts a shorter one in its place."""

    def __init__(self, path: Path) -> None:
        """Open or create *path*.  Raises: UsageError, NotVerified, NotStored."""
        self._path = path
        self._file = -1
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = _locked(path)
            with path.open("rb") as file:
                raw = file.read()
        except OSError as err:
            self.close()
            raise UsageError(str(path), "state", err.strerror or "cannot be opened") from err
        if os.fstat(self._file).st_mode & 0o077:
            self.close()
            raise UsageError(str(path), "state", "is not its owner's alone", "mode 0600")
        whole = raw.rpartition(b"\n")[0]
        try:
            self.lines: list[dict[str, Any]] = [
                msgspec.json.decode(line, type=dict[str, Any]) for line in whole.splitlines()
            ]
        except msgspec.DecodeError as err:
            self.close()
            raise NotVerified(str(path), "state", "is damaged; sit down with a new key") from err
        self.replace(self.lines)

    def check(self) -> None:
        """Refuse to go on where something could not be stored.  Raises: NotStored."""
        if self._file < 0:
            raise NotStored(str(self._path), "state", "could not be stored; start again")

    def add(self, **line: object) -> None:
        """Write one line; it is durable when this returns.

        Raises: NotStored; then, and ever after, nothing may be said any more.
        """
        self.check()
        try:
            _write(self._file, msgspec.json.encode(line) + b"\n")
            os.fdatasync(self._file)
        except OSError as err:
            raise self._failed(err) from err

    def keep(self, **line: object) -> None:
        """Write one line that becomes durable with the next one that `add` writes, or by itself.

        For what others gave, which can be asked for again; never for what is to be said.
        Raises: NotStored, as `add`.
        """
        self.check()
        try:
            _write(self._file, msgspec.json.encode(line) + b"\n")
        except OSError as err:
            raise self._failed(err) from err

    @property
    def folder(self) -> Path:
        """Where the file stands, and what belongs to it."""
        return self._path.parent

    def replace(self, lines: Sequence[Mapping[str, object]]) -> None:
        """Keep *lines* and nothing else, old or new and never half.

        Raises: NotStored; then, and ever after, nothing may be said any more.
        """
        self.check()
        temporary = self._path.with_suffix(".new")
        handle = folder = -1
        try:
            handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
            # Locked before it takes the old one's place, so that there is no moment between.
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _write(handle, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
            os.fdatasync(handle)
            os.replace(temporary, self._path)
            folder = os.open(self._path.parent, os.O_RDONLY)
            os.fsync(folder)
        except OSError as err:
            _shut(handle)
            raise self._failed(err) from err
        finally:
            _shut(folder)
        _shut(self._file)
        self._file = handle

    def _failed(self, err: OSError) -> NotStored:
        self.close()
        return NotStored(str(self._path), "state", err.strerror or "could not be stored")

    def close(self) -> None:
        """Give the file back; nothing can be added afterwards."""
        handle, self._file = self._file, -1
        _shut(handle)


def _locked(path: Path) -> int:
    """Open or create *path* and lock it.  Raises: UsageError while another has it; OSError."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        except BlockingIOError as err:
            _shut(handle)
            raise UsageError(str(path), "state", "another process uses it") from err
        except FileNotFoundError:
            pass
        except OSError:
            _shut(handle)
            raise
        # Another file has taken its place between opening and locking.
        _shut(handle)


def _write(handle: int, data: bytes) -> None:
    """Write all of *data*: a disk that is nearly full takes a part and says so by a number."""
    while data:
        taken = os.write(handle, data)
        if not taken:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        data = data[taken:]


def _shut(handle: int) -> None:
    """Close a file of which nothing is wanted any more, whatever the disk says to that."""
    if handle >= 0:
        with suppress(OSError):
            os.close(handle)
