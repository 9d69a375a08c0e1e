"""What a player of the laboratory is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from audit.event import Choose

Cards: TypeAlias = NDArray[np.uint8]
RawWords: TypeAlias = NDArray[np.uint64]
Choice: TypeAlias = NDArray[np.bool_]
Decision: TypeAlias = Callable[[Cards, Cards, RawWords], Choice]


@dataclass(frozen=True, kw_only=True)
class Player:
    """Begs as the eldest, runs as the dealer.

    Each choice sees the own hand (N, 6), the turn-up (N,) and one word of
    chance for each deal, and nothing else.
    """

    name: str
    beg: Decision
    run: Decision
    #: How whole deals are played, None for players who only beg and run.
    choose: Choose | None = None
