"""From all the sealed bytes to one order and its salts.

One extract over everything in full, 64 bytes wide, so that no narrower value stands between
the secrets and the order; then two keys that never meet, one for the order and one for salts.

Source: RFC 5869 (HKDF); design section 3, P2, P3, P10.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from numpy.typing import NDArray

from audit.shuffle.framing import frame
from audit.shuffle.sampler import check_size, order, side_by_side

SECRET_BYTES = 64
SALT_BYTES = 16
EXTRACT_SALT = b"fairdeal/1/extract"
BLOCK_BYTES = 256
#: So many packs are shuffled at a time.
SIDE_BY_SIDE = 4096


def extract(seed: bytes) -> bytes:
    """Return the 64-byte key of one pack: HKDF-Extract with HMAC-SHA512 over all of *seed*."""
    return hmac.digest(EXTRACT_SALT, seed, hashlib.sha512)


def expand(key: bytes, info: bytes, length: int) -> bytes:
    """Return *length* bytes of HKDF-Expand-SHA512 of *key* under *info*."""
    return HKDFExpand(algorithm=SHA512(), length=length, info=info).derive(key)


def words(key: bytes) -> Iterator[int]:
    """Yield 32-bit words, big-endian, from blocks 0, 1, 2... of the order's stream."""
    return expanded_words(key, "order")


def expanded_words(key: bytes, label: str, *fields: int) -> Iterator[int]:
    """Yield 32-bit words, big-endian, of *key* expanded under T(label, fields, block)."""
    for block in count():
        data = expand(key, frame(label, *fields, block), BLOCK_BYTES)
        for at in range(0, BLOCK_BYTES, 4):
            yield int.from_bytes(data[at : at + 4], "big")


def pack_order(key: bytes, size: int) -> list[int]:
    """Return the order of the pack, top card first, as a function of its key."""
    check_size(size)
    return order(size, words(key))


def pack_orders(keys: Sequence[bytes], size: int) -> NDArray[np.uint8]:
    """Return `pack_order` of every key, many at a time, shape (keys, size).

    The words of all packs are shuffled side by side; a pack that has to redraw a word
    is ordered by itself, so that the result is the same.
    """
    check_size(size)
    out = np.empty((len(keys), size), np.uint8)
    blocks = -(-4 * (size - 1) // BLOCK_BYTES)
    infos = [frame("order", block) for block in range(blocks)]
    for start in range(0, len(keys), SIDE_BY_SIDE):
        some = keys[start : start + SIDE_BY_SIDE]
        data = b"".join(expand(key, info, BLOCK_BYTES) for key in some for info in infos)
        drawn = np.frombuffer(data, ">u4").reshape(len(some), -1)[:, : size - 1]
        orders, stands = side_by_side(drawn.T.astype(np.uint32, order="C"), size)
        rows = out[start : start + len(some)]
        rows[:] = orders.T
        for at in np.flatnonzero(~stands).tolist():
            rows[at] = pack_order(some[at], size)
    return out


def salts(key: bytes, number: int) -> list[bytes]:
    """Return *number* salts of 16 bytes, under a sub key that orders nothing."""
    sub = expand(key, frame("salt-key"), SECRET_BYTES)
    data = expand(sub, frame("salt"), SALT_BYTES * number)
    return [data[at : at + SALT_BYTES] for at in range(0, len(data), SALT_BYTES)]
