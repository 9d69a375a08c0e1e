"""Loo with club law (the household book, section 99), as far as it is left; see `_loo.py`.

"For all the parties to play whenever a club is turned up as trumps", one deal in four.
All else is that book's Loo, which is lost: see `loo3_enquire_limited.py`.
"""

from dataclasses import replace

from audit.games._loo import FOSTER, LOST, MISS, PACK
from audit.law import Law, Source

LAW = Law(
    id="loo_club_law",
    name="Loo with club law",
    source=Source(book="household book", section="99, Club Law"),
    pack=PACK,
    players=(3, 16),
    plan=MISS,
    rules=replace(FOSTER, extra="miss", red=1, stake=3, loo=3, fine=3, play="lost", club=True),
    status="part",
    silent=LOST,
)
