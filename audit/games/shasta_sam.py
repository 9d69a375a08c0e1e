"""Shasta Sam (Foster, "California Jack"): California Jack with the stock face down.

Silent: as for California Jack, but the stock is drawn from the top.
"""

from audit.games._all_fours import member
from audit.games._california import SILENT
from audit.games._plans import a_card_a_trick
from audit.rules.california import California

LAW = member(
    "shasta_sam",
    "Shasta Sam",
    "Shasta Sam",
    players=(2, 2),
    plan=a_card_a_trick(turned_over=False),
    rules=California(face_up=False),
    silent=SILENT,
)
