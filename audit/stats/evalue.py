"""Evidence is kept as integers rounded down, so a sum of bets never overstates itself.

A bet's log likelihood ratio is floor(2^20 ln ratio).  Sums are exact and the same on
every machine; a mixture is taken in log space only when it is read.
"""

import math
from collections.abc import Sequence
from decimal import ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

SCALE = 1 << 20
CONCENTRATIONS = (24, 50, 100, 200, 400, 800, 1500, 3000)
# Relative loss taken off a mixture so that float rounding cannot lift it above the truth.
_GUARD = 2.0**-44

Floats = npt.NDArray[np.float64]


@lru_cache(maxsize=1 << 16)
def log_fixed(numerator: int, denominator: int) -> int:
    """floor(2^20 ln(numerator / denominator)), never one too many.

    The logarithm of a fraction other than 1 is irrational, so digits are added
    until both ends of the error interval have the same floor.

    Raises:
        ValueError: either number is not positive; a ratio of 0 has no logarithm.
    """
    if numerator <= 0 or denominator <= 0:
        raise ValueError(f"log_fixed: positive integers wanted, got {numerator} / {denominator}")
    if numerator == denominator:
        return 0
    digits = 40
    while True:
        with localcontext(Context(prec=digits)):
            value = (Decimal(numerator).ln() - Decimal(denominator).ln()) * SCALE
            slack = (
                abs(value) + SCALE * 64 * (1 + max(numerator, denominator).bit_length())
            ) * Decimal(10) ** (3 - digits)
            low = (value - slack).to_integral_value(rounding=ROUND_FLOOR)
            high = (value + slack).to_integral_value(rounding=ROUND_FLOOR)
        if low == high:
            return int(low)
        digits *= 2


def rate_atoms(p0: Fraction, rates: Sequence[Fraction]) -> list[tuple[int, int]]:
    """The fixed-point log likelihood ratio of (a hit, a miss), for each alternative rate.

    Under chance p0 the mean of each bet is at most 1.  Where every rate exceeds p0
    it is also at most 1 under any smaller chance.

    Raises:
        ValueError: p0 or a rate lies outside (0, 1).
    """
    if not all(0 < r < 1 for r in (p0, *rates)):
        raise ValueError(
            f"rate_atoms: rates inside (0, 1) wanted, got {p0} and {list(map(str, rates))}"
        )
    return [(_fixed(r / p0), _fixed((1 - r) / (1 - p0))) for r in rates]


def _fixed(ratio: Fraction) -> int:
    return log_fixed(ratio.numerator, ratio.denominator)


def log_mean_exp(fixed_logs: npt.ArrayLike, weights: Sequence[Fraction]) -> Floats:
    """ln of sum_j weights[j] exp(fixed_logs[..., j] / 2^20), rounded down; shape (...).

    Args:
        fixed_logs: integers, shape (..., m).
        weights: m fractions, none negative, summing to at most 1.

    Raises:
        ValueError: the weights do not fit or could lift the mean above 1.
    """
    logs = np.asarray(fixed_logs, dtype=np.float64) / SCALE
    if logs.shape[-1] != len(weights) or min(weights) < 0 or sum(weights) > 1:
        raise ValueError(f"log_mean_exp: {logs.shape[-1]} weights >= 0 with sum at most 1 wanted")
    log_w = np.array([math.log(w) if w else -math.inf for w in weights])
    return _lowered_logsumexp(logs + log_w)


def _lowered_logsumexp(parts: Floats) -> Floats:
    top = parts.max(axis=-1)
    total = top + np.log(np.exp(parts - top[..., None]).sum(axis=-1))
    biggest = np.abs(parts).max(axis=-1, initial=0.0, where=np.isfinite(parts))
    return np.asarray(total - _GUARD * (1.0 + biggest), dtype=np.float64)


