"""Pitch, or Blind All Fours (Foster, "Seven-Up", dealing): Seven-Up without a turn-up.

The first card that the eldest leads makes its suit trumps.  A misdeal does not lose the
deal, and nobody counts a tie for Game.
"""

from audit.games._all_fours import member
from audit.games._plans import THREES
from audit.rules.seven_up import SevenUp

LAW = member(
    "pitch_blind",
    "Pitch, or Blind All Fours",
    "Pitch, or Blind All Fours",
    players=(2, 4),
    plan=THREES,
    rules=SevenUp(trump="led", tie="nobody", misdeal="same dealer"),
    silent=("a revoke with three players",),
)
