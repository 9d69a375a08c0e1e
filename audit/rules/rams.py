"""Rules of Rams, Rounce and Bierspiel, and the chances that they turn on.

Source: Foster, "Rams, or Rammes", "Rounce" and "Bierspiel".
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from audit.ranks import AS_USUAL, Ranks
from audit.rules import Rules

HAND = 5
SEVEN_OF_DIAMONDS = 31
ECARTE = Ranks(plain={"": "KQJAT987"})
PIQUET = Ranks(plain={"": "AKQJT987"})


def _with_the_seven(order: str) -> Ranks:
    """Return ranks under which the seven of diamonds is the second-best trump of any suit."""
    best, rest = order[0], order[1:]
    trumps = {s: [best + s, "7D", *(r + s for r in rest if r + s != "7D")] for s in "SHDC"}
    return Ranks(
        plain={"": order, "D": order.replace("7", "")},
        trumps={suit: " ".join(cards) for suit, cards in trumps.items()},
    )


BEER = _with_the_seven("AKQJT987")
WHIST = AS_USUAL


@dataclass(frozen=True, kw_only=True)
class Rams(Rules):
    """What the three games differ in, and what the book leaves to the table.

    *order* are the ranks of a plain suit, best first.  *head* is the duty to head,
    trump or under-trump.  *simple*: everybody plays in a pool of nothing but the
    dealer's five.  *general*: five tricks may be announced.  *widow_drop* cards of
    the widow are thrown away by who takes it.  *first_winner_leads_trump* is
    Rounce's; *trumps_first*, *auf* and *crosses* (no pool, a point for each trick
    and a cross of five for a penalty) are Bierspiel's.
    *sits_out* are the numbers of players with which the dealer takes no cards.

    *piquet_ranks*: A K Q J 10 ("lately become the fashion"); no, for the book
    gives K Q J A first.  *eldest_plays*: the eldest may not pass ("in some
    clubs"), so no.  *head_a_ruff*: whether who can follow a plain suit must beat
    its best card when the trick is already trumped; no, for such a card heads
    nothing.  *overtrump*: whether a void player, or one who answers a card led
    face down, must trump higher where he can; no, for the book asks the first only
    to trump, and such a card only "calls for a trump".  *ramsed_in_general*:
    whether those who took nothing against a general rams also pay the next pool;
    no, for the book names five to the announcer as what they pay.

    *called_card_has_suit*: whether a card led face down for want of a trump counts
    in its own suit when nobody trumps it; no, for the others cannot know that suit,
    so its leader keeps the trick.

    With the dealer out the book does not say whom a single player opposes: he
    takes the pool, and where nobody plays the pool remains.  A penalty leaves
    what the offender's tricks would have drawn in the pool.
    """

    family: ClassVar[str] = "rams"
    ranks: Ranks = ECARTE
    order: str = "KQJAT987"
    head: bool = True
    simple: bool = True
    general: bool = True
    widow: int = 5
    widow_drop: int = 0
    first_winner_leads_trump: bool = False
    trumps_first: bool = False
    auf: bool = False
    crosses: bool = False
    sits_out: tuple[int, ...] = (6,)
    misdealer_keeps: bool = False
    piquet_ranks: bool = False
    eldest_plays: bool = False
    head_a_ruff: bool = False
    overtrump: bool = False
    ramsed_in_general: bool = False
    called_card_has_suit: bool = False


def seven_turned(pack: tuple[int, ...]) -> Fraction:
    """Return the chance that the first turn-up is the seven of diamonds: each card alike."""
    return Fraction(sum(card == SEVEN_OF_DIAMONDS for card in pack), len(pack))
