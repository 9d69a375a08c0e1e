"""Begs and runs by the toss of a coin."""

from __future__ import annotations

import numpy as np

from audit.play._player import Cards, Choice, Player, RawWords


def _toss(hand: Cards, turnup: Cards, words: RawWords) -> Choice:
    return np.asarray(words >> np.uint64(63) == 1)


PLAYER = Player(name="random_beggar", beg=_toss, run=_toss)
