"""A card of the pack is not there, always or in a share of the deals.

Warning: W11 (a Ten abstracted), W106 (check the pack count).
Null: the cards placed in a deal are a uniform choice of the pack.
Statistic: for each card, in how many deals it was shown of those that showed n cards.
Evidence: likelihood ratios of "out of the pack with share s", half the prior
on s = 1 and a sixth each on 1/2, 1/4 and 1/10.  Whoever decided how many cards
a deal shows saw only cards that the deal shows, so his choice cancels.
Misses: logs in which each deal shows its whole pack (that is pack integrity).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.cards import NAMES
from audit.finding import WEIGHTS, Hypothesis, Silent, Verdicts
from audit.stats.tilt import SCALE, fixed_log
from audit.tally import Arrays, Detector, Table

PRIOR = (
    (Fraction(1), Fraction(1, 2)),
    (Fraction(1, 2), Fraction(1, 6)),
    (Fraction(1, 4), Fraction(1, 6)),
    (Fraction(1, 10), Fraction(1, 6)),
)


def curve_of(deals: NDArray[np.int64], shown: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """Return ln E of one card: *deals* and *shown* are (looks, n), not cumulative."""
    parts = []
    for share, prior in PRIOR:
        log = np.zeros(len(deals), np.int64)
        for n in range(1, size):
            if not deals[:, n].any():
                continue
            hit = fixed_log(1 - share)
            miss = fixed_log(1 - share + share * Fraction(size, size - n))
            log += shown[:, n] * hit + (deals[:, n] - shown[:, n]) * miss
        parts.append(log.cumsum() / SCALE + math.log(prior))
    table = np.vstack(parts)
    top = table.max(axis=0)
    return np.asarray(top + np.log(np.exp(table - top).sum(axis=0)))


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, size = Verdicts(), len(table.pack)
    got = tallies["exposure"]
    deals, shown = got["deals"], got["shown"]
    use = deals[:, 1:size].sum()
    why = ""
    short, bare = (int(x) for x in got["partial"])
    if bare < deals.sum():
        short += bare
    if short:
        why = f"hands were cut short in {short} deals: what was shown may"
        why += " have been chosen"
    elif table.holds.exposure in ("shown", "owner"):
        why = "somebody chose which hands the log shows"
    elif not use:
        why = "every deal shows its whole pack, or no card at all"
    if why:
        out.silent.append(Silent(code="W11", detector="missing_card", why=why))
        return out
    tens = [c for c in table.pack if NAMES[c][0] == "T" and table.law.strength.get("T")]
    for card in table.pack:
        weight = WEIGHTS["missing_card"] / size
        if card in tens:
            weight += WEIGHTS["missing_ten"] / len(tens)
        seen, total = int(shown[:, :size, card].sum()), int(use)
        never = sum(int(deals[:, n].sum()) * math.log1p(-n / size) for n in range(1, size))
        text = f"the {NAMES[card]} was shown in {seen} of {total} deals"
        if not seen:
            text += f"; a fair pack would hide it so long with chance 10^{never / math.log(10):.2f}"
        out.hypotheses.append(
            Hypothesis(
                code="W11" if card in tens else "W106",
                detector="missing_card",
                subject={"card": NAMES[card]},
                weight=weight,
                curve=curve_of(deals, shown[:, :, card], size),
                deals=total,
                null="the cards shown in each deal are a uniform choice of the pack",
                message=text,
                log10_p=None if seen else never / math.log(10),
                explains=("the card was lost from the pack", "deals that showed it were not kept"),
            )
        )
    return out


DETECTOR = Detector(
    id="missing_card",
    codes=("W11", "W106"),
    title="A card that is not in the pack",
    tallies=("exposure",),
    judge=_judge,
)
