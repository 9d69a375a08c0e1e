"""Who makes High, Low, Jack and Game of the tricks of a deal; pure counting.

Source: Foster, "All Fours family", objects of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

Taken = Sequence[tuple[int, tuple[int, ...]]]
Played = Sequence[tuple[int, int]]
#: Ten, Jack, Queen, King, Ace by rank 8 to 12.
PIPS = {8: 10, 9: 1, 10: 2, 11: 3, 12: 4}
FIVE, TEN, JACK = 3, 8, 9


@lru_cache(maxsize=32)
def pip_table(trump: int, *, plain_honours: bool, trump_five: int) -> tuple[int, ...]:
    """Return the pips of each of the 52 cards toward Game under *trump* (0-3)."""
    table = [
        PIPS.get(card % 13, 0) if plain_honours or card // 13 == trump else 0 for card in range(52)
    ]
    table[13 * trump + FIVE] += trump_five
    return tuple(table)


def taker(taken: Taken, card: int) -> int:
    """Return the seat that took *card*, 0 where it was not in play."""
    for seat, cards in taken:
        if card in cards:
            return seat
    return 0


def high_low(played: Played, taken: Taken, trump: int, *, captured: bool) -> tuple[int, int]:
    """Return the seats of High and Low: who held them or, *captured*, took them; 0, 0 for none."""
    low, high = 13 * trump, 13 * trump + 13
    trumps = [(card, seat) for seat, card in played if low <= card < high]
    if not trumps:
        return 0, 0
    best, least = max(trumps), min(trumps)
    if captured:
        return taker(taken, best[0]), taker(taken, least[0])
    return best[1], least[1]


def pips(taken: Taken, table: Sequence[int]) -> dict[int, int]:
    """Return the pips toward Game that each seat took; a seat without a trick is absent."""
    out: dict[int, int] = {}
    worth = table.__getitem__
    for seat, cards in taken:
        out[seat] = out.get(seat, 0) + sum(map(worth, cards))
    return out
