"""Every claim of odds in the books that names or implies a figure, and the exact value.

A value is computed, never typed; the pack is full, fresh and uniformly shuffled unless said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Literal

Verdict = Literal["exact", "about right", "true", "false", "no figure"]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One claim: where it stands, in our words, what it says as a fraction, and what is true.

    *said* is None where the book gives words only; *exact* computes the figures, by what
    they are about; *verdict* follows from the first of them.
    """

    code: str
    game: str
    source: str
    claim: str
    said: Fraction | None
    exact: Callable[[], dict[str, Fraction]]
    holds: Callable[[Fraction], Verdict]

    def values(self) -> dict[str, Fraction]:
        """Return the exact figures, the one that the claim is about first."""
        return self.exact()

    @property
    def verdict(self) -> Verdict:
        """What the exact figure says of the claim."""
        return self.holds(next(iter(self.values().values())))


def hypergeometric(pack: int, marked: int, drawn: int, least: int) -> Fraction:
    """Return P(at least *least* of *marked* cards among *drawn* of *pack*)."""
    ways = sum(
        comb(marked, k) * comb(pack - marked, drawn - k)
        for k in range(least, min(marked, drawn) + 1)
    )
    return Fraction(ways, comb(pack, drawn))


def some_hand(pack: int, marked: int, hand: int, hands: int, least: int) -> Fraction:
    """Return P(some one of *hands* hands of *hand* cards holds *least* of *marked* cards)."""

    def none(left: int, marks: int, n: int) -> int:
        """Ways to deal *n* hands of which none holds so many, as ordered choices."""
        if n == 0:
            return 1
        return sum(
            comb(marks, k) * comb(left - marks, hand - k) * none(left - hand, marks - k, n - 1)
            for k in range(min(least, marks + 1, hand + 1))
            if hand - k <= left - marks
        )

    def all_ways(left: int, n: int) -> int:
        return 1 if n == 0 else comb(left, hand) * all_ways(left - hand, n - 1)

    return 1 - Fraction(none(pack, marked, hands), all_ways(pack, hands))


def jack_turned() -> dict[str, Fraction]:
    """First turn-up of 52 cards."""
    return {"a Jack turned first": Fraction(4, 52)}


def ace_out() -> dict[str, Fraction]:
    """The bidder at Nap holds K Q of a plain suit: 47 cards unseen, 5 to each adversary."""
    out = {"ace not out, 4 players": 1 - Fraction(3 * 5, 47)}
    for n in (2, 3, 5, 6):
        out[f"ace not out, {n} players"] = 1 - Fraction((n - 1) * 5, 47)
    return out


def two_trumps() -> dict[str, Fraction]:
    """Some adversary of three holds two trumps or more, the bidder *k* of the thirteen."""
    return {f"bidder holds {k}": some_hand(47, 13 - k, 5, 3, 2) for k in (3, 2, 4, 5)}


def guarded() -> dict[str, Fraction]:
    """An ace or King guarded two or three times: nobody of three holds three of the suit."""
    return {
        f"nobody holds three, guarded {k - 1} times": 1 - some_hand(47, 13 - k, 5, 3, 3)
        for k in (3, 4)
    }


def naturals(hands: int) -> Callable[[], dict[str, Fraction]]:
    """Expected naturals in a coup of *hands* hands."""

    def exact() -> dict[str, Fraction]:
        one = Fraction(4 * 16, comb(52, 2))
        return {f"expected in a coup of {hands} hands": hands * one, "in one given hand": one}

    return exact


def safe(total: int, hands: dict[str, tuple[int, int]]) -> Callable[[], dict[str, Fraction]]:
    """The next card does not bust a hard *total*; *hands* are pairs of cards that make it."""

    def ranks() -> list[int]:
        return [min(rank, 10) for rank in range(1, 14)]

    def exact() -> dict[str, Fraction]:
        fits = [rank <= 21 - total for rank in ranks()]
        out = {"full pack": Fraction(sum(fits), 13)}
        for name, pair in hands.items():
            good = 4 * sum(fits) - sum(card <= 21 - total for card in pair)
            out[name] = Fraction(good, 50)
        return out

    return exact


def busts(total: int, hands: dict[str, tuple[int, int]]) -> Callable[[], dict[str, Fraction]]:
    """The next card busts: the complement of `safe`."""

    def exact() -> dict[str, Fraction]:
        return {name: 1 - value for name, value in safe(total, hands)().items()}

    return exact


def above_fourteen() -> dict[str, Fraction]:
    """Two cards of a full pack count more than 14, the ace eleven; beside it the ace as one."""

    def share(ace: int) -> Fraction:
        pack = [value for value in (ace, *range(2, 11), 10, 10, 10) for _ in range(4)]
        totals = [pack[i] + pack[j] for i in range(52) for j in range(i)]
        # Two aces are 12: as two elevens they would pass 21.
        above = sum(14 < total <= 21 for total in totals)
        return Fraction(above, comb(52, 2))

    return {"ace as eleven": share(11), "ace as one": share(1)}


