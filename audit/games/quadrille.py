"""Quadrille, which the household book (section 117) names and gives no rules for.

It is "now obsolete", "superseded by Whist"; nothing is said of pack, players or deal, and
nothing is made up for it here.
"""

from __future__ import annotations

from audit.law import Law, Source

LAW = Law(
    id="quadrille",
    name="Quadrille",
    source=Source(book="household book", section="117"),
    pack=(),
    players=(1, 1),
    plan=(),
    status="named",
    silent=("everything but that the game is obsolete",),
)
