"""Spoil Five and the two ways of Forty-Five: what they share.

Source: Foster, "Spoil Five" and "Forty-Five, or Five and Ten" (the tables of
rank stand in one copy of the book only, and name the five of trumps twice).
No cutting for the deal: cards are dealt face up and the first Jack deals first.
Any player may shuffle, the dealer last; the pone cuts and leaves as many cards
as there are players in each packet.  Five cards to each, two and three or three
and two, and the next card is turned.  The last deal of a sitting belongs to the
player on the right of the first dealer.
"""

from __future__ import annotations

from audit.cards import RANKS, pack
from audit.games._plans import SPOIL_FIVE
from audit.law import Law, Source
from audit.rules.spoil_five import SpoilFive

SILENT = (
    "whether five and Jack together may both be kept back: yes, both are better than the lead",
    "how a dealer who holds the ace robs: as the others, when he comes to play",
    "a card exposed before anybody has two tricks: free",
    "whether the first dealer of a pool adds a counter: no",
    "where a card played out of turn stands: in the trick, as it was played",
)


def spoil_five(
    name: str,
    title: str,
    section: str,
    rules: SpoilFive,
    *,
    players: tuple[int, int],
    numbers: tuple[int, ...] = (),
    silent: tuple[str, ...] = SILENT,
) -> Law:
    """Return the law of one form of the game."""
    return Law(
        id=name,
        name=title,
        source=Source(book="Foster", section=section),
        pack=pack(RANKS),
        players=players,
        numbers=numbers,
        plan=SPOIL_FIVE,
        rules=rules,
        cut_by_players=True,
        silent=silent,
    )
