"""Audits of real logs, and of small ones made up here."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs
from numpy.typing import NDArray

from audit.cards import UNKNOWN
from audit.columns import Columns
from audit.finding import WEIGHTS
from audit.games import GAMES
from audit.lab import LAB
from audit.lab._simulate import simulate
from audit.play import PLAY
from audit.readers.jsonl import encode
from audit.referee.simulate import Lots, first_deal
from audit.run.audit import audit


def flagged(report: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
    return [(f["code"], f["subject"]) for f in report["findings"] if f["flagged"]]


def run(path: Path) -> dict[str, Any]:
    return audit([str(path)], form=None, game=None)


def test_all_weights_sum_to_one_and_stand_as_first_given() -> None:
    assert sum(WEIGHTS.values()) == 1
    shown = {k: f"{v.numerator}/{v.denominator}" for k, v in WEIGHTS.items()}
    assert shown == {
        "turned_honours": "1/8",
        "missing_ten": "1/16",
        "missing_card": "1/16",
        "favoured_seat": "1/10",
        "best_hand": "1/40",
        "later_turnups": "1/16",
        "turned_card": "1/16",
        "repeats": "1/128",
        "order": "15/128",
        "decisions": "1/16",
        "misdeals": "1/16",
        "events": "3/32",
        "reserve": "5/32",
    }


def test_a_stock_whose_kitties_stand_sorted_is_flagged_and_explained(data: Path) -> None:
    # Shows: turn-ups as the file states them.  Cannot show: what the server turned.
    report = run(data / "euchre-dealstock" / "stock_2022_sample.txt")
    top = report["findings"][0]
    assert (report["verdict"], top["code"], top["flagged"]) == ("flagged", "T02", True)
    assert top["log10_e"] > 100
    assert "kitty that stands sorted in 1,000 of 1,000 rows" in top["message"]
    assert "while the kitty and the hands are fair as sets" in top["message"]
    assert "or the server turned the lowest card of the kitty" in top["message"]
    assert report["inputs"][0]["holds"]["widow_order"] == "sorted"
    assert "the file cannot tell which" in top["message"]


def test_a_stock_of_biased_order_is_flagged_without_sorted_kitties(data: Path) -> None:
    report = run(data / "euchre-dealstock" / "stock_2024_sample_a.txt")
    top = report["findings"][0]
    assert flagged(report) == [("T02", {"machine": "of this log"})]
    assert 5.5 < top["log10_e"] < 7
    assert "not sorted" in top["message"]
    assert report["inputs"][0]["other"] == 100


def test_each_of_three_stocks_of_counts_is_flagged(data: Path) -> None:
    report = run(data / "euchre-dealstock" / "turn_up_counts.csv")
    assert len([c for c, _ in flagged(report) if c == "T02"]) == 3


@pytest.mark.parametrize(
    "name",
    [
        "poker-phh/pluribus_sessions_100-107.phhs",
        "bridge-pbn/realbridge_2021_open_r2.pbn",
        "bridge-pbn/common_game_2020-02-21.pbn",
        "bridge-pbn/common_game_2026-01-19.pbn",
        "bridge-pbn/Hand_Trophy_Pairs.pbn",
        "bridge-pbn/fifth_friday_1999.pbn",
    ],
)
def test_a_log_with_nothing_wrong_is_clear(data: Path, name: str) -> None:
    report = run(data / name)
    assert (report["verdict"], flagged(report)) == ("clear", [])


def test_records_of_one_board_count_as_one_deal(data: Path) -> None:
    report = run(data / "bridge-pbn" / "realbridge_2021_open_r2.pbn")
    row = report["inputs"][0]
    assert (row["records"], row["deals"], row["repeated_records"]) == (299, 10, 289)


def test_counting_records_for_deals_would_raise_a_false_alarm(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from audit.run import keys

    def nothing(keys: object, columns: Columns) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        return np.zeros((len(columns), 2), np.uint64), np.zeros(len(columns), np.bool_)

    monkeypatch.setattr(keys, "content_hash", nothing)
    report = run(data / "bridge-pbn" / "realbridge_2021_open_r2.pbn")
    assert report["verdict"] == "flagged"


def test_an_event_that_gives_south_the_best_hand_names_south_only(data: Path) -> None:
    report = run(data / "bridge-pbn" / "bbo_forums_sunday.pbn")
    assert flagged(report) == [("T12", {"seat": "South"})]


def test_deals_made_to_a_condition_are_flagged_and_no_seat_is_named(data: Path) -> None:
    report = run(data / "bridge-pbn" / "constrained_2C_opening.pbn")
    assert flagged(report) == [("T12", {"hand": "best of each deal"})]


def test_a_board_with_a_card_twice_is_one_contradiction_and_the_rest_is_audited(
    data: Path,
) -> None:
    report = run(data / "bridge-pbn" / "world_1998_semi2_bad.pbn")
    wrong = [f for f in report["findings"] if f["kind"] == "contradiction"]
    assert (report["verdict"], len(wrong)) == ("contradiction", 1)
    assert report["inputs"][0]["deals"] == 13


def test_a_file_without_deals_is_no_fair_file(data: Path) -> None:
    assert run(data / "bridge-pbn" / "zd_empty.pbn")["verdict"] == "nothing to audit"


def night(path: Path, jack_every: int, deals: int = 200) -> Path:
    """Write a secretary's log in which every so many turn-ups are Jacks."""
    plain = [r + s for r in "23456789TQKA" for s in "SHDC"]
    rows = ["deal,dealer,turnup"]
    for i in range(deals):
        card = "J" + "SHDC"[i % 4] if i % jack_every == 0 else plain[(i * 7) % 48]
        rows.append(f"{i + 1},ann,{card}")
    path.write_text("\n".join(rows) + "\n")
    return path


