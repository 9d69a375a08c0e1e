"""Plays by lot among all that the law allows: legal in every game, and no more."""

from __future__ import annotations

import numpy as np

from audit.event import Below, Event, Seen, Want
from audit.play._player import Cards, Choice, Player, RawWords

HALF = np.uint64(1 << 63)


def _half(hand: Cards, turnup: Cards, words: RawWords) -> Choice:
    return np.asarray(words < HALF)


def choose(want: Want, seen: Seen, below: Below) -> Event:
    """Return one of the wanted events, each choice equally likely."""
    number = 0
    if want.numbers is not None:
        low, high = want.numbers
        number = low + below(high - low + 1)
    word = want.words[below(len(want.words))] if want.words else ""
    cards: list[int] = list(want.sets[below(len(want.sets))]) if want.sets else []
    if want.cards:
        least = want.count if want.least is None else want.least
        count = least + below(want.count - least + 1)
        left = list(want.cards)
        for _ in range(count):
            cards.append(left.pop(below(len(left))))
    return Event(kind=want.kind, seat=want.seat, cards=bytes(cards), word=word, number=number)


PLAYER = Player(name="by lot", beg=_half, run=_half, choose=choose)
