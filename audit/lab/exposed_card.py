"""The dealer exposes a card when his hand has no ace, King or Queen; a new deal is chosen.

Power, the others sensible: deals of the table until he is named in half and in nine tenths
of 20 logs (`python -m tests.long_habits power`):

    seven_up_2   dial 1       191    245
    seven_up_2   dial 1/2     395    523
"""

from __future__ import annotations

from audit.event import Event
from audit.lab._crook import Crook
from audit.lab._habit import Habit, eldest, poor
from audit.record import Deal


def _ends(deal: Deal, seat: int) -> tuple[Event, ...]:
    if not poor(deal.hands[seat - 1]):
        return ()
    shown = deal.hands[eldest(deal) - 1][-1:]
    return (
        Event(kind="irregular", seat=seat, word="exposed card", cards=shown),
        Event(kind="redeal", word="exposed card", to=seat),
    )


CROOK = Crook(
    name="exposed_card",
    title="Cards exposed when the dealer's hand is poor",
    answers=("W24",),
    habit=Habit(as_dealer=True, ends=_ends),
)
