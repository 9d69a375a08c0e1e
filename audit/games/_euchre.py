"""Euchre: what the forms for two and for four share.

Source: the household book, sections 120-121.  Thirty-two cards, five to each
hand by twos and threes, the next card turned.  A knave turned is the right
bower, which the dealer may take up.

Silent: the cut.  The book's "eleventh card" for the turn-up fits two players
only; with four it is the twenty-first.  The modern pack of 24 (nine to ace) is
the option `pack=24`.
"""

from __future__ import annotations

from audit.cards import pack
from audit.games._plans import EUCHRE
from audit.law import Law, Source


def euchre(players: int) -> Law:
    """Return the law for that many *players*."""
    return Law(
        id=f"euchre_{players}",
        name=f"Euchre for {players}",
        source=Source(book="household book", section="120-121"),
        pack=pack("789TJQKA"),
        packs={"32": pack("789TJQKA"), "24": pack("9TJQKA")},
        players=(players, players),
        plan=EUCHRE,
        honours={"J": "W100"},
        silent=("cut", "turn-up with four players"),
    )
