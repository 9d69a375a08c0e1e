"""Three-card Limited Loo, the double pool (Foster, "Loo", "In Double Pools"); see `_loo.py`.

The book allows three to seventeen players; three cards to each, a widow and a
turn-up serve sixteen.  Three trumps take the pool unplayed.  The ace of trumps has
to be led by the eldest of those in; we take it of the first lead (option ace_lead).
"""

from dataclasses import replace

from audit.games._loo import DOUBLE, DOUBLE_SILENT, FOSTER, PACK
from audit.law import Law, Source

LAW = Law(
    id="loo3_limited_double",
    name="Three-card Limited Loo, double pool",
    source=Source(book="Foster", section="Loo, In Double Pools"),
    pack=PACK,
    players=(3, 16),
    plan=DOUBLE,
    rules=replace(FOSTER, extra="widow"),
    silent=DOUBLE_SILENT,
)
