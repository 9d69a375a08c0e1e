"""California Jack (Foster, "California Jack"): Seven-Up for two with a stock face up.

The highest cut fixes seats, deal and trump before the shuffle.  The winner of a trick takes
the top card of the stock, his adversary the next; everything counts to who wins it.

Silent: which end of the pack is on top when it lies face up (option `stock_from`; turned
over bodily, its last card, is the default), a tie for Game (option `tie`), who leads first
(the eldest), and misdeals (as in Seven-Up).
"""

from audit.games._all_fours import member
from audit.games._california import SILENT
from audit.games._plans import a_card_a_trick
from audit.rules.california import California

LAW = member(
    "california_jack",
    "California Jack",
    "California Jack",
    players=(2, 2),
    plan=a_card_a_trick(turned_over=True),
    rules=California(stock_from="bottom"),
    silent=("which end of the stock is on top", *SILENT),
)
