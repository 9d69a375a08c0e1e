"""Records whose hands stand as they were played, not as they were dealt.

A scribe who writes the hands down when the play is over writes what was played: without the
cards given up, with those drawn, and without those that nobody came to play.  Held against what
was said and given up before, such a hand would be foul, and whoever gave up a card would have
given up one that he did not hold.
"""

from __future__ import annotations

from audit.cards import UNKNOWN
from audit.law import Law
from audit.record import Deal


def became(deal: Deal, law: Law) -> bool:
    """Whether some hand of *deal* stands as it became, by its own events.

    As `changed` has it; or some hand is short, and every hand is what its place
    played.  The order of the pack says how the hands were dealt.
    """
    hands = [frozenset(hand) for hand in deal.hands]
    if deal.order_after_cut or not any(hands):
        return False
    if changed(deal):
        return True
    players = deal.players or len(hands)
    if players not in law.tables:
        return False
    played = _moved(deal, "play")
    short = any(len(hand) < law.hand_of(players) for hand in hands)
    return short and all(hand == own for hand, own in zip(hands, played, strict=True))


def changed(deal: Deal, *, unknown: bool = True) -> bool:
    """Whether some hand of *deal* stands without what was given up or with what was drawn.

    A card that was drawn stands in it; or none that was given up does, nor was that drawn,
    but all that were played do.  Without *unknown* a card that is not known says nothing:
    a doubt is enough to rule on nobody, and not to take hands for none.
    """
    if deal.order_after_cut:
        return False
    given, drawn, played = (_moved(deal, kind) for kind in ("exchange", "draw", "play"))
    for cards, out, taken, own in zip(deal.hands, given, drawn, played, strict=True):
        hand, none = frozenset(cards), frozenset() if unknown else frozenset({UNKNOWN})
        if hand & (taken - none):
            return True
        held = out - none - taken - set(deal.runs)
        if hand and own and held and hand.isdisjoint(out - none) and own <= hand:
            return True
    return False


def _moved(deal: Deal, kind: str) -> list[set[int]]:
    """Return the cards of the events of one *kind*, by place."""
    out = [set[int]() for _ in deal.hands]
    for event in deal.events:
        if event.kind == kind and 0 < event.seat <= len(out):
            out[event.seat - 1].update(event.cards)
    return out
