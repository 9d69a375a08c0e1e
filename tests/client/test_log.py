"""A client takes no checkpoint that does not extend its last, and no entry outside it."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.checkpoint import sign_checkpoint
from audit.client.log import View
from audit.errors import NotVerified
from audit.ledger.tree import Tree
from audit.merkle import leaf_hash
from audit.note import COSIGNATURE, Note, Signer, read_note
from audit.wire import Entered, Log


def _key(seed: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)


LEDGER = Signer("ledger.example", _key(1))
WITNESS = Signer("witness.example", _key(2), COSIGNATURE)


class _Ledger:
    def __init__(self, *entries: bytes) -> None:
        self.entries, self.tree = entries, Tree()
        self.tree.extend(leaf_hash(entry) for entry in entries)

    def note(self, size: int, *, cosign: bool = False) -> bytes:
        raw = sign_checkpoint(LEDGER, size, self.tree.root(size))
        if not cosign:
            return raw
        note = read_note(raw, "test")
        lines = (*note.lines, WITNESS.cosign(note.text, 1_000_000))
        return Note(text=note.text, lines=lines).raw

    def log(self, start: int, size: int, first: int = 0, *, cosign: bool = False) -> Log:
        proof = self.tree.consistency(start, size) if 0 < start < size else []
        return Log(
            checkpoint=self.note(size, cosign=cosign).hex(),
            consistency=tuple(p.hex() for p in proof),
            entries=tuple(
                Entered(
                    index=n,
                    entry=self.entries[n].decode(),
                    path=tuple(p.hex() for p in self.tree.inclusion(n, size)),
                )
                for n in range(first, size)
            ),
            more=False,
        )


HONEST = _Ledger(b"a", b"b", b"c", b"d", b"e")
FORKED = _Ledger(b"a", b"x", b"c", b"d", b"e")


def test_a_ledger_that_grows_is_followed() -> None:
    view = View(LEDGER.key)
    assert view.take(HONEST.log(0, 2), -1) == [(0, b"a"), (1, b"b")]
    assert view.take(HONEST.log(2, 5, 2), 1) == [(2, b"c"), (3, b"d"), (4, b"e")]
    assert view.head == (5, HONEST.tree.root(5))


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (FORKED.log(3, 5, 3), "checkpoint"),
        (FORKED.log(0, 3, 3), "one size has two roots"),
        (HONEST.log(0, 2, 2), "is smaller than before"),
        (HONEST.log(0, 5, 3), "is too short"),
        (HONEST.log(2, 5, 3), "checkpoint"),
    ],
)
def test_a_fork_a_rollback_and_a_missing_proof_are_refused(told: Log, why: str) -> None:
    view = View(LEDGER.key)
    view.take(HONEST.log(0, 3), -1)
    with pytest.raises(NotVerified, match=why):
        view.take(told, 2)
    assert view.head == (3, HONEST.tree.root(3))


def test_an_entry_that_is_not_in_the_tree_is_refused() -> None:
    told = HONEST.log(0, 5)
    other = Entered(index=4, entry="x", path=told.entries[4].path)
    view = View(LEDGER.key)
    with pytest.raises(NotVerified, match="does not lead to the root"):
        view.take(Log(checkpoint=told.checkpoint, consistency=(), entries=(other,), more=False), -1)


def test_a_checkpoint_without_its_quorum_is_refused() -> None:
    view = View(LEDGER.key, [WITNESS.key], 1)
    with pytest.raises(NotVerified, match="quorum"):
        view.take(HONEST.log(0, 3), -1)
    assert len(view.take(HONEST.log(0, 3, cosign=True), -1)) == 3
    assert view.time() == 1_000_000
