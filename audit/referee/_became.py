"""Records whose hands stand as they were played, not as they were dealt.

A scribe who writes the hands down when the play is over writes what was played: without the
cards given up, with those drawn, and without those that nobody came to play.  Held against what
was said and given up before, such a hand would be foul, and whoever gave up a card would have
given up one that he did not hold.
"""

from __future__ import annotations

from audit.law import Law
from audit.record import Deal


def became(deal: Deal, law: Law) -> bool:
    """Whether some hand of *deal* stands as it became, by its own events.

    A card that was drawn stands in it; or none that was given up does, nor was that drawn,
    but all that were played do; or some hand is short, and every hand is what its place
    played.  The order of the pack says how the hands were dealt.
    """
    hands = [frozenset(hand) for hand in deal.hands]
    if deal.order_after_cut or not any(hands):
        return False
    given, drawn, played = ([set[int]() for _ in hands] for _ in range(3))
    into = {"exchange": given, "draw": drawn, "play": played}
    for event in deal.events:
        if event.kind in into and 0 < event.seat <= len(hands):
            into[event.kind][event.seat - 1].update(event.cards)
    for hand, out, taken, own in zip(hands, given, drawn, played, strict=True):
        if hand & taken:
            return True
        held = out - taken - set(deal.runs)
        if hand and own and held and hand.isdisjoint(out) and own <= hand:
            return True
    players = deal.players or len(hands)
    if players not in law.tables:
        return False
    short = any(len(hand) < law.hand_of(players) for hand in hands)
    return short and all(hand == own for hand, own in zip(hands, played, strict=True))
