"""Private keys in files that are their owner's alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.errors import UsageError
from audit.ledger.durable import appearing

KEY_BYTES = 32


def make_key(path: Path) -> None:
    """Write a new private key, mode 0600, where no file may stand.  Raises: UsageError."""
    with appearing(path, 0o600) as temporary:
        temporary.write_bytes(os.urandom(KEY_BYTES))


def read_private(path: Path) -> Ed25519PrivateKey:
    """Return the key of a file that is its owner's alone.  Raises: UsageError."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            raw = file.read(KEY_BYTES + 1)
    except OSError as err:
        raise UsageError(str(path), "key file", err.strerror or "cannot be read") from err
    if not stat.S_ISREG(mode) or stat.S_IMODE(mode) & 0o077:
        raise UsageError(str(path), "key file", "is not its owner's alone", "mode 0600")
    if len(raw) != KEY_BYTES:
        raise UsageError(str(path), "key file", "is not a key", "32 bytes")
    return Ed25519PrivateKey.from_private_bytes(raw)
