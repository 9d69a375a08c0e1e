"""Where the service keeps what is not in the ledger: the names of its rows.

Sealed rows are bound to manifest hash and pack, so none opens anywhere else.
"""

from __future__ import annotations

import msgspec

from audit.ledger.vault import Vault
from audit.shuffle.entries import (
    ChoicesEntry,
    ClosedEntry,
    Entry,
    OpenedEntry,
    RootEntry,
    Signed,
    TableManifest,
    VoidEntry,
)


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


def over(mh: str, entry: Entry, manifest: TableManifest) -> list[str]:
    """Return the rows that nobody needs once *entry* stands."""
    pack = getattr(entry, "pack", 0)
    seats = range(len(manifest.seats))
    if isinstance(entry, RootEntry):
        return [*(said(mh, pack, "open", seat) for seat in seats), said(mh, pack, "held", 0)]
    if isinstance(entry, ChoicesEntry):
        return [said(mh, pack, "chosen", c.name) for c in entry.choices]
    if isinstance(entry, OpenedEntry):
        return [secret(mh, pack), *(said(mh, pack, "discard", d.item) for d in entry.discards)]
    if isinstance(entry, VoidEntry):
        return [secret(mh, pack)]
    if isinstance(entry, ClosedEntry):
        # Places of the batch that were never called are never to be known.
        return [secret(mh, n + 1) for n in range(manifest.packs)]
    return []


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
