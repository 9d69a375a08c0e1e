"""When an evidence process crosses its threshold is computed by recursion, not simulated.

The process is a function of (deals, hits) only, and hits raise it.  The state is
the chance of every hit count with the crossed part taken out for good.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
LogE = Callable[[npt.NDArray[np.int64], npt.NDArray[np.int64]], Floats]


def boundary(log_e: LogE, n_max: int, log_threshold: float) -> npt.NDArray[np.int64]:
    """The least hit count that crosses at each n, shape (n_max + 1,); n + 1 where none does.

    Assumes: ``log_e(hits, deals)`` works elementwise and does not fall as hits rise.
    """
    deals = np.arange(n_max + 1, dtype=np.int64)
    low = np.zeros_like(deals)
    high = deals + 1
    while np.any(low < high):
        middle = np.minimum((low + high) // 2, deals)
        over = log_e(middle, deals) >= log_threshold
        open_ = low < high
        high = np.where(open_ & over, middle, high)
        low = np.where(open_ & ~over, middle + 1, low)
    return low


def crossing(*, rate: float, bounds: npt.NDArray[np.int64]) -> Floats:
    """The chance that the process has crossed by deal n, for n = 0 .. len(bounds) - 1.

    Args:
        rate: true chance of a hit at each deal, in [0, 1], independent between deals.
        bounds: least crossing hit count for each n, as from ``boundary``.
    """
    alive = np.zeros(int(bounds.max()) + 2)
    alive[0] = 1.0
    crossed = 0.0 if bounds[0] > 0 else 1.0
    if crossed:
        alive[0] = 0.0
    found = np.empty(len(bounds))
    found[0] = crossed
    for n in range(1, len(bounds)):
        moved = alive[:-1] * rate
        alive *= 1.0 - rate
        alive[1:] += moved
        first = int(bounds[n])
        crossed += float(alive[first:].sum())
        alive[first:] = 0.0
        found[n] = crossed
    return found


def mean_time(*, rate: float, bounds: npt.NDArray[np.int64], tail: float = 1e-6) -> float:
    """Mean number of deals until the crossing, for a process that crosses well before the end.

    Raises:
        ValueError: more than ``tail`` of the mass has not crossed at the last n.
    """
    found = crossing(rate=rate, bounds=bounds)
    if found[-1] < 1.0 - tail:
        raise ValueError(
            f"horizon {len(bounds) - 1}: uncrossed {1 - found[-1]:.3g}, wanted < {tail:.3g}"
        )
    return float(np.sum(1.0 - found[:-1]))


def crossing_exact(*, rate: Fraction, bounds: Sequence[int]) -> Fraction:
    """The chance of having crossed by the last n, in fractions; for short horizons."""
    alive: dict[int, Fraction] = {0: Fraction(1)}
    crossed = Fraction(0)
    for n, first in enumerate(bounds):
        if n:
            moved: dict[int, Fraction] = {}
            for hits, mass in alive.items():
                moved[hits] = moved.get(hits, Fraction(0)) + mass * (1 - rate)
                moved[hits + 1] = moved.get(hits + 1, Fraction(0)) + mass * rate
            alive = moved
        crossed += sum((m for h, m in alive.items() if h >= first), Fraction(0))
        alive = {h: m for h, m in alive.items() if h < first}
    return crossed


def mixture_log_e(
    atoms: Sequence[tuple[int, int]], weights: Sequence[Fraction], scale: int
) -> LogE:
    """The log of a mixture of fixed-point likelihood ratios as a function of (hits, deals)."""
    hit = np.array([a[0] for a in atoms], dtype=np.float64) / scale
    miss = np.array([a[1] for a in atoms], dtype=np.float64) / scale
    log_w = np.array([math.log(w) for w in weights])

    def log_e(hits: npt.NDArray[np.int64], deals: npt.NDArray[np.int64]) -> Floats:
        parts: npt.NDArray[Any] = (
            log_w + np.multiply.outer(hits, hit) + np.multiply.outer(deals - hits, miss)
        )
        top = parts.max(axis=-1)
        return np.asarray(
            top + np.log(np.exp(parts - top[..., None]).sum(axis=-1)), dtype=np.float64
        )

    return log_e


def ever_crossing(
    *,
    fair: float,
    rates: Sequence[Fraction],
    weights: Sequence[Fraction],
    bounds: npt.NDArray[np.int64],
    log_threshold: float,
) -> float:
    """A bound on the chance that a fair mixture of the given rates ever crosses, at any deal.

    It is the exact chance within the bounds, and for ever after what the mixture is worth
    where it has not crossed, over the threshold (Ville); that worth is the chance of not
    having crossed under the mixture's own rates.

    Args:
        fair: chance of a hit, in (0, 1), the same at each deal and independent.
        rates: the alternatives mixed with *weights*.
        bounds: least crossing hit count for each n, as from ``boundary`` of that mixture.
    """
    within = float(crossing(rate=fair, bounds=bounds)[-1])
    worth = math.fsum(
        float(w) * (1.0 - float(crossing(rate=float(r), bounds=bounds)[-1]))
        for r, w in zip(rates, weights, strict=True)
    )
    return within + max(0.0, worth) * math.exp(-log_threshold)


def calibrated(
    log_e: LogE,
    *,
    fair: float,
    rates: Sequence[Fraction],
    weights: Sequence[Fraction],
    level: float,
    horizon: int,
    steps: int = 10,
) -> float:
    """The ln of a threshold below 1 / level that fair deals still cross with chance <= level.

    A mixture that stops at 1 / level overshoots and leaves some of the level unspent; this
    gives it back.  It holds for this rate and this mixture alone, not inside a sum of bets.

    Args:
        log_e: the mixture of *rates* with *weights*, as from ``mixture_log_e``.
        horizon: deals followed exactly; beyond them the bound of ``ever_crossing`` serves.
        steps: halvings of the search between level^-1 / 2 and level^-1.
    """
    low, high = -math.log(level) - math.log(2), -math.log(level)
    for _ in range(steps):
        middle = (low + high) / 2
        found = ever_crossing(
            fair=fair,
            rates=rates,
            weights=weights,
            bounds=boundary(log_e, horizon, middle),
            log_threshold=middle,
        )
        low, high = (low, middle) if found <= level * (1 - 1e-9) else (middle, high)
    return high
