"""Honest logs that are stored, cut or typed in usual ways: none of them is flagged."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.cards import NAMES, pack
from audit.errors import UnknownFormat, UnknownName, UsageError
from audit.games import GAMES
from audit.lab._random import Words, uniform_orders
from audit.readers.jsonl import encode
from audit.readers.secretary import write
from audit.record import Deal
from audit.run.audit import UNSAID, audit
from audit.run.repeats import deals_possible
from tests._tables import _choose, played

HEAD = "table,deal,dealer,turnup"


def report(path: Path) -> dict[str, Any]:
    return audit([str(path)], form=None, game=None)


def rows(count: int, seed: int, *, table: str = "", number: Callable[[int], int]) -> list[str]:
    cards = uniform_orders(Words(seed), count, 52)[:, 0]
    return [f"{table},{number(i)},{'ABCD'[i % 4]},{NAMES[c]}" for i, c in enumerate(cards)]


def csv(path: Path, lines: list[str], head: str = HEAD) -> dict[str, Any]:
    path.write_text("\n".join([head, *lines]) + "\n")
    return report(path)


def test_a_log_pasted_below_itself_counts_once(tmp_path: Path) -> None:
    some = rows(400, 3, number=lambda i: i + 1)
    once = csv(tmp_path / "once.csv", some)
    four = csv(tmp_path / "four.csv", some * 4)
    assert four["inputs"][0]["deals"] == 400
    assert four["inputs"][0]["repeated_records"] == 1200
    assert four["verdict"] == once["verdict"] == "clear"


def test_one_mended_row_of_a_pasted_log_leaves_the_others_joined(tmp_path: Path) -> None:
    some = rows(200, 4, number=lambda i: i + 1)
    other = ",1,A,2S" if some[0] != ",1,A,2S" else ",1,A,3S"
    assert csv(tmp_path / "two.csv", [*some, other, *some[1:]])["inputs"][0]["deals"] == 201


@pytest.mark.parametrize("table", ["", "1"])
def test_numbers_that_start_again_each_night_join_nothing(tmp_path: Path, table: str) -> None:
    """Else a night's deal is dropped when its card is that of the first night."""
    some = rows(3000, 5, table=table, number=lambda i: i % 2 + 1)
    found = csv(tmp_path / "nights.csv", some)
    assert found["inputs"][0]["deals"] == 3000
    assert found["verdict"] == "clear"


def test_nights_told_apart_by_their_date_are_joined_within_it(tmp_path: Path) -> None:
    some = rows(120, 6, number=lambda i: i % 4 + 1)
    dated = [f"{row},2026-{i // 4 // 28 + 1:02}-{i // 4 % 28 + 1:02}" for i, row in enumerate(some)]
    found = csv(tmp_path / "dated.csv", dated * 2, HEAD + ",date")
    assert found["inputs"][0]["deals"] == 120


def lost(some: list[str], seed: int) -> list[str]:
    """Return *some* rows of which one in sixteen is lost."""
    return [row for row, word in zip(some, Words(seed).words(len(some)), strict=True) if word % 16]


@pytest.mark.parametrize("how", ["line ends", "two scribes", "overlap", "nights"])
def test_one_night_in_two_files_counts_once(tmp_path: Path, how: str) -> None:
    """Counted twice, 44 of 60 fair logs of 600 turn-ups were flagged, and an overlap of half 7."""
    number = (lambda i: i % 20 + 1) if how == "nights" else (lambda i: i + 1)
    some = rows(600, 60, number=number)
    first, again = {
        "line ends": (some, some),
        "two scribes": (lost(some, 61), lost(some, 62)),
        "overlap": (some[:400], some[200:]),
        "nights": (some, some),
    }[how]
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_bytes("\n".join([HEAD, *first, ""]).encode())
    two.write_bytes("\r\n".join([HEAD, *again, ""]).encode())
    found = audit([str(one), str(two)], form=None, game=None)
    kept = [row for row in some if row in {*first, *again}]
    assert sum(row["deals"] for row in found["inputs"]) == len(kept)
    assert found["verdict"] == "clear"


