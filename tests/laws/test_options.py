"""Options of a record change the rules of its table, and nothing else does."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from audit.games import GAMES
from audit.play import PLAY
from audit.referee import referee
from audit.referee.simulate import deals
from audit.rules.options import chosen
from audit.rules.pitch import Pitch


def test_words_numbers_and_truth_are_read_by_the_kind_of_the_field() -> None:
    said = {"auction": "board", "game": "11", "red set back": "yes", "reds": "no"}
    rules, refused = chosen(Pitch(), said)
    assert (rules.auction, rules.game, rules.red_set_back, rules.reds) == ("board", 11, True, False)
    assert refused == 0


def test_what_is_no_value_of_a_field_is_counted_and_changes_nothing() -> None:
    said = {"auction": "dutch", "game": "-1", "reds": "perhaps", "packets": "2+3", "ranks": "x"}
    assert chosen(Pitch(), said) == (Pitch(), 4)


OPTIONS_OF_FOSTER = [
    ("nap_pool", "coin"),
    ("put_2", "unput"),
    ("rams", "eldest_plays"),
    ("spoil_five", "first_dealer_adds"),
]


@pytest.mark.parametrize(("game", "option"), OPTIONS_OF_FOSTER)
def test_every_family_counts_an_option_that_it_does_not_know(game: str, option: str) -> None:
    """Napoleon, Put, Rams and Spoil Five once read options their own way and passed over these."""
    law, choose = GAMES[game], PLAY["by_lot"].choose
    assert choose is not None
    deal = next(iter(deals(law, players=law.tables[0], choose=choose, count=1, seed=5)))
    for text, refused in (("no", 0), ("perhaps", 1)):
        said = {**deal.options, option.replace("_", " "): text}
        assert referee(law, replace(deal, options=said)) == ([], refused)


def test_the_counters_in_a_pool_are_no_rule_of_napoleon() -> None:
    law, choose = GAMES["nap_pool"], PLAY["by_lot"].choose
    assert choose is not None
    options = {"pool": "12"}
    for deal in deals(law, players=4, choose=choose, count=5, seed=5, options=options):
        assert referee(law, deal) == ([], 0)
