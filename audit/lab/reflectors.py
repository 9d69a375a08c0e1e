"""The dealer has seen what he dealt: he answers a beg by the trumps of pone and partner.

With three players he runs when the pone has two trumps or more; with four when the pone has
more than his partner, gives when fewer, and else does as he would.

Power, the others sensible: deals of the table until he is named in half and in nine tenths
of 20 logs (`python -m tests.long_habits power`):

    seven_up_3   dial 1       112    133
    seven_up_3   dial 1/2     562    799
    seven_up_4   dial 1       221    309
    seven_up_4   dial 1/2     901  1,385
"""

from __future__ import annotations

from audit.event import Event, Seen, Want
from audit.lab._crook import Crook
from audit.lab._habit import Habit, say, trumps
from audit.record import Deal


def _acts(deal: Deal, want: Want, seen: Seen, honest: Event) -> Event:
    if "run" not in want.words or seen.players < 3:
        return honest
    suit, n = seen.turnups[0] // 13, seen.players
    pone = trumps(deal.hands[(seen.dealer - 2) % n], suit)
    partner = trumps(deal.hands[(seen.dealer + 1) % n], suit) if n == 4 else 1
    if n == 4 and pone == partner:
        return honest
    return say(want, "run" if pone > partner else "give", honest)


CROOK = Crook(
    name="reflectors",
    title="Answers a beg by hands seen as they were dealt",
    answers=("W08",),
    habit=Habit(as_dealer=True, acts=_acts),
)
