"""Cards, packs and laws."""

from __future__ import annotations

import pytest

from audit.cards import NAMES, parse, show
from audit.games import GAMES
from audit.law import Law


@pytest.mark.parametrize("text", ["JC 10D", "jc,td", "J♣ 10♦", "🃛🃊", "JCTD"])
def test_every_way_of_writing_two_cards_is_read(text: str) -> None:
    assert show(parse(text)) == "JC TD"


@pytest.mark.parametrize("text", ["1D", "JX", "JC ?", "Q", "🃜"[:0] + "0S"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no card"):
        parse(text)


def test_every_card_survives_being_shown_and_read() -> None:
    assert [show(parse(n)) for n in NAMES] == list(NAMES)


@pytest.mark.parametrize("name", GAMES.names)
def test_every_place_of_the_pack_goes_to_one_hand_turn_up_or_run(name: str) -> None:
    law: Law = GAMES[name]
    for players in range(law.players[0], law.players[1] + 1):
        size = len(law.pack)
        turns = law.turn_places(players, size)
        used = [p for hand in law.hand_places(players) for p in hand] + turns
        for k in range(1, len(turns)):
            used += [p for hand in law.run_places(players, k) for p in hand]
        assert len(set(used)) == len(used)
        assert max(used, default=-1) < size


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("seven_up_2", [13, 20, 27, 34, 41, 48]),
        ("seven_up_3", [19, 29, 39, 49]),
        ("seven_up_4", [25, 38, 51]),
        ("ecarte_foster", [11]),
        ("euchre_4", [21]),
    ],
)
def test_turn_ups_lie_where_the_books_say(name: str, places: list[int]) -> None:
    law = GAMES[name]
    assert [p + 1 for p in law.turn_places(law.players[0], len(law.pack))] == places


def test_the_plainest_form_of_cards_is_read_as_any_other() -> None:
    plain = [*NAMES, *(name.replace("T", "10") for name in NAMES)]
    for name in plain:
        assert parse(name) == parse(f" {name.lower()} ,") == parse(f"{name};")
    text = " ".join(plain)
    assert parse(text) == parse(text.lower()) == parse(text.replace(" ", "  "))
    assert parse("") == b""
    for bad in ("JX", "JC JX", "JC ??"):
        with pytest.raises(ValueError, match="no card"):
            parse(bad)
