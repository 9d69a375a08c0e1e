"""How players of the laboratory who look at their cards play to tricks: plain and by sight only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit.event import Event, Want
from audit.play._player import Cards, Choice, RawWords
from audit.ranks import Order, winner


def never(hand: Cards, turnup: Cards, words: RawWords) -> Choice:
    """Neither beg nor run: for players of games that know neither."""
    return np.zeros(len(hand), np.bool_)


def strength(order: Order, card: int) -> tuple[bool, int]:
    """Return a key by which trumps stand above plain cards, and high above low."""
    return order.group[card] == 4, order.worth[card]


def play(want: Want, order: Order, hand: Sequence[int], trick: Sequence[int]) -> Event:
    """Lead high, trumps first from three; win as cheaply as may be; else throw the lowest."""
    cards = want.cards
    if not trick:
        trumps = [c for c in cards if order.group[c] == 4]
        plain = [c for c in cards if order.group[c] != 4]
        best = max(trumps if len(trumps) >= 3 or not plain else plain, key=order.worth.__getitem__)
    else:
        winning = [c for c in cards if winner(order, [*trick, c]) == len(trick)]
        best = min(winning or cards, key=lambda c: strength(order, c))
    return Event(kind="play", seat=want.seat, cards=bytes([best]))
