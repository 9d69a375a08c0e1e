"""The pone lifts two cards for a cut, where the law wants four at least in each packet."""

from __future__ import annotations

from msgspec.structs import replace

from audit.lab._crook import Crook
from audit.lab._habit import Habit
from audit.record import Deal


def _writes(deal: Deal, seat: int) -> Deal:
    return replace(deal, cut=2)


CROOK = Crook(
    name="thin_cut",
    title="A cut of two cards",
    answers=("W102",),
    habit=Habit(writes=_writes),
)
