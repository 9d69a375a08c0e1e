"""Redraws are uniform to the last word, and stop where a draw at a time would."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, hypergeom

from audit.stats import randomise, redraw
from audit.stats.redraw import groups, redraws, samples, stopped_early


@pytest.mark.parametrize(("size", "drawn"), [(5, 3), (4, 4), (6, 1), (7, 5)])
def test_the_words_below_the_bound_make_each_ordered_sample_once(size: int, drawn: int) -> None:
    every = math.perm(size, drawn)
    got = samples(np.arange(every, dtype=np.uint64)[:, None], size, drawn)
    assert sorted(map(tuple, got.T.tolist())) == sorted(permutations(range(size), drawn))


def test_a_sample_over_two_words_is_as_uniform(monkeypatch: pytest.MonkeyPatch) -> None:
    groups.cache_clear()
    monkeypatch.setattr(redraw, "LARGEST", 20)
    try:
        assert groups(5, 4) == ((5, 4), (3, 2))
        words = np.array([(a, b) for a in range(20) for b in range(6)], np.uint64)
        got = samples(words, 5, 4)
        assert sorted(map(tuple, got.T.tolist())) == sorted(permutations(range(5), 4))
    finally:
        groups.cache_clear()


def test_a_word_in_the_biased_remainder_falls_away() -> None:
    edge = (1 << 64) - (1 << 64) % math.perm(45, 6)
    words = np.array([[edge - 1], [edge], [(1 << 64) - 1]], np.uint64)
    assert samples(words, 45, 6).shape == (6, 1)


def test_thirteen_cards_take_two_words_and_are_distinct() -> None:
    assert [len(g) for g in groups(39, 13)] == [11, 2]
    got = next(redraws(3, 39, 13, block=512))
    assert got.shape[1] > 500
    assert all(len(set(column)) == 13 and max(column) < 39 for column in got.T.tolist())


def test_marked_cards_come_as_the_hypergeometric_law_has_it() -> None:
    got = Counter[int]()
    for block, _ in zip(redraws(11, 45, 6), range(20), strict=False):
        got.update((block < 5).sum(axis=0).tolist())
    total = sum(got.values())
    for k in range(6):
        p = hypergeom.pmf(k, 45, 5, 6)
        assert binom.isf(1 - 1e-10, total, p) <= got[k] <= binom.isf(1e-10, total, p)


class Parts:
    """A stream that is given out in blocks."""

    def __init__(self, stream: NDArray[np.float64]) -> None:
        self.stream, self.at = stream, 0

    def some(self, n: int) -> NDArray[np.float64]:
        self.at += n
        return self.stream[self.at - n : self.at]


@pytest.mark.parametrize(("enough", "most"), [(1, 30), (3, 200), (10, 999), (50, 64)])
def test_blocks_stop_where_single_draws_do(enough: int, most: int) -> None:
    rng = np.random.default_rng(enough)
    for observed in (0.2, 0.9, 0.99, 2.0):
        stream = rng.random(most)
        singles, parts = iter(stream.tolist()), Parts(stream)
        wanted = randomise.besag_clifford(
            partial(next, singles), observed=observed, enough=enough, most=most
        )
        assert stopped_early(parts.some, observed=observed, enough=enough, most=most) == wanted


def test_what_cannot_be_drawn_is_refused() -> None:
    for size, drawn in ((5, 6), (5, 0), (257, 3)):
        with pytest.raises(ValueError, match="groups"):
            groups(size, drawn)
    with pytest.raises(ValueError, match="stopped_early"):
        stopped_early(lambda n: np.zeros(n), observed=0, enough=0, most=9)
