"""The referee against the outsider's checkers of Loo, Nap, Rams, Pitch and their kin.

The short form; `python -m tests.laws.outsider_long all --deals 150` is the long one.
"""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest
from msgspec.structs import replace

from audit.record import Deal
from tests.laws import outsider_compare as compare
from tests.laws.outsider import Book
from tests.laws.outsider_pitch import CALIFORNIA
from tests.laws.outsider_rows import ROWS, faults

COUNT, SEED = 48, 61


def some(name: str) -> list[Deal]:
    """Return four deals that come to play (one of many tricks), their tricks gathered."""
    row, found = ROWS[name], list[Deal]()
    seen: Counter[int] = Counter()
    for one in compare.sample(row, count=8 * len(row.tables), seed=SEED):
        at = len(one.deal.hands)
        if compare.played(one.deal) and seen[at] < -(-4 // len(row.tables)):
            seen[at] += 1
            found.append(compare.gathered(row, one.deal))
    return found[: 1 if name in CALIFORNIA else 4]


@pytest.mark.parametrize("name", ROWS)
def test_both_find_nothing_in_simulated_deals_and_allow_the_same_cards(name: str) -> None:
    tried: Counter[str] = Counter()
    for one in compare.sample(ROWS[name], count=COUNT, seed=SEED):
        assert not list(compare.unchanged(ROWS[name], one, tried))
    assert tried["play"] >= 200
    assert tried["narrowed"] >= 60


@pytest.mark.parametrize("name", ROWS)
def test_both_object_to_a_wrong_card_leader_gatherer_or_score(name: str) -> None:
    tried: Counter[str] = Counter()
    for deal in some(name):
        assert not list(compare.changed(ROWS[name], deal, tried))
    assert all(tried[kind] >= 2 for kind in ("card", "leader", "gatherer", "score")), tried
    assert bool(tried["turn"]) == name.endswith("simple")
    assert bool(tried["draw"]) == (name in CALIFORNIA)


@pytest.mark.parametrize("name", ROWS)
def test_another_card_that_may_be_played_is_no_breach_to_either(name: str) -> None:
    """What follows may then be wrong, and both find the same play, trick or score wrong."""
    tried: Counter[str] = Counter()
    for deal in some(name):
        assert not list(compare.allowed(ROWS[name], deal, tried))
        assert not list(compare.allowed(ROWS[name], compare.bare(deal), tried))
    assert tried["other"] + tried["rescored"] >= 2
    assert tried["same"] >= 4


@pytest.mark.parametrize("name", ["forty_five_odd_trick", "forty_five_per_trick"])
def test_an_ace_of_trumps_that_is_not_announced_is_the_lowest_trump(name: str) -> None:
    """Both then find the same tricks and turns wrong; the silence itself the referee notes."""
    row, tried, wrong = ROWS[name], 0, 0
    for one in compare.sample(row, count=150, seed=SEED):
        said = [k for k, e in enumerate(one.deal.events) if e.word == "turn down"]
        if not said:
            continue
        events = one.deal.events
        silent = replace(one.deal, events=events[: said[0]] + events[said[0] + 1 :])
        found = compare.objections(silent)
        assert [at for at, code in found if code == "W50"] == [said[0]]
        mine = sorted({f.event for f in faults(row, silent)})
        plays = {at for at, code in found if code != "W50"}
        assert mine == sorted(at for at in plays if silent.events[at].kind in compare.PLAYED)
        tried, wrong = tried + 1, wrong + bool(mine)
    assert tried >= 10
    assert wrong >= 2


@pytest.mark.parametrize("name", ["loo3_limited_double", "nap_misere", "bierspiel", "pitch_blind"])
def test_a_reader_that_forgets_a_duty_or_a_trump_is_found_out(name: str) -> None:
    row = ROWS[name]

    def careless(deal: Deal) -> Book:
        free = dataclasses.replace(row.read(deal), duty=lambda hand, trick: hand, later=None)
        return free if name != "pitch_blind" else dataclasses.replace(free, strength=_flat)

    found: Counter[str] = Counter()
    wrong = dataclasses.replace(row, read=careless)
    for one in compare.sample(row, count=COUNT, seed=SEED):
        found.update(d.what for d in compare.unchanged(wrong, one, Counter()))
    assert found["legal"] >= 20
    assert (found["unchanged"] >= 20) == (name == "pitch_blind")


def _flat(card: int, led: int) -> int:
    return card % 13 if card // 13 == led else -1
