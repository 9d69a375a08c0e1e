"""Seven-Up, or Old Sledge, for two to four players: what the three forms share.

Source: Foster, "All Fours family", Seven-Up.  The pack is cut with at least
four cards left in each packet, six cards go to each hand by threes, and the
next card is turned for trumps; a Jack turned scores one for the dealer.  When
the eldest begs and the dealer runs the cards, three more go to each hand and
the next card is turned.

Silent: what follows when every card of the pack has gone and one hand has
begged twice; we let the pack end the runs, as the book's "bunch" does.
"""

from __future__ import annotations

from audit.cards import RANKS, pack
from audit.games._plans import SEVEN_UP
from audit.law import Law, Source
from audit.rules.seven_up import SevenUp

PIPS_FOR_GAME = {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}


def seven_up(players: int) -> Law:
    """Return the law for that many *players*."""
    return Law(
        id=f"seven_up_{players}",
        name=f"Seven-Up for {players}",
        source=Source(book="Foster", section="Seven-Up"),
        pack=pack(RANKS),
        players=(players, players),
        plan=SEVEN_UP,
        rules=SevenUp(),
        honours={"J": "W13"},
        strength=PIPS_FOR_GAME,
        cut_least=4,
        silent=("pack used up by runs",),
    )
