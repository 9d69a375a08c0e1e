"""Files that come into being whole, or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from audit.ledger.refusal import NotALedger


def sync_folder(folder: Path) -> None:
    """Make the names in *folder* durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def appearing(path: Path, mode: int) -> Iterator[Path]:
    """Give a temporary name to fill; it becomes *path*, which must not exist, at the end.

    Nothing stays when the body raises.  Raises: NotALedger.
    """
    if path.exists() or path.is_symlink():
        raise NotALedger(str(path), "file", "stands already; nothing was changed")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as err:
        raise NotALedger(str(path), "file", f"cannot be written: {err.strerror}") from err
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        os.chmod(temporary, mode)
        handle = os.open(temporary, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        # A link, not a rename: it fails when somebody else was first.
        os.link(temporary, path)
        sync_folder(path.parent)
    except OSError as err:
        raise NotALedger(str(path), "file", f"cannot be written: {err.strerror}") from err
    finally:
        temporary.unlink(missing_ok=True)


def replace_file(path: Path, data: bytes) -> None:
    """Write *data* to *path*, old or new, durable and never half."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fchmod(out.fileno(), 0o644)
            os.fsync(out.fileno())
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