def dirichlet_uniform(
    counts: npt.ArrayLike, concentrations: Sequence[int] = CONCENTRATIONS
) -> Floats:
    """ln e of "some faces come too often" against K equally likely faces; shape (...).

    The Dirichlet-multinomial chance of the record over K^-n, averaged over symmetric
    priors of the given TOTAL concentrations with equal weights.  An e-process in n.

    Args:
        counts: integers >= 0, shape (..., K): counts so far, one row for each look.
        concentrations: positive totals A; each face gets A / K.
    """
    table = np.asarray(counts, dtype=np.int64)
    faces = table.shape[-1]
    deals = table.sum(axis=-1)
    parts = np.empty((*table.shape[:-1], len(concentrations)))
    for j, total in enumerate(concentrations):
        # Predictive chance times K, factor by factor, so the logs stay small.
        face, whole = _rising(table, faces, total), _rising(deals, 1, total)
        parts[..., j] = face.sum(axis=-1) - whole
    return _lowered_logsumexp(parts - math.log(len(concentrations)))


def log_dirichlet(
    counts: npt.NDArray[np.int64], concentrations: Sequence[int] = CONCENTRATIONS
) -> float:
    """``dirichlet_uniform`` of one row, shape (K,), by lgamma: fast, and not rounded down.

    For searches; the error grows with the deals and is below 1e-6 up to 10^7 of them.
    """
    values, times = np.unique(counts, return_counts=True)
    faces, deals = len(counts), int(counts.sum())
    parts = []
    for total in concentrations:
        one = total / faces
        face = sum(
            int(t) * (math.lgamma(one + int(v)) - math.lgamma(one))
            for v, t in zip(values, times, strict=True)
        )
        parts.append(face - (math.lgamma(total + deals) - math.lgamma(total)))
    top = max(parts)
    mean = sum(math.exp(x - top) for x in parts) / len(concentrations)
    return top + math.log(mean) + deals * math.log(faces)


def _rising(ends: npt.NDArray[np.int64], times: int, total: int, *, step: int = 1 << 20) -> Floats:
    """Return for each n of *ends* the sum over i < n of ln(1 + i times/total), in flat memory.

    The sums run on from block to block, so that they do not depend on *step*.
    """
    wanted, place = np.unique(ends, return_inverse=True)
    sums, last = np.zeros(len(wanted)), 0.0
    most = int(wanted.max(initial=0))
    for start in range(0, most, step):
        end = min(start + step, most)
        terms = np.log1p(np.arange(start, end, dtype=np.float64) * times / total)
        run = np.cumsum(np.concatenate(([last], terms)))
        low, high = np.searchsorted(wanted, (start, start + step), side="right")
        sums[low:high] = run[wanted[low:high] - start]
        last = float(run[-1])
    # Laid out as *ends* is, for that is the order in which sums over it are taken.
    out: Floats = np.empty_like(ends, dtype=np.float64)
    out[...] = sums[place].reshape(ends.shape)
    return out


def closed_ebh(log_e: Sequence[float], *, alpha: Fraction) -> tuple[int, ...]:
    """The largest set whose false discovery rate is at most alpha by closure, ascending indices.

    A set R passes when every S has mean e at least |S & R| / (alpha |R|).  Any dependence
    between the e-values is allowed.  Never smaller than the e-BH set.

    Source: Xu, Fischer and Ramdas, Bringing closure to false discovery rate control (2025).
    """
    total = len(log_e)
    if not total:
        return ()
    level = float(alpha)
    ceiling = math.log(total * total / level) + 1.0
    order = sorted(range(total), key=lambda i: (-log_e[i], i))
    sizes = np.exp(np.minimum(np.array([log_e[i] for i in order]), ceiling))
    for taken in range(total, 0, -1):
        inside = np.cumsum(sizes[:taken][::-1])
        outside = sizes[taken:][::-1]
        share = np.arange(1, taken + 1)
        price = share / (level * taken)
        joined = np.searchsorted(outside, price)
        sums = inside + np.concatenate(([0.0], np.cumsum(outside)))[joined]
        if np.all(sums >= (share + joined) * price * (1.0 + 1e-12)):
            return tuple(sorted(order[:taken]))
    return ()


def holm(log_p: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted ln p, in the order given; reject where it is at most ln alpha.

    The chance of any false rejection is at most alpha under any dependence.
    """
    total = len(log_p)
    adjusted = [0.0] * total
    worst = -math.inf
    for place, i in enumerate(sorted(range(total), key=lambda i: log_p[i])):
        worst = max(worst, min(0.0, log_p[i] + math.log(total - place)))
        adjusted[i] = worst
    return tuple(adjusted)
