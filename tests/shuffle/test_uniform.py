"""The short form of `tests.shuffle.uniform`, from fixed bytes: a failure is a defect."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from math import isclose

import numpy as np
import pytest

from tests.shuffle import uniform


def stream(seed: str) -> Callable[[int], bytes]:
    """Return a source of fixed bytes."""
    turn = 0

    def draw(size: int) -> bytes:
        nonlocal turn
        turn += 1
        return hashlib.shake_256(f"{seed} {turn}".encode()).digest(size)

    return draw


def test_numpy_and_the_sampler_give_the_same_orders() -> None:
    assert uniform.agrees_with_the_sampler(uniform.words_of(300, stream("same")))


def test_packs_of_the_real_derivation_stay_in_their_ranges() -> None:
    draw = stream("derived")
    seen = uniform.run(3_000, lambda n: uniform.derived(n, draw))
    assert seen.packs == 3_000
    assert uniform.alarms(seen) == []


def test_packs_of_the_sampler_stay_in_their_ranges() -> None:
    draw = stream("sampled")
    seen = uniform.run(40_000, lambda n: uniform.sampled(uniform.words_of(n, draw)))
    assert 39_990 <= seen.packs <= 40_000
    assert uniform.alarms(seen) == []


@pytest.mark.parametrize("fault", ["exclusive", "modulo", "swap", "short"])
def test_a_faulty_dealer_leaves_them(fault: str) -> None:
    """An exclusive bound; words of 7 bits under a bare modulo; every pack swapped alike; one
    place never reached."""
    words = uniform.words_of(40_000, stream("faulty"))
    if fault == "modulo":
        orders = uniform.sampled(words & np.uint32(127))
    elif fault == "short":
        words[:, 0] = words[:, 0] % 51
        orders = uniform.sampled(words)
    else:
        orders = uniform.sampled(words, exclusive=fault == "exclusive")
    if fault == "swap":
        even = uniform.parity(orders) == 0
        orders[even, 0], orders[even, 1] = orders[even, 1].copy(), orders[even, 0].copy()
    found = uniform.alarms(uniform.count(orders))
    assert found
    assert fault != "swap" or found == ["parity"]


def test_parity_and_fixed_points_are_those_of_known_orders() -> None:
    whole = np.arange(52, dtype=np.uint8)
    swapped = whole.copy()
    swapped[[3, 9]] = swapped[[9, 3]]
    turned = np.roll(whole, 1)
    seen = uniform.count(np.array([whole, swapped, turned]))
    assert uniform.parity(np.array([whole, swapped, turned])).tolist() == [0, 1, 1]
    assert seen.fixed.tolist() == [1, 0, 0, 0, 0, 0, 0, 2]


def test_the_chances_of_fixed_points_sum_to_one_and_are_those_of_derangements() -> None:
    chances = uniform.chances()
    assert isclose(sum(chances), 1, rel_tol=1e-12)
    assert isclose(chances[0], 0.36787944117144233, rel_tol=1e-12)
