"""Chances of sorted rows are those of counting every order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, permutations
from math import exp

import pytest

from audit.stats.arrangements import log_block, log_ends, log_never_falls, log_together


def share(rows: Sequence[int], so: Callable[[tuple[int, ...]], bool]) -> float:
    orders = list(permutations(rows))
    return sum(map(so, orders)) / len(orders)


def runs(order: Sequence[int]) -> list[int]:
    return [value for value, _ in groupby(order)]


@pytest.mark.parametrize("rows", [(1, 0, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0, 0), (1, 1, 1, 0), (1, 1)])
def test_hits_in_one_block_or_at_an_end(rows: tuple[int, ...]) -> None:
    hits = sum(rows)
    assert exp(log_block(hits, len(rows))) == pytest.approx(
        share(rows, lambda o: runs(o).count(1) == 1)
    )
    at_ends = share(rows, lambda o: len(runs(o)) <= 2)
    assert exp(log_ends(hits, len(rows))) == pytest.approx(at_ends)


@pytest.mark.parametrize("counts", [(1, 1, 1, 1), (2, 1, 3), (2, 2, 2), (4,), (1, 0, 2)])
def test_all_alike_together_and_values_that_never_fall(counts: tuple[int, ...]) -> None:
    rows = [kind for kind, count in enumerate(counts) for _ in range(count)]
    together = share(rows, lambda o: len(runs(o)) == len(set(rows)))
    assert exp(log_together(counts)) == pytest.approx(together)
    rising = share(rows, lambda o: list(o) == sorted(rows))
    assert exp(log_never_falls(counts)) == pytest.approx(rising)


def test_nothing_is_told_of_no_rows() -> None:
    assert log_block(0, 9) == log_ends(0, 9) == log_ends(9, 9) == 0
    assert log_together([]) == log_never_falls([]) == 0
