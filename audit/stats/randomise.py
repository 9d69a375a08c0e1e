"""A sampled p-value counts the observation among the samples, so it is never 0."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache


@dataclass(frozen=True, kw_only=True)
class Sampled:
    """A Monte Carlo p-value with the work that gave it."""

    p: Fraction
    draws: int
    reached: int


def monte_carlo(*, reached: int, draws: int) -> Fraction:
    """(1 + reached) / (1 + draws), valid at all levels when all are exchangeable.

    ``reached`` counts the draws at least as extreme as the observation.

    Raises:
        ValueError: reached lies outside [0, draws].
    """
    if not 0 <= reached <= draws:
        raise ValueError(f"monte_carlo: reached in [0, {draws}] wanted, got {reached}")
    return Fraction(1 + reached, 1 + draws)


def besag_clifford(
    draw: Callable[[], float], *, observed: float, enough: int, most: int
) -> Sampled:
    """Draws until ``enough`` samples reach the observation or ``most`` samples are drawn.

    Stopped early after l draws the p-value is enough / l; otherwise (reached + 1) / (most + 1).
    Valid when the draws are independent from the law of the observation under the null.

    Raises:
        ValueError: enough or most is less than 1.

    Source: Besag and Clifford, Sequential Monte Carlo p-values, Biometrika 78 (1991).
    """
    if enough < 1 or most < 1:
        raise ValueError(
            f"besag_clifford: enough and most at least 1 wanted, got {enough} and {most}"
        )
    reached = 0
    for draws in range(1, most + 1):
        reached += draw() >= observed
        if reached == enough:
            return Sampled(p=Fraction(enough, draws), draws=draws, reached=reached)
    return Sampled(p=Fraction(reached + 1, most + 1), draws=most, reached=reached)


def sampled_e(found: Sampled, *, most: int) -> Fraction:
    """Return the e-value 1 / (p H) of `besag_clifford` with the same *most*.

    H is the mean of 1 / p under the null, 1 + 1/2 + ... + 1/(most + 1) whatever *enough* is,
    rounded up at 2^-64 a term; where draws tie with the observation p is larger and the mean
    below 1.  *enough* and *most* must be fixed beforehand.

    Raises:
        ValueError: the draws are more than *most*.
    """
    if found.draws > most:
        raise ValueError(f"sampled_e: at most {most} draws wanted, got {found.draws}")
    return 1 / (found.p * _harmonic(most + 1))


@lru_cache(maxsize=64)
def _harmonic(n: int) -> Fraction:
    return Fraction(sum(-((-1 << 64) // i) for i in range(1, n + 1)), 1 << 64)
