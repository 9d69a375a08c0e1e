"""Unlimited Loo, the double pool (Foster, "Loo", "The Pool"); see `loo3_limited_double.py`.

Who wins no trick pays what is in the current pool.  Whether a flush looes for as
much the book leaves open: by default three reds, as it names (option flush_loo).
"""

from dataclasses import replace

from audit.games._loo import DOUBLE, DOUBLE_SILENT, FOSTER, PACK
from audit.law import Law, Source

LAW = Law(
    id="loo3_unlimited_double",
    name="Unlimited Loo, double pool",
    source=Source(book="Foster", section="Loo, The Pool"),
    pack=PACK,
    players=(3, 16),
    plan=DOUBLE,
    rules=replace(FOSTER, extra="widow", unlimited=True),
    silent=(*DOUBLE_SILENT, "how much a flush looes in an unlimited pool (three reds)"),
)
