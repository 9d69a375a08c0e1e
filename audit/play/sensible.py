"""Begs on a hand without trumps worth playing; runs unless the own hand is strong."""

from __future__ import annotations

import numpy as np

from audit.cards import RANKS
from audit.play._player import Cards, Choice, Player, RawWords

NINE, TEN, ACE = (RANKS.index(rank) for rank in "9TA")


def _high_trumps(hand: Cards, turnup: Cards) -> Choice:
    return np.asarray((hand // 13 == (turnup // 13)[:, None]) & (hand % 13 > NINE))


def _beg(hand: Cards, turnup: Cards, words: RawWords) -> Choice:
    rank = hand % 13
    good = ((rank == TEN) | (rank == ACE)).sum(axis=1)
    return np.asarray(~_high_trumps(hand, turnup).any(axis=1) & (good < 3))


def _run(hand: Cards, turnup: Cards, words: RawWords) -> Choice:
    return np.asarray(_high_trumps(hand, turnup).sum(axis=1) < 2)


PLAYER = Player(name="sensible", beg=_beg, run=_run)
