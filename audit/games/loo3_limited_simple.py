"""Three-card Limited Loo, the simple pool (Foster, "Loo", "In Simple Pools"); see `_loo.py`.

The pool holds only the dealer's three reds, everybody plays (a "Bold Stand") and no
trump is turned before a trick that somebody could not follow.  The book says both
"until one or two tricks have been played to" and "in any trick": the option
turn_after, by default any.  First deal: the first Jack dealt round face up.
"""

from dataclasses import replace

from audit.games._loo import FOSTER, FOSTER_SILENT, PACK, SIMPLE
from audit.law import Law, Source

LAW = Law(
    id="loo3_limited_simple",
    name="Three-card Limited Loo, simple pool",
    source=Source(book="Foster", section="Loo, In Simple Pools"),
    pack=PACK,
    players=(3, 17),
    plan=SIMPLE,
    rules=replace(FOSTER, pool="simple", flush="none"),
    silent=FOSTER_SILENT,
)
