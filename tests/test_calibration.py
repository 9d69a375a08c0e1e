"""Fair and crooked tables from the laboratory, with an error budget at risk 1e-9.

Because the seeds are fixed, a failure here is a defect and never bad luck.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from audit.detect import DETECT
from audit.finding import Hypothesis, weighted_sum
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.record import Batch
from audit.run.count import count_batches, judge_all
from audit.stats.binomial import log_upper
from audit.tally import Looks, Table

LAW = GAMES["seven_up_4"]
LOGS, DEALS = 150, 200
THRESHOLDS = (5, 20, 100, 1000)


def budget(trials: int, chance: Fraction, risk: float = 1e-9) -> int:
    """Return the most alarms of a sound test in *trials* logs."""
    return next(k for k in range(trials + 2) if log_upper(trials, k + 1, chance) < math.log(risk))


def judged(cheat: str, deals: int, dial: Fraction, seed: int, player: str) -> list[Hypothesis]:
    """Return what every detector says of one simulated log."""
    t = simulate(LAW, LAB[cheat], deals, dial, seed, player=PLAY[player])
    batch = Batch(
        first=0,
        players=np.full(deals, 4, np.int16),
        dealer=((t.dealer_seat - t.dealer_seat[0]) % 4).astype(np.int32),
        names=("P4", "P1", "P2", "P3"),
        dealer_seat=t.dealer_seat,
        hands=t.hands,
        widow=np.zeros((deals, 0), np.uint8),
        board=np.zeros((deals, 0), np.uint8),
        turnups=t.turnups,
        turn_at=t.turn_at,
    )
    table = Table(
        law=LAW,
        pack=LAW.pack,
        players=4,
        holds=DEALT,
        looks=Looks(deals=deals),
        dealers=batch.names,
        machine=False,
    )
    return judge_all(count_batches([batch], table), table).hypotheses


def _holds() -> Any:
    from audit.readers.jsonl import READER

    return READER.holds


DEALT = _holds()


@pytest.mark.parametrize("player", PLAY.names)
def test_fair_tables_are_spared_at_every_threshold_however_often_looked_at(player: str) -> None:
    highest: dict[str, list[float]] = {}
    sums: list[float] = []
    means: dict[str, list[float]] = {}
    for seed in range(LOGS):
        found = judged("fair", DEALS, Fraction(0), seed, player)
        for h in found:
            key = f"{h.detector} {sorted(h.subject.items())}"
            highest.setdefault(key, []).append(h.highest)
            means.setdefault(key, []).append(min(math.exp(min(h.final, 20.0)), 20.0))
        sums.append(float(weighted_sum(found, Looks(deals=DEALS).count).max()))
    for line in (*highest.values(), sums):
        for level in THRESHOLDS:
            alarms = sum(x >= math.log(level) for x in line)
            assert alarms <= budget(LOGS, Fraction(1, level))
    slack = 20 * math.sqrt(math.log(1e9) / (2 * LOGS))
    assert all(sum(m) / LOGS <= 1 + slack for m in means.values())


def test_an_e_value_half_too_large_breaks_the_exact_mean() -> None:
    """The mean of the Jacks' e over every outcome of six deals is at most 1, in any order."""
    from audit.detect.turned_honours import mixture

    fair = Fraction(1, 13)
    mean = 0.0
    for hits in range(7):
        chance = math.comb(6, hits) * fair**hits * (1 - fair) ** (6 - hits)
        e = math.exp(float(mixture(np.array([hits]), np.array([6 - hits]), fair)[0]))
        mean += float(chance) * e
    assert 0.999 < mean <= 1
    assert mean * 1.01 > 1


@pytest.mark.parametrize(("dial", "deals", "least"), [("1/12", 3200, 0.75), ("2/12", 1600, 0.9)])
def test_a_dealer_with_too_many_jacks_is_named(dial: str, deals: int, least: float) -> None:
    named = 0
    for seed in range(20):
        found = judged("turned_jacks", deals, Fraction(dial), seed, "sensible")
        named += any(h.flagged and h.detector == "turned_honours" for h in found)
        others = [h for h in found if h.flagged and h.subject.get("dealer", "P4") != "P4"]
        assert others == []
    assert named >= least * 20


def test_a_missing_ten_is_named_within_thirty_deals() -> None:
    for seed in range(20):
        found = judged("missing_ten", 30, Fraction(1), seed, "sensible")
        assert [h.subject for h in found if h.flagged] == [{"card": "TS"}]


def test_a_half_stock_set_up_in_every_deal_is_found() -> None:
    found = judged("stacked_stock", 800, Fraction(1), 1, "sensible")
    assert {"dealer": "P4"} in [h.subject for h in found if h.flagged and h.code == "W02"]


def test_sensible_begging_without_logged_hands_stays_under_the_bound() -> None:
    """Tables that run only without plain Jacks turn more later Jacks than 1/17, and are spared."""
    t = simulate(LAW, LAB["fair"], 20_000, Fraction(0), 5, player=PLAY["jackless"])
    first = t.turn_at[:-1][np.diff(t.turn_at) > 1]
    second = t.turnups[first + 1]
    jacks = (second % 13 == 9) & (second // 13 != t.turnups[first] // 13)
    assert jacks.mean() > 1 / 17
    assert jacks.mean() < 3 / 39 + 4 * math.sqrt(3 / 39 / len(jacks))


def test_every_detector_of_the_folder_takes_part() -> None:
    found = {h.detector for h in judged("fair", 50, Fraction(0), 0, "random_beggar")}
    assert found == set(DETECT.names)
