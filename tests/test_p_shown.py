"""The p-values that are shown beside evidence: valid, said to be bounds, adjusted by Holm."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.detect import DETECT
from audit.detect._tails import at_most, of_trials
from audit.detect.suspects import told
from audit.detect.turned_honours import _others
from audit.finding import P, adjusted
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.readers import jsonl
from audit.run.audit import audit
from audit.stats import fisher
from audit.stats.chances import BINS
from audit.suspect import SUSPECT
from audit.suspicion import UNIT
from tests._suspected import columns, dealt, table_of
from tests.stats.test_repeated import law_of_hits

WHOLE_DEALS = [n for n in SUSPECT.names if SUSPECT[n].find is None]


@pytest.mark.parametrize("name", WHOLE_DEALS)
def test_a_suspicion_that_shows_a_p_holds_one_trial_a_deal_and_subject(name: str) -> None:
    """Of two in one deal the second would have a chance that follows from the first."""
    scan, seen = SUSPECT[name].scan, 0
    assert scan is not None
    for law in (GAMES[n] for n in GAMES.names):
        if not SUSPECT[name].games(law):
            continue
        deals = list(dealt(law, law.players[1], 40, 1, {}))
        names = {f"P{k}": k - 1 for k in range(1, 8)}
        batch, table = columns(law, deals, names).batch(0), table_of(law, deals, list(names))
        found = scan(batch, table)
        if found is not None:
            keys = np.stack([found.row, found.subject], axis=1)
            assert len(np.unique(keys, axis=0)) == len(keys)
            seen += len(keys)
    assert seen or name in ("trumps_again", "kept_four", "end_packet")


@pytest.mark.parametrize("name", ["three_trumps", "club_turned"])
def test_no_level_is_passed_too_often_by_the_p_of_trials(name: str) -> None:
    """Exactly, over all outcomes of seven trials of three chances; one bet and two both ways."""
    chances = (Fraction(1, 13),) * 3 + (Fraction(1, 4),) * 2 + (Fraction(11, 20),) * 2
    law, n = law_of_hits(chances), len(chances)
    bins = np.zeros(len(BINS), np.int64)
    for p in chances:
        bins[np.searchsorted(BINS, float(p))] += 1
    units = sum(p.numerator * UNIT // p.denominator for p in chances)
    found = []
    for hits in range(n + 1):
        log10 = of_trials(SUSPECT[name], (n, hits, 0, units), bins).log10
        assert log10 is not None
        found.append((10**log10, law[hits]))
    for level in (p for p, _ in found):
        assert sum(chance for p, chance in found if p <= level) <= level * (1 + 1e-9)
    assert min(p for p, _ in found) < 0.01


def test_no_p_is_shown_where_acts_or_names_that_are_left_out_choose_the_trials() -> None:
    bins = np.zeros(len(BINS), np.int64)
    bins[np.searchsorted(BINS, 0.25)] = 10
    seen = (10, 9, 0, 10 * UNIT // 4)
    assert of_trials(SUSPECT["marked_hands"], seen, bins).log10 is None
    assert of_trials(SUSPECT["club_turned"], seen, bins, 1).log10 is None
    assert (of_trials(SUSPECT["club_turned"], seen, bins).log10 or 0) < -3


def test_a_dealer_is_compared_with_the_others_by_fishers_test() -> None:
    """Of the 70 ways to deal four paying cards of eight deals, 17 give him three or more."""
    # 17 / 70 is .2429, more than .24.
    assert "chance 0.25 at most" in _others(3, 4, (1, 4), "dealer")
    assert _others(1, 4, (3, 4), "dealer") == _others(3, 4, (0, 0), "dealer") == ""
    assert _others(9_000, 10_000, (1, 10_001), "dealer") == ""
    far = re.search(r"chance 10\^(-[\d.]+) at most", _others(900, 1_000, (90, 1_000), "dealer"))
    assert far is not None
    log10 = fisher.log_upper(((900, 100), (90, 910))) / math.log(10)
    assert log10 <= float(far[1]) < log10 + 0.1


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (52.012, 3, "52.1"),
        (54.5, 3, "54.5"),
        (0.1 + 0.2, 3, "0.3"),
        (17 / 70, 2, "0.25"),
        (9.991, 2, "10"),
        (1.0, 2, "1"),
        (1e-9 / 3, 3, "3.34e-10"),
    ],
)
def test_a_bound_is_rounded_up(value: float, digits: int, shown: str) -> None:
    assert at_most(value, digits) == shown


def test_what_is_told_as_a_bound_of_the_hits_is_no_less_than_they_are() -> None:
    bound, exact = SUSPECT["marked_hands"], SUSPECT["marked_stock"]
    assert ("at most" in bound.says, "at most" in exact.says) == (True, False)
    assert (told(bound, 52.012), told(exact, 52.012)) == ("52.1", "52")


def test_holm_counts_every_hypothesis_of_the_audit() -> None:
    shown = [P(log10=-4.0), P(log10=None, note="none"), P(log10=-3.0)]
    first, none, second = adjusted(shown, 7)
    assert none is None
    assert first == pytest.approx(-4 + math.log10(10))
    assert second == pytest.approx(-3 + math.log10(9))


def report(path: Path, crook: str, deals: int, game: str = "seven_up_4") -> dict[str, Any]:
    player = PLAY["sensible"]
    made = simulate(GAMES[game], LAB[crook], deals, Fraction(1), 5, 4, player=player)
    path.write_bytes(b"".join(jsonl.encode(d) + b"\n" for d in made.records()))
    return audit([str(path)], form=None, game=None)


def test_a_report_shows_p_of_orders_and_suspicions_or_says_why_not(tmp_path: Path) -> None:
    found = report(tmp_path / "x.jsonl", "riffles", 120)
    evidence = [f for f in found["findings"] if f["kind"] == "evidence"]
    orders = {f["detector"]: f for f in evidence if f["subject"].get("table") == "all"}
    assert orders["riffles"]["log10_p"] < -6
    assert orders["riffles"]["p_note"] == ""
    assert "times the" in orders["card_places"]["p_note"]
    for f in evidence:
        if f["detector"] in (*WHOLE_DEALS, "riffles", "successions", "honour_packets"):
            assert f["log10_p"] is not None or f["p_note"].startswith("none: ")
        if f["log10_p"] is not None:
            assert f["log10_p"] <= f["log10_p_holm"] <= 0
    assert {f["p_note"][:5] for f in evidence if f["detector"] == "machine_order"} <= {"none:"}


def test_every_detector_of_orders_works_its_p_out_on_a_fair_log(tmp_path: Path) -> None:
    found = report(tmp_path / "x.jsonl", "fair", 40)
    for f in found["findings"]:
        if f["detector"] in DETECT.names and f.get("log10_p") is not None:
            assert f["log10_p_holm"] > -3
