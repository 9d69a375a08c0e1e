"""A disk that fails at one call, and forgets at a power cut what was not synced.

It stands in for `os` under the journal.  A file is what it was at its last sync that
succeeded; after one that failed, later syncs of the same file say nothing (as on Linux, which
marks the pages clean).  A name is what it was when its folder was last synced.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

#: Every call of the journal that changes what stands on disk.
CALLS = ("open", "write", "fdatasync", "replace", "fsync")


class Disk:
    """Fails the call number *at* (from 0) of `CALLS`; *short* lets a write take a half first.

    *late* lets the call that fails do its work all the same.
    """

    def __init__(self, at: int | None = None, *, short: bool = False, late: bool = False) -> None:
        self._at, self._short, self._late = at, short, late
        self.calls: list[str] = []
        self._synced: dict[int, bytes] = {}
        self._poisoned: set[int] = set()
        self._named: dict[str, int | None] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def _fails(self, name: str) -> bool:
        self.calls.append(name)
        return len(self.calls) - 1 == self._at

    def open(self, path: Any, flags: int, mode: int = 0o777) -> int:
        if self._fails("open"):
            raise OSError(errno.EMFILE, "no more files")
        fresh = bool(flags & os.O_TRUNC) or not os.path.exists(path)
        handle = os.open(path, flags, mode)
        if fresh:
            # The number of a file that is gone may come again.
            self._forget(os.fstat(handle).st_ino)
        return handle

    def _forget(self, inode: int) -> None:
        self._poisoned.discard(inode)
        self._synced.pop(inode, None)

    def write(self, handle: int, data: bytes) -> int:
        if not self._fails("write"):
            return os.write(handle, data)
        if self._late or self._short:
            os.write(handle, data if self._late else data[: len(data) // 2])
        if self._short:
            # The next call finds the disk full.
            self._at, self._short = len(self.calls), False
            return len(data) // 2
        raise OSError(errno.ENOSPC, "no space")

    def fdatasync(self, handle: int) -> None:
        inode = os.fstat(handle).st_ino
        if self._fails("fdatasync"):
            self._poisoned.add(inode)
            raise OSError(errno.EIO, "the disk failed")
        if inode not in self._poisoned:
            self._synced[inode] = os.pread(handle, 1 << 24, 0)

    def replace(self, old: Path, new: Path) -> None:
        failed = self._fails("replace")
        if not failed or self._late:
            os.replace(old, new)
        if failed:
            raise OSError(errno.EIO, "the disk failed")

    def fsync(self, handle: int) -> None:
        if self._fails("fsync"):
            raise OSError(errno.EIO, "the disk failed")
        folder = os.readlink(f"/proc/self/fd/{handle}")
        for name in os.listdir(folder):
            path = f"{folder}/{name}"
            self._named[path] = os.stat(path).st_ino

    def durable(self, path: Path) -> bytes:
        """Return what is left of *path* after a power cut now."""
        inode = self._named.get(str(path))
        return b"" if inode is None else self._synced.get(inode, b"")

    def cut(self, path: Path) -> None:
        """Cut the power: what was not durable is gone."""
        left = self.durable(path)
        path.with_suffix(".new").unlink(missing_ok=True)
        path.unlink(missing_ok=True)
        if left:
            path.write_bytes(left)
            path.chmod(0o600)
            # A file that was read back after a power cut is what stands on disk.
            inode = path.stat().st_ino
            self._forget(inode)
            self._synced[inode], self._named[str(path)] = left, inode

    def mend(self) -> None:
        """Let nothing fail from now on."""
        self._at = None
