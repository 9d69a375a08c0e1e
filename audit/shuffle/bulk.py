"""Many orders from one session key, any of them to be computed alone.

A session's extract gives one key for a stream that nothing but orders is made of. Every deal
owns a block of it, of a length fixed by the size of the pack, so deal k is found without the
deals before it. A deal whose block runs out, because words were thrown away, goes on in words
expanded from the extract for that deal alone; so no deal moves another.

AES-256-CTR up to 57 cards: its key and first counter block carry 384 bits, log2 57! + 128 is
382.5. SHAKE-256 under a key of 64 bytes above that.

Source: NIST SP 800-38A section 6.5 (CTR), FIPS 202 (SHAKE-256), RFC 5869 (HKDF); design
section 3, P3 and P10; PROTOCOL.md, "Sets in bulk".
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Protocol

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import CTR
from numpy.typing import NDArray

from audit.shuffle.derive import SECRET_BYTES, expand, expanded_words
from audit.shuffle.framing import frame
from audit.shuffle.manifest import BULK_AES, BULK_SHAKE
from audit.shuffle.sampler import WORD_BITS, check_size, order, side_by_side

AES_BLOCK = 16
AES_KEY = 32
WORD_BYTES = WORD_BITS // 8
#: Deals whose blocks are one output of SHAKE-256; each of them costs the whole output.
SHAKE_DEALS = 32
#: So many packs are shuffled at a time: their cards stay in the processor's cache.
SIDE_BY_SIDE = 2048


class Stream(Protocol):
    """Bytes of a session, a block of fixed length for each of its deals."""

    def blocks(self, first: int, count: int, length: int) -> bytes:
        """Return the blocks, *length* bytes each, of the deals first, first + 1, .. from 0."""
        ...


class AesStream:
    """AES-256-CTR: the counter is all 16 bytes, most significant first, modulo 2^128."""

    def __init__(self, key: bytes, start: bytes) -> None:
        if len(start) != AES_BLOCK:
            raise ValueError(f"a counter block has {AES_BLOCK} bytes")
        self._key, self._start = AES256(key), int.from_bytes(start, "big")

    def blocks(self, first: int, count: int, length: int) -> bytes:
        """Return bytes `length * first` on of the stream; *length* is a multiple of 16."""
        counter = (self._start + first * (length // AES_BLOCK)) % (1 << 8 * AES_BLOCK)
        mode = CTR(counter.to_bytes(AES_BLOCK, "big"))
        return Cipher(self._key, mode).encryptor().update(bytes(count * length))


class ShakeStream:
    """SHAKE-256 over key and number: one output for each 32 deals."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def blocks(self, first: int, count: int, length: int) -> bytes:
        """Return the blocks out of the outputs that hold them."""
        low, high = first // SHAKE_DEALS, -(-(first + count) // SHAKE_DEALS)
        data = b"".join(
            hashlib.shake_256(frame("bulk-order", self._key, part)).digest(SHAKE_DEALS * length)
            for part in range(low, high)
        )
        start = (first - low * SHAKE_DEALS) * length
        return data[start : start + count * length]


def stream_of(key: bytes, algorithm: str) -> Stream:
    """Return the stream of *algorithm* for a session whose 64-byte extract is *key*.

    Raises: ValueError for another algorithm.
    """
    if algorithm == BULK_AES:
        data = expand(key, frame("bulk-aes"), AES_KEY + AES_BLOCK)
        return AesStream(data[:AES_KEY], data[AES_KEY:])
    if algorithm == BULK_SHAKE:
        return ShakeStream(expand(key, frame("bulk-shake"), SECRET_BYTES))
    raise ValueError(f"no stream is named {algorithm}")


def block_bytes(size: int) -> int:
    """Return how much of the stream a deal of *size* cards owns: whole blocks of AES."""
    return -(-WORD_BYTES * (size - 1) // AES_BLOCK) * AES_BLOCK


class Session:
    """The orders of one session, as a function of its extract."""

    def __init__(self, key: bytes, size: int, algorithm: str) -> None:
        check_size(size)
        self._key, self._size, self._length = key, size, block_bytes(size)
        self._stream = stream_of(key, algorithm)

    def orders(self, first: int, count: int) -> NDArray[np.uint8]:
        """Return the orders of the deals first, first + 1, .. from 0, shape (count, size)."""
        data = self._stream.blocks(first, count, self._length)
        words = np.frombuffer(data, ">u4").reshape(count, -1)
        return orders_of(words, self._size, lambda at: self._more(first + at))

    def _more(self, deal: int) -> Iterator[int]:
        return expanded_words(self._key, "bulk-more", deal)


def orders_of(
    words: NDArray[np.uint32],
    size: int,
    more: Callable[[int], Iterator[int]],
    *,
    bits: int = WORD_BITS,
) -> NDArray[np.uint8]:
    """Return the orders of deals whose blocks are *words*, (deals, words of a block).

    Deal i takes the words of its block and then those of `more(i)`. Shape (deals, size).
    """
    first = words[:, : size - 1].T.astype(np.uint32, order="C")
    cards, stands = side_by_side(first, size, bits=bits)
    out = np.ascontiguousarray(cards.T)
    for at in np.flatnonzero(~stands).tolist():
        out[at] = order(size, chain(words[at].tolist(), more(at)), bits=bits)
    return out