def no_game() -> dict[str, Fraction]:
    """No counting card for Game (A K Q J 10) in any hand, no run, the turn-up out of play."""
    out = {}
    for n in (2, 3, 4):
        out[f"{n} players"] = Fraction(comb(32, 6 * n), comb(52, 6 * n))
    return out


def hands_unseen() -> dict[str, Fraction]:
    """Hands of five from the 26 cards that the dealer cannot see."""
    return {"opposing hands": Fraction(comb(26, 5))}


def three_trumps() -> dict[str, Fraction]:
    """Three trumps or more in a first hand of Écarté, one trump turned."""
    whole = hypergeometric(31, 7, 5, 3)
    with_king = Fraction(sum(comb(6, k - 1) * comb(24, 5 - k) for k in range(3, 6)), comb(31, 5))
    return {"without the King, a King not turned": whole - with_king, "at all": whole}


def _is(said: Fraction) -> Callable[[Fraction], Verdict]:
    return lambda value: "exact" if value == said else "false"


def _about(said: Fraction, within: Fraction) -> Callable[[Fraction], Verdict]:
    return lambda value: "about right" if abs(value - said) <= within else "false"


def _above(said: Fraction) -> Callable[[Fraction], Verdict]:
    return lambda value: "true" if value > said else "false"


def _words(_: Fraction) -> Verdict:
    return "no figure"


HALF, PERCENT5 = Fraction(1, 2), Fraction(1, 20)
CLAIMS = (
    Claim(
        code="W13",
        game="seven_up",
        source="Foster, Seven-Up, objects of the game",
        claim="a Jack is turned not more than once in thirteen deals",
        said=Fraction(1, 13),
        exact=jack_turned,
        holds=_is(Fraction(1, 13)),
    ),
    Claim(
        code="W32",
        game="nap",
        source="Foster, Napoleon, suggestions",
        claim="four playing, K Q of a plain suit held: about 2 to 1 against the ace being out",
        said=Fraction(2, 3),
        exact=ace_out,
        holds=_about(Fraction(2, 3), PERCENT5),
    ),
    Claim(
        code="W33",
        game="nap",
        source="Foster, Napoleon, suggestions",
        claim="count on at least two trumps in one hand against the bidder",
        said=None,
        exact=two_trumps,
        holds=_above(HALF),
    ),
    Claim(
        code="W34",
        game="nap_misere",
        source="Foster, Napoleon, misères",
        claim="an ace or King guarded two or three times is very safe",
        said=None,
        exact=guarded,
        holds=_above(HALF),
    ),
    Claim(
        code="W94",
        game="vingt_un",
        source="household book, 116",
        claim="a natural once in seven coups when two play",
        said=Fraction(1, 7),
        exact=naturals(2),
        holds=_about(Fraction(1, 7), Fraction(1, 100)),
    ),
    Claim(
        code="W94",
        game="vingt_un",
        source="household book, 116",
        claim="a natural twice in seven coups when four play",
        said=Fraction(2, 7),
        exact=naturals(4),
        holds=_about(Fraction(2, 7), Fraction(1, 100)),
    ),
    Claim(
        code="W95",
        game="vingt_un",
        source="household book, 116",
        claim="fourteen in hand: seven to six that the next card does not pass 21",
        said=Fraction(7, 13),
        exact=safe(14, {"10 and 4 removed": (10, 4), "7 and 7 removed": (7, 7)}),
        holds=_is(Fraction(7, 13)),
    ),
    Claim(
        code="W96",
        game="vingt_un",
        source="household book, 116",
        claim="fifteen in hand: seven to six that the next card passes 21",
        said=Fraction(7, 13),
        exact=busts(15, {"10 and 5 removed": (10, 5), "8 and 7 removed": (8, 7)}),
        holds=_is(Fraction(7, 13)),
    ),
    Claim(
        code="W97",
        game="vingt_un",
        source="household book, 116",
        claim="rather above an even bet that two cards amount to more than fourteen",
        said=HALF,
        exact=above_fourteen,
        holds=_above(HALF),
    ),
    Claim(
        code="W20",
        game="seven_up",
        source="Foster, Seven-Up",
        claim="it rarely happens that no Game is out",
        said=None,
        exact=no_game,
        holds=lambda value: "true" if value < Fraction(1, 100) else "false",
    ),
    Claim(
        code="W69",
        game="ecarte_foster",
        source="Foster, Écarté, the dealer",
        claim="the player may hold 65,780 hands",
        said=Fraction(65_780),
        exact=hands_unseen,
        holds=_is(Fraction(65_780)),
    ),
    Claim(
        code="W71",
        game="ecarte_foster",
        source="Foster, Écarté, standing hands",
        claim="always stand on three trumps without the King",
        said=None,
        exact=three_trumps,
        holds=_words,
    ),
)
