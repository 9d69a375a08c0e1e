"""Purchase Nap, or Écarté Nap (Foster, "Napoleon", Purchase Nap); see `_nap.py`.

Silent: what follows when the stock is bought up; nobody may buy more than it holds.
"""

from dataclasses import replace

from audit.games._nap import NAP, PURCHASE
from audit.law import Source
from audit.rules.nap import Nap

LAW = replace(
    NAP,
    id="nap_purchase",
    name="Purchase Nap",
    source=Source(book="Foster", section="Napoleon, Purchase Nap"),
    plan=PURCHASE,
    rules=Nap(pool=True, extra="purchase"),
    silent=(*NAP.silent, "the stock bought up"),
)
