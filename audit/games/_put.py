"""Put for two and for four: what both forms share.

Source: the household book, sections 101-104.  An entire pack, three cards singly,
no turn-up; suits are of no account.  With four, one of each pair gives his best
card to his partner, who has thrown his worst, and lays his other two face down.

Silent: who cuts and how deep; whether the lowest cut goes by the order of play;
who leads after a tie (the same hand again); what follows from ties other than one
trick each and the third tied (two tricks are still wanted, else the deal goes for
nothing); which of a pair gives (the eldest chooses for his side, the dealer for his);
a hand with too few cards.

The text of section 102 is garbled: "If you accept the first and your opponent
decline the challenge" is read as: who says "I put" and is not seen scores one, and
who places his cards on the pack gives one to his opponent.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from audit.cards import RANKS, pack
from audit.games._plans import Plan, singly
from audit.law import Law, Source
from audit.plan import Ask, Pick, When, Who
from audit.rules.put import Put


def _gives(giver: Who, receiver: Who, partner: int) -> Plan:
    """One gives his best card to the partner, who has thrown one; the rest lies aside.

    A pick is hidden from everybody or shown to all, and the partner has to see this one.
    """
    return (
        Pick(who=receiver, source="hand", to="discard", cards=1, hidden=True),
        Pick(who=giver, source="hand", to=f"hand {partner}", cards=1),
        Pick(who=giver, source="hand", to="discard"),
    )


#: Seats in dealing order: 1 and 3 are partners, 2 and the dealer.
PAIRS: Plan = (
    Ask(who="eldest", name="give", choices=("receive", "give")),
    When(
        name="give",
        answers=("give",),
        then=_gives("eldest", "pone", 3),
        otherwise=_gives("pone", "eldest", 1),
    ),
    Ask(who="dealer", name="give", choices=("receive", "give")),
    When(
        name="give",
        answers=("give",),
        then=_gives("dealer", "next", 2),
        otherwise=_gives("next", "dealer", 4),
    ),
)


def put(players: int) -> Law:
    """Return the law for two or four *players*."""
    four = players == 4
    return Law(
        id=f"put_{players}",
        name=f"Put for {players}",
        source=Source(book="household book", section="101, 103-104" if four else "101-102, 104"),
        pack=pack(RANKS),
        players=(players, players),
        plan=singly(3) + (PAIRS if four else ()),
        rules=Put(sides=four),
        silent=("cut", "lead after a tie", "other ties", "too few cards")
        + (("which of a pair gives",) if four else ()),
    )


def holds(law: Law, rank: str) -> Fraction:
    """Return the chance of at least one card of *rank* in a given hand."""
    size, hand = len(law.pack), law.hand
    marked = sum(c % 13 == RANKS.index(rank) for c in law.pack)
    return 1 - Fraction(comb(size - marked, hand), comb(size, hand))
