"""The dealer marks six points in a deal, one more than can be made."""

from __future__ import annotations

from msgspec.structs import replace

from audit.event import Event
from audit.lab._crook import Crook
from audit.lab._habit import Habit
from audit.record import Deal


def _writes(deal: Deal, seat: int) -> Deal:
    kept = [e for e in deal.events if e.kind != "score"]
    marks = [Event(kind="score", seat=seat, word=w, number=2) for w in ("high", "low", "game")]
    return replace(deal, events=(*kept, *marks))


CROOK = Crook(
    name="overscored",
    title="Six points marked in a deal",
    answers=("W19",),
    habit=Habit(as_dealer=True, writes=_writes),
)
