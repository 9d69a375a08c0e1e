"""Vingt-un.  Source: household book, sections 113-116.

Two cards to each, the dealer's last, one at a time, then cards asked for in
turn; the pack goes on from coup to coup until it is through or a natural is
declared.  The book's rate of naturals, "once in seven coups when two, and twice
in seven when four, people play", is wrong: in a fresh pack a hand of two is a
natural with chance 32/663, so two hands give 64/663 a coup and four 128/663.
The printed rate is never used as what to expect.
"""

from __future__ import annotations

from audit.cards import RANKS, pack
from audit.games._plans import VINGT_UN
from audit.law import Law, Source
from audit.rules.vingt_un import VingtUn

LAW = Law(
    id="vingt_un",
    name="Vingt-un",
    source=Source(book="household book", section="113-116"),
    pack=pack(RANKS),
    players=(2, 26),
    plan=VINGT_UN,
    rules=VingtUn(),
    silent=(
        "stakes and their limits",
        "naturals of the dealer and of a player: they draw",
        "what the others pay when a player has a natural: nothing",
        "a coup that the pack cannot serve: it is finished with the next",
        "how many may play: as many as the pack serves",
    ),
)
