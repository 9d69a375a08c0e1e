"""Napoleon (Foster, "Napoleon, or Nap"); see `_nap.py`.

Silent: the lowest bid and what one and two tricks pay.  The dealer is bound to bid
"at least one", and a counter for every trick bid gives one and two.
"""

from audit.games._nap import NAP

LAW = NAP
