"""Rules of Vingt-un (household book, sections 113-116), and its chances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import ClassVar, Literal

from audit.rules import Rules

ACE = 12
MOST = 21


@dataclass(frozen=True, kw_only=True)
class VingtUn(Rules):
    """Stakes, and what equal numbers pay.

    *stake* is what a player stands for who said no other; the book names neither stake nor
    limit.  *ties*: nothing by default; "in some companies" the dealer is paid.
    """

    family: ClassVar[str] = "vingt_un"
    hand: int = 2
    stake: int = 1
    ties: Literal["nothing", "dealer"] = "nothing"


def low(card: int) -> int:
    """Return the points of *card*, an ace counting one."""
    rank = card % 13
    return 1 if rank == ACE else min(rank + 2, 10)


def total(cards: Sequence[int]) -> int:
    """Return the best total not over 21, an ace as eleven or one; else the least."""
    points = sum(map(low, cards))
    return points + 10 if points + 10 <= MOST and any(c % 13 == ACE for c in cards) else points


def natural(cards: Sequence[int]) -> bool:
    """Whether two cards make 21."""
    return len(cards) == 2 and total(cards) == MOST


def natural_chance(pack: Sequence[int]) -> Fraction:
    """Return the chance of a natural in two cards of *pack*."""
    aces = sum(c % 13 == ACE for c in pack)
    tens = sum(low(c) == 10 for c in pack)
    return Fraction(aces * tens, comb(len(pack), 2))


def any_natural(pack: Sequence[int], hands: int) -> Fraction:
    """Return the chance that at least one of so many hands of two is a natural."""

    @cache
    def none(aces: int, tens: int, others: int, left: int) -> Fraction:
        if not left:
            return Fraction(1)
        whole = comb(aces + tens + others, 2)
        kinds = (aces, tens, others)
        out = Fraction(0)
        for i in range(3):
            for j in range(i, 3):
                ways = comb(kinds[i], 2) if i == j else kinds[i] * kinds[j]
                if (i, j) == (0, 1) or not ways:
                    continue
                rest = [kinds[k] - (k == i) - (k == j) for k in range(3)]
                out += Fraction(ways, whole) * none(*rest, left - 1)
        return out

    aces = sum(c % 13 == ACE for c in pack)
    tens = sum(low(c) == 10 for c in pack)
    return 1 - none(aces, tens, len(pack) - aces - tens, hands)


def bust(pack: Sequence[int], hand: Sequence[int]) -> Fraction:
    """Return the chance that the next card of *pack* without *hand* takes it above 21."""
    left = [c for c in pack if c not in hand]
    return bust_at(left, sum(map(low, hand)))


def bust_at(left: Sequence[int], points: int) -> Fraction:
    """Return the chance that one of the cards *left* takes a hand of so many points above 21."""
    return Fraction(sum(points + low(c) > MOST for c in left), len(left))


def above(pack: Sequence[int], points: int) -> Fraction:
    """Return the chance that two cards make more than *points*, an ace counting eleven."""
    pairs = [(a, b) for k, a in enumerate(pack) for b in pack[k + 1 :]]
    return Fraction(sum(total(p) > points for p in pairs), len(pairs))
