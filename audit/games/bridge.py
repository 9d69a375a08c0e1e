"""Bridge, a guest: no seed describes it, but it is what real hand records hold.

Thirteen cards each, one at a time.  The points of a hand are 4 3 2 1 for ace,
king, queen and jack.  Places are North, East, South and West.
"""

from audit.cards import RANKS, pack
from audit.games._plans import singly
from audit.law import Law, Source

LAW = Law(
    id="bridge",
    name="Bridge",
    source=Source(book="guest", section="laws of duplicate bridge"),
    pack=pack(RANKS),
    players=(4, 4),
    plan=singly(13),
    strength={"A": 4, "K": 3, "Q": 2, "J": 1},
    status="guest",
    place_names=("North", "East", "South", "West"),
)