def test_two_nights_with_the_same_numbers_count_both(tmp_path: Path) -> None:
    """A dealer who turns Jacks on two nights is found by both together, and by neither alone."""
    files = []
    for night in (1, 2):
        cards = [
            "JS" if i % 4 == 0 and i % 16 < 8 else row.split(",")[3]
            for i, row in enumerate(rows(120, 70 + night, number=lambda i: i))
        ]
        some = [f",{i + 1},{'ABCD'[i % 4]},{card}" for i, card in enumerate(cards)]
        files.append(tmp_path / f"{night}.csv")
        files[-1].write_text("\n".join([HEAD, *some, ""]))
    found = audit([str(f) for f in files], form=None, game=None)
    assert [row["deals"] for row in found["inputs"]] == [120, 120]
    assert found["verdict"] == "flagged"


@pytest.mark.parametrize("left_out", [3, 2])
def test_what_is_noted_only_when_it_pays_is_no_evidence(tmp_path: Path, left_out: int) -> None:
    """The turn-up, or the dealer, is left out of every row but those of a Jack."""
    some = [row.split(",") for row in rows(1300, 7, number=lambda i: i + 1)]
    for row in some[1:]:
        if row[3][0] != "J":
            row[left_out] = ""
    found = csv(tmp_path / "jacks.csv", [",".join(row) for row in some])
    assert found["verdict"] == "clear"


def test_a_board_is_no_exposure_where_hands_decided_whether_it_was_dealt(tmp_path: Path) -> None:
    """Players with an Ace or a King stay in, so that these lie on fewer boards."""
    deals = []
    for i, order in enumerate(uniform_orders(Words(8), 20_000, 52).astype(np.uint8)):
        players = 2 + i % 5
        good = (order[: 2 * players].reshape(players, 2) % 13 >= 11).any(axis=1).sum()
        board = order[20:25].tobytes() if good >= 2 else b""
        hands = (b"",) * players
        deals.append(Deal(game="holdem", number=str(i), players=players, hands=hands, board=board))
    path = tmp_path / "boards.jsonl"
    path.write_bytes(b"".join(encode(d) + b"\n" for d in deals))
    assert report(path)["verdict"] == "clear"


def test_a_euchre_log_that_does_not_name_its_pack_of_24(tmp_path: Path) -> None:
    cards = np.array(pack("9TJQKA"), np.uint8)
    deals = [
        Deal(
            game="euchre_4",
            number=str(i),
            dealer="ABCD"[i % 4],
            hands=tuple(hand.tobytes() for hand in order[:20].reshape(4, 5)),
            turnups=order[20:21].tobytes(),
        )
        for i, order in enumerate(cards[uniform_orders(Words(9), 300, 24)])
    ]
    path = tmp_path / "euchre.jsonl"
    path.write_bytes(b"".join(encode(d) + b"\n" for d in deals))
    found = report(path)
    assert found["verdict"] == "clear"
    assert any("pack of 24" in note for note in found["inputs"][0]["holds"]["notes"])


def test_counts_with_a_row_that_cannot_be_read_are_not_audited(tmp_path: Path) -> None:
    """A card whose count is not known is no card that was never turned."""
    lines = [f"{NAMES[c]},{100 if NAMES[c] != 'JD' else 'l00'}" for c in pack("9TJQKA")]
    found = csv(tmp_path / "counts.csv", lines, "card,turned")
    assert found["verdict"] == "nothing to audit"
    assert {f["field"] for f in found["flaws"]} == {"turned", "stock"}


def test_only_so_many_dealers_are_judged_alone_and_the_report_says_so(tmp_path: Path) -> None:
    lines = [f"{i},P{i},{NAMES[i % 52]}" for i in range(300)]
    found = csv(tmp_path / "many.csv", lines, "deal,dealer,turnup")
    assert any("44 more than 256" in note for note in found["inputs"][0]["holds"]["notes"])
    first = [f["deals"] for f in found["findings"] if f["subject"] == {"dealer": "P0"}]
    assert first == [1, 1]
    assert not any(f["subject"] == {"dealer": "P299"} for f in found["findings"])


