"""The eldest's partner has looked at his hand and shows what he thinks of it.

The eldest of four begs when his partner has at most one trump, else he stands.

Power, the others sensible: deals of the table until he is named in half and in nine tenths
of 20 logs (`python -m tests.long_habits power`):

    seven_up_4   dial 1        92     96
    seven_up_4   dial 1/2     428    636
"""

from __future__ import annotations

from audit.event import Event, Seen, Want
from audit.lab._crook import Crook
from audit.lab._habit import Habit, say, trumps
from audit.record import Deal


def _acts(deal: Deal, want: Want, seen: Seen, honest: Event) -> Event:
    if "beg" not in want.words or seen.players != 4:
        return honest
    partner = deal.hands[(want.seat + 1) % 4]
    weak = trumps(partner, seen.turnups[0] // 13) <= 1
    return say(want, "beg" if weak else "stand", honest)


CROOK = Crook(
    name="signals",
    title="Begs at a sign of the partner's",
    answers=("W15",),
    habit=Habit(acts=_acts),
)
