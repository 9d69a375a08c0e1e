"""All Fours in its old form (Foster, "All Fours family"): ten points up, cards dealt singly.

Everything else is taken from Seven-Up (`_seven_up.py`); that a card is turned, and where, is
our reading.  Some older Hoyles did not count honours and Tens of plain suits toward Game,
"evidently an error": option `plain_honours`, default yes.
"""

from audit.games._all_fours import member
from audit.games._plans import BEG, TURN, singly
from audit.games._seven_up import SILENT
from audit.rules.seven_up import SevenUp

LAW = member(
    "all_fours_old",
    "All Fours, the old form",
    "All Fours family",
    players=(2, 4),
    plan=(*singly(6), *TURN, *BEG),
    rules=SevenUp(game=10),
    turned=True,
    silent=("deal and misdeals", *SILENT),
)
