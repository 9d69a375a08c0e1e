"""Matrimony.  Source: household book, section 108.

Two cards to each, one at a time (the book says only "dealt round"), then one
more to each, turned up, which stand in the record as the cards turned, the
eldest hand's first.
"""

from __future__ import annotations

from audit.cards import RANKS, pack
from audit.games._plans import singly
from audit.law import Law, Source
from audit.plan import Lay, PerSeat
from audit.rules.matrimony import Matrimony

LAW = Law(
    id="matrimony",
    name="Matrimony",
    source=Source(book="household book", section="108"),
    pack=pack(RANKS),
    players=(5, 14),
    plan=(*singly(2), Lay(to="turnup", cards=PerSeat(each=1))),
    rules=Matrimony(),
    silent=(
        "two cards singly or together: singly",
        "whether the card turned up counts with the hand: it does",
        "whether suits matter to king, queen and knave: they do not",
        "the oldest hand: nearest to the dealer's left",
        "three of a rank: they hold a pair of it",
        "whether one hand may take several chances: it may",
    ),
)
