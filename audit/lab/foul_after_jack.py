"""An adversary of the dealer announces a wrong number of cards whenever a Jack is turned.

Power, the others sensible: deals of the table until he is named in half and in nine tenths
of 20 logs (`python -m tests.long_habits power`):

    seven_up_2   dial 1       242    342
    seven_up_2   dial 1/2     570    726
"""

from __future__ import annotations

from audit.event import Event
from audit.lab._crook import Crook
from audit.lab._habit import JACK, Habit
from audit.record import Deal


def _ends(deal: Deal, seat: int) -> tuple[Event, ...]:
    jack = deal.turnups[:1] and deal.turnups[0] % 13 == JACK
    if not jack or seat == deal.dealer_seat:
        return ()
    after = (deal.dealer_seat or 0) % len(deal.hands) + 1
    return (
        Event(kind="irregular", seat=seat, word="foul hand"),
        Event(kind="redeal", word="foul hand", to=after),
    )


CROOK = Crook(
    name="foul_after_jack",
    title="Foul hands announced after Jacks",
    answers=("W18",),
    habit=Habit(ends=_ends),
)
