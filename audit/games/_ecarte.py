"""Écarté and its pools: what the four rows share, and the chances of the deal.

Sources: the household book, sections 118-119; Foster, Écarté (what follows the
dealer's advice; the rules proper are lost) and Pool Écarté.

Misprints: the household book has "rôle" for vole, and its rule xiii gives "two
tricks" where section 118 gives two points; points are meant.  Of Foster's eight
hands on which the dealer refuses, the last holds the eight of diamonds twice
and is impossible as printed.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Literal

from audit.cards import RANKS, pack
from audit.games._plans import ecarte
from audit.law import Law, Source
from audit.rules.ecarte import Ecarte

PACK = pack("789TJQKA")
HAND = 5
FOSTER = Source(book="Foster", section="Écarté")
HOUSEHOLD = Source(book="household book", section="118-119")
POOL = Source(book="Foster", section="Pool Écarté")
#: What Foster's lost page leaves open, all filled from the household book.
LOST = (
    "packet plan",
    "least cut",
    "which end of the cut deals",
    "misdeals",
    "penalty of a revoke beyond the replay",
    "refusal of a second proposal",
)


def family(
    name: str,
    title: str,
    source: Source,
    *,
    exchanges: int | None = None,
    book: Literal["foster", "household"] = "foster",
    stakes: Literal["", "all", "engaged"] = "",
    silent: tuple[str, ...] = LOST,
) -> Law:
    """Return one row of the family."""
    must_win: Literal["yes", "report"] = "yes" if book == "foster" else "report"
    return Law(
        id=name,
        name=title,
        source=source,
        pack=PACK,
        players=(2, 2),
        plan=ecarte(exchanges=exchanges),
        rules=Ecarte(exchanges=exchanges, must_win=must_win, stakes=stakes, book=book),
        honours={"K": "W79"},
        cut_least=2,
        silent=silent,
    )


def _kings(law: Law) -> int:
    return sum(card % 13 == RANKS.index("K") for card in law.pack)


def king_turned(law: Law) -> Fraction:
    """Return the chance that the turn-up is a King: the dealer's point."""
    return Fraction(_kings(law), len(law.pack))


def king_dealt(law: Law) -> Fraction:
    """Return the chance that no King is turned and a given hand has that of trumps."""
    unseen = len(law.pack) - 1
    holds = Fraction(comb(unseen - 1, HAND - 1), comb(unseen, HAND))
    return (1 - king_turned(law)) * holds


def king_in_either(law: Law) -> Fraction:
    """Return the chance, no King being turned, that one of the first hands has that of trumps."""
    unseen = len(law.pack) - 1
    return 1 - Fraction(comb(unseen - 1, 2 * HAND), comb(unseen, 2 * HAND))


def three_trumps(law: Law, *, without_king: bool = False) -> Fraction:
    """Return the chance of three trumps or more in a given first hand.

    With *without_king* a card other than a King is turned, and the hand has not that of trumps.
    """
    unseen = len(law.pack) - 1
    trumps = len(law.pack) // 4 - 1
    plain = unseen - trumps
    able = trumps - without_king
    hands = sum(comb(able, k) * comb(plain, HAND - k) for k in range(3, HAND + 1))
    return Fraction(hands, comb(unseen, HAND))


def pool_ends_at(game: int) -> Fraction:
    """Return the chance that a pool of players of even strength is taken at *game* (from 1)."""
    return Fraction(0) if game < 2 else Fraction(1, 2 ** (game - 1))
