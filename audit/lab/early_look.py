"""The dealer's partner, or the pone, looks at his hand while the beg is still open."""

from __future__ import annotations

from msgspec.structs import replace

from audit.event import Event
from audit.lab._crook import Crook
from audit.lab._habit import Habit, eldest
from audit.record import Deal


def _writes(deal: Deal, seat: int) -> Deal:
    if seat in (eldest(deal), deal.dealer_seat):
        return deal
    return replace(deal, events=(Event(kind="look", seat=seat, word="hand"), *deal.events))


CROOK = Crook(
    name="early_look",
    title="A hand looked at before the beg is settled",
    answers=("W15",),
    habit=Habit(writes=_writes),
)