def test_a_damaged_arrow_file_is_refused_or_read_and_never_a_crash(tmp_path: Path) -> None:
    """Offsets that point outside of the file once ended the process."""
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"game": ["seven_up_4"] * 50, "turnups": [b"\x01"] * 50})
    whole = tmp_path / "whole.arrow"
    with pa.OSFile(str(whole), "wb") as out, pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    data = whole.read_bytes()
    words = Words(1).words(3 * 60).reshape(60, 3)
    for row in words:
        bad = bytearray(data)
        for word in row.tolist():
            bad[8 + (word >> 8) % (len(bad) - 16)] = word & 255
        path = tmp_path / "bad.arrow"
        path.write_bytes(bytes(bad))
        with suppress(UnknownFormat, UnknownName):
            report(path)


def test_a_repeat_is_weighed_by_the_pack_that_was_dealt() -> None:
    ways = math.factorial(24) // (math.factorial(5) ** 4 * math.factorial(4))
    assert deals_possible(5, 4, 24) == pytest.approx(math.log(ways), rel=1e-12)


def as_played(deals: list[Deal]) -> list[Deal]:
    """Give each place the cards that it played, and the deal the card turned first."""
    out = []
    for deal in deals:
        plays = [e for e in deal.events if e.kind == "play"]
        hands = tuple(
            bytes(e.cards[0] for e in plays if e.seat == place)
            for place in range(1, len(deal.hands) + 1)
        )
        if all(len(h) == len(d) for h, d in zip(hands, deal.hands, strict=True)):
            out.append(Deal(game=deal.game, number=deal.number, hands=hands, turnups=deal.turnups))
    return out


def test_hands_as_kept_after_runs_that_nobody_wrote_down(tmp_path: Path) -> None:
    """Their format says that they stand as dealt: the best hand was too good at 10^12."""
    for seed, players in ((12, 2), (13, 4)):
        law = GAMES[f"seven_up_{players}"]
        deals = played(law, players, 400, seed, _choose("sensible_all_fours"), orders=False)
        path = tmp_path / "kept.jsonl"
        path.write_bytes(b"".join(encode(d) + b"\n" for d in as_played(deals)))
        found = report(path)
        assert found["verdict"] == "clear"
        assert UNSAID in found["inputs"][0]["holds"]["notes"]
        fallen = {s["detector"] for s in found["silent"] if not s["untouched"]}
        assert fallen >= {"favoured_seat", "missing_card", "uneven_ranks"}
        path.write_bytes(b"".join(encode(d) + b"\n" for d in deals))
        assert UNSAID not in report(path)["inputs"][0]["holds"]["notes"]


#: Games in which cards are given up before the play, and how they are played.
CHANGING = (("seven_up_2", 2, "sensible_all_fours", 600), ("ecarte_foster", 2, "ecarte", 600))


@pytest.mark.parametrize(("game", "players", "player", "count"), CHANGING)
def test_hands_typed_as_they_were_played_are_no_hands_as_dealt(
    tmp_path: Path, game: str, players: int, player: str, count: int
) -> None:
    """After a run or an exchange the low cards are gone: each of these logs was flagged.

    Ranks stood at 10^12 and more, the best hand at 10^7, a missing Two at 10^22.
    """
    deals = played(GAMES[game], players, count, 12, _choose(player), orders=True)
    kept = as_played(deals)
    assert len(kept) > count * 0.9
    path = tmp_path / "hands.csv"
    with path.open("w", encoding="utf-8") as out:
        write(out, kept)
    found = report(path)
    assert found["verdict"] == "clear"
    assert not any(f["flagged"] for f in found["findings"])
    told = {s["detector"]: s for s in found["silent"]}
    assert "favoured_seat" in told
    assert not told["uneven_ranks"]["untouched"]
    assert "may change" in told["uneven_ranks"]["why"]


