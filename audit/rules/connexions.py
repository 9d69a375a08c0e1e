"""Rules of Connexions (household book, sections 106-107), and its chances."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from audit.ranks import AS_USUAL, Ranks
from audit.rules import Rules

#: Ace of spades, king of hearts, ace of clubs; each two of them are a connexion.
SPADE, HEART, CLUB = 12, 24, 51
CARDS = frozenset((SPADE, HEART, CLUB))
DIAMONDS = 2


@dataclass(frozen=True, kw_only=True)
class Connexions(Rules):
    """What each connexion and the most tricks draw, in the order in which they are drawn.

    A counter is the least coin drawn: sixpence of gold's 2s 1s 6d 6d, a halfpenny where
    silver is pooled.  *answer*: whether who can complete a connexion has to; "must" is the
    default because the book says it "should be done in preference" to following suit.
    *most*: the seat with more tricks than any other, or with more than half of them; the
    book's "majority" is read as the first.  Equal numbers of tricks leave that in the pool.
    """

    family: ClassVar[str] = "connexions"
    ranks: Ranks = AS_USUAL
    hand: int = 8
    rewards: tuple[int, int, int, int] = (4, 2, 1, 1)
    answer: Literal["must", "may"] = "must"
    most: Literal["plurality", "half"] = "plurality"


#: The connexions, best first, and their names in the record.
PAIRS = (
    ("first connexion", frozenset((SPADE, CLUB))),
    ("second connexion", frozenset((SPADE, HEART))),
    ("third connexion", frozenset((CLUB, HEART))),
)


def both_dealt(pack: int, cards: int) -> Fraction:
    """Return the chance that both cards of a connexion are among the *cards* dealt."""
    return Fraction(cards * (cards - 1), pack * (pack - 1))
