"""One mixture of alternative rates serves every bias from 1.25 to 4 times the fair rate.

The five odds and their weights were searched for the least worst ratio of mean deals to a
thousand-to-one, against the bettor who knows the true rate, at 1/13; the recursion in the
tests recomputes the figures.
"""

from fractions import Fraction

MULTIPLES = (Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(19, 5))
WEIGHTS = (
    Fraction(27, 100),
    Fraction(18, 100),
    Fraction(22, 100),
    Fraction(11, 100),
    Fraction(22, 100),
)


def rate_grid(p0: Fraction) -> tuple[Fraction, ...]:
    """The alternative rates for a fair rate p0, ascending, each above p0; weighted by ``WEIGHTS``.

    A multiple that would leave less than half the misses is drawn in to (1 + p0) / 2.

    Raises:
        ValueError: p0 lies outside (0, 1).
    """
    if not 0 < p0 < 1:
        raise ValueError(f"rate_grid: a fair rate strictly between 0 and 1 wanted, got {p0}")
    return tuple(min(m * p0, (1 + p0) / 2) for m in MULTIPLES)
