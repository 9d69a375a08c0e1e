"""What the detectors of orders share: their parts of one weight, subjects, and what is not shown.

**Deals that are not shown.**  Somebody may have left an order out because of what it was.
A bet is therefore also laid on that: with chance x, settled beforehand, an order is to be
left out, and else its evidence counts (1 - x)-fold.  Whoever leaves out what he likes turns
each factor into at most x + (1 - x) LR, which has mean 1.  x is 0 with chance 15/16, and
else spread as Beta(1/2, 1); for the first deal of a log, before which often nothing was
gathered, it is 1/8.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.finding import (
    WEIGHTS,
    Detail,
    Idle,
    Silent,
    Verdicts,
    log_threshold,
    share_of_person,
    share_to_come,
)
from audit.tally import Table, people

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: What each hypothesis has of the weight "order"; suspicions have the last fifteenth.
PARTS: Mapping[str, Fraction] = {
    "riffles": Fraction(6, 15),
    "riffles of a dealer": Fraction(1, 15),
    "successions": Fraction(1, 30),
    "successions of a dealer": Fraction(1, 30),
    "machine from the sorted pack": Fraction(2, 15),
    "machine from the order gathered": Fraction(1, 15),
    "card_places": Fraction(1, 30),
    "card_places of a dealer": Fraction(1, 30),
    "honour_packets": Fraction(1, 30),
    "honour_packets of a dealer": Fraction(1, 30),
    "stock_order": Fraction(1, 120),
    "stock_order of a dealer": Fraction(1, 40),
    "uneven_ranks": Fraction(1, 30),
}
_ALL_SHOWN = Fraction(15, 16)
_FIRST_LEFT_OUT = Fraction(1, 8)
_MOST_LOST = 1 << 40
# Relative loss that covers the rounding of lgamma.
_GUARD = 2.0**-40


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Whose orders are added up: *at* is the row in the tally."""

    at: int
    name: Mapping[str, str]
    words: str
    weight: Fraction


def subjects(part: str, table: Table) -> Iterator[Subject]:
    """Yield everybody with the weight of *part*, then each dealer with his share of his."""
    yield Subject(
        at=0, name={"table": "all"}, words="the table", weight=WEIGHTS["order"] * PARTS[part]
    )
    if table.machine:
        return
    whole = WEIGHTS["order"] * PARTS[f"{part} of a dealer"]
    for m, name in enumerate(people(table), start=1):
        yield Subject(
            at=m,
            name={table.who: name},
            words=f"{table.who} {name}",
            weight=whole * share_of_person(m),
        )


def silent(out: Verdicts, part: str, why: str, code: str, shown: Ints, table: Table) -> None:
    """Let all of *part* be silent for *why*; it stands with E = 1 where *shown* counts no deal.

    An order may be left out because of what it was, and so may the last one that is not sorted.
    """
    untouched = not shown.any()
    out.silent.append(Silent(code=code, detector=part, why=why, untouched=untouched))
    for one in subjects(part, table):
        out.unspoken(part, one.weight, one.name, untouched=untouched)
    others(out, part, shown, table)


def others(out: Verdicts, part: str, shown: Ints, table: Table) -> None:
    """Let stand with E = 1 what *part* has for dealers, where a machine deals, and all to come.

    *shown* is (looks, subjects, 4); with any deal that does not show what is counted, whose
    dealer may have been left out because of it, those to come count 0.
    """
    whole = WEIGHTS["order"] * PARTS[f"{part} of a dealer"]
    if table.machine:
        out.idle.append(Idle(detector=part, weight=whole))
    elif not shown[:, 0, 1::2].any():
        rest = whole * share_to_come(len(people(table)))
        out.idle.append(Idle(detector=part, weight=rest))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


@lru_cache(maxsize=1 << 16)
def _left_out(missing: int, shown: int) -> float:
    """Return ln of what the bet on *missing* orders left out, of those after the first, pays."""
    if not missing and not shown:
        return 0.0
    flat = _log_beta(missing + 0.5, shown + 1.0) - _log_beta(0.5, 1.0)
    flat += math.log(1 - _ALL_SHOWN) - _GUARD * (1 + missing + shown)
    return flat if missing else float(np.logaddexp(flat, math.log(_ALL_SHOWN)))


def left_out(shown: Ints) -> Floats:
    """Return what is added to ln E after each look, never above 0.

    Args:
        shown: counts of each look, shape (looks, 4): deals shown, not shown, and the same
            of the first deal of the log.
    """
    total = shown.cumsum(axis=0)
    first = np.array([math.log(1 - _FIRST_LEFT_OUT), math.log(_FIRST_LEFT_OUT)])
    rest = [_left_out(int(missing), int(seen)) for seen, missing, *_ in total]
    return np.asarray(np.array(rest) + total[:, 2:] @ first)


def detail(curve: Floats, shown: Ints, weight: Fraction) -> Detail:
    """Return the least share of the deals whose loss, chosen by anybody at will, explains *curve*.

    Args:
        curve: ln E after each look, with `left_out`.
        shown: as `left_out`.
        weight: that of the hypothesis.
    """
    best = int(curve.argmax())
    bare = float(curve[best] - left_out(shown)[best])
    seen, missing, first, _ = (int(x) for x in shown.cumsum(axis=0)[best])
    need = log_threshold(weight)

    def stands(lost: int) -> bool:
        return bare + _left_out(missing + lost, seen) >= need

    if not stands(0):
        return Detail(share_explaining=None)
    low, high = 0, 1
    while high < _MOST_LOST and stands(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if stands(middle) else (low, middle)
    return Detail(share_explaining=high / (high + seen + first))


def stored(places: Mapping[str, Ints]) -> str:
    """Return why the orders of the tally `order_places` say nothing, '' where they may."""
    whole = int(places["shown"][:, 0, ::2].sum())
    if not whole:
        return "no deal shows the order of the pack"
    if int(places["sorted"][0]) == whole:
        return f"every order of {whole} is the pack sorted, as cards stand that were put in order"
    return ""
