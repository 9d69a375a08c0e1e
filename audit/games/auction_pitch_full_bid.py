"""Auction Pitch with bids of the full value (Foster, "Auction Pitch", bidding); see `_pitch.py`.

A custom of some clubs: any bid up to four; a seller who accepts scores to within one of game,
one who refuses must make the number, even if he does not want so many.
"""

from audit.games._pitch import pitch
from audit.rules.pitch import Pitch

LAW = pitch(
    "auction_pitch_full_bid",
    "Auction Pitch, full value bid",
    "Auction Pitch",
    Pitch(auction="full bid"),
)
