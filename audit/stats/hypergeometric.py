"""The count of marked cards in a hand has a law of exact fractions.

A pack of ``population`` holds ``marked`` of a kind; ``drawn`` come out without replacement.
"""

from fractions import Fraction
from math import comb

from audit.stats.binomial import log_fraction


def pmf(*, population: int, marked: int, drawn: int) -> dict[int, Fraction]:
    """The chance of every possible count; the values sum to exactly 1.

    Raises:
        ValueError: ``marked`` or ``drawn`` lies outside [0, population].
    """
    if not (0 <= marked <= population and 0 <= drawn <= population):
        raise ValueError(
            f"hypergeometric: counts in [0, {population}] wanted, got {marked} and {drawn}"
        )
    ways = comb(population, drawn)
    counts = range(max(0, drawn + marked - population), min(marked, drawn) + 1)
    return {
        x: Fraction(comb(marked, x) * comb(population - marked, drawn - x), ways) for x in counts
    }


def log_upper(x: int, *, population: int, marked: int, drawn: int) -> float:
    """ln P(X >= x), summed in fractions; -inf where it is impossible."""
    law = pmf(population=population, marked=marked, drawn=drawn)
    return log_fraction(sum((p for k, p in law.items() if k >= x), Fraction(0)))


def log_lower(x: int, *, population: int, marked: int, drawn: int) -> float:
    """ln P(X <= x), summed in fractions; -inf where it is impossible."""
    law = pmf(population=population, marked=marked, drawn=drawn)
    return log_fraction(sum((p for k, p in law.items() if k <= x), Fraction(0)))


def tilt(x: int, *, population: int, marked: int, drawn: int, odds: Fraction) -> Fraction:
    """The e-value odds^x / E odds^X, a bet that marked cards come ``odds`` times too easily.

    Its mean under the fair law is exactly 1.  ``odds`` must be fixed before the deal.

    Raises:
        ValueError: odds is not positive.
    """
    if odds <= 0:
        raise ValueError(f"tilt: positive odds wanted, got {odds}")
    law = pmf(population=population, marked=marked, drawn=drawn)
    return odds**x / sum((p * odds**k for k, p in law.items()), Fraction(0))
