"""Is every order as likely as every other? `python -m tests.shuffle.uniform`.

Three things are counted, and they are not the same.  *Derived*: packs from random 64-byte keys
through the real derivation (HKDF, words, sampler), 20,000 of them.  *In bulk*: sessions of 20,000
packs from random extracts through theirs (AES-256-CTR, words, sampler), 1,000,000 packs.
*Sampled*: the sampler's rule written again in numpy over words of the operating system,
1,000,000 packs, its first packs held against the real sampler word by word.

Error budget: every count is held to a range that a uniform dealer leaves with probability at
most RISK over all counts together (exact binomial tails, union bound over counts), so one run
in a hundred million is a false alarm.  The same ranges catch a swap with an exclusive bound.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from audit.shuffle.bulk import Session
from audit.shuffle.derive import pack_order
from audit.shuffle.manifest import BULK_AES
from audit.shuffle.sampler import order

RISK = 1e-8
SIZE = 52
Orders = NDArray[np.uint8]
Words = NDArray[np.uint32]
Draw = Callable[[int], bytes]


def sampled(words: Words, *, exclusive: bool = False) -> Orders:
    """Return orders (packs, 52) by the sampler's rule from *words* (packs, 51).

    A word past its limit needs another one; such packs are left out, which keeps the rest
    uniform, for a word is thrown away whatever it would have chosen.  *exclusive* plants the
    known fault: the place itself is never among the candidates.
    """
    packs = len(words)
    cards = np.tile(np.arange(SIZE, dtype=np.uint8), (packs, 1))
    good = np.ones(packs, dtype=bool)
    rows = np.arange(packs)
    for column, last in enumerate(range(SIZE - 1, 0, -1)):
        bound = last if exclusive else last + 1
        limit = 2**32 - 2**32 % bound
        good &= words[:, column].astype(np.uint64) < limit
        chosen = (words[:, column] % np.uint32(bound)).astype(np.intp)
        held = cards[rows, chosen].copy()
        cards[rows, chosen] = cards[:, last]
        cards[:, last] = held
    return cards[good]


def words_of(packs: int, draw: Draw) -> Words:
    """Return big-endian words (packs, 51), as the derivation reads them."""
    raw = np.frombuffer(draw(packs * (SIZE - 1) * 4), dtype=">u4")
    return raw.reshape(packs, SIZE - 1).astype(np.uint32)


def derived(packs: int, draw: Draw) -> Orders:
    """Return orders (packs, 52) through the real derivation from keys of *draw*."""
    return np.array([pack_order(draw(64), SIZE) for _ in range(packs)], dtype=np.uint8)


def in_bulk(packs: int, draw: Draw) -> Orders:
    """Return orders (packs, 52) of one session in bulk, its extract from *draw*."""
    return Session(draw(64), SIZE, BULK_AES).orders(0, packs)


def agrees_with_the_sampler(words: Words) -> bool:
    """Whether numpy and the real sampler give the same orders from the same words."""
    for row in words:
        fast = sampled(row[np.newaxis])
        if len(fast) and fast[0].tolist() != order(SIZE, row.tolist()):
            return False
    return True


@dataclass(kw_only=True)
class Counts:
    """Integers over packs; adding two logs adds them."""

    packs: int
    odd: int
    fixed: NDArray[np.int64]
    places: NDArray[np.int64]


def count(orders: Orders) -> Counts:
    """Count odd permutations, packs by fixed points (0 to 7 and more), and card by place."""
    fixed = (orders == np.arange(SIZE, dtype=np.uint8)).sum(axis=1)
    cells = orders.astype(np.int64) + SIZE * np.arange(SIZE)
    return Counts(
        packs=len(orders),
        odd=int(parity(orders).sum()),
        fixed=np.bincount(np.minimum(fixed, 7), minlength=8).astype(np.int64),
        places=np.bincount(cells.ravel(), minlength=SIZE * SIZE).astype(np.int64),
    )


def parity(orders: Orders) -> NDArray[np.int64]:
    """Return 1 for odd permutations: selection sort, one swap at a time."""
    cards = orders.copy()
    rows = np.arange(len(cards))
    swaps = np.zeros(len(cards), dtype=np.int64)
    for place in range(SIZE - 1):
        where = (cards == place).argmax(axis=1)
        swaps += where != place
        cards[rows, where] = cards[:, place]
        cards[:, place] = place
    return swaps % 2


def add(one: Counts, other: Counts) -> Counts:
    """Return the counts of both."""
    return Counts(
        packs=one.packs + other.packs,
        odd=one.odd + other.odd,
        fixed=one.fixed + other.fixed,
        places=one.places + other.places,
    )


def chances() -> list[float]:
    """Return the exact chances of 0 to 6 fixed points of 52, and of more."""
    derangements = [1, 0]
    for n in range(2, SIZE + 1):
        derangements.append((n - 1) * (derangements[-1] + derangements[-2]))
    first = [
        factorial(SIZE) // (factorial(k) * factorial(SIZE - k)) * derangements[SIZE - k]
        for k in range(7)
    ]
    whole = factorial(SIZE)
    return [*(f / whole for f in first), (whole - sum(first)) / whole]


def alarms(seen: Counts) -> list[str]:
    """Return which counts leave their range; a uniform dealer gives any with chance RISK."""
    tests = 1 + 8 + SIZE * SIZE
    tail = RISK / tests / 2

    def outside(counted: int, chance: float) -> bool:
        low = binom.ppf(tail, seen.packs, chance)
        return not low <= counted <= binom.isf(tail, seen.packs, chance)

    found = ["parity"] if outside(seen.odd, 0.5) else []
    found += [
        f"{k} fixed points"
        for k, chance in enumerate(chances())
        if outside(int(seen.fixed[k]), chance)
    ]
    low = binom.ppf(tail, seen.packs, 1 / SIZE)
    high = binom.isf(tail, seen.packs, 1 / SIZE)
    wrong = np.flatnonzero((seen.places < low) | (seen.places > high))
    return found + [f"card {cell % SIZE} at place {cell // SIZE}" for cell in wrong.tolist()]


def run(packs: int, make: Callable[[int], Orders], batch: int = 20_000) -> Counts:
    """Count *packs* packs of *make*, a batch at a time."""
    seen = count(make(min(batch, packs)))
    for done in range(batch, packs, batch):
        seen = add(seen, count(make(min(batch, packs - done))))
    return seen


def main() -> None:
    """Print the counts and what leaves its range."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--packs", type=int, default=1_000_000)
    parser.add_argument("--derived", type=int, default=20_000)
    args = parser.parse_args()
    same = agrees_with_the_sampler(words_of(2_000, os.urandom))
    print(f"numpy agrees with the sampler on 2,000 packs: {same}")
    for name, seen in (
        ("derived", run(args.derived, lambda n: derived(n, os.urandom))),
        ("in bulk", run(args.packs, lambda n: in_bulk(n, os.urandom))),
        ("sampled", run(args.packs, lambda n: sampled(words_of(n, os.urandom)))),
    ):
        spread = int(seen.places.min()), int(seen.places.max())
        print(f"{name}: {seen.packs} packs, odd {seen.odd}, fixed points {seen.fixed.tolist()}")
        print(f"  card by place {spread[0]} to {spread[1]} around {seen.packs / SIZE:.0f}")
        print(f"  alarms: {alarms(seen) or 'none'}")
    broken = run(20_000, lambda n: sampled(words_of(n, os.urandom), exclusive=True))
    print(f"exclusive bound, planted: {len(alarms(broken))} alarms")


if __name__ == "__main__":
    main()
