"""Where the marked cards lie in a packet: the exact law of the sum of their places.

Of *size* places 1 .. size, *picked* hold a marked card; under a fair deal any set of so
many places is equally likely.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from audit.stats import hand
from audit.stats.tail import two_sided


def law(*, size: int, picked: int) -> tuple[int, ...]:
    """Return for each sum from 0 how many sets of places have it; they sum to C(size, picked).

    Raises:
        ValueError: picked lies outside [0, size].
    """
    if not 0 <= picked <= size:
        raise ValueError(f"ranks: picked in [0, {size}] wanted, got {picked}")
    return hand.law(range(1, size + 1), picked)


def log_upper(total: int, *, size: int, picked: int) -> float:
    """ln P(sum of places >= total): the marked cards lie deep; -inf where impossible."""
    law(size=size, picked=picked)
    return hand.log_upper(range(1, size + 1), picked, total)


def log_lower(total: int, *, size: int, picked: int) -> float:
    """ln P(sum of places <= total): the marked cards lie on top; -inf where impossible."""
    law(size=size, picked=picked)
    return hand.log_lower(range(1, size + 1), picked, total)


def log_two_sided(total: int, *, size: int, picked: int) -> float:
    """ln of twice the smaller tail, at most 0."""
    return two_sided(
        log_lower(total, size=size, picked=picked), log_upper(total, size=size, picked=picked)
    )


def tilt(total: int, *, size: int, picked: int, odds: Fraction) -> Fraction:
    """Return odds^total over its mean: a bet that each place deeper is *odds* times as likely.

    Its mean under a fair deal is exactly 1; odds below 1 bet on the top.

    Raises:
        ValueError: odds is not positive.
    """
    if odds <= 0:
        raise ValueError(f"ranks: odds: above 0 wanted, got {odds}")
    counts = law(size=size, picked=picked)
    mean = sum((n * odds**t for t, n in enumerate(counts) if n), Fraction(0))
    return comb(size, picked) * odds**total / mean
