"""Groups of cards that are counted together, and the ends of the pack they may be brought to."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from audit.cards import RANKS, SUITS

#: So many cards, from the top where true, else from the bottom.
ENDS = tuple((cards, top) for cards in (4, 8) for top in (True, False))
#: The odds that are bet on each card of a group at an end.
ODDS = (3, 20)
#: The odds that are bet on each card of a rank or suit in the hands dealt.
DEALT_ODDS = (Fraction(1, 2), Fraction(4, 5), Fraction(5, 4), Fraction(2))


def _by_rank(pack: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    return {r: tuple(c for c in pack if RANKS[c % 13] == r) for r in RANKS}


@lru_cache(maxsize=64)
def makeup(pack: tuple[int, ...]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the cards of each rank and of each suit of *pack*, with their names."""
    ranks = [(f"cards of rank {r}", cards) for r, cards in _by_rank(pack).items() if cards]
    suits = [(f"cards of suit {s}", tuple(c for c in pack if SUITS[c // 13] == s)) for s in SUITS]
    return (*ranks, *((name, cards) for name, cards in suits if cards))


@lru_cache(maxsize=64)
def groups(pack: tuple[int, ...]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the groups of cards bet on, with their names: each rank, and aces with tens."""
    by_rank = _by_rank(pack)
    named = [(f"cards of rank {r}", cards) for r, cards in by_rank.items() if cards]
    return (*named, ("aces and tens", by_rank["A"] + by_rank["T"]))
