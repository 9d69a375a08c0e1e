"""Options of a record change the rules of its table, and nothing else does."""

from __future__ import annotations

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
