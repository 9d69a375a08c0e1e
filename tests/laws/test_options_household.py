"""What the household book leaves open is played as the record says, and makes a difference."""

from __future__ import annotations

import pytest
from msgspec import structs

from audit.games import GAMES
from audit.play import PLAY
from audit.referee import referee
from audit.referee.simulate import deals
from tests.laws.long import check

OPTIONS = [
    ("speculation", "turnup", "dealer"),
    ("speculation", "dealer_stake", "8"),
    ("connexions_3", "most", "half"),
    ("connexions_4", "answer", "may"),
    ("matrimony", "cards", "two"),
    ("pope_joan", "dress", "shared"),
    ("cassino_2", "lay", "freely"),
    ("cassino_3", "clear", "2"),
    ("vingt_un", "ties", "dealer"),
    ("vingt_un", "stake", "3"),
]


@pytest.mark.parametrize(("name", "option", "value"), OPTIONS)
def test_an_option_is_accepted_and_differs_from_the_default(
    name: str, option: str, value: str
) -> None:
    assert check(name, count=60, options={option: value}) >= 60
    choose, law = PLAY["by_lot"].choose, GAMES[name]
    assert choose is not None
    played = deals(
        law, players=law.players[0], choose=choose, count=150, seed=3, options={option: value}
    )
    assert any(referee(law, structs.replace(deal, options={}))[0] for deal in played)


@pytest.mark.parametrize(("name", "option"), [(n, o) for n, o, _ in OPTIONS])
def test_a_value_that_is_none_of_the_option_is_counted(name: str, option: str) -> None:
    choose, law = PLAY["by_lot"].choose, GAMES[name]
    assert choose is not None
    deal = next(deals(law, players=law.players[0], choose=choose, count=1, seed=3))
    wrong = structs.replace(deal, options={option: "no such thing"})
    assert referee(law, wrong) == ([], 1)
