"""One player's side of a live table.

A seat signs nothing that it has not checked, opens once and over one closing entry, and
checks each card when it comes.

Source: design section 3, P2, P4, P5, P12; PROTOCOL.md, "Live table".
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.shuffle.canonical import read_as
from audit.shuffle.entries import ClosingEntry, Ledger, RootEntry, Signed, TableManifest
from audit.shuffle.framing import frame, same
from audit.shuffle.messages import (
    card_leaf,
    contribution,
    cut_commitment,
    message,
    read_delivery,
    sign,
    table_hash,
)
from audit.shuffle.refusal import NotVerified
from audit.shuffle.rules import check_call, check_closing, check_depth, check_places
from audit.shuffle.secret import Draw, Secret
from audit.shuffle.tree import check_inclusion, leaf_hash


@dataclass
class Seat:
    """One player's side: own key, own bytes, and what it has seen; trusts nobody.

    The state lives as long as the pack and moves one way: nothing, committed (`_data`, `_sent`,
    for the pone `_depth` and `_nonce` too), opened (`_closing`), dealt to (`hand`).
    """

    number: int
    """The seat's place in the manifest, from 0."""
    draw: Draw = os.urandom
    """Where its bytes come from; another source is for tests only."""
    key: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate, repr=False)
    hand: dict[int, int] = field(default_factory=dict, repr=False)
    """The cards that it got and checked, by leaf (place in the uncut pack)."""
    _data: Secret | None = field(default=None, repr=False)
    """Its 64 bytes, drawn when it commits, shown when it opens."""
    _depth: int = field(default=0, repr=False)
    """As pone: how many cards it lifts."""
    _nonce: bytes = field(default=b"", repr=False)
    """As pone: 32 bytes that hide the depth in its commitment."""
    _sent: Signed | None = field(default=None, repr=False)
    """Its one commitment, sent again as it is when asked again."""
    _closing: bytes | None = None
    """The one closing entry over which it opens; another is refused."""

    def commit(
        self, manifest: TableManifest, ledger: Ledger, th: bytes, depth: int | None
    ) -> Signed:
        """Commit to 64 fresh bytes, and as pone to a depth, once the call is in the ledger."""
        if self._sent is not None:
            return self._sent
        mh, call = table_hash(manifest), leaf_hash(ledger.entries[2])
        check_call(manifest, ledger)
        self._data = Secret.fresh(self.draw)
        payload = contribution(mh, self.number, call, self._data.reveal())
        if self.number == manifest.pone:
            if depth is None:
                raise NotVerified("cut", "depth", "the pone has to choose one")
            check_depth(manifest, depth)
            self._depth, self._nonce = depth, self.draw(32)
            payload += cut_commitment(mh, self.number, call, depth, self._nonce)
        head = ledger.head()
        self._sent = sign(self.key, message(mh, 1, self.number, "commit", th, head, payload))
        return self._sent

    def open(self, manifest: TableManifest, ledger: Ledger, before: bytes, th: bytes) -> Signed:
        """Open over the closing entry; every commitment in it is checked, and no second one is."""
        raw = ledger.entries[3]
        if self._closing is not None and not same(self._closing, raw):
            raise NotVerified("closing", "closing", "is the second one for this pack")
        closing = read_as(raw, ClosingEntry, "closing")
        check_closing(manifest, closing, leaf_hash(ledger.entries[2]), before)
        if self._sent is None or self._data is None or closing.commits[self.number] != self._sent:
            raise NotVerified("closing", f"seat {self.number}", "is not what this seat sent")
        self._closing = raw
        payload = leaf_hash(raw) + self._data.reveal()
        body = message(table_hash(manifest), 1, self.number, "open", th, ledger.head(), payload)
        return sign(self.key, body)

    def open_cut(self, ledger: Ledger) -> tuple[int, bytes]:
        """Show depth and nonce, once the root of the whole order stands in the ledger."""
        read_as(ledger.entries[4], RootEntry, "root")
        return self._depth, self._nonce

    def receive(
        self,
        manifest: TableManifest,
        item: Signed,
        to: int,
        th: bytes,
        leaves: Sequence[int],
        paths: Sequence[Sequence[bytes]],
        root: bytes,
    ) -> list[int]:
        """Check a delivery at once: signature, places by law, and inclusion of each card."""
        cards = read_delivery(manifest, item, to, th)
        check_places(cards, leaves, to)
        mh = table_hash(manifest)
        for (leaf, card, salt), path in zip(cards, paths, strict=True):
            entry = card_leaf(mh, leaf, card, salt)
            check_inclusion(entry, leaf, manifest.pack, path, root, f"delivery to {to}")
            if to == self.number:
                self.hand[leaf] = card
        return [card for _, card, _ in cards]

    def decide(
        self, manifest: TableManifest, head: tuple[int, bytes], th: bytes, code: str
    ) -> Signed:
        """Sign one decision, bound to everything public before it."""
        payload = frame("code", code.encode("ascii"))
        return sign(
            self.key, message(table_hash(manifest), 1, self.number, "decide", th, head, payload)
        )
