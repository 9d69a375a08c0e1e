"""Suspicions: trials, their bets, and what they say of logs that hold what they look for."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from audit.columns import columns_of, ragged
from audit.count import COUNT
from audit.count.trials import _bets
from audit.detect.suspects import DETECTOR, curve
from audit.finding import WEIGHTS
from audit.games import GAMES
from audit.record import TRIAL, Deal, Holds
from audit.stats.chances import BINS
from audit.stats.tilt import SCALE, hit_and_miss
from audit.suspect import SUSPECT, suspicions
from audit.suspicion import LARGEST, Trial, rounded_up, stored
from audit.tally import Looks, Table

LAWS = [GAMES[name] for name in GAMES.names if name != "quadrille"]


def table_of(game: str, deals: int, dealers: tuple[str, ...] = ("A", "B")) -> Table:
    law = GAMES[game]
    return Table(
        law=law,
        pack=law.pack,
        players=law.players[1],
        holds=Holds(),
        looks=Looks(deals=deals),
        dealers=dealers,
        machine=False,
    )


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.id)
def test_shares_of_one_game_fit_in_their_weights(law: object) -> None:
    parts: Counter[str] = Counter()
    for suspicion in suspicions(law).values():  # type: ignore[arg-type]
        parts[suspicion.weight] += suspicion.part  # type: ignore[assignment]
        assert suspicion.id in SUSPECT.names
        assert suspicion.part > 0
        assert (suspicion.find is None) != (suspicion.scan is None) or suspicion.find
    assert all(part <= 1 for part in parts.values())
    assert parts.keys() <= WEIGHTS.keys()


def test_a_chance_is_stored_never_too_small() -> None:
    for chance in (Fraction(1, 7), Fraction(1, 10**12), Fraction(10**12 - 1, 10**12)):
        num, den = rounded_up(chance)
        assert 0 < num <= den < LARGEST
        assert chance <= Fraction(num, den) <= chance + Fraction(1, LARGEST - 2)


@pytest.mark.parametrize("name", SUSPECT.names)
def test_no_bet_gains_at_its_chance(name: str) -> None:
    suspicion = SUSPECT[name]
    for chance in (Fraction(1, 13), Fraction(1, 4), Fraction(3, 5), Fraction(1, 10**7)):
        mean = 0.0
        for hit, p in ((True, chance), (False, 1 - chance)):
            raw = stored({0: [Trial(chance=chance, hit=hit, subject=1)]})
            row = np.frombuffer(raw, TRIAL)[0]
            bets = _bets(int(row["num"]), int(row["den"]), suspicion.odds)[int(row["hit"])]
            mean += float(p) * math.exp(curve(bets[None])[0])
        assert 0.99 < mean <= 1
        assert mean * 1.02 > 1
    assert SCALE == 1 << 20


def high(place: int) -> Deal:
    hand = bytes(13 * 2 + "23456789TJQKA".index(r) for r in "AKJT92")
    other = bytes(range(6))
    hands = (hand, other) if place == 1 else (other, hand)
    return Deal(game="seven_up_2", hands=hands, turnups=bytes([13 * 2 + 1]), dealer="A")


def judged(deals: list[Deal]) -> dict[str, float]:
    table = table_of("seven_up_2", len(deals))
    names = {n: k for k, n in enumerate(table.dealers)}
    batch = columns_of(deals, names).batch(0)
    found = DETECTOR.judge({"trials": COUNT["trials"].count(batch, table)}, table)
    return {h.subject["place"]: h.final for h in found.hypotheses if h.detector == "high_hand"}


def test_one_high_hand_is_worth_its_price() -> None:
    got = judged([high(2)])
    assert got["1"] < 0
    assert math.log(2_500_000) < got["2"] < math.log(33_446_140)


def test_hands_written_down_only_when_they_are_high_are_no_evidence() -> None:
    """Those that are not written down cost what a miss costs, in every batch of the log."""
    deal = high(1)
    bare = Deal(game="seven_up_2", turnups=deal.turnups, players=2, dealer="A")
    assert judged([bare] * 3) == {}
    alone, kept = judged([deal])["1"], judged([*[bare] * 400, deal])["1"]
    missed = judged([*[high(2)] * 400, deal])["1"]
    assert kept == missed < alone


def test_bins_tell_chances_upwards() -> None:
    assert BINS[0] < 1e-9
    assert BINS[-1] == 1
    assert (np.diff(BINS) > 0).all()


def test_a_hidden_outcome_takes_the_worse_of_every_bet() -> None:
    odds = (Fraction(1, 4), 2, None)
    miss, hit, hidden = _bets(1, 3, odds)
    assert (hidden == np.minimum(miss, hit)).all()
    assert (hidden <= 0).all()
    assert hidden[0] == hit[0] < miss[0]
    assert hidden[1] == miss[1] < hit[1]


def test_a_bet_on_fewer_hits_never_stands_on_a_chance_too_large() -> None:
    """A chance that is rounded up to be stored makes a miss look rarer than it is."""
    for chance in (Fraction(868386611, 5178066751), Fraction(1, 7), Fraction(10**12 - 1, 10**12)):
        num, den = rounded_up(chance)
        low = chance - Fraction(1, LARGEST - 1) if den == LARGEST - 1 else chance
        assert Fraction(num, den) >= chance >= low
        miss, hit, _ = _bets(num, den, (Fraction(1, 2), 2))
        assert miss[0] <= hit_and_miss(chance, Fraction(1, 2))[1]
        assert hit[1] <= hit_and_miss(chance, 2)[0]


def test_what_a_log_hides_of_one_suspicion_is_told_and_alone_is_silence() -> None:
    quarter = Fraction(1, 4)
    which = next(k for k, n in enumerate(SUSPECT.names) if n == "drawn_fifteen")
    table = table_of("vingt_un", 2)
    for shown, hypotheses in ((True, 1), (False, 0)):
        deals = [Deal(game="vingt_un", players=2, dealer="A"), Deal(game="vingt_un", players=2)]
        trials = [
            stored({which: [Trial(chance=quarter, hit=True, subject=1, shown=shown)]}),
            stored({which: [Trial(chance=quarter, hit=True, subject=1, shown=False)]}),
        ]
        batch = replace(columns_of(deals, {"A": 0}), trials=ragged(trials)).batch(0)
        found = DETECTOR.judge({"trials": COUNT["trials"].count(batch, table)}, table)
        mine = [h for h in found.hypotheses if h.detector == "drawn_fifteen"]
        assert len(mine) == hypotheses
        assert all("1 of 2" in h.message and "(1 do not show it" in h.message for h in mine)
        assert ("drawn_fifteen" in {s.detector for s in found.silent}) == (not hypotheses)
