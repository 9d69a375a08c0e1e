"""Seven-Up, or Old Sledge, for two to four players: what the three forms share.

Source: Foster, "All Fours family", Seven-Up.  The pack is cut with at least
four cards left in each packet, six cards go to each hand by threes, and the
next card is turned for trumps; a Jack turned scores one for the dealer.  When
the eldest begs and the dealer runs the cards, three more go to each hand and
the next card is turned.

The dealer may not give a point that puts a player out; the book says so after the rule
for three players, and we hold it for any number.  A Jack turned first stays scored when
the cards are run: the point is not said to be taken back.

Silent: who counts a tie for Game of the dealer and one other of three, or of all three;
whether High and Low are those of the cards kept after a discard (we take those played); a
game without any trump in play; how three divide the penalty of a revoke.
"""

from __future__ import annotations

from audit.games._all_fours import member
from audit.games._plans import SEVEN_UP
from audit.law import Law
from audit.rules.seven_up import SevenUp

SILENT = (
    "ties for Game of the dealer and one of two others",
    "trumps laid aside after a run",
    "no trump in play",
    "a revoke with three players",
    "a foul hand found after the first play",
)


def seven_up(players: int) -> Law:
    """Return the law for that many *players*."""
    return member(
        f"seven_up_{players}",
        f"Seven-Up for {players}",
        "Seven-Up",
        players=(players, players),
        plan=SEVEN_UP,
        rules=SevenUp(),
        turned=True,
        silent=SILENT,
    )
