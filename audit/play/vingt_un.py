"""Plays vingt-un sensibly: a card below sixteen, and with an ace as eleven up to seventeen.

The household book (section 116) gives the odds on fourteen and fifteen, and warns that it is
not always prudent to stand at fifteen.
"""

from __future__ import annotations

from audit.event import Below, Event, Seen, Want
from audit.play import by_lot
from audit.play._player import Player
from audit.rules.vingt_un import low, total

STAND, SOFT = 16, 18


def choose(want: Want, seen: Seen, below: Below) -> Event:
    """Return "card" or "stand" by the own hand; anything else by lot."""
    if "card" not in want.words:
        return by_lot.choose(want, seen, below)
    points = total(seen.hand)
    soft = points != sum(map(low, seen.hand))
    word = "card" if points < (SOFT if soft else STAND) else "stand"
    return Event(kind=want.kind, seat=want.seat, word=word)


PLAYER = Player(
    name="vingt-un, sensible", beg=by_lot.PLAYER.beg, run=by_lot.PLAYER.run, choose=choose
)
