"""After the cards are run, a paying card is turned too often for one dealer.

Warning: W02, the part of the pack used when the cards are run set up for the beg.
Null: the next card is uniform on the cards that the log shows to be unseen; where
hands are not logged, its chance to pay is at most 3/(41-k) at the k-th turn-up.  Of two players
half of the deals in which no such card was turned may have been bunched, and are missing.
Statistic: later turn-ups that pay, each with its own chance.
Evidence: mixture of likelihood ratios over odds of 2, 4, 8, 16 and 64.
Misses: a half-stock that helps a hand and turns no Jack.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.detect._counts import of_bets
from audit.detect._effect import COVERAGE
from audit.detect._shown import against_odds, best_multiple
from audit.detect._shown import seen as seen_by
from audit.finding import (
    WEIGHTS,
    Detail,
    Hypothesis,
    Idle,
    Silent,
    Verdicts,
    log_threshold,
    share_of_person,
    share_to_come,
)
from audit.stats.bets import LATER_ODDS
from audit.stats.evalue import SCALE
from audit.stats.odds import least_left_out, trials
from audit.stats.sequence import odds_sequence
from audit.stats.tilt import hit_and_miss
from audit.tally import Arrays, Detector, Table, people

WEIGHT = [Fraction(1, len(LATER_ODDS))] * len(LATER_ODDS)


def _groups(chances: NDArray[np.int64]) -> list[tuple[Fraction, int, int]]:
    """Return (chance, hits, turn-ups) of *chances*, shape (left, pays, 2)."""
    return [
        (Fraction(int(pays), int(left)), int(chances[left, pays, 1]), int(chances[left, pays, 0]))
        for left, pays in zip(*np.nonzero(chances[..., 0]), strict=True)
    ]


def _detail(log: NDArray[np.int64], chances: NDArray[np.int64], bar: float) -> Detail:
    """Return the detail of one dealer; *log* is of each look, *chances* (known, left, pays, 2).

    Effect and clearing want chances that are known, not bounded.
    """
    known, every = _groups(chances[1]), _groups(chances.sum(axis=0))
    hits, turns = sum(k for _, k, _ in known), sum(n for _, _, n in known)
    of, total = trials([(p, n) for p, _, n in every]), sum(n for _, _, n in every)
    worst = max(p for p, _, _ in every)
    drops = [hit_and_miss(worst, odds)[1] for odds in LATER_ODDS]
    left_out = least_left_out(log.cumsum(axis=0), drops, WEIGHT, bar)
    effect: dict[str, Any] | None = None
    if turns:
        low, high = odds_sequence(known)
        effect = {
            "name": "odds of a paying card, as a multiple of the fair ones",
            "value": best_multiple(known),
            "low": None,
            "high": None,
            "coverage": float(COVERAGE),
            "anytime_low": low,
            "anytime_high": high if math.isfinite(high) else None,
            "fair": 1.0,
        }
    return Detail(
        effect=effect,
        share_explaining=left_out / (total + left_out) if left_out else None,
        detectable=seen_by(of, LATER_ODDS, WEIGHT, bar, "turn-ups after a run"),
        # What the log does not tell the chance of could all have paid.
        cleared=None
        if turns < total
        else against_odds(
            of, hits, "odds of a paying card after a run, as a multiple of the fair ones"
        ),
    )


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, log, seen = Verdicts(), tallies["later"]["log"], tallies["later"]["seen"]
    if not seen[:, 0].sum():
        why = "no later turn-up stands in the log" if table.law.run else "no cards are run"
        if log.any():
            why = "no deal shows who dealt what was turned later"
        silent = Silent(code="W02", detector="later_turnups", why=why, untouched=not log.any())
        out.silent.append(silent)
    if not table.machine and not tallies["later"]["unnamed"].any():
        rest = WEIGHTS["later_turnups"] * share_to_come(len(people(table)))
        out.idle.append(Idle(detector="later_turnups", weight=rest))
    for m, name in enumerate(people(table), start=1):
        turns, hits = int(seen[m - 1, 0]), int(seen[m - 1, 1])
        weight = WEIGHTS["later_turnups"] * (1 if table.machine else share_of_person(m))
        if not turns:
            # Nothing is lost by silence but what was turned when nobody says who dealt.
            subject, lost = {table.who: name}, bool(log[:, m - 1].any())
            out.unspoken("later_turnups", weight, subject, untouched=not lost)
            continue
        rows = log[:, m - 1].cumsum(axis=0).T / SCALE
        top = rows.max(axis=0)
        out.hypotheses.append(
            Hypothesis(
                code="W02",
                detector="later_turnups",
                subject={table.who: name},
                weight=weight,
                curve=np.asarray(top + np.log(np.exp(rows - top).sum(axis=0) / len(LATER_ODDS))),
                deals=turns,
                counts=of_bets(log[:, m - 1], WEIGHT),
                more=partial(
                    _detail,
                    log[:, m - 1],
                    tallies["later"]["chances"][m - 1],
                    log_threshold(weight),
                ),
                null="each later turn-up is a uniform card of those that nobody has seen",
                message=f"{table.who} {name}: after a run a paying card was turned"
                f" {hits} of {turns} times",
                explains=(
                    "runs that turned nothing were not recorded, or bunched",
                    "poor shuffling",
                ),
            )
        )
    return out


DETECTOR = Detector(
    id="later_turnups",
    codes=("W02",),
    title="Paying cards turned after a run",
    tallies=("later",),
    judge=_judge,
)
