"""What a report carries of a hypothesis, so that anybody can work out its e-value again.

Each function returns what stands behind the evidence after a look: the rule by name, the
counts, and the mixture that is bet, chances and weights as fractions.  `reports/recheck.py`
reads them and shares no code with this package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def of_bets(log: NDArray[np.int64], weights: Sequence[Fraction]) -> Counts:
    """Sums of fixed-point bets of each look, (looks, bets): only their mixture can be redone."""

    def at(look: int) -> dict[str, Any]:
        sums = log[: look + 1 or None].sum(axis=0).tolist()
        return {"rule": "bets", "sums": sums, "scale": SCALE, "weights": _text(weights)}

    return at
