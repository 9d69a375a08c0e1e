"""Pedro, Pedro Sancho, Dom Pedro, Snoozer (Foster, "Pedro"), as far as the page goes.

Everything counts to who wins it; Game is the Ten of trumps', and is not scored where that
card is not in play.

Lost: the counting cards that are added, the second bids, cards dealt and game.  So bids and
points of other names are not judged; six cards are dealt by threes as in Auction Pitch.
"""

from audit.games._pitch import pitch
from audit.rules.pitch import Pitch

LAW = pitch(
    "pedro",
    "Pedro",
    "Pedro",
    Pitch(auction="lost", captured=True, ten=True),
    silent=("lost: counting cards", "lost: second bids", "lost: deal", "lost: game"),
    status="part",
)
