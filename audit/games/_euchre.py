"""Euchre: what the forms for two and for four share.

Source: the household book, sections 120-121.  Thirty-two cards, five to each
hand by twos and threes, the next card turned.  A knave turned is the right
bower, which the dealer may take up.

The book's "eleventh card" for the turn-up fits two players only; with four it
is the twenty-first.  The modern pack of 24 (nine to ace) is the option `pack=24`.

Silent: the cut, misdeals, revokes, lone hands, the order of four players, and
what follows when nobody names; the options are in `audit/rules/euchre.py`.
"""

from __future__ import annotations

from fractions import Fraction

from audit.cards import RANKS, pack
from audit.games._plans import EUCHRE
from audit.law import Law, Source
from audit.rules.euchre import Euchre


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
        rules=Euchre(sides=players == 4, naming="each" if players == 4 else "first"),
        honours={"J": "W100"},
        silent=(
            "cut",
            "misdeals",
            "revokes",
            "lone hands",
            "nobody names",
            *(("turn-up with four players", "order of four players") if players == 4 else ()),
        ),
    )


def knave_turned(law: Law) -> Fraction:
    """Return the chance that the right bower is turned, which the dealer may take up."""
    return Fraction(sum(card % 13 == RANKS.index("J") for card in law.pack), len(law.pack))
