"""Sampled p-values are super-uniform, by exact integration over the observation's rank."""

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from audit.stats import randomise


def besag_clifford_law(enough: int, most: int) -> Counter[Fraction]:
    """The law of p when each draw reaches the observation with a chance uniform on [0, 1]."""
    law: Counter[Fraction] = Counter()
    for draws in range(enough, most + 1):
        law[Fraction(enough, draws)] += Fraction(enough, draws * (draws + 1))  # type: ignore[assignment]
    for reached in range(enough):
        law[Fraction(reached + 1, most + 1)] += Fraction(1, most + 1)  # type: ignore[assignment]
    return law


def test_monte_carlo_p_is_exactly_uniform_on_its_steps() -> None:
    assert [randomise.monte_carlo(reached=b, draws=3) for b in range(4)] == [
        Fraction(k, 4) for k in (1, 2, 3, 4)
    ]


@pytest.mark.parametrize(("enough", "most"), [(1, 9), (3, 20), (10, 99)])
def test_besag_clifford_p_is_super_uniform(enough: int, most: int) -> None:
    law = besag_clifford_law(enough, most)
    assert sum(law.values()) == 1
    assert all(sum(m for p, m in law.items() if p <= level) <= level for level in law)


def test_besag_clifford_stops_as_soon_as_enough_draws_reach() -> None:
    stream: Iterator[float] = iter([0.0, 5.0, 1.0, 7.0, 9.0])
    found = randomise.besag_clifford(lambda: next(stream), observed=5.0, enough=2, most=99)
    assert (found.p, found.draws, found.reached) == (Fraction(1, 2), 4, 2)


def test_besag_clifford_is_never_zero_at_the_end_of_its_draws() -> None:
    assert randomise.besag_clifford(lambda: 0.0, observed=1.0, enough=5, most=99).p == Fraction(
        1, 100
    )


def test_more_reached_than_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="reached"):
        randomise.monte_carlo(reached=math.comb(3, 1), draws=2)
