"""After the cards are run, a paying card is turned too often for one dealer.

Warning: W02, the part of the pack used when the cards are run set up for the beg.
Null: the next card is uniform on the cards that the log shows to be unseen; where
hands are not logged, its chance to pay is at most 3/(41-k) at the k-th turn-up.
Statistic: later turn-ups that pay, each with its own chance.
Evidence: mixture of likelihood ratios over odds of 2, 4, 8, 16 and 64.
Misses: a half-stock that helps a hand and turns no Jack.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from audit.detect._counts import of_bets
from audit.finding import WEIGHTS, Hypothesis, Silent, Verdicts, share_of_person
from audit.stats.bets import LATER_ODDS
from audit.stats.evalue import SCALE
from audit.tally import Arrays, Detector, Table, people


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, log, seen = Verdicts(), tallies["later"]["log"], tallies["later"]["seen"]
    if not seen[:, 0].sum():
        why = "no later turn-up stands in the log" if table.law.run else "no cards are run"
        out.silent.append(Silent(code="W02", detector="later_turnups", why=why))
        return out
    for m, name in enumerate(people(table), start=1):
        turns, hits = int(seen[m - 1, 0]), int(seen[m - 1, 1])
        if not turns:
            continue
        rows = log[:, m - 1].cumsum(axis=0).T / SCALE
        top = rows.max(axis=0)
        out.hypotheses.append(
            Hypothesis(
                code="W02",
                detector="later_turnups",
                subject={table.who: name},
                weight=WEIGHTS["later_turnups"] * (1 if table.machine else share_of_person(m)),
                curve=np.asarray(top + np.log(np.exp(rows - top).sum(axis=0) / len(LATER_ODDS))),
                deals=turns,
                counts=of_bets(log[:, m - 1], [Fraction(1, len(LATER_ODDS))] * len(LATER_ODDS)),
                null="each later turn-up is a uniform card of those that nobody has seen",
                message=f"{table.who} {name}: after a run a paying card was turned"
                f" {hits} of {turns} times",
                explains=("runs that turned nothing were not recorded", "poor shuffling"),
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