def test_jacks_every_third_deal_are_named_with_their_dealer(tmp_path: Path) -> None:
    report = run(night(tmp_path / "night.csv", 3))
    assert ("W13", {"dealer": "ann"}) in flagged(report)


def test_jacks_once_in_thirteen_are_clear(tmp_path: Path) -> None:
    assert run(night(tmp_path / "night.csv", 13))["verdict"] == "clear"


@pytest.mark.parametrize("hidden", [None, 0, 3, 5])
def test_repeats_want_a_first_deal_of_which_every_card_is_known(
    hidden: int | None, tmp_path: Path
) -> None:
    log = tmp_path / "x.jsonl"
    table = simulate(
        GAMES["seven_up_4"], LAB["fair"], 4, Fraction(1), 3, 4, player=PLAY["sensible"]
    )
    deals = [structs.replace(d, order_after_cut=None) for d in table.records()]
    if hidden is not None:
        hand = bytearray(deals[0].hands[1])
        hand[hidden] = UNKNOWN
        hands = (deals[0].hands[0], bytes(hand), *deals[0].hands[2:])
        deals[0] = structs.replace(deals[0], hands=hands)
    log.write_bytes(b"".join(encode(d) + b"\n" for d in deals))
    report = run(log)
    silent = [s["why"] for s in report["silent"] if s["detector"] == "repeats"]
    assert silent == ([] if hidden is None else ["the first deal does not show every hand"])


@pytest.mark.parametrize("shows", ["order", "hands"])
def test_a_repeat_is_told_where_the_hands_depend_on_how_many_play(
    shows: str, tmp_path: Path
) -> None:
    # Five of Pope Joan hold nine cards each, two would hold 21.
    log, law, lots = tmp_path / "x.jsonl", GAMES["pope_joan"], Lots(3)
    dealt = []
    for k in range(4):
        pack = list(law.pack)
        order = bytes(pack.pop(lots.below(len(pack))) for _ in range(51))
        one = structs.replace(first_deal(law, order, 5, 5, {}), table="1", dealer="A")
        kept = one if shows == "order" else structs.replace(one, order_after_cut=None)
        dealt.append(structs.replace(kept, number=str(k)))
    dealt.append(structs.replace(dealt[1], number="4"))
    log.write_bytes(b"".join(encode(d) + b"\n" for d in dealt))
    report = run(log)
    (found,) = (f for f in report["findings"] if f["detector"] == "repeats")
    assert (report["inputs"][0]["deals"], found["flagged"]) == (4, True)
    assert found["message"] == (
        "1 deals repeat an earlier deal of their table card for card; deal 4 is deal 1"
    )
    # The mean over q of q (1 - q)^4 M / 4, M = 51! / (9!^5 6!).
    ways = math.factorial(51) // (math.factorial(9) ** 5 * math.factorial(6))
    mean = sum(q * (1 - q) ** 4 for q in (0.5, 0.1, 0.01, 0.001, 0.0001)) / 5
    assert found["log10_e"] == pytest.approx(math.log10(mean * ways / 4), abs=1e-9)


