"""Rules of Loo with three and with five cards (Foster, "Loo", "Irish Loo", "Five-card Loo";
the household book, end of Loo to section 100).

All counters are counted in white ones, the smallest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Literal

from audit.ranks import AS_USUAL, RANKS, SUITS, Order, Ranks
from audit.rules import Rules

JACK, KING, ACE = 9, 11, 12
_HIGH_TO_LOW = RANKS[::-1]


def _with_pam(pam: Mapping[str, str]) -> Ranks:
    """Return whist ranks with the card named for each trump suit as the best trump."""
    trumps = {
        suit: " ".join([pam[suit]] + [r + suit for r in _HIGH_TO_LOW if r + suit != pam[suit]])
        for suit in SUITS
    }
    return Ranks(trumps=trumps)


CLUB_KNAVE = _with_pam(dict.fromkeys(SUITS, "JC"))
TRUMP_KNAVE = _with_pam({suit: "J" + suit for suit in SUITS})


@lru_cache(maxsize=32)
def _order(pam: str, trump: int) -> Order:
    return {"none": AS_USUAL, "clubs": CLUB_KNAVE, "trumps": TRUMP_KNAVE}[pam].order(trump)


@dataclass(frozen=True, kw_only=True)
class Loo(Rules):
    """A pool for so many tricks, and what befalls those who win none.

    *cards* of a hand, and parts of the pool.  *pool*: a "simple" has no trump
    until somebody cannot follow, a "double" has a widow and a turned trump, "one"
    is the only kind of Irish and Five-card Loo.  *extra* is the word for taking
    the extra hand, "" where there is none; *draw* whether cards are exchanged.

    *stake* and *loo* are in white counters, a red one being worth *red*; *fine*
    and twice that are the penalties for irregularities and for a revoke
    (Five-card Loo does not restate them: Three-card Loo's are kept).
    *unlimited*: who wins no trick pays what is in the current pool.

    *flush* is what takes the pool unplayed and *claim* when: once all have
    "declared", "at once", or when hands are "changed".  *must* whether it has to be
    announced.  *pays*: those who play, or the whole table.  *younger*: whether the
    holder of another flush is looed ("every person at the table" in Five-card Loo,
    "is not looed" in Three-card Loo).  *best*: the elder flush, or one in trumps
    before one in a plain suit (the household book's "superior", as we read it).
    *flush_loo*: Foster names three reds for it and lets only failing to win a trick
    grow in Unlimited Loo, so "fixed"; or "as looed".

    *pam* is the knave of clubs, of trumps, or none; *civil* whether he must pass a
    led ace of trumps always, or only when asked by "Pam be civil".
    *play*: the household book's rules of play are lost; "foster" takes Foster's.
    *club*: everybody plays when a club is turned.  *ace_lead*: the eldest must lead
    the ace of trumps to the first trick (the sentence speaks of the eldest hand),
    or whoever leads, to every trick.  *turn_after*: a simple's trump is turned after
    any trick that somebody could not follow, or only after the first two (the book
    says both).  *alone*: what happens when one plays and no rule opposes him.
    """

    family: ClassVar[str] = "loo"
    #: Options that a deal may name, and what they may say.
    OPTIONS: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "younger": ("free", "pays"),
        "best": ("elder", "superior"),
        "flush_loo": ("fixed", "as looed"),
        "pam": ("none", "clubs", "trumps"),
        "civil": ("always", "asked"),
        "play": ("foster", "lost"),
        "ace_lead": ("first", "every"),
        "turn_after": ("any", "first two"),
        "alone": ("takes the pool", "plays"),
    }
    cards: int = 3
    pool: Literal["simple", "double", "one"] = "double"
    extra: str = ""
    draw: bool = False
    red: int = 3
    stake: int = 9
    loo: int = 9
    fine: int = 9
    unlimited: bool = False
    flush: Literal["none", "trumps", "suit"] = "trumps"
    claim: Literal["declared", "at once", "changed"] = "declared"
    must: bool = True
    pays: Literal["in", "table"] = "in"
    younger: str = "free"
    best: str = "elder"
    flush_loo: str = "fixed"
    pam: str = "none"
    civil: str = "always"
    play: str = "foster"
    club: bool = False
    ace_lead: str = "first"
    turn_after: str = "any"
    alone: str = "takes the pool"

    def chosen(self, options: Mapping[str, str]) -> tuple[Loo, int]:
        """Return the rules as *options* have them, and how many of these say nothing known."""
        known: dict[str, Any] = {}
        wrong = 0
        for name, allowed in self.OPTIONS.items():
            if name in options and options[name] in allowed:
                known[name] = options[name]
            elif name in options:
                wrong += 1
        return (replace(self, **known) if known else self), wrong

    def order(self, trump: int) -> Order:
        """Return the order of the cards under *trump* (-1 for none), with Pam if he is played."""
        return _order(self.pam, trump)

    def pam_card(self, trump: int) -> int:
        """Return the card that is Pam under *trump* (0-3), -1 for none."""
        if self.pam == "none":
            return -1
        return 13 * (3 if self.pam == "clubs" else trump) + JACK

    def is_flush(self, hand: Sequence[int], trump: int) -> bool:
        """Whether *hand* takes the pool unplayed: all trumps, or all of a suit with Pam for any."""
        if self.flush == "none" or len(hand) != self.cards:
            return False
        if self.flush == "trumps" and self.play == "lost":
            return False
        suits = {card // 13 for card in hand if card != self.pam_card(trump)}
        if self.flush == "trumps":
            return suits == {trump}
        return len(suits) == 1

    def top(self, trump: int, turned: int) -> int:
        """Return the trump that the eldest must lead: the ace, the King where the ace is turned."""
        ace = 13 * trump + ACE
        return 13 * trump + KING if turned == ace else ace
