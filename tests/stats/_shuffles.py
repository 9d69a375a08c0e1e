"""Seeded shuffles, good and bad, as orders of shape (deals, n), and when evidence crosses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from audit.lab._random import Words, uniform_orders
from audit.stats.evalue import log_mean_exp

Ints = npt.NDArray[np.int64]


def below(words: Words, deals: int, bound: int) -> Ints:
    """Return *deals* numbers below *bound*, each as likely as the others to one part in 2^26."""
    return ((words.halves(deals).astype(np.uint64) * np.uint64(bound)) >> np.uint64(32)).astype(
        np.int64
    )


def fair(seed: int, deals: int, size: int = 52) -> Ints:
    """Return orders of a fair deal."""
    return uniform_orders(Words(seed), deals, size).astype(np.int64)


def swapped(
    seed: int, deals: int, draw: Callable[[Words, int, int], tuple[int, Ints]], size: int = 52
) -> Ints:
    """Return what *size* swaps make of the known order, *draw* giving place and draw of each."""
    words, row = Words(seed), np.arange(deals)
    lies = np.tile(np.arange(size), (deals, 1))
    for step in range(size):
        i, at = draw(words, step, deals)
        moved = lies[row, at]
        lies[row, at] = lies[:, i]
        lies[:, i] = moved
    return lies


def swap_any(seed: int, deals: int, size: int = 52) -> Ints:
    """Return orders by swapping each place with any place."""
    return swapped(seed, deals, lambda w, i, d: (i, below(w, d, size)), size)


def byte_modulo(seed: int, deals: int, size: int = 52) -> Ints:
    """Return orders by the right swaps, drawn as a random byte modulo the bound."""

    def draw(words: Words, step: int, deals: int) -> tuple[int, Ints]:
        i = size - 1 - step
        return i, below(words, deals, 256) % (i + 1)

    return swapped(seed, deals, draw, size)


def coin_insertion(seed: int, deals: int, size: int = 52) -> Ints:
    """Return orders by an insertion sort that asks a coin."""
    words, out = Words(seed), []
    for _ in range(deals):
        lies: list[int] = []
        for i in range(size):
            at = i
            for coin in below(words, i, 2).tolist():
                if coin:
                    break
                at -= 1
            lies.insert(at, i)
        out.append(lies)
    return np.array(out, dtype=np.int64)


def riffled(seed: int, deals: int, riffles: int, size: int = 52) -> Ints:
    """Return orders after so many riffles: the pack is pulled apart by random labels, backwards.

    Source: Bayer and Diaconis (1992), section 2, inverse shuffles.
    """
    labels = Words(seed).words(deals * size).reshape(deals, size) >> np.uint64(64 - riffles)
    return np.argsort(np.argsort(labels, axis=1, kind="stable"), axis=1)


def firsts(logs: Ints, shares: Sequence[Fraction], logs_of: int, level: int) -> Ints:
    """Return for each log the deal at which mixed evidence reaches *level*, deals + 1 for never.

    Args:
        logs: fixed-point ln ratios, shape (logs_of * deals, alternatives).
    """
    sums = logs.reshape(logs_of, -1, logs.shape[-1]).cumsum(axis=1)
    over = log_mean_exp(sums, shares) >= math.log(level)
    first = np.where(over.any(axis=1), over.argmax(axis=1) + 1, over.shape[1] + 1)
    return np.asarray(first, dtype=np.int64)
