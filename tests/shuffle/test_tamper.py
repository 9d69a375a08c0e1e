"""Every class of lie is caught by its own name, and honest packs are never refused.

The long forms are `python -m tests.shuffle.tamper` (20 places a class) and
`python -m tests.shuffle.honest` (1,000 packs).
"""

from __future__ import annotations

import pytest

from tests.shuffle import honest
from tests.shuffle.forge import at_the_table, build, verifier, world
from tests.shuffle.make_table_vectors import tables
from tests.shuffle.tamper import NOBODY, TABLE, Tampering, run


def test_the_table_holds_ninety_two_classes_of_different_names() -> None:
    assert len({one.name for one in TABLE}) == 92


@pytest.mark.parametrize("one", TABLE, ids=[one.name for one in TABLE])
def test_a_lie_is_caught_by_its_own_name(one: Tampering) -> None:
    row = run(one, 4)
    assert row.places == 4
    assert row.missed == 0
    assert row.strange == []


def test_each_class_is_caught_by_the_verifier_or_by_the_seat_at_every_place() -> None:
    blind = [one.name for one in TABLE if one.verifier == NOBODY and one.seat == NOBODY]
    assert blind == []


@pytest.mark.parametrize("name", tables())
def test_the_forger_with_nothing_to_change_makes_the_honest_table(name: str) -> None:
    made = world(name, "plain", 0)
    forged = build(made, {})
    assert forged.raws == made.raws[:14]
    assert [i.signed for i in forged.items] == [i.signed for i in made.room.house.packs[2].items]
    assert verifier(made, forged) is None
    assert at_the_table(made, forged) is None


def test_forty_honest_packs_raise_no_alarm() -> None:
    assert honest.run(40) == 40
