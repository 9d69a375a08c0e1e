"""Hands of Put before play: extra cards taken away, and the best card given to a partner.

Source: the household book, sections 103 and 104, iv and v.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.ranks import Order


def extremes(order: Order, hand: Sequence[int], *, best: bool) -> list[int]:
    """Return the cards of *hand* that are its best, or its worst: one, or equal ones."""
    if not hand:
        return []
    pick = max if best else min
    top = pick(order.worth[c] for c in hand)
    return [c for c in hand if order.worth[c] == top]


def better(order: Order, led: int, other: int) -> int:
    """Return 1 where the card led wins, -1 where the other does, 0 for a tie; no suit counts."""
    a, b = order.worth[led], order.worth[other]
    return (a > b) - (a < b)
