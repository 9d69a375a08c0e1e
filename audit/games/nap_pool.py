"""Nap with a pool (Foster, "Napoleon", Pools); see `_nap.py`.

Silent: whether the first dealer adds two beside his stake (he does not), and who
has the pool when an adversary revokes against a nap (it stays).
"""

from dataclasses import replace

from audit.games._nap import NAP
from audit.law import Source
from audit.rules.nap import Nap

LAW = replace(
    NAP,
    id="nap_pool",
    name="Nap with a pool",
    source=Source(book="Foster", section="Napoleon, Pools"),
    rules=Nap(pool=True),
    silent=(*NAP.silent, "who has the pool when an adversary revokes against a nap"),
)
