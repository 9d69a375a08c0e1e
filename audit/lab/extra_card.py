"""The dealer deals himself a seventh card, the last of the pack."""

from __future__ import annotations

from msgspec.structs import replace

from audit.lab._crook import Crook
from audit.lab._habit import Habit
from audit.record import Deal


def _writes(deal: Deal, seat: int) -> Deal:
    last = (deal.order_after_cut or b"")[-1:]
    if last in deal.turnups + deal.runs:
        return deal
    hands = [h + last if p == seat else h for p, h in enumerate(deal.hands, 1)]
    return replace(deal, hands=tuple(hands))


CROOK = Crook(
    name="extra_card",
    title="Seven cards dealt to the dealer",
    answers=("W03",),
    habit=Habit(as_dealer=True, writes=_writes),
)
