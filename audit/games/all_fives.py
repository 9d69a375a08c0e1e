"""All Fives (Foster, "Seven-Up", scoring): Seven-Up on a cribbage board, sixty-one points.

Who wins a trick pegs at once for its trumps: ace 4, King 3, Queen 2, Jack 1, Ten 10, Five 5.
They count again toward Game, the Five of trumps as five.

Silent: what High, Low, Jack, Game, gift and a Jack turned peg (one each, as in Seven-Up), and
how many play (two to four, as in Seven-Up).
"""

from audit.games._all_fours import member
from audit.games._plans import SEVEN_UP
from audit.games._seven_up import SILENT
from audit.rules.seven_up import SevenUp

LAW = member(
    "all_fives",
    "All Fives",
    "All Fives",
    players=(2, 4),
    plan=SEVEN_UP,
    rules=SevenUp(game=61, trump_five=5, pegs=True),
    turned=True,
    silent=("what High, Low, Jack and Game peg", "players", *SILENT),
)
