"""How seldom rows in a random order stand as if somebody had sorted them.

Each kernel takes counts of one group of rows and returns the ln of an exact chance, given the
values of the rows, when all their orders are equally likely.  Groups that were ordered apart
are independent, so their logarithms add up.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import lgamma, log


def _ways(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def log_block(hits: int, rows: int) -> float:
    """ln P(all *hits* of *rows* stand together): (n - k + 1) / C(n, k), 0 without a hit."""
    return log(rows - hits + 1) - _ways(rows, hits) if hits else 0.0


def log_ends(hits: int, rows: int) -> float:
    """ln P(all *hits* of *rows* stand first, or all last): 2 / C(n, k), 0 for none or all."""
    return log(2) - _ways(rows, hits) if 0 < hits < rows else 0.0


def log_together(counts: Iterable[int]) -> float:
    """ln P(all that is alike stands together): m! prod(c!) / n! for m kinds of *counts* rows."""
    some = [c for c in counts if c]
    alike = sum(lgamma(c + 1) for c in some)
    return lgamma(len(some) + 1) + alike - lgamma(sum(some) + 1)


def log_never_falls(counts: Iterable[int]) -> float:
    """ln P(values never fall, equal ones in any order): prod(c!) / n! for *counts* of each."""
    some = list(counts)
    return sum(lgamma(c + 1) for c in some) - lgamma(sum(some) + 1)
