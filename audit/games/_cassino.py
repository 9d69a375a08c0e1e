"""Cassino for two, three or four.  Source: household book, sections 110-112.

Four cards to each, one at a time, four face up on the board, and four more to
each until the pack is gone.  "Wins the game" of the last trick (law vi) is read
as winning the cards that are left, or no other point of the deal would count.
"""

from __future__ import annotations

from audit.cards import RANKS, pack
from audit.games._plans import CASSINO
from audit.law import Law, Source
from audit.rules.cassino import Cassino


def cassino(players: int) -> Law:
    """Return the law for that many *players*."""
    return Law(
        id=f"cassino_{players}",
        name=f"Cassino for {players}",
        source=Source(book="household book", section="110-112"),
        pack=pack(RANKS),
        players=(players, players),
        plan=CASSINO,
        rules=Cassino(partners=players == 4),
        silent=(
            "the points of the game",
            "what an ace counts in a combination: one",
            "court cards: they pair and do not combine",
            "who plays first: the eldest",
            "where the board's cards fall in a round: after the dealer's card",
        ),
    )
