"""Rules of Cassino (household book, sections 110-112), and its chances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import ClassVar, Literal

from audit.rules import Rules

GREAT, LITTLE = 34, 0
ACE, JACK = 12, 9


@dataclass(frozen=True, kw_only=True)
class Cassino(Rules):
    """Points of the deal; they are not kept apart: the smaller number is taken from the larger.

    *lay*: "unfit" lets a card be put down only where it takes nothing: a reading, the default
    because law iv names no other case than "whenever any player cannot pair or combine";
    "freely" lets a player keep back what he could take, for the book does not forbid it.
    Of what a card can take, the player may take any part ("he may").  *game* is the number of
    points of the game, which the book does not give; None where it is not agreed.
    """

    family: ClassVar[str] = "cassino"
    hand: int = 4
    board: int = 4
    great: int = 2
    little: int = 1
    cards: int = 3
    spades: int = 1
    ace: int = 1
    clear: int = 1
    lay: Literal["unfit", "freely"] = "unfit"
    partners: bool = False
    game: int | None = None


def value(card: int) -> int:
    """Return what *card* counts in a combination: ace 1, spots their number, courts 0."""
    rank = card % 13
    if rank == ACE:
        return 1
    return 0 if rank >= JACK else rank + 2


def groups(card: int, board: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the cards of *board* that pair with *card* and each combination adding to it."""
    aim = value(card)
    if not aim:
        yield from ((c,) for c in board if c % 13 == card % 13)
        return
    small = [c for c in board if 0 < value(c) <= aim]
    for count in range(1, min(aim, len(small)) + 1):
        for some in combinations(small, count):
            if sum(map(value, some)) == aim:
                yield some


def fits(card: int, taken: Sequence[int]) -> bool:
    """Whether *taken* falls into pairs of *card* and combinations adding to it, all of it."""
    if not taken:
        return True
    first, rest = taken[0], list(taken[1:])
    if value(card) == 0 or value(first) == 0:
        return first % 13 == card % 13 and fits(card, rest)
    for group in groups(card, taken):
        if first in group and fits(card, [c for c in taken if c not in group]):
            return True
    return False


def takings(card: int, board: Sequence[int]) -> list[tuple[int, ...]]:
    """Return single groups that *card* takes, and one union of groups that leaves no other."""
    single = list(groups(card, board))
    whole: list[int] = []
    for group in single:
        if not set(group) & set(whole):
            whole += group
    return single + ([tuple(whole)] if len(single) > 1 and tuple(whole) not in single else [])


def on_board(pack: int, board: int) -> Fraction:
    """Return the chance that one named card is among the *board* cards."""
    return Fraction(board, pack)