@pytest.mark.parametrize(("game", "players", "player", "count"), CHANGING)
def test_hands_as_dealt_beside_the_order_of_the_pack_are_tested(
    tmp_path: Path, game: str, players: int, player: str, count: int
) -> None:
    deals = played(GAMES[game], players, count, 12, _choose(player), orders=True)
    path = tmp_path / "orders.jsonl"
    # Deals with a Ten among the cards in hand are not kept.
    kept = [d for d in deals if not any(c % 13 == 8 for c in (d.order_after_cut or b"")[:10])]
    path.write_bytes(b"".join(encode(d) + b"\n" for d in kept))
    found = {f["detector"]: f for f in report(path)["findings"]}
    assert found["uneven_ranks"]["flagged"]


def turned(path: Path, cards: list[int]) -> dict[str, Any]:
    lines = [f"euchre_4,{i},{'ABCD'[i % 4]},{NAMES[c]}" for i, c in enumerate(cards)]
    return csv(path, lines, "game,deal,dealer,turnup")


def test_a_slip_in_a_log_of_24_cards_makes_none_of_32_of_it(tmp_path: Path) -> None:
    """One Jack typed as a Seven: eight cards seemed to be missing, at 10^12."""
    few = np.array(pack("9TJQKA"))
    cards = few[uniform_orders(Words(2), 1000, 24)[:, 0]].tolist()
    whole = turned(tmp_path / "whole.csv", cards)
    found = turned(tmp_path / "slip.csv", [*cards[:500], pack("7")[0], *cards[501:]])
    assert not any(f["flagged"] for f in found["findings"])
    (said,) = (f for f in found["findings"] if f["kind"] == "contradiction")
    assert "not in the pack of 24 cards" in said["message"]
    assert found["inputs"][0]["contradictions"] == 1
    assert found["inputs"][0]["deals"] == 999
    assert found["flag"]["sum_log10"] == pytest.approx(whole["flag"]["sum_log10"], abs=0.2)


def test_a_log_of_32_cards_is_taken_for_none_of_24(tmp_path: Path) -> None:
    """Nor is one in which the Sevens and Eights are turned a tenth as often as they should."""
    every = np.array(pack("789TJQKA"))
    cards = every[uniform_orders(Words(3), 1000, 32)[:, 0]].tolist()
    found = turned(tmp_path / "all.csv", cards)
    assert found["verdict"] == "clear"
    seldom = [c for i, c in enumerate(cards) if c % 13 > 6 or i % 10 == 0]
    assert turned(tmp_path / "seldom.csv", seldom)["verdict"] == "flagged"


@pytest.mark.parametrize("ranks", ["56789TJQKA", "789TJQKA", "9TJQKA"])
def test_a_log_of_a_stripped_pack_that_names_no_game_is_asked_for_it(
    tmp_path: Path, ranks: str
) -> None:
    """Taken for Seven-Up every Jack came twice as often, and half of the pack was missing."""
    few = np.array(pack(ranks))
    cards = few[uniform_orders(Words(4), 400, len(few))[:, 0]].tolist()
    lines = [f"{i},{'ABCD'[i % 4]},{NAMES[c]}" for i, c in enumerate(cards)]
    with pytest.raises(UsageError, match=f"the cards of a pack of {len(few)}"):
        csv(tmp_path / "no_game.csv", lines, "deal,dealer,turnup")
    if len(few) < 40:
        named = [f"euchre_4,{line}" for line in lines]
        assert csv(tmp_path / "game.csv", named, "game,deal,dealer,turnup")["verdict"] == "clear"


@pytest.mark.parametrize("turned", ["J", "AKQJT"])
def test_a_dealer_who_turns_nothing_but_court_cards_is_flagged_without_a_game(
    tmp_path: Path, turned: str
) -> None:
    few = np.array(pack(turned))
    cards = few[uniform_orders(Words(4), 400, len(few))[:, 0]].tolist()
    lines = [f"{i},A,{NAMES[c]}" for i, c in enumerate(cards)]
    assert csv(tmp_path / "court.csv", lines, "deal,dealer,turnup")["verdict"] == "flagged"
