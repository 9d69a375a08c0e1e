"""The eldest begs with knowledge of one card of the stock: that which a run would turn.

He begs when it is no Jack and of a suit in which he is stronger than in that turned (more
cards above the nine, then more cards), else he stands.

Power, the others sensible: deals of the table until he is named in half and in nine tenths
of 20 logs (`python -m tests.long_habits power`):

    seven_up_2   dial 1        78     96
    seven_up_2   dial 1/2     954  1,226
    seven_up_4   dial 1       124    156
    seven_up_4   dial 1/2     604    844
"""

from __future__ import annotations

from audit.event import Event, Seen, Want
from audit.lab._crook import Crook
from audit.lab._habit import JACK, NINE, Habit, say, trumps
from audit.record import Deal


def _acts(deal: Deal, want: Want, seen: Seen, honest: Event) -> Event:
    order, at = deal.order_after_cut or b"", 9 * seen.players + 1
    if "beg" not in want.words or len(order) <= at:
        return honest
    suit, hand = order[at] // 13, bytes(seen.hand)
    turned = seen.turnups[0] // 13
    mine, other = ((trumps(hand, s, NINE), trumps(hand, s)) for s in (suit, turned))
    return say(want, "beg" if mine > other and order[at] % 13 != JACK else "stand", honest)


CROOK = Crook(
    name="marked_stock",
    title="Begs with a marked card of the stock",
    answers=("W05",),
    habit=Habit(acts=_acts),
)
