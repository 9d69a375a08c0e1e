"""Rules of Écarté and of Pool Écarté.

Sources: the household book, sections 118-119 (laws i-xv); Foster, Écarté (from the
dealer's advice on; the rules proper are lost) and Pool Écarté.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from audit.ranks import Ranks
from audit.rules import Rules

#: King high, the ace between knave and ten, in every suit and in cutting.
ECARTE = Ranks(plain={"": "KQJAT987"})


@dataclass(frozen=True, kw_only=True)
class Ecarte(Rules):
    """Proposals, five tricks, King, point and vole; in a pool also the stakes.

    *exchanges* is how often cards may be changed, None as long as there is a
    stock: the household book allows one, a second only by agreement made before
    (a log says so by the option `second_discard` = agreed), while Foster's advice
    takes several for granted.

    *must_win* is what a second player owes who can follow suit and win.  Foster
    makes him win ("yes").  The household book's "follow suit, or win the trick
    if he can" may be read either way, so such a play is reported and stands
    ("report"); "no" asks nothing.  A void player trumps if able under all three.
    The option `must_win` of a log overrides it.

    *refusal* is which failing refusal costs two points: law xiv names the first
    proposal, section 118 any; the law is the narrower and is taken for both books,
    as Foster's own words are lost.  *penalty* is what it costs, once, even where
    the other side makes all five tricks, for no book adds the two.

    *stakes* is who pays into the pool: all three, only the two engaged, or nobody
    where the game is no pool.  The option `pool_game` of a log is the number of the
    game in its pool, `winner_before` the place of whoever won the game before.
    """

    family: ClassVar[str] = "ecarte"
    ranks: Ranks = ECARTE
    game: int = 5
    exchanges: int | None = None
    must_win: Literal["yes", "report", "no"] = "yes"
    refusal: Literal["first", "any"] = "first"
    penalty: int = 2
    king: int = 1
    point: int = 1
    vole: int = 2
    stakes: Literal["", "all", "engaged"] = ""
    book: Literal["foster", "household"] = "foster"
