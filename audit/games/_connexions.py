"""Connexions for three or four.  Source: household book, sections 106-107.

Ten cards each to three, eight each to four; diamonds are always trumps.  The
book names neither pack nor packets: a whole pack, since cards "bear the same
value as at whist", one card at a time.
"""

from __future__ import annotations

from audit.cards import RANKS, pack
from audit.games._plans import singly
from audit.law import Law, Source
from audit.rules.connexions import Connexions


def connexions(players: int) -> Law:
    """Return the law for that many *players*."""
    hand = {3: 10, 4: 8}[players]
    return Law(
        id=f"connexions_{players}",
        name=f"Connexions for {players}",
        source=Source(book="household book", section="106-107"),
        pack=pack(RANKS),
        players=(players, players),
        plan=singly(hand),
        rules=Connexions(hand=hand),
        silent=(
            "pack and packets",
            "who leads: the eldest",
            "who owns a connexion: the winner of its trick",
            "what each stakes to the pool",
            "equal numbers of tricks",
            "the penalty of a revoke",
        ),
    )
