"""Napoleon, or Nap, for two to six players: what its forms share.

Source: Foster, "Napoleon, or Nap" and its "Variations".  Five cards to each hand
by 2+3 or 3+2, in some places singly; no trump is turned, and the first card of
the highest bidder makes its suit trumps.  At least four cards are left in each
packet of the cut.  With five or six at the table it is usual that the dealer
takes no cards: the pack is then dealt as to one player fewer, and his hand is
empty in the record.

Silent: who has to bid when all have passed and the dealer holds no cards (the last
who holds a hand, for hands are never abandoned), and whether such a dealer pays
or is paid (he does not: he is no adversary of the bidder).

The heading of the higher bids says "double or treble stakes", but twenty is four
times the five that a failed nap costs: the figures ten and twenty are followed.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from audit.cards import RANKS, pack
from audit.games._plans import Plan
from audit.law import Law, Source
from audit.plan import PACKETS, Above, Ask, Deal, Draw, Each, Named, Pick, When
from audit.rules.nap import WON, Nap

#: The packets that the book names.
PACKET_PLANS = {"2+3": (2, 3), "singly": (1,) * 5, "3+2": (3, 2)}

MISERE = ("1", "2", "3", "misere", "4", "nap")
WELLINGTON = ("1", "2", "3", "4", "nap", "wellington")
BLUCHER = (*WELLINGTON, "blucher")


def deal(*widows: int) -> Plan:
    """Five to each; *widows* cards just before the dealer's own packet in each round."""
    plan: Plan = ()
    for name, packets in reversed(PACKET_PLANS.items()):
        cards = _widows(widows, packets)
        rounds = tuple(Deal(cards=k, widow=w) for k, w in zip(packets, cards, strict=True))
        plan = (When(name=PACKETS, answers=(name,), then=rounds, otherwise=plan),)
    return (Ask(who="dealer", name=PACKETS, choices=tuple(PACKET_PLANS)), *plan)


def _widows(widows: tuple[int, ...], packets: tuple[int, ...]) -> tuple[int, ...]:
    """Return the widow's cards in each round: the packet itself for a full widow."""
    if sum(widows) == sum(packets):
        return packets
    return (*widows, *(0,) * (len(packets) - len(widows)))


#: Each buys once, before any bid, and no more than the stock still holds.
PURCHASE: Plan = (
    *deal(),
    Each(
        steps=(
            Ask(who="it", name="buy", most=Above(keep=0)),
            Pick(who="it", source="hand", to="discard", cards=Named(name="buy"), hidden=True),
            Draw(who="it", cards=Named(name="buy")),
        )
    ),
)

#: The first who wants the widow has it, and lays five of his ten aside.
WIDOW: Plan = (
    *deal(2, 3),
    Each(
        steps=(
            Ask(who="it", name="widow", choices=("leave", "widow"), once=("widow",)),
            When(
                name="widow",
                answers=("widow",),
                then=(
                    Pick(who="it", source="widow", to="hand"),
                    Pick(who="it", source="hand", to="discard", cards=Above(keep=5), hidden=True),
                ),
            ),
        )
    ),
)

#: One card lies apart.  Who peeps has it alone in his hand for a moment, his own cards
#: lying aside, so that nobody else sees it; the highest bidder takes it.
PEEP: Plan = (
    *deal(1),
    Each(
        steps=(
            Ask(who="it", name="peep", choices=("pass", "peep")),
            When(
                name="peep",
                answers=("peep",),
                then=(
                    Pick(who="it", source="hand", to="aside"),
                    Pick(who="it", source="widow", to="hand"),
                    Pick(who="it", source="hand", to="widow"),
                    Pick(who="it", source="aside", to="hand"),
                ),
            ),
        )
    ),
    Each(
        steps=(
            Ask(who="it", name="take", choices=("leave", "take"), once=("take",)),
            When(
                name="take",
                answers=("take",),
                then=(
                    Pick(who="it", source="widow", to="hand"),
                    Pick(who="it", source="hand", to="discard", cards=Above(keep=5), hidden=True),
                ),
            ),
        )
    ),
)

NAP = Law(
    id="nap",
    name="Napoleon",
    source=Source(book="Foster", section="Napoleon"),
    pack=pack(RANKS),
    players=(2, 6),
    plan=deal(),
    rules=Nap(),
    cut_least=4,
    silent=("who must bid where the dealer takes no cards", "whether he then pays or is paid"),
)


def higher(id: str, name: str, ladder: tuple[str, ...], won: dict[str, int] | None = None) -> Law:
    """Return the law with other bids."""
    rules = Nap(ladder=ladder, won=WON if won is None else won)
    section = "Napoleon, Bidding" if "misere" in ladder else "Napoleon, Variations"
    return replace(
        NAP, id=id, name=name, rules=rules, source=Source(book="Foster", section=section)
    )


def lowest_cut(players: int) -> Fraction:
    """Return each player's chance of the lowest cut, ties cutting again: alike by symmetry."""
    return Fraction(1, players)


def card_out(law: Law, adversaries: int) -> Fraction:
    """Return the chance that a given card, not in the own hand, is in an adversary's.

    Source: Foster, Napoleon, Suggestions for Good Play: about two to one against.
    """
    return Fraction(law.hand * adversaries, len(law.pack) - law.hand)
