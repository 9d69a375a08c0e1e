"""Every order of N cards with exactly equal chance, from uniform words.

Fisher-Yates from the last place down, with the place itself among the candidates; a word
that would favour a remainder is thrown away and the next one taken. Over all streams of
uniform words each of the N! orders comes equally often: a statement about integers, which
the tests prove by enumeration with small words.

Source: Knuth, The Art of Computer Programming 2, 3.4.2, algorithm P; design section 3, P3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from audit.errors import UsageError
from audit.shuffle.refusal import NotVerified

LEAST, MOST = 2, 78
WORD_BITS = 32


def check_size(size: int) -> None:
    """Refuse a pack that the 512-bit extract cannot order with 128 bits to spare.

    log2 78! = 382.3, and 382.3 + 128 = 510.3 <= 512; log2 79! + 128 is above 512.
    """
    if size < LEAST:
        raise UsageError(
            "pack", "size", "a pack has at least two cards", f"{LEAST} to {MOST}", str(size)
        )
    if size > MOST:
        raise UsageError(
            "pack",
            "size",
            "the orders of a larger pack, with 128 bits to spare, do not pass a 512-bit extract",
            f"{LEAST} to {MOST}",
            str(size),
        )


def below(bound: int, words: Iterator[int], *, bits: int = WORD_BITS) -> int:
    """Return a uniform integer in `[0, bound)`; takes words until one is below the limit.

    The limit is the largest multiple of *bound* not above `2**bits`.
    """
    space = 1 << bits
    if not 1 <= bound <= space:
        raise ValueError(f"bound {bound} does not fit a word of {bits} bits")
    limit = space - space % bound
    for word in words:
        if word < limit:
            return word % bound
    raise ValueError("the stream of words ended")


def order(size: int, words: Iterable[int], *, bits: int = WORD_BITS) -> list[int]:
    """Return a uniform order of `0..size-1`, top card first."""
    source = iter(words)
    cards = list(range(size))
    for last in range(size - 1, 0, -1):
        chosen = below(last + 1, source, bits=bits)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def side_by_side(
    words: NDArray[np.uint32], size: int, *, bits: int = WORD_BITS
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return `order` of many streams at once, shape (size, packs), and which of them stand.

    *words* is (size - 1, packs), the first words of each stream, each below `2**bits`, with
    `bits` at most 32. A pack whose words hold one that `below` would throw away does not
    stand: it has to be ordered by itself.
    """
    packs = words.shape[1]
    cards = np.repeat(np.arange(size, dtype=np.uint8)[:, None], packs, axis=1)
    flat, column = cards.reshape(-1), np.arange(packs)
    stands = np.ones(packs, np.bool_)
    chosen, at = np.empty(packs, np.uint32), np.empty(packs, np.intp)
    taken = np.empty(packs, np.uint8)
    space = 1 << bits
    for step in range(size - 1):
        last = size - 1 - step
        drawn, bound = words[step], np.uint32(last + 1)
        spare = space % (last + 1)
        if spare:
            stands &= drawn <= np.uint32(space - spare - 1)
        # the remainder: numpy divides by a number in parallel, and does not take remainders so
        np.floor_divide(drawn, bound, out=chosen)
        np.multiply(chosen, bound, out=chosen)
        np.subtract(drawn, chosen, out=chosen)
        np.multiply(chosen, packs, out=at, casting="unsafe", dtype=np.intp)
        np.add(at, column, out=at)
        np.take(flat, at, out=taken, mode="clip")  # always inside; "raise" would copy
        flat[at] = cards[last]
        cards[last] = taken
    return cards, stands


def all_permutations(orders: NDArray[np.uint8]) -> bool:
    """Whether each row of *orders*, shape (packs, cards), is a permutation of its places.

    A row of N places that holds each of `0..N-1` holds each once. Uses no dealing code.
    """
    size = orders.shape[1]
    return all(_hold_all(orders, low, min(size, low + 64)) for low in range(0, size, 64))


def _hold_all(orders: NDArray[np.uint8], low: int, high: int) -> bool:
    """Whether each row holds all of `low..high-1`, at most 64 of them: one bit for each."""
    inside = (orders >= low) & (orders < high)
    bits = np.uint64(1) << ((orders - low) & np.uint8(63)).astype(np.uint64)
    if not inside.all():
        bits[~inside] = 0
    found = np.bitwise_or.reduce(bits, axis=1)
    return bool((found == np.uint64((1 << (high - low)) - 1)).all())


def check_permutation(cards: list[int], size: int, where: str) -> None:
    """Refuse *cards* unless each of `0..size-1` stands in it once. Uses no dealing code."""
    if len(cards) != size:
        raise NotVerified(where, "order", "has another number of cards", str(size), str(len(cards)))
    if sorted(cards) == list(range(size)):
        return
    for card in cards:
        if not 0 <= card < size:
            raise NotVerified(
                where, "order", "names a card outside the pack", f"0 to {size - 1}", str(card)
            )
        if cards.count(card) > 1:
            raise NotVerified(where, "order", "holds a card twice", "", str(card))
