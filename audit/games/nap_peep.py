"""Peep Nap (Foster, "Napoleon", Peep Nap); see `_nap.py`.

Silent: the place of the one widow card within the round; it falls in the first
round, just before the dealer, as the widow of five does.
"""

from dataclasses import replace

from audit.games._nap import NAP, PEEP
from audit.law import Source
from audit.rules.nap import Nap

LAW = replace(
    NAP,
    id="nap_peep",
    name="Peep Nap",
    source=Source(book="Foster", section="Napoleon, Peep Nap"),
    plan=PEEP,
    rules=Nap(pool=True, extra="peep"),
    silent=(*NAP.silent, "the place of the widow card in the round"),
)
