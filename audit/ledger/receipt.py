"""Receipts: one small text that shows, offline, that an entry stands in a ledger.

    c2sp.org/tlog-proof@v1
    index 5
    base64 of each hash of the inclusion path, one a line
    (empty line)
    the signed checkpoint

Source: C2SP tlog-proof, "Format". No `extra` line is written; one that is read is dropped,
since nothing authenticates it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.checkpoint import MAX_SIZE, Seen, check_checkpoint
from audit.errors import NotVerified
from audit.merkle import HASH_BYTES, check_path, leaf_hash
from audit.note import MAX_NOTE, Key, decode_base64, decode_number, encode_base64

HEADER = "c2sp.org/tlog-proof@v1"
MAX_PATH = 64
MAX_RECEIPT = 2 * MAX_NOTE


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """Index of an entry, the path from it to the root, and the checkpoint's note."""

    index: int
    path: tuple[bytes, ...]
    checkpoint: bytes

    @property
    def raw(self) -> bytes:
        """The text as it is stored and sent."""
        path = "".join(encode_base64(step) + "\n" for step in self.path)
        return f"{HEADER}\nindex {self.index}\n{path}\n".encode() + self.checkpoint


def read_receipt(raw: bytes, where: str = "receipt") -> Receipt:
    """Return the parts of a receipt; nothing in it is checked yet.

    Raises: NotVerified for every other form.
    """
    if len(raw) > MAX_RECEIPT:
        raise NotVerified(where, "receipt", "is too long", f"at most {MAX_RECEIPT} bytes")
    head, gap, checkpoint = raw.partition(b"\n\n")
    try:
        lines = head.decode("ascii").split("\n")
    except UnicodeDecodeError as err:
        raise NotVerified(where, "receipt", "is not ASCII before its checkpoint") from err
    if not gap or lines[0] != HEADER:
        raise NotVerified(where, "receipt", "is of another kind", HEADER)
    if len(lines) > 1 and lines[1].startswith("extra "):
        decode_base64(lines.pop(1).removeprefix("extra "), where)
    if len(lines) < 2 or not lines[1].startswith("index "):
        raise NotVerified(where, "index", "is missing")
    index = decode_number(lines[1].removeprefix("index "), where, "index", MAX_SIZE)
    if len(lines) - 2 > MAX_PATH:
        raise NotVerified(where, "path", "is too long", f"at most {MAX_PATH} hashes")
    path = tuple(decode_base64(line, where) for line in lines[2:])
    if any(len(step) != HASH_BYTES for step in path):
        raise NotVerified(where, "path", "holds a hash of another length", "32 bytes")
    return Receipt(index=index, path=path, checkpoint=checkpoint)


def check_receipt(
    raw: bytes,
    entry: bytes,
    key: Key,
    witnesses: Sequence[Key] = (),
    quorum: int = 0,
    where: str = "receipt",
) -> tuple[int, Seen]:
    """Return index and checkpoint of *entry* in the ledger of *key*, shown by a receipt.

    *key* and *witnesses* are those that the reader has pinned, never the receipt's own.
    Raises: NotVerified.
    """
    receipt = read_receipt(raw, where)
    seen = check_checkpoint(receipt.checkpoint, key, witnesses, quorum, where=where)
    at = seen.checkpoint
    check_path(leaf_hash(entry), receipt.index, at.size, receipt.path, at.root, where)
    return receipt.index, seen
