"""Some card of the pack is turned more or less often than the others.

Warning: T02, the row of the battery behind W13; no book names the card.
Null: the first turn-up is a uniform card of the pack.
Statistic: how often each card was turned.
Evidence: Dirichlet mixture over concentrations against the uniform law.
Misses: a bias that favours a card now and its neighbour later.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from audit.cards import NAMES
from audit.detect._counts import of_faces
from audit.detect._effect import share
from audit.detect._tails import of_faces as of_faces_p
from audit.detect._turned import nothing_untold, to_come
from audit.finding import (
    WEIGHTS,
    Detail,
    Hypothesis,
    Silent,
    Verdicts,
    log_threshold,
    share_of_person,
)
from audit.stats.binomial import band
from audit.stats.detectable import least_missing, smallest_at_end
from audit.stats.evalue import dirichlet_uniform, log_dirichlet
from audit.tally import Arrays, Detector, Table, not_shown, people


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    first, out = tallies["turnups"]["first"], Verdicts()
    to_come(out, "turned_card", tallies["turnups"], table)
    if not first.sum():
        why = "no deal shows its turn-up and who dealt"
        told = nothing_untold(tallies["turnups"], table)
        out.silent.append(Silent(code="T02", detector="turned_card", why=why, untouched=told))
    pack = list(table.pack)
    for m, name in enumerate(people(table), start=1):
        counts = first[:, m - 1][:, pack].cumsum(axis=0)
        n = int(counts[-1:].sum())
        untold = not_shown(tallies["turnups"], table, m - 1)
        weight = WEIGHTS["turned_card"] * (1 if table.machine else share_of_person(m))
        if not n:
            out.unspoken("turned_card", weight, {table.who: name}, untouched=not untold)
            continue
        total = counts[-1]
        # The turn-up may be left out because of the card: it counts as the least turned one.
        if untold:
            counts = np.stack([level(row, untold) for row in counts])
        curve = dirichlet_uniform(counts)
        most, least = int(total.argmax()), int(total.argmin())
        explains = [
            "a recording habit, or rows sorted when they were stored",
            "deals left out of the log because of what was turned",
            "deals counted twice: rows copied, or in two files with other numbers",
        ]
        if table.holds.turnup == "claimed":
            explains.insert(0, "the source only states which card is turned")
            if table.holds.widow_order == "sorted":
                explains[:2] = ["the rows were sorted when they were stored", *explains[:1]]
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
                f" a fair card is about {n / len(pack):.1f}"
                + (f"; {untold} deals do not show theirs" if untold else ""),
                p=partial(of_faces_p, int(total.max()), n, untold, len(pack)),
                more=partial(_detail, counts, weight, untold),
                counts=of_faces(counts),
                explains=tuple(explains),
            )
        )
    if not out.hypotheses:
        return out
    together = "" if table.machine else f"All {table.who}s together. "
    out.pictures.append(
        {
            "kind": "bars",
            "title": "First turn-ups by card",
            "text": f"{together}The band holds at least 19 of 20 fair counts (exact"
            " binomial); it decides nothing.",
            "columns": ["card", "seen", "fair_low", "fair_high"],
            "rows": _rows(first.sum(axis=(0, 1))[pack], pack),
        }
    )
    return out


def _rows(total: NDArray[np.int64], pack: list[int]) -> list[list[object]]:
    low, high = band(int(total.sum()), Fraction(1, len(pack)))
    return [[NAMES[c], int(t), low, high] for c, t in zip(pack, total, strict=True)]


def _detail(counts: NDArray[np.int64], weight: Fraction, untold: int = 0) -> Detail:
    """Return the detail of one subject; *counts* are cumulative, shape (looks, cards)."""
    total = counts[-1]
    cards = len(total)
    return Detail(
        effect=share(
            "share of the most turned card",
            int(total.max()),
            int(total.sum()),
            1 / cards,
            of=cards,
        ),
        share_explaining=_left_out(counts, log_threshold(weight)),
        detectable=_detectable(int(total.sum()), untold, cards, log_threshold(weight)),
    )


@lru_cache(maxsize=64)
def _detectable(deals: int, untold: int, cards: int, bar: float) -> str | None:
    """Return how often one card would have to be turned to be flagged by the last deal.

    With so many turns of that card the evidence is least where the other cards are level, so
    that the chance told is a bound from below; *untold* of the deals do not show their card.
    """
    told = deals - untold

    def flagged(hits: int) -> bool:
        rest, over = divmod(told - hits, cards - 1)
        row = np.full(cards, rest, np.int64)
        row[:over] += 1
        row[-1] = hits
        return log_dirichlet(level(row, untold)) >= bar + 1e-6

    low, high = -(-told // cards), told
    if not flagged(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if flagged(middle) else (middle + 1, high)
    x = smallest_at_end(
        lambda x: Fraction(100 + x, 100 * cards), 100 * cards - 101, deals=told, least=low
    )
    if x is None:
        return None
    return (
        f"one card turned {1 + x / 100:.2f} times as often as a fair one would have been flagged"
        f" with probability 0.9 by these {told:,} turn-ups"
    )


def level(counts: NDArray[np.int64], more: int) -> NDArray[np.int64]:
    """Return *counts*, shape (cards,), with *more* deals added, each to the least turned card."""
    low, high = int(counts.min()), int(counts.min()) + more
    while low < high:
        middle = (low + high + 1) // 2
        if int(np.maximum(middle - counts, 0).sum()) <= more:
            low = middle
        else:
            high = middle - 1
    out = np.maximum(counts, low)
    rest = more - int((out - counts).sum())
    out[np.flatnonzero(out == low)[:rest]] += 1
    return out


def _needed(counts: NDArray[np.int64], bar: float) -> int:
    """Return the fewest deals that lower the evidence of *counts*, shape (cards,), below *bar*."""
    return least_missing(lambda m: log_dirichlet(level(counts, m)) < bar)


def _left_out(counts: NDArray[np.int64], bar: float) -> float | None:
    """Return the least share of deals that, left out of the log, would explain the evidence.

    At one look no choice of left-out deals lowers the evidence more than those
    of the least turned cards, so fewer than these cannot do: asked at the highest and at the
    last look.  That as many do at every look is shown by spreading them over the
    log like its own deals, or ahead of them; where that fails the least number is
    not known, and None is returned.
    """
    curve = dirichlet_uniform(counts)
    if bool((curve < bar).all()):
        return None
    looks = (int(curve.argmax()), len(curve) - 1)
    m, n = max(_needed(counts[look], bar) for look in looks), int(counts[-1].sum())
    seen = counts.sum(axis=1)[:, None]
    for look, ahead in product(looks, (0, 50, 20, 10, 5, 2, 1)):
        added = level(counts[look], m) - counts[look]
        early = n // ahead if ahead else 0
        spread = np.minimum(added, added * (seen + early) // n)
        if bool((dirichlet_uniform(counts + spread) < bar).all()):
            return m / (n + m)
    return None


DETECTOR = Detector(
    id="turned_card",
    codes=("T02",),
    title="A card turned too often or too seldom",
    # The engine reads the storage of the log from the last two and adds it to this finding.
    tallies=("turnups", "adjacency", "placed"),
    judge=_judge,
)
