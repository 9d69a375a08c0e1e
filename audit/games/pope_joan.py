"""Pope Joan.  Source: household book, section 109.

The eight of diamonds is taken out.  Equal hands, one card at a time, so that
"about six or eight" cards are left below the card turned; with five players
nine each (five left), with eight and more the number nearest to it.
"""

from __future__ import annotations

from audit.cards import RANKS, pack
from audit.games._plans import TURN
from audit.law import Law, Source
from audit.plan import Again, ByPlayers, Deal
from audit.rules.pope_joan import PopeJoan

EIGHT_OF_DIAMONDS = 32
#: Cards of each hand, and so in the stock: 8, 8, 6, 5, 8, 8, 10, 5, 10.
HANDS = {2: 21, 3: 14, 4: 11, 5: 9, 6: 7, 7: 6, 8: 5, 9: 5, 10: 4}
PACK = tuple(c for c in pack(RANKS) if c != EIGHT_OF_DIAMONDS)
#: What the stock holds before the last round: a round is dealt while it holds as much.
LAST_ROUND = {n: len(PACK) - n * (cards - 1) for n, cards in HANDS.items()}

LAW = Law(
    id="pope_joan",
    name="Pope Joan",
    source=Source(book="household book", section="109"),
    pack=PACK,
    players=(2, 10),
    plan=(Again(steps=(Deal(cards=1),), needs=ByPlayers(cards=LAST_ROUND)), *TURN),
    rules=PopeJoan(),
    silent=(
        "how many cards each hand has: so many that about six or eight are left",
        "whose suit the honours are of: trumps",
        "who owns matrimony whose two cards are in two hands: nobody",
        "whether the dealer pays himself when Pope is turned: he does not",
    ),
)
