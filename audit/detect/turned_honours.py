"""A rank that pays the dealer is turned too often by one dealer.

Warning: W13, W14 (Jacks at Seven-Up, once in thirteen deals), W79 (Kings at
Écarté, once in eight), W100 (knaves at Euchre).
Null: the first turn-up is a uniform card of the pack, whoever deals.
Statistic: deals of that dealer in which a paying rank was turned.
Evidence: mixture of likelihood ratios over rates above the fair one.
Misses: a dealer who turns what he wants in a few deals of a long log only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from audit.detect._counts import of_rate
from audit.detect._effect import share
from audit.detect._shown import against_rate
from audit.detect._tails import at_most
from audit.detect._turned import nothing_untold, to_come
from audit.finding import (
    WEIGHTS,
    Detail,
    Hypothesis,
    Idle,
    Silent,
    Verdicts,
    log_threshold,
    share_of_person,
)
from audit.stats import fisher
from audit.stats.binomial import band, log_upper
from audit.stats.detectable import least_hits, least_missing, smallest
from audit.stats.evalue import log_mean_exp, rate_atoms
from audit.stats.prior import WEIGHTS as PRIOR
from audit.stats.prior import rate_grid
from audit.tally import Arrays, Detector, Table, not_shown, people

#: Fisher's test is summed in whole numbers, which would take too long for more deals.
MOST_COMPARED = 20_000


def mixture(
    hits: NDArray[np.int64], misses: NDArray[np.int64], fair: Fraction
) -> NDArray[np.float64]:
    """Return ln E after each of the (looks,) cumulative counts, for the rates of `prior`."""
    atoms = rate_atoms(fair, rate_grid(fair))
    logs = np.stack([hits * hit + misses * miss for hit, miss in atoms], axis=-1)
    return log_mean_exp(logs, PRIOR)


def _detail(
    hits: NDArray[np.int64],
    deals: NDArray[np.int64],
    fair: Fraction,
    weight: Fraction,
    rank: str,
    untold: int = 0,
) -> Detail:
    """Return the detail of one subject; *hits* and *deals* are cumulative, shape (looks,).

    *untold* of the deals do not show their card.  They count as no hit, and as hits where the
    question is what the log speaks against.
    """
    n, k = int(deals[-1]), int(hits[-1])
    bar = log_threshold(weight)

    def gone(m: int) -> bool:
        # Deals left out at the start lower the evidence at every look.
        return bool((mixture(hits, deals - hits + m, fair) < bar).all())

    left_out = least_missing(gone)
    least = least_hits(lambda h, d: mixture(h, d - h, fair), deals, bar)
    a, b = fair.as_integer_ratio()
    x = smallest(
        lambda x: Fraction(100 * a + x, 100 * b), 100 * (b - a) - 1, deals=deals, least=least
    )
    return Detail(
        effect=share(f"rate of {rank} turned", k, n, float(fair)),
        share_explaining=left_out / (n + left_out) if left_out else None,
        detectable=None
        if x is None
        else f"a rate of {a + x / 100:.2f} in {b} would have been flagged with probability 0.9"
        f" by these {n:,} deals",
        cleared=against_rate(
            min(n, k + untold), n, fair, f"rate of {rank} turned, as a multiple of the fair one"
        ),
    )


def _others(hits: int, deals: int, rest: tuple[int, int], who: str) -> str:
    """Return how the *rest* (hits, deals) of the table compares, '' where nobody else dealt.

    Fisher's exact test asks for no fair rate: it tells a fault of this dealer's from one of the
    pack or of the records that all share.  Deals of others that do not show their card
    are among the hits of the *rest*, those of his own are no hits.
    """
    k, n = rest
    if not n or deals + n > MOST_COMPARED or hits * n <= k * deals:
        return ""
    log10 = fisher.log_upper(((hits, deals - hits), (k, n - k))) / math.log(10)
    chance = at_most(10**log10, 2) if log10 > -3 else f"10^{math.ceil(log10 * 10) / 10:.1f}"
    return (
        f"; the other {who}s in {k} of {n}, and if all turned alike, he would have so many with"
        f" chance {chance} at most"
    )


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    law, first = table.law, tallies["turnups"]["first"]
    code = next(iter(law.honours.values()), "W13")
    out = Verdicts()
    if not law.honours or not law.turnup:
        why = "no turned card pays the dealer in this game"
        out.silent.append(Silent(code=code, detector="turned_honours", why=why, untouched=True))
        out.idle.append(Idle(detector="turned_honours", weight=WEIGHTS["turned_honours"]))
        return out
    to_come(out, "turned_honours", tallies["turnups"], table)
    if not first.sum():
        why = "no deal shows its turn-up and who dealt"
        told = nothing_untold(tallies["turnups"], table)
        out.silent.append(Silent(code=code, detector="turned_honours", why=why, untouched=told))
    ranks = ["23456789TJQKA".index(r) for r in law.honours]
    paying = [c for c in table.pack if c % 13 in ranks]
    fair = Fraction(len(paying), len(table.pack))
    rank = "".join(law.honours)
    bars = []
    shown, paid = first.sum(axis=(0, 2)), first[:, :, paying].sum(axis=(0, 2))
    hidden = tallies["turnups"]["blank"][:-1]
    for m, name in enumerate(people(table), start=1):
        counts = first[:, m - 1]
        hits = counts[:, paying].sum(axis=1).cumsum()
        deals = counts.sum(axis=1).cumsum()
        untold = not_shown(tallies["turnups"], table, m - 1)
        weight = WEIGHTS["turned_honours"] * (1 if table.machine else share_of_person(m))
        if not deals[-1:].any():
            out.unspoken("turned_honours", weight, {table.who: name}, untouched=not untold)
            continue
        # The turn-up may be left out because of the card: it counts as one that does not pay.
        deals = deals + untold
        n, k = int(deals[-1]), int(hits[-1])
        short = f" ({untold} do not show it and count as another card)" if untold else ""
        who = f"{table.who} {name}"
        lost = int(hidden.sum() - hidden[m - 1])
        rest = int(paid.sum() - paid[m - 1]) + lost, int(shown.sum() - shown[m - 1]) + lost
        out.hypotheses.append(
            Hypothesis(
                code=code,
                detector="turned_honours",
                subject={table.who: name},
                weight=weight,
                curve=mixture(hits, deals - hits, fair),
                deals=n,
                null="each first turn-up is a uniform card of the pack",
                message=f"{who}: a {rank} turned in {k} of {n} deals{short}; a fair pack does so"
                f" once in {fair.denominator}{_others(k, n, rest, table.who)}",
                log10_p=log_upper(n, k, fair) / math.log(10),
                more=partial(_detail, hits, deals, fair, weight, rank, untold),
                counts=of_rate(hits, deals, fair, rate_grid(fair), PRIOR),
                explains=(
                    "deals thrown in and not recorded when another card was turned",
                    "a recording habit that notes paying turn-ups first",
                    "poor shuffling after face-up gathering",
                    "deals counted twice: rows copied, or in two files with other numbers",
                ),
            )
        )
        bars.append([name, k, *band(n, fair)])
    if not bars:
        return out
    out.pictures.append(
        {
            "kind": "bars",
            "title": f"{rank} turned, by {table.who}",
            "text": "The band holds at least 19 of 20 fair counts (exact binomial);"
            " it decides nothing.",
            "columns": [table.who, "seen", "fair_low", "fair_high"],
            "rows": bars[:40],
        }
    )
    return out


DETECTOR = Detector(
    id="turned_honours",
    codes=("W13", "W14", "W79", "W100"),
    title="A paying rank turned too often",
    tallies=("turnups",),
    judge=_judge,
)
