"""A machine's shuffle is written wrongly: the order tells from which order it was made.

Warning: T08, the row of the battery for shuffles by program.
Null: the order after a shuffle is uniform, whatever lay before it.
Statistic: where each card of a known start went: the pack sorted by number (2 to ace of
spades, hearts, diamonds, clubs), or the order in which it was gathered.
Evidence: bets on each card in turn for swaps with any place, in all deals or in half of them,
and for sorts with a random comparison; exact likelihood ratios of the draws for bounds one too
small, steps left out, and remainders of a byte or of 15 bits; mixed by fixed shares, over the
first 4,096 deals.  It counts only beyond what riffles, a cut or kept neighbours explain.
Misses: other starts, which `card_places` finds later; a cut after the shuffle where the log
does not give the pack as it was before.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from audit.detect._orders import PARTS, Floats, Ints, left_out, stored
from audit.finding import WEIGHTS, Hypothesis, P, Silent, Verdicts
from audit.stats import draws, places
from audit.stats.evalue import SCALE, log_mean_exp
from audit.tally import Arrays, Detector, Table

_SOMETIMES = tuple(f"{name}, in half of the deals," for name in list(places.FAULTS)[:2])
FAULTS = (*places.FAULTS, *draws.FAULTS, *_SOMETIMES)
# A sort by coins is found in one deal, whatever its share.
SHARES = (
    Fraction(28, 80),
    Fraction(14, 80),
    Fraction(7, 80),
    Fraction(7, 80),
    *(Fraction(10, 80) * share for share in draws.shares()),
    Fraction(7, 80),
    Fraction(7, 80),
)
#: What is dealt is nearly always what a machine made; else the pack as given to the cut is.
_RESULTS = {"dealt": Fraction(15, 16), "given": Fraction(1, 16)}
_STARTS = {"sorted": "the sorted pack", "gathered": "the order gathered"}


def _curve(got: Arrays, start: str) -> Floats:
    parts = []
    for result in _RESULTS:
        curve = left_out(got[f"shown:{start}:{result}"])
        bets = got.get(f"bets:{start}:{result}")
        if bets is not None:
            curve = curve + log_mean_exp(bets.cumsum(axis=0), SHARES)
        parts.append(curve + np.log(float(_RESULTS[result])))
    return np.asarray(np.logaddexp(*parts))


def _by_hand(got: Arrays, start: str) -> Floats | float:
    """Return the most that a poor shuffle by hand explains, ln of its ratio to a fair one, or 0."""
    hands = [got.get(f"hand:{start}:{result}") for result in _RESULTS]
    most = [h.cumsum(axis=0).max(axis=1, initial=0) / SCALE for h in hands if h is not None]
    return np.asarray(np.maximum.reduce(most)) if most else 0.0


def _likeliest(got: Arrays, start: str) -> tuple[str, int]:
    """Return the fault with the most evidence after the last deal, and the deals it is from."""
    best: list[tuple[int, str, Ints]] = []
    for result in _RESULTS:
        bets = got.get(f"bets:{start}:{result}")
        if bets is not None:
            total = bets.sum(axis=0)
            k = int(total.argmax())
            best.append((int(total[k]), FAULTS[k], got[f"shown:{start}:{result}"]))
    _, fault, shown = max(best, key=lambda b: b[0])
    return fault, int(shown[:, ::2].sum())


NO_P = (
    "none: the evidence is a mixture of likelihood ratios of many faults, whose exact law costs"
    " too much"
)


def _weight(start: str) -> Fraction:
    return WEIGHTS["order"] * PARTS[f"machine from {_STARTS[start]}"]


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, got = Verdicts(), tallies["machine_order"]
    why = stored(tallies["order_places"])
    for start in _STARTS:
        subject, weight = {"start": _STARTS[start]}, _weight(start)
        if not any(f"bets:{start}:{result}" in got for result in _RESULTS):
            missing = "no deal shows the order of the pack"
            if start == "gathered":
                missing = "no deal shows the order of the pack and that in which it was gathered"
            untouched = not any(got[f"shown:{start}:{result}"].any() for result in _RESULTS)
            silent = Silent(code="T08", detector="machine_order", why=missing, untouched=untouched)
            out.silent.append(silent)
            out.unspoken("machine_order", weight, subject, untouched=untouched)
            continue
        if why:
            out.silent.append(Silent(code="T08", detector="machine_order", why=why))
            out.unspoken("machine_order", weight, subject, untouched=False)
            continue
        fault, deals = _likeliest(got, start)
        # Taking anything off leaves a bet against a fair shuffle, and names no poor one.
        curve = _curve(got, start) - _by_hand(got, start)
        out.hypotheses.append(
            Hypothesis(
                code="T08",
                detector="machine_order",
                subject=subject,
                weight=weight,
                curve=curve,
                deals=deals,
                p=lambda: P(log10=None, note=NO_P),
                null="the order after a shuffle is uniform, whatever lay before it",
                message=f"of the shuffles by program that are written wrongly, {fault!r} from"
                f" {_STARTS[start]} fits the orders of {deals} deals best",
                explains=(
                    "a fault of a program, which says nothing of intent",
                    "orders changed when they were stored",
                ),
            )
        )
    return out


DETECTOR = Detector(
    id="machine_order",
    codes=("T08",),
    title="A shuffle by program that is written wrongly",
    tallies=("machine_order", "order_places"),
    judge=_judge,
)