def test_a_repeat_is_weighed_by_the_hands_of_its_own_deal(tmp_path: Path) -> None:
    # Ten play the first deal of Spoil Five, four the one that comes twice.
    log, law, lots, dealt = tmp_path / "x.jsonl", GAMES["spoil_five"], Lots(5), []
    for k, players in enumerate((10, 4, 4)):
        pack = list(law.pack)
        order = bytes(pack.pop(lots.below(len(pack))) for _ in range(52))
        one = first_deal(law, order, players, players, {})
        dealt.append(structs.replace(one, table="1", number=str(k), order_after_cut=None))
    dealt.append(structs.replace(dealt[1], number="3"))
    log.write_bytes(b"".join(encode(d) + b"\n" for d in dealt))
    (found,) = (f for f in run(log)["findings"] if f["detector"] == "repeats")
    ways = math.factorial(52) // (math.factorial(5) ** 4 * math.factorial(32))
    mean = sum(q * (1 - q) ** 3 for q in (0.5, 0.1, 0.01, 0.001, 0.0001)) / 5
    assert found["log10_e"] == pytest.approx(math.log10(mean * ways / 3), abs=1e-9)


def test_a_card_that_is_not_known_contradicts_no_order(tmp_path: Path) -> None:
    log = tmp_path / "x.jsonl"
    table = simulate(
        GAMES["seven_up_4"], LAB["fair"], 4, Fraction(1), 3, 4, player=PLAY["sensible"]
    )
    rows = []
    for slot, deal in enumerate(table.records()):
        hand = bytearray(deal.hands[1])
        hand[slot] = UNKNOWN
        hands = (deal.hands[0], bytes(hand), *deal.hands[2:])
        rows.append(encode(structs.replace(deal, hands=hands)))
    log.write_bytes(b"\n".join(rows))
    report = run(log)
    assert (report["verdict"], report["inputs"][0]["deals"]) == ("clear", 4)


def test_cut_short_hands_make_the_missing_card_silent(tmp_path: Path) -> None:
    path = tmp_path / "short.csv"
    rows = ["deal,dealer,turnup,hand_1,hand_2"]
    rows += [f"{i},ann,2S,3S 4S,5S 6S" for i in range(1, 50)]
    path.write_text("\n".join(rows))
    report = audit([str(path)], form=None, game="speculation")
    assert next(s["why"] for s in report["silent"] if s["code"] == "W11").startswith(
        "hands were cut"
    )
    # Where hands may change, those of this format count for none, and turn-ups alone are tested.
    report = audit([str(path)], form=None, game="seven_up_2")
    assert not any(s["code"] == "W11" for s in report["silent"])
    held = [f for f in report["findings"] if f["subject"] == {"card": "3S"}]
    assert [f["message"].partition(";")[0] for f in held] == ["the 3S was shown in 0 of 49 deals"]


def test_the_evidence_is_shared_among_the_suspicions(tmp_path: Path) -> None:
    log = tmp_path / "x.jsonl"
    table = simulate(
        GAMES["seven_up_4"], LAB["missing_ten"], 60, Fraction(1), 3, 4, player=PLAY["sensible"]
    )
    log.write_bytes(b"".join(encode(d) + b"\n" for d in table.records()))
    found = audit([str(log)], form=None, game=None)["flag"]
    named = found["shares"][0]
    assert named["detector"] == "missing_card"
    assert named["subject"]["card"].startswith("T")
    assert 0.99 < named["share"] <= 1
    assert 0 < found["unspent"] < 0.01
    assert found["unspent"] + sum(s["share"] for s in found["shares"]) <= 1 + 1e-12
