"""What a report carries of a hypothesis, so that anybody can work out its e-value again.

Each function returns what stands behind the evidence after a look: the rule by name, the
counts, and the mixture that is bet, chances and weights as fractions; those named p_of what
stands behind a p.  `reports/recheck.py` reads them and shares no code with this package.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.stats import hypergeometric
from audit.stats.evalue import CONCENTRATIONS, SCALE

#: From the number of a look to what a report says of it.
Counts = Callable[[int], dict[str, Any]]


def _text(values: Sequence[Fraction]) -> list[str]:
    return [f"{v.numerator}/{v.denominator}" for v in values]


def of_rate(
    hits: NDArray[np.int64],
    deals: NDArray[np.int64],
    fair: Fraction,
    rates: Sequence[Fraction],
    weights: Sequence[Fraction],
) -> Counts:
    """*hits* in *deals*, cumulative (looks,), against chance *fair* each."""

    def at(look: int) -> dict[str, Any]:
        return {
            "rule": "rate",
            "hits": int(hits[look]),
            "deals": int(deals[look]),
            "fair": _text([fair])[0],
            "rates": _text(rates),
            "weights": _text(weights),
        }

    return at


def of_faces(counts: NDArray[np.int64]) -> Counts:
    """*counts* of equally likely faces, cumulative (looks, faces): a Dirichlet mixture."""

    def at(look: int) -> dict[str, Any]:
        row = counts[look].tolist()
        return {"rule": "faces", "counts": row, "concentrations": list(CONCENTRATIONS)}

    return at


def of_absent(
    deals: NDArray[np.int64],
    shown: NDArray[np.int64],
    size: int,
    prior: Sequence[tuple[Fraction, Fraction]],
) -> Counts:
    """Deals that showed n cards of *size*, and this one among them; (looks, n), not cumulative."""

    def at(look: int) -> dict[str, Any]:
        end = look + 1 or None
        of, mine = deals[:end].sum(axis=0), shown[:end].sum(axis=0)
        rows = [[n, int(of[n]), int(mine[n])] for n in range(1, size) if of[n]]
        return {
            "rule": "absent",
            "size": size,
            "rows": rows,
            "shares": _text([s for s, _ in prior]),
            "weights": _text([w for _, w in prior]),
        }

    return at


def of_bets(
    log: NDArray[np.int64],
    weights: Sequence[Fraction],
    shown: NDArray[np.int64] | None = None,
) -> Counts:
    """Sums of fixed-point bets of each look, (looks, bets): only their mixture can be redone.

    With *shown*, (looks, 4), goes the bet that orders were left out, as `_orders.left_out`.
    """

    def at(look: int) -> dict[str, Any]:
        end = look + 1 or None
        sums = log[:end].sum(axis=0).tolist()
        out = {"rule": "bets", "sums": sums, "scale": SCALE, "weights": _text(weights)}
        if shown is not None:
            out["shown"] = shown[:end].sum(axis=0).tolist()
        return out

    return at


def of_tilts(
    log: NDArray[np.int64],
    odds: Sequence[Fraction],
    marked: Sequence[int],
    drawn: Sequence[int],
    shown: NDArray[np.int64],
    size: int,
) -> Counts:
    """Cards of each group, *marked* of them in a pack of *size*, in each place of *drawn* cards.

    *log* (looks, groups x places x odds) are bets at *odds* on them, all of one weight.  How many
    cards there were is read off the bets on the first odds, each deal of which was rounded down
    by less than 2^-20: *shown* as `of_bets`, fewer than 2^18 deals.
    """
    law = [hypergeometric.pmf(population=size, marked=m, drawn=d) for m in marked for d in drawn]
    first = odds[0]
    means = np.array([math.log(sum(p * first**x for x, p in one.items())) for one in law])

    def at(look: int) -> dict[str, Any]:
        end = look + 1 or None
        told = shown[:end].sum(axis=0)
        deals = int(told[::2].sum())
        sums = log[:end].sum(axis=0).reshape(len(law), len(odds))[:, 0] / SCALE
        return {
            "rule": "tilts",
            "held": np.rint((sums + deals * means) / math.log(first)).astype(int).tolist(),
            "deals": deals,
            "size": size,
            "marked": list(marked),
            "drawn": list(drawn),
            "odds": _text(odds),
            "shown": told.tolist(),
        }

    return at


def p_of_rate(hits: int, deals: int, lost: int, fair: Fraction, kinds: int) -> dict[str, Any]:
    """*hits* in *deals* beside *lost* that are no hit, the best of so many *kinds*."""
    return {
        "rule": "rate",
        "hits": hits,
        "deals": deals,
        "lost": lost,
        "fair": _text([fair])[0],
        "kinds": kinds,
    }


def p_of_sum(
    law: str, of: Sequence[int], deals: int, total: int, lost: int, way: str, kinds: int
) -> dict[str, Any]:
    """A *total* over *deals* whose scores have one *law*, beside *lost* that hold the worst.

    *law* is a name and *of* its numbers, as `_tails.Law` has them.  *way* is the tail: "upper",
    "lower", or "both" for twice the less likely one; the best of so many *kinds*.
    """
    return {
        "rule": "sum",
        "law": law,
        "of": list(of),
        "total": total,
        "deals": deals,
        "lost": lost,
        "way": way,
        "kinds": kinds,
    }


def p_of_trials(
    seen: tuple[int, int, int, int], bins: NDArray[np.int64], unit: int, *, both: bool
) -> dict[str, Any]:
    """Trials by chance: [k, n] are n trials of chance 1.05^-k at most and above 1.05^-(k+1).

    *seen* and *bins* are as `count/trials.py` has them; the chances sum to "units" of
    1 / *unit*.  With *both* the less likely tail counts twice, and the trials that are hidden may
    all be hits for the lower one.
    """
    trials, hits, hidden, units = seen
    steps = [[len(bins) - 1 - int(k), int(bins[k])] for k in np.flatnonzero(bins)]
    out = {
        "rule": "trials",
        "hits": hits,
        "deals": trials,
        "units": units,
        "unit": unit,
        "steps": steps,
        "both": both,
    }
    return out | {"hidden": hidden} if both else out
