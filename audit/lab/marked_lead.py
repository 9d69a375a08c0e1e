"""The eldest knows all marked cards and first leads the highest that no other hand can beat.

Where he has none such he leads his lowest card; ranks are compared within a suit.

Power, the others sensible: deals of the table until he is named in half and in nine tenths
of 20 logs (`python -m tests.long_habits power`):

    pitch_blind  dial 1       180    242
    pitch_blind  dial 1/2   1,084  1,534
"""

from __future__ import annotations

from audit.event import Event, Seen, Want
from audit.lab._crook import Crook
from audit.lab._habit import Habit, eldest
from audit.record import Deal


def _acts(deal: Deal, want: Want, seen: Seen, honest: Event) -> Event:
    if want.kind != "play" or seen.played or not want.cards or want.seat != eldest(deal):
        return honest
    others = [c for p, h in enumerate(deal.hands, 1) if p != want.seat for c in h]
    safe = [c for c in want.cards if not any(o // 13 == c // 13 and o > c for o in others)]
    card = max(safe or want.cards, key=lambda c: (c % 13 if safe else -(c % 13), c))
    return Event(kind="play", seat=want.seat, cards=bytes([card]))


CROOK = Crook(
    name="marked_lead",
    title="Leads what no marked card can beat",
    answers=("W05",),
    habit=Habit(acts=_acts),
)
