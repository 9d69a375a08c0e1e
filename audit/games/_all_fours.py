"""What the games of the All Fours family share in pack, cut and count.

Source: Foster, "All Fours family".  Every one is played with the full pack, ace high, cut
with at least four cards left in each packet, six cards to each hand.
"""

from __future__ import annotations

from audit.cards import RANKS, pack
from audit.games._plans import Plan
from audit.law import Law, Source, Status
from audit.rules.all_fours import AllFours

PACK = pack(RANKS)
PIPS_FOR_GAME = {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}
JACKS = {"J": "W13"}


def member(
    name: str,
    title: str,
    section: str,
    *,
    players: tuple[int, int],
    plan: Plan,
    rules: AllFours,
    turned: bool = False,
    silent: tuple[str, ...] = (),
    status: Status = "whole",
) -> Law:
    """Return the law of one game of the family; *turned*: a card is turned for trumps."""
    return Law(
        id=name,
        name=title,
        source=Source(book="Foster", section=section),
        pack=PACK,
        players=players,
        plan=plan,
        rules=rules,
        honours=JACKS if turned else {},
        strength=PIPS_FOR_GAME,
        cut_least=4,
        silent=silent,
        status=status,
    )
