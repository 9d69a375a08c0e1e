"""Begs and runs only without a Jack of another suit than the turn-up in hand.

An honest table of such players turns a second Jack as often as 3/39 with two
players, so a log without hands must allow for that much.
"""

from __future__ import annotations

import numpy as np

from audit.cards import RANKS
from audit.play._player import Cards, Choice, Player, RawWords

JACK = RANKS.index("J")


def _no_plain_jack(hand: Cards, turnup: Cards, words: RawWords) -> Choice:
    plain = (hand % 13 == JACK) & (hand // 13 != (turnup // 13)[:, None])
    return np.asarray(~plain.any(axis=1))


PLAYER = Player(name="jackless", beg=_no_plain_jack, run=_no_plain_jack)
