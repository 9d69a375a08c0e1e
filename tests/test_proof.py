"""The short form of the proof of calibration, and wrong builds that it catches."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.detect import missing_card
from audit.event import Event
from audit.lab._random import Words, uniform_orders
from audit.record import Deal
from audit.tally import Arrays, Table
from tests import proof_of_calibration as proof
from tests._logs import toy
from tests._small_suspicions import BEG_KNOWS, RARE
from tests._worlds import Judge, suspecting

SIX = "JS JH TS 2S 2H 3H"
SPEAK = {"turned_card", "turned_honours", "missing_card"}


def speakers(means: Mapping[str, float]) -> set[str]:
    return {key.split()[0] for key in means if key != proof.SUM}


def test_turn_ups_of_eight_cards_are_judged_within_every_level() -> None:
    found = proof.world("turn-ups", 9)
    assert speakers(found.means) == {*SPEAK, "turned_ten"}
    assert found.failures() == []
    assert found.flagged[True, Fraction(1, 50)] == Fraction(325_389, 134_217_728)


def test_hands_and_runs_of_six_cards_are_judged_within_every_level() -> None:
    found = proof.world(SIX, 1)
    assert speakers(found.means) == {
        *SPEAK,
        "favoured_seat",
        "later_turnups",
        "uneven_ranks",
        "beg_knows",
        "rare",
    }
    assert found.failures(tenth=False) == []


def test_hands_of_a_pack_with_two_tens_are_judged_within_every_level() -> None:
    """The suspicions made for small packs have to know how many Tens there are."""
    assert proof.world("JS JH TS TH 2S 2H", 1).failures(tenth=False) == []


@pytest.mark.parametrize(("name", "deals"), [("turn-ups", 3), (SIX, 1)])
def test_one_e_a_hundredth_too_large_exceeds_its_mean(name: str, deals: int) -> None:
    """Every mean is as good as 1, but for two.

    The best hand is bet on at a bound, and the ranks of all hands pay beforehand for a first deal
    that is kept back.
    """
    means = proof.world(name, deals, factor=1.01).means
    below = {"favoured_seat best of each deal", "uneven_ranks ranks and suits"}
    assert {k for k, mean in means.items() if mean <= 1} <= below


def test_a_build_that_forgets_turn_ups_left_out_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(
        got: Arrays, table: Table, card: int, size: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return got["deals"], got["shown"][:, :, card]

    monkeypatch.setattr(missing_card, "_told", told)
    means = proof.world("turn-ups", 4).means
    assert {k for k, mean in means.items() if mean > 1.05} == {
        "missing_card Jack",
        "missing_card Ten",
        "missing_card other",
    }


def test_sums_of_tallies_are_judged_as_logs_are() -> None:
    law = toy(SIX)
    pack = np.array(law.pack, np.uint8)
    with suspecting(BEG_KNOWS, RARE):
        judge = Judge(law=law)
        logs = [
            [deal(law.id, number, bytes(pack[row])) for number, row in enumerate(orders)]
            for orders in uniform_orders(Words(1), 4 * 40, 6).reshape(40, 4, 6)
        ]
        later = judge.sums([one for log in logs for one in log[1:]]).reshape(40, 3, -1)
        got = judge.judged(judge.sums([log[0] for log in logs], first=True) + later.sum(axis=1))
        for i, log in enumerate(logs):
            plainly = judge.plainly(log)
            spoken = {key: row[i] for key, row in got.items() if not np.isneginf(row[i])}
            assert spoken.keys() == plainly.keys()
            assert spoken == pytest.approx(plainly, abs=1e-9)


def deal(game: str, number: int, order: bytes) -> Deal:
    """Return a deal in which the eldest begs with an odd card, and every fourth hand is lost."""
    begs = order[0] % 2 == 1
    eldest = 1 + number % 2
    cards = (order[:1], b"" if order[3] % 4 == 3 else order[1:2])
    return Deal(
        game=game,
        players=2,
        dealer="AB"[number % 2],
        dealer_seat=3 - eldest,
        hands=cards if eldest == 1 else cards[::-1],
        turnups=order[2:3] + (order[5:6] if begs else b""),
        events=(Event(kind="call", seat=eldest, word="beg" if begs else "stand"),),
    )
