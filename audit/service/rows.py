"""Where the service keeps what is not in the ledger: the names of its rows.

Sealed rows are bound to manifest hash and pack, so none opens anywhere else.
"""

from __future__ import annotations

import msgspec

from audit.ledger.vault import Vault
from audit.shuffle.entries import Entry, Signed


class Timed(msgspec.Struct, frozen=True, kw_only=True):
    """A decision and when it came (s since 1970)."""

    signed: Signed
    time: int


def first(mh: str, entry: Entry) -> str:
    """The row that the first entry of a kind for a pack creates, and no second one can."""
    return f"{mh}/{getattr(entry, 'pack', 0)}/{entry.kind}"


def secret(mh: str, pack: int) -> str:
    """The house's 64 bytes of a pack, sealed, until they are opened."""
    return f"secret/{mh}/{pack}"


def said(mh: str, pack: int, step: str, name: object) -> str:
    """An accepted message: step commit, open, chosen, held, missing, decide or discard."""
    shown = f"{name:06d}" if isinstance(name, int) else name
    return f"msg/{mh}/{pack}/{step}/{shown}"


def bound(mh: str, pack: int) -> bytes:
    """The associated data of everything that is sealed for a pack."""
    return f"{mh}|{pack}".encode()


class Sealed:
    """Seals and unseals the rows of one table."""

    def __init__(self, vault: Vault, mh: str) -> None:
        self._vault, self._mh = vault, mh

    def seal(self, pack: int, data: bytes) -> bytes:
        """Return *data* sealed to the table and *pack*."""
        return self._vault.seal(data, bound(self._mh, pack))

    def unseal(self, pack: int, sealed: bytes) -> bytes:
        """Return what was sealed.  Raises: NotVerified."""
        return self._vault.unseal(sealed, bound(self._mh, pack))
