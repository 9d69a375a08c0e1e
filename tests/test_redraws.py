"""A player who knows the dealer's cards is found by redraws; the same without knowing is not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from scipy.stats import binom

from audit.games import GAMES
from audit.stats.randomise import sampled_e
from audit.suspect import SUSPECT
from tests.bench_redraws import MOST, begs_of, log, sampled


def test_hits_are_those_of_the_closed_form() -> None:
    deals = log("1", 120, 3)
    find = SUSPECT["marked_hands"].find
    assert find is not None
    law = GAMES["seven_up_2"]
    found = [t for d in deals for t in find(d, law) if t.subject == 2 and t.shown]
    begs = begs_of(deals, "seven_up_2", 2)
    assert len(begs.begged) == len(found) == 60
    assert begs.hits == sum(t.hit for t in found)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_who_knows_the_hidden_cards_is_found_by_redraws(seed: int) -> None:
    found = sampled(begs_of(log("1", 250, seed), "seven_up_2", 2))
    assert found.draws == MOST
    assert found.p == Fraction(1, MOST + 1)
    assert sampled_e(found, most=MOST) > 1000


def test_the_same_player_without_the_knowledge_is_not_and_costs_few_redraws() -> None:
    logs = 60
    found = [sampled(begs_of(log("0", 120, 100 + k), "seven_up_2", 2)) for k in range(logs)]
    for level in (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2)):
        assert sum(f.p <= level for f in found) <= binom.isf(1e-9, logs, float(level))
    assert all(sampled_e(f, most=MOST) < 1000 for f in found)
    assert sorted(f.draws for f in found)[logs // 2] < 100
