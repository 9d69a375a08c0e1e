"""Cassino for two, three or four.  Source: household book, sections 110-112.

Four cards to each, one at a time, four face up on the board, and four more to
each until the pack is gone.  "Wins the game" of the last trick (law vi) is read
as winning the cards that are left, or no other point of the deal would count.

Whether a card that can take may be put down instead is open: law iv has a player put one
down "whenever" he "cannot pair or combine", which may bind him or only tell him what is left.
The option `lay` is "unfit" by default, so that he may not, because the words name no other
case; "freely" lets him.  What a card takes he "may" take: any part of it will do.
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
            "a card that takes may not be put down (option lay)",
            "where the board's cards fall in a round: after the dealer's card",
        ),
    )
