"""Texas hold'em, a guest: no seed describes it, but real logs hold it.

Two cards each, then up to five on the board.  No count of a hand's strength
is laid down before the board is known, so tests on strength stay silent.
"""

from audit.cards import RANKS, pack
from audit.law import Law, Source

LAW = Law(
    id="holdem",
    name="Texas hold'em",
    source=Source(book="guest", section="common rules"),
    pack=pack(RANKS),
    players=(2, 10),
    packets=(1, 1),
    status="guest",
)
