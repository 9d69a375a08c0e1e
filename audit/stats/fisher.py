"""Whether two ways of sorting the same deals go together, given how many fall in each class.

Under the null every way to match rows and columns of a table with these margins is equally
likely, whatever the rates of rows and columns are.
"""

from __future__ import annotations

from audit.stats import hypergeometric
from audit.stats.tail import two_sided

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
