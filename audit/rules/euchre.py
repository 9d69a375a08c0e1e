"""Rules of Euchre for two and for four (household book, sections 120-121)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from audit.ranks import Ranks
from audit.rules import Rules


def _bowers(colours: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {
        suit: " ".join((f"J{suit}", f"J{other}", *(f"{rank}{suit}" for rank in "AKQT987")))
        for suit, other in colours
    }


#: As at whist, but for the knave of trumps and the other knave of its colour, which lead them.
BOWERS = Ranks(
    plain={"": "AKQJT987"},
    trumps=_bowers((("S", "C"), ("C", "S"), ("H", "D"), ("D", "H"))),
)


@dataclass(frozen=True, kw_only=True)
class Euchre(Rules):
    """Ordering up, playing, naming; five tricks; what they score.

    What the book leaves open, each overridden by the option of a log that bears its name:

    *must_follow*: "follow suit or trump, or throw away" (rule viii).  "yes" makes
    who holds the suit follow, as in every other game of the book that says
    "follow suit"; "no" lets him trump or throw away at will.

    *naming*: with two, the first player alone may name another suit (rule xi).
    With four the book says nothing of the order; "each" asks every seat in turn
    from the dealer's left in both rounds, as the game is played.

    *unnamed*: what follows when nobody names is not said; "redeal" throws the
    cards in, "must name" leaves the last who is asked no choice.

    *alone*: lone hands are not in the book ("no"); logs of today have them ("yes"),
    and five tricks alone then score *lone_march*.  *lead* says who leads against
    one: the first player on the left of the dealer, or of the loner.
    """

    family: ClassVar[str] = "euchre"
    ranks: Ranks = field(default=BOWERS)
    game: int = 5
    sides: bool = False
    must_follow: Literal["yes", "no"] = "yes"
    naming: Literal["first", "each"] = "first"
    unnamed: Literal["redeal", "must name"] = "redeal"
    alone: Literal["no", "yes"] = "no"
    lead: Literal["left of dealer", "left of loner"] = "left of dealer"
    point: int = 1
    march: int = 2
    euchre: int = 2
    lone_march: int = 4
