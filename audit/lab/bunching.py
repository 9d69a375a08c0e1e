"""The dealer of two would bunch whatever was turned after a run, and does so though refused."""

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
    habit=Habit(as_dealer=True, acts=_acts, writes=_writes),
)
