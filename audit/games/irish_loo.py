"""Irish Loo (Foster, "Irish Loo"); see `_loo.py`.

Three cards and always a turn-up, which is laid aside; no widow and one kind of pool.
Those who play exchange any number, once named, from the top of the pack.  In all
else Three-card Loo; a trump being turned, we take the rules of its double pools.
Seventeen players leave no card to draw.
"""

from dataclasses import replace

from audit.games._loo import DRAW_SILENT, FOSTER, PACK, exchanging
from audit.law import Law, Source

LAW = Law(
    id="irish_loo",
    name="Irish Loo",
    source=Source(book="Foster", section="Irish Loo"),
    pack=PACK,
    players=(3, 17),
    plan=exchanging(3),
    rules=replace(FOSTER, pool="one", draw=True),
    silent=(*DRAW_SILENT, "three trumps made by drawing (they are played)"),
)
