"""The dealer drops a ten from the rest of the pack onto the first trick that he gathers."""

from __future__ import annotations

from msgspec.structs import replace

from audit.event import Event
from audit.lab._crook import Crook
from audit.lab._habit import TEN, Habit
from audit.ranks import AS_USUAL, winner
from audit.record import Deal


def _writes(deal: Deal, seat: int) -> Deal:
    plays = [(k, e) for k, e in enumerate(deal.events) if e.kind == "play"]
    used = set(b"".join(deal.hands) + deal.turnups + deal.runs)
    tens = [c for c in range(TEN, 52, 13) if c not in used]
    if not plays or not tens:
        return deal
    n = len(deal.hands)
    trump = deal.turnups[-1] // 13 if deal.turnups else plays[0][1].cards[0] // 13
    for first in range(0, len(plays) - n + 1, n):
        trick = plays[first : first + n]
        cards = [e.cards[0] for _, e in trick]
        at, won = trick[-1][0] + 1, trick[winner(AS_USUAL.order(trump), cards)][1].seat
        if won == seat:
            pile = Event(kind="trick", seat=seat, cards=bytes([*cards, tens[0]]))
            return replace(deal, events=(*deal.events[:at], pile, *deal.events[at:]))
    return deal


CROOK = Crook(
    name="dropped_cards",
    title="A ten dropped onto a trick already won",
    answers=("W03",),
    habit=Habit(as_dealer=True, writes=_writes),
)
