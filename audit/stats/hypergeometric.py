"""The count of marked cards in a hand has a law of exact fractions.

A pack of ``population`` holds ``marked`` of a kind; ``drawn`` come out without replacement.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, prod

from audit.stats.binomial import log_fraction
from audit.stats.tail import two_sided


def ways(*, population: int, marked: int, drawn: int) -> dict[int, int]:
    """How many hands have each possible count; the values sum to C(population, drawn).

    Raises:
        ValueError: ``marked`` or ``drawn`` lies outside [0, population].
    """
    if not (0 <= marked <= population and 0 <= drawn <= population):
        raise ValueError(
            f"hypergeometric: counts in [0, {population}] wanted, got {marked} and {drawn}"
        )
    plain = population - marked
    least = max(0, drawn - plain)
    now = comb(marked, least) * comb(plain, drawn - least)
    out = {}
    for x in range(least, min(marked, drawn) + 1):
        out[x] = now
        now = now * (marked - x) * (drawn - x) // ((x + 1) * (plain - drawn + x + 1))
    return out


def pmf(*, population: int, marked: int, drawn: int) -> dict[int, Fraction]:
    """The chance of every possible count; the values sum to exactly 1."""
    hands = comb(population, drawn)
    found = ways(population=population, marked=marked, drawn=drawn)
    return {x: Fraction(n, hands) for x, n in found.items()}


def log_upper(x: int, *, population: int, marked: int, drawn: int) -> float:
    """ln P(X >= x), summed in whole numbers; -inf where it is impossible."""
    found = ways(population=population, marked=marked, drawn=drawn)
    return _log(sum(n for k, n in found.items() if k >= x), comb(population, drawn))


def log_lower(x: int, *, population: int, marked: int, drawn: int) -> float:
    """ln P(X <= x), summed in whole numbers; -inf where it is impossible."""
    found = ways(population=population, marked=marked, drawn=drawn)
    return _log(sum(n for k, n in found.items() if k <= x), comb(population, drawn))


def log_two_sided(x: int, *, population: int, marked: int, drawn: int) -> float:
    """ln of twice the smaller tail, at most 0."""
    return two_sided(
        log_lower(x, population=population, marked=marked, drawn=drawn),
        log_upper(x, population=population, marked=marked, drawn=drawn),
    )


def _log(some: int, every: int) -> float:
    return log_fraction(Fraction(some, every))


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


def joint(counts: Sequence[int], *, kinds: Sequence[int]) -> Fraction:
    """The chance of these counts of every kind in a hand from a pack with *kinds* of each.

    Raises:
        ValueError: both differ in length, or one holds a negative number.
    """
    if len(counts) != len(kinds) or min(*counts, *kinds, 0) < 0:
        raise ValueError(f"joint: a count >= 0 of each kind wanted, got {counts} of {kinds}")
    hands = prod(comb(m, x) for m, x in zip(kinds, counts, strict=True))
    return Fraction(hands, comb(sum(kinds), sum(counts)))


def log_fullest(largest: int, *, kinds: Sequence[int], drawn: int) -> float:
    """ln of the chance that some kind has at least *largest* cards in a hand; -inf if none can."""
    none = [1, *[0] * drawn]
    for marked in kinds:
        more = [0] * (drawn + 1)
        for j in range(min(largest, drawn + 1, marked + 1)):
            some = comb(marked, j)
            for n in range(drawn + 1 - j):
                more[n + j] += none[n] * some
        none = more
    hands = comb(sum(kinds), drawn)
    return _log(hands - none[drawn], hands)
