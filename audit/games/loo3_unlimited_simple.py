"""Unlimited Loo, the simple pool (Foster, "Loo", "The Pool"); see `loo3_limited_simple.py`.

Who wins no trick pays what is in the current pool; irregularities cost what they
cost in Limited Loo.
"""

from dataclasses import replace

from audit.games._loo import FOSTER, FOSTER_SILENT, PACK, SIMPLE
from audit.law import Law, Source

LAW = Law(
    id="loo3_unlimited_simple",
    name="Unlimited Loo, simple pool",
    source=Source(book="Foster", section="Loo, The Pool"),
    pack=PACK,
    players=(3, 17),
    plan=SIMPLE,
    rules=replace(FOSTER, pool="simple", flush="none", unlimited=True),
    silent=FOSTER_SILENT,
)
