"""Wellington and Blucher that win double and treble (Foster, "Napoleon", Variations).

In England a bidder who succeeds receives double or treble stakes: twenty and thirty
for the ten of a nap.  Silent: what they lose there; ten and twenty, as elsewhere.
"""

from audit.games._nap import BLUCHER, higher
from audit.rules.nap import WON

TREBLE = {**WON, "wellington": 20, "blucher": 30}
LAW = higher("nap_treble_english", "Nap with English stakes", BLUCHER, TREBLE)
