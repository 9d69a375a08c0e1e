"""Loo: the plans and laws that its games share, and the chances of their turned and dealt cards.

Source: Foster, "Loo", "Irish Loo", "Five-card Loo" (whole), and the household book,
the end of its Loo, section 99 and section 100.  Three cards are dealt singly, in a
double pool three to a widow just before the dealer's; then a card is turned.  In a
simple pool no card is turned before somebody could not follow suit.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from audit.cards import RANKS, pack
from audit.games._plans import LOO_DOUBLE, TURN, Plan, singly
from audit.law import Law
from audit.plan import Again, Ask, Draw, Each, Named, Pick, When
from audit.rules.loo import Loo

PACK = pack(RANKS)

#: After a trick that somebody could not follow, the dealer turns the top card.
SIMPLE: Plan = (
    *singly(3),
    Again(
        most=3,
        while_={"trump": ("none",)},
        steps=(Ask(who="dealer", name="trump", choices=("none", "turn")),),
    ),
    When(name="trump", answers=("turn",), then=TURN),
)
DOUBLE = LOO_DOUBLE


def exchanging(cards: int) -> Plan:
    """*cards* to each and a turn-up; those who play draw from the rest of the pack, in order."""
    return (
        *singly(cards),
        *TURN,
        Each(
            steps=(
                Ask(who="it", name="stand", choices=("pass", "play")),
                When(
                    name="stand",
                    answers=("pass",),
                    then=(Pick(who="it", source="hand", to="thrown"),),
                ),
            )
        ),
        Each(
            steps=(
                When(
                    name="stand",
                    answers=("play",),
                    then=(
                        Ask(who="it", name="discard", most=cards),
                        Pick(
                            who="it",
                            source="hand",
                            to="discard",
                            cards=Named(name="discard"),
                            hidden=True,
                        ),
                        Draw(who="it", cards=Named(name="discard")),
                    ),
                ),
            )
        ),
    )


#: As the double of Foster, the extra hand being called the miss.
MISS: Plan = (
    *singly(3, widow=1),
    *TURN,
    Each(
        steps=(
            Ask(who="it", name="stand", choices=("stand", "pass", "miss"), once=("miss",)),
            When(
                name="stand", answers=("pass",), then=(Pick(who="it", source="hand", to="under"),)
            ),
            When(
                name="stand",
                answers=("miss",),
                then=(
                    Pick(who="it", source="hand", to="under"),
                    Pick(who="it", source="widow", to="hand"),
                ),
            ),
        )
    ),
)

#: Foster's forfeits: a red counter is three white ones, a loo three reds.
FOSTER = Loo()
FIVE = Loo(
    cards=5,
    pool="one",
    draw=True,
    red=5,
    stake=25,
    loo=25,
    fine=15,
    flush="suit",
    claim="at once",
    must=False,
    pays="table",
    younger="pays",
)
FOSTER_SILENT = (
    "who cuts and how deep",
    "whether anything ends the game",
)
DOUBLE_SILENT = (
    *FOSTER_SILENT,
    "what becomes of the pool when nobody plays (it is left for the next)",
    "the dealer who alone plays, all having passed (he takes the pool)",
    "a dealer who defends the pool and holds three trumps (the pool is left)",
)
DRAW_SILENT = (
    *FOSTER_SILENT,
    "one player alone (he takes the pool)",
    "a pack that cannot serve all exchanges (no more than it holds)",
)
LOST = (
    "lost: deal, pool and its division, play, the rank of cards, who takes the miss and when",
    "cards singly, a miss dealt and turn-up as in Foster's double (assumed)",
    "play=foster takes Foster's rules of play and his division of the pool",
)


# -- chances ----------------------------------------------------------------------------------


def _suits(law: Law) -> list[list[int]]:
    return [[c for c in law.pack if c // 13 == suit] for suit in range(4)]


def three_trumps(law: Law) -> Fraction:
    """Return the chance of three trumps in a given hand, given the turn-up."""
    trumps = len(_suits(law)[0]) - 1
    return Fraction(comb(trumps, 3), comb(len(law.pack) - 1, 3))


def some_three_trumps(law: Law, players: int) -> Fraction:
    """Return the chance of three trumps in some hand or in the widow, given the turn-up."""
    rest, trumps = len(law.pack) - 1, len(_suits(law)[0]) - 1
    hands = players + bool(law.widow)
    # By inclusion and exclusion over the sets of hands that all hold three trumps.
    return sum(
        (
            (-1) ** (k + 1) * comb(hands, k) * Fraction(comb(trumps, 3 * k), comb(rest, 3 * k))
            for k in range(1, min(hands, trumps // 3) + 1)
        ),
        Fraction(0),
    )


def _flushes(suits: list[list[int]], pam: int, cards: int) -> int:
    """Return how many hands are flushes, from the cards of each suit that may be held."""
    found = 0
    held = any(pam in suit for suit in suits)
    for suit in suits:
        plain = len([c for c in suit if c != pam])
        found += comb(plain, cards) + held * comb(plain, cards - 1)
    return found


def flush(law: Law) -> Fraction:
    """Return the chance of a flush in a given first hand, averaged over the turn-up."""
    assert isinstance(law.rules, Loo)
    rules, found = law.rules, 0
    for turned in law.pack:
        suits = [[c for c in suit if c != turned] for suit in _suits(law)]
        found += _flushes(suits, rules.pam_card(turned // 13), rules.cards)
    return Fraction(found, len(law.pack) * comb(len(law.pack) - 1, rules.cards))


def pam_turned(law: Law) -> Fraction:
    """Return the chance that the turn-up is Pam, whom nobody then has."""
    assert isinstance(law.rules, Loo)
    turned = [c for c in law.pack if c == law.rules.pam_card(c // 13)]
    return Fraction(len(turned), len(law.pack))


def pam_held(law: Law) -> Fraction:
    """Return the chance that a given first hand holds Pam."""
    assert isinstance(law.rules, Loo)
    rest = len(law.pack) - 1
    return (1 - pam_turned(law)) * Fraction(law.rules.cards, rest)


def club_turned(law: Law) -> Fraction:
    """Return the chance that a club is turned."""
    return Fraction(len(_suits(law)[3]), len(law.pack))
