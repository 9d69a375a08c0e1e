"""Auction Pitch, the eldest selling (Foster, "Auction Pitch", bidding); see `_pitch.py`.

No bid may give the seller enough to put him out; who bids so forfeits his bid for the deal.
"""

from audit.games._pitch import pitch
from audit.rules.pitch import Pitch

LAW = pitch(
    "auction_pitch_sell", "Auction Pitch, or Sell Out", "Auction Pitch", Pitch(auction="sell")
)
