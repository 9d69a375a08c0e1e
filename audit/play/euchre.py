"""Orders up, plays or names at Euchre on trumps and aces; puts out the lowest plain card.

The book gives no advice beyond "strong enough to score", so the measure is
ours: a bower counts three, another trump two, a plain ace one; seven make a
trump, and nine a lone hand where those are played.
"""

from __future__ import annotations

from audit.cards import RANKS, SUITS
from audit.event import Below, Event, Seen, Want
from audit.play._player import Player
from audit.play._tricks import never, play, strength
from audit.rules.euchre import BOWERS

JACK, ACE = RANKS.index("J"), RANKS.index("A")
MAKES, ALONE = 7, 9


def worth(hand: list[int], trump: int) -> int:
    """Return what *hand* counts under *trump*."""
    order = BOWERS.order(trump)
    trumps = [c for c in hand if order.group[c] == 4]
    bowers = sum(c % 13 == JACK for c in trumps)
    aces = sum(c % 13 == ACE and order.group[c] != 4 for c in hand)
    return 2 * len(trumps) + bowers + aces


def _call(want: Want, seen: Seen) -> str:
    if "alone" in want.words:
        return "alone" if worth(seen.hand, seen.trump) >= ALONE else "with partner"
    suits = [word for word in want.words if word in tuple(SUITS)]
    if suits:
        best = max(suits, key=lambda word: worth(seen.hand, SUITS.index(word)))
        able = worth(seen.hand, SUITS.index(best)) >= MAKES
        return best if able or "pass" not in want.words else "pass"
    turned = seen.turnups[0]
    hand = [*seen.hand, turned] if seen.seat == seen.dealer else seen.hand
    return want.words[1] if worth(hand, turned // 13) >= MAKES else "pass"


def choose(want: Want, seen: Seen, below: Below) -> Event:
    """Return one of the wanted events, by the own hand and what is public."""
    if want.kind == "call":
        return Event(kind="call", seat=want.seat, word=_call(want, seen))
    order = BOWERS.order(seen.trump)
    if want.kind == "exchange":
        least = min(want.cards, key=lambda c: strength(order, c))
        return Event(kind="exchange", seat=want.seat, cards=bytes([least]))
    return play(want, order, seen.hand, seen.trick)


PLAYER = Player(name="euchre by count", beg=never, run=never, choose=choose)
