"""The p-values that a report shows beside the evidence of suspicions and of orders.

They are for a reader who fixed the number of deals beforehand; no flag, verdict or exit code
reads them.  Deals that the log leaves out count as the worst for the finding, and where a p is
a bound it lies above the truth and is said to be one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from audit.detect._counts import p_of_rate, p_of_sum, p_of_trials
from audit.finding import P
from audit.stats import hypergeometric, repeated
from audit.stats.binomial import log_upper
from audit.stats.chances import BINS
from audit.suspicion import LARGEST, UNIT, Suspicion

ACTS = (
    "none: who acts decides which trials are held, and may follow how those before came out;"
    " the e-value allows for that"
)
UNNAMED = "none: some deals do not say who dealt, and may be this dealer's"
CHANCES = "at most this: from the mean and from bounds of the chances of the trials"
TIMES = "at most this: the chance of the one told, times the {kinds} that were looked at"
LONG = f"a bound, for the sum of more than {repeated.MOST_EXACT} deals costs too much"


def at_most(value: float, digits: int) -> str:
    """Return *value* > 0 to so many *digits*, and no smaller than it is, for a text that bounds it.

    A *value* that is nearer than 1e-9 of itself to a shorter one is that.
    """
    unit = 10.0 ** (math.floor(math.log10(value)) + 1 - digits)
    return f"{math.ceil(value / unit * (1 - 1e-9)) * unit:.{digits}g}"


def missing(shown: NDArray[np.int64]) -> int:
    """Return how many deals the log leaves out; *shown* (looks, 4) as `_orders.left_out`."""
    return int(shown[:, 1::2].sum())


def least(found: repeated.Bound, kinds: int = 1) -> P:
    """Return the p of the one told of *kinds* statistics of which the least p counts."""
    log_p = min(0.0, found.log_p + math.log(kinds))
    notes = [TIMES.format(kinds=kinds)] if kinds > 1 else []
    if not found.exact:
        notes.append(LONG if kinds > 1 else f"at most this: {LONG}")
    return P(log10=log_p / math.log(10), note="; ".join(notes))


@dataclass(frozen=True, kw_only=True)
class Law:
    """The law of one score: its *name* in a report, its numbers, and the weights of 0, 1, ...

    "falls" and "kept" are those of the circle of so many cards, *of* being that number;
    "hypergeometric" that of marked cards, *of* being the pack, the marked and the drawn.
    """

    name: Literal["falls", "kept", "hypergeometric"]
    of: tuple[int, ...]
    ways: Sequence[int]


def marked_cards(pack: int, marked: int, drawn: int) -> Law:
    """Return the law of the marked cards among those drawn."""
    ways = hypergeometric.ways(population=pack, marked=marked, drawn=drawn)
    weights = [ways.get(x, 0) for x in range(max(ways) + 1)]
    return Law(name="hypergeometric", of=(pack, marked, drawn), ways=weights)


def of_sum(
    law: Law,
    deals: int,
    total: int,
    *,
    lost: int,
    way: Literal["upper", "lower", "both"] = "upper",
    kinds: int = 1,
) -> P:
    """Return the p of a *total* over *deals*, beside *lost* that may hold anything.

    *law* is that of each deal; "both" is twice the less likely of both tails.
    """
    ways, times = law.ways, deals + lost
    tails = []
    if way != "lower":
        tails.append(repeated.upper(ways, times, total))
    if way != "upper":
        tails.append(repeated.lower(ways, times, total + lost * (len(ways) - 1)))
    found = least(min(tails, key=lambda b: b.log_p), kinds * len(tails))
    return replace(found, counts=p_of_sum(law.name, law.of, deals, total, lost, way, kinds))


def of_faces(largest: int, deals: int, lost: int, faces: int, kinds: int | None = None) -> P:
    """Return the p of the fullest of *kinds* cells, each as likely as one of *faces*.

    In *deals* deals, beside *lost* that may have filled it; by default all *faces* are told apart.
    """
    kinds, fair = faces if kinds is None else kinds, Fraction(1, faces)
    one = repeated.Bound(log_p=log_upper(deals + lost, largest, fair), exact=True)
    return replace(least(one, kinds), counts=p_of_rate(largest, deals, lost, fair, kinds))


def of_trials(
    suspicion: Suspicion,
    seen: tuple[int, int, int, int],
    bins: NDArray[np.int64],
    unnamed: int = 0,
) -> P:
    """Return the p of the trials of one subject: *seen* and *bins* as `count/trials.py` has them.

    So many deals are *unnamed*: somebody may have left out who dealt because of the cards.

    Only where a suspicion looks at whole deals: then which trials are held, at which chances,
    follows from the cards that they are taken given, and not from anybody's acts.
    """
    trials, hits, hidden, units = seen
    if suspicion.find is not None:
        return P(log10=None, note=ACTS)
    if unnamed and suspicion.per == "dealer":
        return P(log10=None, note=UNNAMED)
    used = np.flatnonzero(bins)
    number = bins[used].tolist()
    high = list(zip(BINS[used].tolist(), number, strict=True))
    mean = Fraction(min(units + trials, trials * UNIT), trials * UNIT)
    log_p = repeated.hits_upper(trials, hits, mean, high)
    both = any(odds is not None and odds < 1 for odds in suspicion.odds)
    if both:
        below = np.append(0.0, BINS[:-1])[used].tolist()
        low = list(zip(below, number, strict=True))
        # A stored chance may have been rounded up by 1 / LARGEST.
        least_mean = Fraction(max(0, units - trials * UNIT // LARGEST), trials * UNIT)
        few = repeated.hits_lower(trials, hits + hidden, least_mean, low)
        log_p = min(0.0, math.log(2) + min(log_p, few))
    counts = p_of_trials(seen, bins, UNIT, both=both)
    return P(log10=log_p / math.log(10), note=CHANCES, counts=counts)
