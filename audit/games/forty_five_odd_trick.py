"""Forty-Five, the odd trick (Foster, "Forty-Five, or Five and Ten"): Spoil Five by two sides.

Two players, or four or six in two equal partnerships, who sit alternately.
Silent: what a breach costs, for there is no pool to lose.
"""

from audit.games._spoil_five import SILENT, spoil_five
from audit.rules.spoil_five import SpoilFive

LAW = spoil_five(
    "forty_five_odd_trick",
    "Forty-Five, the odd trick",
    "Forty-Five, or Five and Ten",
    SpoilFive(count="odd trick"),
    players=(2, 6),
    numbers=(2, 4, 6),
    silent=(*SILENT, "what a breach costs where there is no pool: nothing is stated"),
)
