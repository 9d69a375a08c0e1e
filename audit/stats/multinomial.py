"""The largest of several counts is judged by its own exact law, not cell by cell.

Trials fall into equally likely cells, independent of each other.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from audit.stats.binomial import log_upper
from audit.stats.tail import ROUNDING, Tail

Floats = npt.NDArray[np.float64]

_MOST_TRIALS = 20_000
# Below this the sum of the cells' own tails is right to nine digits.
_RARE = 1e-10


def max_count(largest: int, *, trials: int, cells: int) -> Tail:
    """The chance that the fullest cell holds at least *largest*, with a proved relative error.

    Far out it is the sum S of the cells' own tails, which is too large by at most S/2 of
    itself, since counts of different cells are negatively associated.  Elsewhere cells are
    joined by convolution of positive numbers, up to 20,000 trials; past them S serves with
    its error.

    Raises:
        ValueError: trials is negative or cells is less than 1.

    Source: Joag-Dev and Proschan, Negative association of random variables (1983), 3.1(a).
    """
    _check(trials, cells)
    if largest <= -(-trials // cells):
        return Tail(log_p=0.0, error=0.0)
    if largest > trials:
        return Tail(log_p=-math.inf, error=0.0)
    bound = math.log(cells) + log_upper(trials, largest, Fraction(1, cells))
    rounding = 16 * ROUNDING * (trials + abs(bound))
    if 2 * largest > trials:
        return Tail(log_p=min(0.0, bound), error=rounding)
    if bound <= math.log(_RARE) or trials > _MOST_TRIALS:
        excess = math.exp(min(bound, 0.0)) / 2 if bound < 0 else math.inf
        return Tail(log_p=min(0.0, bound), error=excess / max(1 - excess, 0.5) + rounding)
    low, high, steps = _both(largest, trials, cells)
    whole = math.log(low + high)
    log_p = math.log1p(-low / (low + high)) if high > low else math.log(high) - whole
    return Tail(log_p=log_p, error=math.expm1(2 * ROUNDING * (steps + 8)))


def max_at_most(most: int, *, trials: int, cells: int) -> Tail:
    """The chance that no cell holds more than *most*: counts that are too even.

    Raises:
        ValueError: trials is negative, cells is less than 1, or both are too many to follow.
    """
    _check(trials, cells)
    if most >= trials:
        return Tail(log_p=0.0, error=0.0)
    if most * cells < trials:
        return Tail(log_p=-math.inf, error=0.0)
    if trials > _MOST_TRIALS:
        raise ValueError(f"max_at_most: trials: at most {_MOST_TRIALS} wanted, got {trials}")
    above = max_count(most + 1, trials=trials, cells=cells)
    if above.log_p < math.log(0.1):
        chance = math.exp(above.log_p)
        return Tail(
            log_p=math.log1p(-chance),
            error=(chance * above.error + 2 * ROUNDING) / (1 - chance),
        )
    log_rate = _rate(most, trials / cells)
    peak, law = _poisson(log_rate, most)
    norm = float(law.sum())
    joined, steps = _power(law / norm, cells, trials)
    parts = [
        math.lgamma(trials + 1),
        -trials * math.log(cells),
        -trials * log_rate,
        cells * (peak * log_rate - math.lgamma(peak + 1)),
        cells * math.log(norm),
        math.log(float(joined[trials])),
    ]
    # Each part is off by a few roundings of its own size; the law by two a step from its peak.
    size = sum(map(abs, parts)) + cells * (peak * abs(log_rate) + math.lgamma(peak + 1))
    roundings = steps + 4 * trials + 4 * cells * (peak + 3) + 8 * size
    return Tail(log_p=min(0.0, math.fsum(parts)), error=math.expm1(ROUNDING * roundings))


def _check(trials: int, cells: int) -> None:
    if trials < 0 or cells < 1:
        raise ValueError(f"max_count: trials >= 0 and cells >= 1 wanted, got {trials} and {cells}")


def _poisson(log_rate: float, most: int) -> tuple[int, Floats]:
    """Return the place of the largest Poisson chance up to *most*, and all over that one."""
    rate = math.exp(log_rate)
    peak = min(int(rate), most)
    up = np.cumprod(rate / np.arange(peak + 1, most + 1))
    down = np.cumprod(np.arange(peak, 0, -1) / rate)[::-1]
    return peak, np.concatenate([down, [1.0], up])


def _rate(most: int, mean: float) -> float:
    """Return ln of the rate under which a Poisson count of at most *most* has this mean."""
    low, high = math.log(mean), math.log(mean) + 1.0
    score = np.arange(most + 1)

    def reached(log_rate: float) -> bool:
        _, law = _poisson(log_rate, most)
        return float(law @ score) >= mean * float(law.sum())

    while not reached(high) and high < 60:
        low, high = high, high + 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return low


def _power(law: Floats, times: int, most: int) -> tuple[Floats, int]:
    """Return the law of so many independent counts up to *most*, and the roundings in it."""
    if times == 1:
        out = np.zeros(most + 1)
        out[: len(law)] = law[: most + 1]
        return out, 0
    half, steps = _power(law, times // 2, most)
    out = np.convolve(half, half)[: most + 1]
    steps = 2 * steps + most + 1
    if times % 2:
        out, steps = np.convolve(out, law)[: most + 1], steps + most + 1
    return out, steps


def _both(largest: int, trials: int, cells: int) -> tuple[float, float, int]:
    """Return what no cell full and some cell full weigh at *trials* in all, and the roundings.

    Cells are independent Poisson counts with mean trials / cells; given their sum they are
    the cells of the trials.
    """
    _, law = _poisson(math.log(trials / cells), trials)
    law /= law.sum()
    full = np.where(np.arange(trials + 1) >= largest, law, 0.0)

    def join(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
        low = np.convolve(a[0], b[0])[: trials + 1]
        high = np.convolve(a[1], b[0] + b[1])[: trials + 1] + np.convolve(a[0], b[1])[: trials + 1]
        return low, high

    one = (law - full, full)
    so_far, steps = one, 0
    for bit in bin(cells)[3:]:
        so_far, steps = join(so_far, so_far), 2 * steps + trials + 3
        if bit == "1":
            so_far, steps = join(so_far, one), steps + trials + 3
    # The chances of one cell err by two roundings a step from the peak, over all cells by these.
    steps += 4 * trials + 4 * cells
    return float(so_far[0][trials]), float(so_far[1][trials]), steps
