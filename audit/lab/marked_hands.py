"""The eldest begs with knowledge of the dealer's marked cards: ten, Jack, King and ace.

He begs when the dealer holds one of those of the suit turned, else he stands.

Power, the others sensible: deals of the table until he is named in half and in nine tenths
of 20 logs (`python -m tests.long_habits power`):

    seven_up_2   dial 1        52     74
    seven_up_2   dial 1/2     248    386
    seven_up_4   dial 1       124    160
    seven_up_4   dial 1/2     724  1,136
"""

from __future__ import annotations

from audit.event import Event, Seen, Want
from audit.lab._crook import Crook
from audit.lab._habit import NINE, QUEEN, Habit, say
from audit.record import Deal


def _acts(deal: Deal, want: Want, seen: Seen, honest: Event) -> Event:
    if "beg" not in want.words:
        return honest
    suit, hand = seen.turnups[0] // 13, deal.hands[seen.dealer - 1]
    marked = any(c // 13 == suit and c % 13 > NINE and c % 13 != QUEEN for c in hand)
    return say(want, "beg" if marked else "stand", honest)


CROOK = Crook(
    name="marked_hands",
    title="Begs with marked cards in the dealer's hand",
    answers=("W05",),
    habit=Habit(acts=_acts),
)
