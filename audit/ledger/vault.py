"""Secrets at rest: sealed under a key that is kept outside the database.

    sealed = 01 | salt (32 fresh random bytes) | AES-256-GCM(subkey, nonce 0, data, associated)
    subkey = HKDF-SHA256(key, salt, "fairdeal/1/vault"), 32 bytes

Every sealing has a key of its own, so a nonce cannot repeat, even in a process that runs
from a restored copy: there is no counter that a copy could set back. The associated data
says what a secret belongs to; sealed bytes moved elsewhere do not open.

Source: RFC 5869 (HKDF); NIST SP 800-38D section 8.2 (one message a key).
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from audit.errors import NotVerified, UsageError
from audit.ledger.durable import appearing

KEY_BYTES = SALT_BYTES = 32
VERSION = b"\x01"
_INFO = b"fairdeal/1/vault"
_NONCE = bytes(12)
_TAG_BYTES = 16


def create_key(path: Path) -> None:
    """Write a new random key to *path*, which must not exist, for its owner's eyes only.

    Raises: NotALedger.
    """
    with appearing(path, 0o600) as temporary:
        temporary.write_bytes(os.urandom(KEY_BYTES))


class Vault:
    """Seals and unseals under one key; shows neither the key nor what it unsealed."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError("a vault's key has 32 bytes")
        self._key = bytes(key)

    @classmethod
    def open(cls, path: Path) -> Vault:
        """Return the vault of a key file.

        Raises: UsageError when it cannot be read, is not 32 bytes, or is open to others.
        """
        try:
            with path.open("rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                key = file.read(KEY_BYTES + 1)
        except OSError as err:
            raise UsageError(str(path), "key file", err.strerror or "cannot be read") from err
        if not stat.S_ISREG(mode) or stat.S_IMODE(mode) & 0o077:
            raise UsageError(str(path), "key file", "is not its owner's alone", "mode 0600")
        if len(key) != KEY_BYTES:
            raise UsageError(str(path), "key file", "is not a key", "32 bytes")
        return cls(key)

    def seal(self, data: bytes, associated: bytes) -> bytes:
        """Return *data* sealed to *associated*: 49 bytes longer, different every time."""
        salt = os.urandom(SALT_BYTES)
        return VERSION + salt + self._cipher(salt).encrypt(_NONCE, data, associated)

    def unseal(self, sealed: bytes, associated: bytes) -> bytes:
        """Return what was sealed to *associated*.

        Raises: NotVerified, the same for every reason.
        """
        start = len(VERSION) + SALT_BYTES
        salt, body = sealed[len(VERSION) : start], sealed[start:]
        if sealed[:1] == VERSION and len(body) >= _TAG_BYTES:
            try:
                return self._cipher(salt).decrypt(_NONCE, body, associated)
            except InvalidTag:
                pass
        raise NotVerified("vault", "sealed bytes", "do not open")

    def _cipher(self, salt: bytes) -> AESGCM:
        return AESGCM(HKDF(algorithm=SHA256(), length=32, salt=salt, info=_INFO).derive(self._key))

    def __repr__(self) -> str:
        return "Vault(not shown)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a vault is not pickled")
