"""Speculation.  Source: household book, section 105.

Three cards to each, one at a time, and the next turned for trumps.
"""

from __future__ import annotations

from audit.cards import RANKS, pack
from audit.games._plans import TURN, singly
from audit.law import Law, Source
from audit.rules.speculation import Speculation

LAW = Law(
    id="speculation",
    name="Speculation",
    source=Source(book="household book", section="105"),
    pack=pack(RANKS),
    players=(2, 17),
    plan=(*singly(3), *TURN),
    rules=Speculation(),
    silent=(
        "how many may play: as many as the pack serves",
        "whether the card turned belongs to the dealer",
        "whether a trump may be sold again later",
        "misdeals",
    ),
)
