"""What a log would have shown, and how many deals left out of it would explain what it shows.

Everything is about a process whose logarithm is a function of (hits, deals), does not
fall as hits rise, and is looked at after given numbers of deals.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from audit.stats.binomial import log_fraction, log_upper

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
LogE = Callable[[Ints, Ints], Floats]
# Chances below this are dropped: the result is then too small, by less than 1e-12 in all.
_NOTHING = 1e-19


def least_hits(log_e: LogE, deals: Ints, log_threshold: float) -> Ints:
    """Return the least hits that reach the threshold at each look, deals + 1 where none do.

    Args:
        log_e: elementwise function of (hits, deals), not falling as hits rise.
        deals: number of deals at each look, shape (looks,), not falling.
    """
    low, high = np.zeros_like(deals), deals + 1
    while np.any(low < high):
        middle = np.minimum((low + high) // 2, deals)
        over = log_e(middle, deals) >= log_threshold
        open_ = low < high
        high = np.where(open_ & over, middle, high)
        low = np.where(open_ & ~over, middle + 1, low)
    return low


@lru_cache(maxsize=4096)
def _law(n: int, rate: float) -> tuple[int, Floats]:
    """Return the binomial(n, rate) chances from the first that matters, and that count."""
    if rate >= 1.0:
        return n, np.ones(1)
    k = np.arange(1, n + 1, dtype=np.float64)
    ways = np.concatenate(([0.0], np.cumsum(np.log(n + 1 - k) - np.log(k))))
    hits = np.arange(n + 1)
    law = np.exp(ways + hits * np.log(rate) + (n - hits) * np.log1p(-rate))
    some = np.flatnonzero(law > _NOTHING)
    return int(some[0]), law[some[0] : some[-1] + 1]


def reached(rate: float, deals: Ints, least: Ints) -> float:
    """Return the chance that hits reach *least* at some look; hits independent with one *rate*.

    Args:
        rate: chance of a hit in each deal, in (0, 1].
        deals: number of deals at each look, shape (looks,), not falling.
        least: hits that count as reached at each look, shape (looks,).
    """
    start, alive, crossed, seen = 0, np.ones(1), 0.0, 0
    for n, bound in zip(deals.tolist(), least.tolist(), strict=True):
        if n > seen:
            first, law = _law(n - seen, rate)
            start, alive, seen = start + first, np.convolve(alive, law), n
        keep = max(0, bound - start)
        if keep < len(alive):
            crossed += float(alive[keep:].sum())
            alive = alive[:keep]
        some = np.flatnonzero(alive > _NOTHING)
        if not len(some):
            break
        start, alive = start + int(some[0]), alive[some[0] : some[-1] + 1]
    return crossed


def smallest(
    rate_of: Callable[[int], Fraction],
    last: int,
    *,
    deals: Ints,
    least: Ints,
    aim: Fraction = Fraction(9, 10),
) -> int | None:
    """Return the least x in 1 .. *last* whose rate reaches some bound with chance >= *aim*.

    *rate_of* rises with x.  None where even the last rate does not.
    """
    n, bound = int(deals[-1]), int(least[-1])

    def at_end(x: int) -> bool:
        return log_upper(n, bound, rate_of(x)) >= log_fraction(aim)

    def ever(x: int) -> bool:
        return reached(float(rate_of(x)), deals, least) >= float(aim)

    # The last look alone gives an upper end; the answer is a little below it.
    high = _first(at_end, 0, last) if at_end(last) else last
    if not ever(high):
        return None
    step, low = 1, high - 1
    while low > 0 and ever(low):
        high, step = low, 2 * step
        low = max(0, low - step)
    return _first(ever, low, high)


def smallest_at_end(
    rate_of: Callable[[int], Fraction],
    last: int,
    *,
    deals: int,
    least: int,
    aim: Fraction = Fraction(9, 10),
) -> int | None:
    """Return the least x in 1 .. *last* whose rate brings *least* hits by the last deal.

    With chance at least *aim*; *rate_of* rises with x.  None where even the last does not.
    """

    def does(x: int) -> bool:
        return log_upper(deals, least, rate_of(x)) >= log_fraction(aim)

    return _first(does, 0, last) if does(last) else None


def _first(is_true: Callable[[int], bool], low: int, high: int) -> int:
    """Return the least x in (low, high] from which *is_true* holds, given that it does at high."""
    while high - low > 1:
        middle = (low + high) // 2
        if is_true(middle):
            high = middle
        else:
            low = middle
    return high


def least_missing(gone: Callable[[int], bool]) -> int:
    """Return the least number m of left-out deals for which *gone* holds, given that it stays so.

    Assumes: some m below 2^40 will do.

    Raises:
        ValueError: none does.
    """
    if gone(0):
        return 0
    high = 1
    while not gone(high):
        high *= 2
        if high > 1 << 40:
            raise ValueError("least_missing: no number of deals below 2^40 explains it")
    return _first(gone, high // 2, high)
