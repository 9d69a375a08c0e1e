"""The same full deal under two numbers of one table (T18).

Null: every deal is a uniform order of its pack, independent of those before.
Evidence: a mixture over the chance q that a deal repeats an earlier one of
the log; a fair deal that equals an earlier one has chance n/M at most for n deals
before it and M possible deals of its hands, so one repeat multiplies the evidence by q M/n
and each fresh deal by 1 - q.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import printable
from audit.finding import WEIGHTS, Hypothesis
from audit.tally import Looks

QS = (0.5, 0.1, 0.01, 0.001, 0.0001)


@dataclass(frozen=True, kw_only=True)
class Repeats:
    """The repeats of a log: *before* each of them so many of its *deals* deals stand.

    *whole* says whether the first deal shows every hand; *hands* are how many each repeat has,
    and of how many cards; *numbers* are those of the first pair of deals that are one.
    """

    deals: int
    whole: bool
    hands: Sequence[tuple[int, int]]
    before: Sequence[int]
    numbers: tuple[str | None, str | None] | None


@lru_cache(maxsize=256)
def deals_possible(hand: int, players: int, size: int) -> float:
    """Return ln of the number of ways to deal *players* hands of *hand* cards of *size*."""
    log, left = 0.0, size
    for _ in range(players):
        log += math.log(math.comb(left, hand))
        left -= hand
    return log


def repeated(found: Repeats, looks: Looks, size: int) -> list[Hypothesis]:
    """Return the one hypothesis about repeats, none where no full deal stands in the log.

    *size* is the cards of the pack.
    """
    if not found.whole or looks.count == 0:
        return []
    at = np.zeros(looks.count, np.int64)
    gain = np.zeros(looks.count)
    for before, (players, hand) in zip(found.before, found.hands, strict=True):
        look = min((max(before, 1) - 1) >> looks.shift, looks.count - 1)
        at[look] += 1
        gain[look] += deals_possible(hand, players, size) - math.log(max(before, 1))
    fresh = np.array(looks.ends(), np.int64)
    rows = [
        math.log(1 / len(QS)) + fresh * math.log1p(-q) + at.cumsum() * math.log(q) + gain.cumsum()
        for q in QS
    ]
    table = np.vstack(rows)
    top = table.max(axis=0)
    message = f"{len(found.before)} deals repeat an earlier deal of their table card for card"
    if found.numbers:
        first, again = found.numbers
        message += f"; deal {printable(again or '?')} is deal {printable(first or '?')}"
    return [
        Hypothesis(
            code="T18",
            detector="repeats",
            subject={"log": "whole"},
            weight=WEIGHTS["repeats"],
            curve=np.asarray(top + np.log(np.exp(table - top).sum(axis=0))),
            deals=found.deals + len(found.before),
            null="every deal is independent of the deals before it",
            message=message,
            counts=_counts(fresh, at.cumsum(), gain.cumsum()),
            explains=(
                "boards played again on purpose",
                "rows copied under a new number",
                "one night told by two files that number its deals differently",
            ),
        )
    ]


def _counts(
    fresh: NDArray[np.int64], again: NDArray[np.int64], gain: NDArray[np.float64]
) -> Callable[[int], dict[str, Any]]:
    """Return what stands behind the evidence after a look, for `reports/recheck.py`.

    With a share q of deals that repeat one before, *fresh* deals of chance 1 - q are told beside
    those that are one *again*, which count q for each way to deal over the deals before: *gain*
    is the sum of ln of these.
    """

    def at(look: int) -> dict[str, Any]:
        return {
            "rule": "repeats",
            "fresh": int(fresh[look]),
            "again": int(again[look]),
            "gain": float(gain[look]),
            "shares": [str(Fraction(str(q))) for q in QS],
        }

    return at
