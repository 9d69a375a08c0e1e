"""Smudge (Foster, "Smudge"): who bids four and makes it wins the game; see `_pitch.py`.

Silent: "in the hole", which we read as a score below nothing; which way of bidding is used
(option `auction`, the eldest selling by default, as in the game that Smudge varies).
"""

from audit.games._pitch import pitch
from audit.rules.pitch import Pitch

LAW = pitch(
    "smudge", "Smudge", "Smudge", Pitch(smudge=True), silent=("in the hole", "way of bidding")
)
