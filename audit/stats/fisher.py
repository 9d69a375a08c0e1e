"""Whether two ways of sorting the same deals go together, given how many fall in each class.

Under the null every way to match rows and columns of a table with these margins is equally
likely, whatever the rates of rows and columns are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import factorial, prod

from audit.stats import hypergeometric
from audit.stats.binomial import log_fraction
from audit.stats.tail import two_sided

_MOST_STATES = 200_000

Square = tuple[tuple[int, int], tuple[int, int]]


def log_upper(table: Square) -> float:
    """ln of the chance that the first cell of a 2 x 2 table is at least what it is."""
    return hypergeometric.log_upper(table[0][0], **_margins(table))


def log_lower(table: Square) -> float:
    """ln of the chance that the first cell of a 2 x 2 table is at most what it is."""
    return hypergeometric.log_lower(table[0][0], **_margins(table))


def log_two_sided(table: Square) -> float:
    """ln of twice the smaller tail, at most 0; other programs add what is no more likely."""
    return two_sided(log_lower(table), log_upper(table))


def _margins(table: Square) -> dict[str, int]:
    (a, b), (c, d) = table
    if min(a, b, c, d) < 0:
        raise ValueError(f"fisher: counts >= 0 wanted, got {table}")
    return {"population": a + b + c + d, "marked": a + b, "drawn": a + c}


def log_no_likelier(table: Sequence[Sequence[int]]) -> float:
    """ln of the chance of all r x c tables with these margins that are no likelier than this one.

    Exact in whole numbers; two-sided by its nature.  For small tables.

    Raises:
        ValueError: it is no table of counts, or the tables are too many to go through.

    Source: Freeman and Halton (1951), Biometrika 38.
    """
    rows = [list(map(int, row)) for row in table]
    if not rows or any(len(row) != len(rows[0]) or min(row, default=-1) < 0 for row in rows):
        raise ValueError("fisher: table: rows of counts >= 0, equally long, wanted")
    lines = tuple(sum(row) for row in rows)
    columns = [sum(column) for column in zip(*rows, strict=True)]
    # For each remainder of the rows: how many matchings have so much weight so far.
    states: dict[tuple[int, ...], dict[int, int]] = {lines: {1: 1}}
    for column in columns:
        after: dict[tuple[int, ...], dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for left, weights in states.items():
            for cells in _columns(left, column):
                ways = factorial(column) // prod(map(factorial, cells))
                rest = tuple(a - b for a, b in zip(left, cells, strict=True))
                into = after[rest]
                for weight, times in weights.items():
                    into[weight * ways] += times
        states = after
        if sum(map(len, states.values())) > _MOST_STATES:
            raise ValueError(f"fisher: table: at most {_MOST_STATES} partial tables wanted")
    (weights,) = states.values()
    seen = prod(
        factorial(sum(column)) // prod(map(factorial, column)) for column in zip(*rows, strict=True)
    )
    rare = sum(weight * times for weight, times in weights.items() if weight <= seen)
    every = factorial(sum(lines)) // prod(map(factorial, lines))
    return log_fraction(Fraction(rare, every))


def _columns(left: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
    """Yield every column of cells that sum to *total* and leave no row below 0."""
    if len(left) == 1:
        if total <= left[0]:
            yield (total,)
        return
    for first in range(max(0, total - sum(left[1:])), min(left[0], total) + 1):
        for rest in _columns(left[1:], total - first):
            yield (first, *rest)
