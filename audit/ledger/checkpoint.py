"""Checkpoints: origin, size and root of a ledger, signed by it and by its witnesses.

Source: C2SP tlog-checkpoint, "Note text" (no extension lines are written, and none is
accepted); C2SP tlog-cosignature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.errors import NotVerified
from audit.ledger.note import (
    COSIGNATURE,
    Key,
    Note,
    Signer,
    check_line,
    check_signed,
    decode_base64,
    decode_number,
    encode_base64,
    line_of,
    read_note,
)
from audit.merkle import EMPTY_ROOT, HASH_BYTES

MAX_SIZE = 2**53 - 1


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """A ledger's state: `size` entries under `root` (32 bytes)."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> bytes:
        """The three lines that are signed."""
        return f"{self.origin}\n{self.size}\n{encode_base64(self.root)}\n".encode()


def read_text(text: bytes, where: str) -> Checkpoint:
    """Return the checkpoint of a note's text; its signatures are another matter."""
    lines = text.decode("utf-8").split("\n")
    if len(lines) != 4 or lines[3] or not lines[0]:
        raise NotVerified(where, "checkpoint", "is not origin, size and root in three lines")
    size = decode_number(lines[1], where, "size", MAX_SIZE)
    root = decode_base64(lines[2], where)
    if len(root) != HASH_BYTES:
        raise NotVerified(where, "root", "has another length", "32 bytes", str(len(root)))
    if size == 0 and root != EMPTY_ROOT:
        raise NotVerified(where, "root", "is not that of an empty tree")
    return Checkpoint(origin=lines[0], size=size, root=root)


def sign_checkpoint(signer: Signer, size: int, root: bytes) -> bytes:
    """Return the note of a checkpoint; the origin is the signer's name."""
    text = Checkpoint(origin=signer.key.name, size=size, root=root).text
    return Note(text=text, lines=(signer.sign(text),)).raw


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A checkpoint whose signature was checked, and who cosigned it when (s since 1970)."""

    checkpoint: Checkpoint
    cosigned: tuple[tuple[Key, int], ...]

    @property
    def quorum(self) -> int:
        """The number of distinct witness keys, whatever names they go by."""
        return len({key.public for key, _ in self.cosigned})


def check_checkpoint(
    raw: bytes, key: Key, witnesses: Sequence[Key] = (), quorum: int = 0, *, where: str
) -> Seen:
    """Return the checkpoint of *raw*, signed by *key* and cosigned by *quorum* witnesses.

    Raises: NotVerified, also for a bad cosignature of a known witness beyond the quorum.
    """
    check_witnesses(key, witnesses)
    note = read_note(raw, where)
    check_signed(note, key, where)
    checkpoint = read_text(note.text, where)
    if checkpoint.origin != key.name:
        raise NotVerified(where, "origin", "is another ledger's", key.name, checkpoint.origin)
    lines = [(w, line_of(note.lines, w, where)) for w in witnesses]
    cosigned = tuple((w, check_line(note.text, x, w, where)) for w, x in lines if x is not None)
    seen = Seen(checkpoint=checkpoint, cosigned=cosigned)
    if seen.quorum < quorum:
        raise NotVerified(where, "quorum", "is not reached", str(quorum), str(seen.quorum))
    return seen


def check_witnesses(key: Key, witnesses: Sequence[Key]) -> None:
    """Refuse witnesses that share a key, use the ledger's own, or are no cosigning keys."""
    if any(w.algorithm != COSIGNATURE for w in witnesses):
        raise NotVerified("witnesses", "algorithm", "is not that of a cosignature", "4")
    keys = {w.public for w in witnesses} | {key.public}
    if len(keys) != len(witnesses) + 1:
        raise NotVerified("witnesses", "keys", "are not all distinct")
