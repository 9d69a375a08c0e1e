"""Nap with a widow of five cards (Foster, "Napoleon", Widows); see `_nap.py`.

Silent: whether he who takes the widow can be outbid (nap closes the bidding), and
where the widow falls when the dealer takes no cards (it is then the last hand).
"""

from dataclasses import replace

from audit.games._nap import NAP, WIDOW
from audit.law import Source
from audit.rules.nap import Nap

LAW = replace(
    NAP,
    id="nap_widow",
    name="Nap with a widow",
    source=Source(book="Foster", section="Napoleon, Widows"),
    plan=WIDOW,
    rules=Nap(extra="widow"),
    silent=(*NAP.silent, "whether the widow can be outbid"),
)
