"""How often one peer may ask."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

MOST_PEERS = 10_000


class Buckets:
    """A bucket of *burst* tokens for each peer, refilled with *rate* a second."""

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._peers: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, peer: str) -> bool:
        """Take one token of *peer*; False when there is none."""
        now = self._clock()
        left, since = self._peers.pop(peer, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        allowed = left >= 1
        self._peers[peer] = (left - 1 if allowed else left, now)
        if len(self._peers) > MOST_PEERS:
            self._peers.popitem(last=False)
        return allowed
