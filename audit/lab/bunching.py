"""The dealer of two would bunch whatever was turned after a run, and does so though refused.

The referee rules on it. There is no evidence by chance beside that: whether a new trump pleases is
for the players to say and has no chance, and what a log keeps follows what they said. Three
cards of the other's hand are dealt by the run, after all who acted; but where bunched deals are not
written down, the ones that were refused are left, and a dealer refuses who was dealt trumps. A
proposal that knows those cards could be told from one that does not only where every pack is
there under a number of its own, bunched ones too (`deal_seq` without a gap), with both hands or
the order of the pack and each proposal and answer in turn (`claims`).
"""

from __future__ import annotations

from msgspec.structs import replace

from audit.event import Event, Seen, Want
from audit.lab._crook import Crook
from audit.lab._habit import Habit, say
from audit.record import Deal


def _acts(deal: Deal, want: Want, seen: Seen, honest: Event) -> Event:
    return say(want, "bunch", honest) if want.seat == seen.dealer else honest


def _writes(deal: Deal, seat: int) -> Deal:
    refused = [k for k, e in enumerate(deal.events) if e.kind == "call" and e.word == "refuse"]
    if not refused or deal.events[refused[-1]].seat == seat:
        return deal
    bunched = Event(kind="redeal", word="bunched", to=seat)
    return replace(deal, events=(*deal.events[: refused[-1] + 1], bunched))


CROOK = Crook(
    name="bunching",
    title="Cards bunched though the other refused",
    answers=("W25",),
    players=(2,),
    habit=Habit(as_dealer=True, acts=_acts, writes=_writes),
)
