"""Hits whose fair chances differ and are known: what would be seen, explained and ruled out.

Under the multiple t of the fair odds a trial of chance p is hit with chance
p t / (1 - p + p t).  The likelihood ratio of a record depends on its hits through their number
alone, so that a mixture over multiples is a function of that number, and its law is exact.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from audit.stats.binomial import log_upper
from audit.stats.detectable import least_missing
from audit.stats.evalue import SCALE, log_mean_exp

Floats: TypeAlias = npt.NDArray[np.float64]
#: The odds bet on: multiples of the fair ones, None for "always".
Odds: TypeAlias = Sequence[int | Fraction | None]
#: The multiples that are asked for rise by this factor, up to `STEPS` of it.
FACTOR, STEPS = 1.02, 1400
# The law of the hits is taken modulo this many deviations; what wraps is below exp(-100).
_DEVIATIONS = 16.0


@dataclass(frozen=True, kw_only=True)
class Trials:
    """Trials by their fair chance: *number* of them have one between *low* and *high*.

    Where the chance is known both are the same.  Evidence is reckoned from *high* and
    hits from *low*, so that power is never overstated; or both from *sums*, bounds of the sum
    of all chances from below and above, where those tell more.
    """

    low: Floats
    high: Floats
    number: npt.NDArray[np.int64]
    sums: tuple[float, float] | None = None

    @property
    def total(self) -> int:
        """How many trials there are."""
        return int(self.number.sum())


def trials(groups: Sequence[tuple[Fraction | float, int]]) -> Trials:
    """Return trials of known chances: (chance in (0, 1), number)."""
    kept = [(float(p), n) for p, n in groups if n]
    chance = np.array([p for p, _ in kept], np.float64)
    return Trials(low=chance, high=chance, number=np.array([n for _, n in kept], np.int64))


def log_evidence(of: Trials, hits: int, odds: Odds, weights: Sequence[Fraction]) -> float:
    """Return ln of a mixture over *odds* of at least 1 after so many *hits*, never too large.

    Odds below 1 only add to a mixture and are left out.  Where only the sum of the chances is
    told, equal ones give the least evidence (Jensen).
    """
    parts, total = [], of.total
    mean = of.sums[1] / total if of.sums is not None and total else 1.0
    for t, weight in zip(odds, weights, strict=True):
        if t is None:
            if hits < total:
                continue
            value = max(-float(of.number @ np.log(of.high)), -total * math.log(mean))
        elif t < 1:
            continue
        else:
            mass = float(of.number @ np.log1p(of.high * (float(t) - 1)))
            mass = min(mass, total * math.log1p(mean * (float(t) - 1)))
            value = hits * math.log(t) - mass
        parts.append(value + math.log(weight))
    if not parts:
        return -math.inf
    top = max(parts)
    # Every bet is rounded down by up to 2^-20.
    return top + math.log(math.fsum(math.exp(x - top) for x in parts)) - of.total / SCALE - 1e-9


def needed(of: Trials, odds: Odds, weights: Sequence[Fraction], bar: float) -> int:
    """Return the least hits whose evidence reaches *bar*, one more than the trials if none do."""
    low, high = 0, of.total + 1
    while low < high:
        middle = (low + high) // 2
        if log_evidence(of, middle, odds, weights) >= bar:
            high = middle
        else:
            low = middle + 1
    return low


def reaches(of: Trials, multiple: float, hits: int) -> float:
    """Return a chance of at least *hits* hits at *multiple* times the odds, never too large.

    The larger of two: that of the least chances, and, where the mean of the hits is as large as
    *hits*, the binomial one with a mean that the sum of the chances leaves.
    Source: Hoeffding, On the distribution of the number of successes (1956), theorem 4.
    """
    least = _reaches(of, multiple, hits)
    rate = min(1.0, _least_hits(of, multiple) / of.total) if of.sums is not None else 0.0
    if hits > of.total * rate:
        return least
    return max(least, math.exp(log_upper(of.total, hits, rate)))


def _least_hits(of: Trials, multiple: float) -> float:
    """Return the least mean of hits at *multiple* > 1 times the odds, given the sum of chances.

    Between *low* and *high* the chance of a hit lies above its secant, so the chances that
    exceed *low* raise the mean least where the secant is flattest.
    """
    assert of.sums is not None
    ends = [p * multiple / (1 - p + p * multiple) for p in (of.low, of.high)]
    wide = np.maximum(of.high - of.low, 1e-300)
    slope = np.where(of.high > of.low, (ends[1] - ends[0]) / wide, 0.0)
    room = of.number * (of.high - of.low)
    order = np.argsort(slope)
    over = max(0.0, of.sums[0] - float(of.number @ of.low))
    before = np.cumsum(room[order]) - room[order]
    used = np.clip(over - before, 0.0, room[order])
    return (float(of.number @ ends[0]) + float(used @ slope[order])) * (1 - 1e-12)


def _reaches(of: Trials, multiple: float, hits: int) -> float:
    """Return the chance of at least *hits* hits where each chance is the least; error below 1e-9.

    The law of the sum of binomials is the inverse of the product of their transforms, taken
    modulo a number of points that holds all but exp(-100) of it.
    """
    rate = of.low * multiple / (1 - of.low + of.low * multiple)
    total = of.total
    mean = float(of.number @ rate)
    points = min(total + 1, 64 + int(2 * _DEVIATIONS * math.sqrt(total)))
    angle = 2j * math.pi * np.arange(points // 2 + 1) / points
    log = np.zeros(len(angle), np.complex128)
    with np.errstate(divide="ignore"):
        for q, n in zip(rate.tolist(), of.number.tolist(), strict=True):
            log += n * np.log(1 - q + q * np.exp(-angle))
    law = np.fft.irfft(np.exp(log), points)
    first = max(0, min(total + 1 - points, int(mean) - points // 2))
    at = np.arange(first, first + points)
    return float(np.clip(law[at % points][at >= hits].sum(), 0.0, 1.0))


def smallest_multiple(
    of: Trials,
    odds: Odds,
    weights: Sequence[Fraction],
    bar: float,
    aim: float = 0.9,
) -> float | None:
    """Return a multiple of the fair odds that reaches *bar* by the last trial with chance *aim*.

    It is rounded up, and the least such within 2 in 100; inf means that only a hit every time
    will do, None that not even that does.
    """
    least = needed(of, odds, weights, bar)
    if least > of.total:
        return None

    def does(step: int) -> bool:
        return reaches(of, FACTOR**step, least) >= aim + 1e-9

    if not does(STEPS):
        return math.inf
    low, high, middle = 0, STEPS, _guess(of, least, aim)
    step = 1
    # Outward from a guess in growing steps, and by halves once both ends are known.
    while high - low > 1:
        middle = min(max(middle, low + 1), high - 1)
        if does(middle):
            high, following = middle, middle - step
        else:
            low, following = middle, middle + step
        step *= 2
        middle = following if low < following < high else (low + high) // 2
    return rounded_up(FACTOR**high)


def _guess(of: Trials, least: int, aim: float) -> int:
    """Return about the step of the multiple that has *least* hits with chance *aim*."""
    below = NormalDist().inv_cdf(aim)

    def short(step: int) -> bool:
        rate = of.low * FACTOR**step / (1 - of.low + of.low * FACTOR**step)
        mean = float(of.number @ rate)
        return mean - below * math.sqrt(float(of.number @ (rate * (1 - rate)))) < least - 0.5

    return bisect_left(range(STEPS), 1, key=lambda step: 0 if short(step) else 1)


def rounded_up(value: float) -> float:
    """Return a number of three digits or two decimals that is not below *value*."""
    unit = 10.0 ** max(-2, math.floor(math.log10(value)) - 2)
    return round(math.ceil(value / unit - 1e-9) * unit, 2)


def least_left_out(
    logs: npt.NDArray[np.int64],
    drops: Sequence[float],
    weights: Sequence[Fraction],
    bar: float,
) -> int | None:
    """Return how few trials, left out at the start, keep the evidence below *bar* at every look.

    Args:
        logs: fixed-point ln of each bet after each look, shape (looks, bets).
        drops: for each bet the most, at most 0, by which one trial left out lowers it; as fixed
            point.  Where it is a bound, so is the result: fewer do not explain the evidence.

    None where nothing that is left out would lower it.
    """
    lower = np.array(drops, np.float64)
    rows = logs.astype(np.float64)
    if (lower >= 0).any() or not len(rows):
        return None
    return least_missing(lambda m: bool((log_mean_exp(rows + m * lower, weights) < bar).all()))


def refuted(log_e: Callable[[float], float], low: float, high: float, bar: float) -> float | None:
    """Return the least x in (low, high] with log_e(x) >= *bar*, to 1e-6 of it and from above.

    Assumes that log_e is 0 at *low* and convex in x or in ln x, so that it rises from where it
    is above 0: what refutes x refutes all above.  None where it stays below *bar*.
    """
    if log_e(high) < bar:
        return None
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if log_e(middle) >= bar else (middle, high)
    return high


def log_against(of: Trials, hits: int) -> Callable[[float], float]:
    """Return ln of the likelihood of fair odds over that of a multiple t >= 1 of them.

    Its mean is 1 under t and at most 1 under larger multiples, trial by trial, for the bet
    pays more on a miss: evidence against "t or more at every trial".  Exact chances only.
    """

    def log_e(t: float) -> float:
        return float(of.number @ np.log1p(of.high * (t - 1))) - hits * math.log(t)

    return log_e
