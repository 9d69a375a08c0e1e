"""Bidding to the Board (Foster, "Auction Pitch", bidding to the board); see `_pitch.py`.

The eldest bids first; the bid is paid to nobody, and anyone may bid up to four.
"""

from audit.games._pitch import pitch
from audit.rules.pitch import Pitch

LAW = pitch(
    "auction_pitch_board",
    "Bidding to the Board",
    "Auction Pitch, bidding to the board",
    Pitch(auction="board"),
)
