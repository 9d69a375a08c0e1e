"""Some card of the pack is turned more or less often than the others.

Warning: T02, the row of the battery behind W13; no book names the card.
Null: the first turn-up is a uniform card of the pack.
Statistic: how often each card was turned.
Evidence: Dirichlet mixture over concentrations against the uniform law.
Misses: a bias that favours a card now and its neighbour later.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.cards import NAMES
from audit.finding import WEIGHTS, Hypothesis, Silent, Verdicts, share_of_person
from audit.stats.binomial import log_upper
from audit.stats.evalue import dirichlet_uniform
from audit.tally import Arrays, Detector, Table, people


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    first, out = tallies["turnups"]["first"], Verdicts()
    if not first.sum():
        why = "no deal shows its turn-up and who dealt"
        out.silent.append(Silent(code="T02", detector="turned_card", why=why))
        return out
    pack = list(table.pack)
    for m, name in enumerate(people(table), start=1):
        counts = first[:, m - 1][:, pack].cumsum(axis=0)
        total = counts[-1]
        n = int(total.sum())
        if not n:
            continue
        curve = dirichlet_uniform(counts)
        most, least = int(total.argmax()), int(total.argmin())
        weight = WEIGHTS["turned_card"] * (1 if table.machine else share_of_person(m))
        explains = [
            "a recording habit, or rows sorted when they were stored",
            "deals left out of the log because of what was turned",
        ]
        if table.holds.turnup == "claimed":
            explains.insert(0, "the source only states which card is turned")
        out.hypotheses.append(
            Hypothesis(
                code="T02",
                detector="turned_card",
                subject={table.who: name},
                weight=weight,
                curve=np.asarray(curve),
                deals=n,
                null=f"each first turn-up is a uniform card of the {len(pack)}",
                message=f"{table.who} {name}: of {n} turn-ups the {NAMES[pack[most]]} is"
                f" {int(total[most])}, the {NAMES[pack[least]]} {int(total[least])};"
                f" a fair card is about {n / len(pack):.1f}",
                log10_p=_log10_p(int(total.max()), n, len(pack)),
                effect={
                    "name": "share of the most turned card",
                    "value": int(total[most]) / n,
                    "low": None,
                    "high": None,
                    "coverage": None,
                    "fair": 1 / len(pack),
                },
                explains=tuple(explains),
            )
        )
    out.pictures.append(
        {
            "kind": "bars",
            "title": "First turn-ups by card",
            "text": "All dealers together; the band is where 19 of 20 fair counts would fall.",
            "columns": ["card", "seen", "fair_low", "fair_high"],
            "rows": _rows(first.sum(axis=(0, 1))[pack], pack),
        }
    )
    return out


def _rows(total: NDArray[np.int64], pack: list[int]) -> list[list[object]]:
    n = int(total.sum())
    mean = n / len(pack)
    spread = 1.96 * math.sqrt(mean * (1 - 1 / len(pack)))
    pairs = zip(pack, total, strict=True)
    return [[NAMES[c], int(t), max(0.0, mean - spread), mean + spread] for c, t in pairs]


def _log10_p(largest: int, deals: int, cards: int) -> float:
    """Return log10 of the union bound on P(some card is turned *largest* times)."""
    bound = math.log(cards) + log_upper(deals, largest, Fraction(1, cards))
    return min(0.0, bound) / math.log(10)


DETECTOR = Detector(
    id="turned_card",
    codes=("T02",),
    title="A card turned too often or too seldom",
    tallies=("turnups",),
    judge=_judge,
)
