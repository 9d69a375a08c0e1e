"""The dealer answers a beg with knowledge of the card of the stock that a run would turn.

He runs when it is a Jack of another suit or of one in which he is stronger than in that turned
(more cards above the nine, then more cards), else he gives.

Power, the others sensible: deals of the table until he is named in half and in nine tenths
of 20 logs (`python -m tests.long_habits power`):

    seven_up_4   dial 1       201    297
    seven_up_4   dial 1/2   1,397  1,765
"""

from __future__ import annotations

from audit.event import Event, Seen, Want
from audit.lab._crook import Crook
from audit.lab._habit import JACK, NINE, Habit, say, trumps
from audit.record import Deal


def _acts(deal: Deal, want: Want, seen: Seen, honest: Event) -> Event:
    order, at = deal.order_after_cut or b"", 9 * seen.players + 1
    if "run" not in want.words or len(order) <= at:
        return honest
    suit, turned, hand = order[at] // 13, seen.turnups[0] // 13, bytes(seen.hand)
    jack = order[at] % 13 == JACK and suit != turned
    mine, other = ((trumps(hand, s, NINE), trumps(hand, s)) for s in (suit, turned))
    return say(want, "run" if jack or mine > other else "give", honest)


CROOK = Crook(
    name="marked_run",
    title="Answers a beg with a marked card of the stock",
    answers=("W05",),
    habit=Habit(as_dealer=True, acts=_acts),
)
