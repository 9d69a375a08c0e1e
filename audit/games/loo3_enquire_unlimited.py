"""Loo of the household book, unlimited, as far as it is left (end of its Loo); see `_loo.py`.

Unlimited Loo: each player looed pays the sum in the pool.
The *miss* is an extra hand.  Deal, pool and play are lost: what is dealt here is assumed
from Foster's double pool, and play and division are only judged where a deal says
play=foster.  Counters are pence.
"""

from dataclasses import replace

from audit.games._loo import FOSTER, LOST, MISS, PACK
from audit.law import Law, Source

LAW = Law(
    id="loo3_enquire_unlimited",
    name="Loo of the household book, unlimited",
    source=Source(book="household book", section="Loo, its end"),
    pack=PACK,
    players=(3, 16),
    plan=MISS,
    rules=replace(FOSTER, extra="miss", red=1, stake=3, loo=3, fine=3, play="lost", unlimited=True),
    status="part",
    silent=LOST,
)
