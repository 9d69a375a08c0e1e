"""The dealer finds a faced card when his hand has no ace, King or Queen, and deals again.

Power, the others sensible: deals of the table until he is named in half and in nine tenths
of 20 logs (`python -m tests.long_habits power`):

    pitch_blind  dial 1       157    195
    pitch_blind  dial 1/2     279    411
"""

from __future__ import annotations

from audit.event import Event
from audit.lab._crook import Crook
from audit.lab._habit import Habit, poor
from audit.record import Deal


def _ends(deal: Deal, seat: int) -> tuple[Event, ...]:
    if not poor(deal.hands[seat - 1]):
        return ()
    return (
        Event(kind="irregular", seat=seat, word="faced card"),
        Event(kind="redeal", word="faced card", to=seat),
    )


CROOK = Crook(
    name="convenient_misdeals",
    title="Faced cards found after poor hands",
    answers=("W23",),
    habit=Habit(as_dealer=True, ends=_ends),
)
