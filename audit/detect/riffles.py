"""The pack was shuffled too little: it lies as few riffles leave the order it was gathered in.

Warning: T09, the row of the battery behind W43; also W85 and W98, where the shuffle is all
that parts one deal from the next.
Null: the order after a shuffle is uniform, whatever lay before it.
Statistic: rising sequences of the circle in which the cards lie, so that a cut changes nothing.
Evidence: exact likelihood ratios of 1 to 10 riffles (Gilbert, Shannon, Reeds) and any cut,
mixed by fixed shares; for all deals together, and for those of each dealer.
Misses: a shuffle that leaves other traces; see `successions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from audit.detect._known_order import judged
from audit.detect._tails import Law, of_sum
from audit.finding import P, Verdicts
from audit.stats import riffles
from audit.tally import Arrays, Detector, Table

#: The share of the bet on 0, 1, ... 10 riffles: seven is what people are told to do.  One
#: riffle may leave the pack as it was, so that none at all needs no bet.
SHARES = tuple(Fraction(s, 100) for s in (0, 1, 1, 2, 4, 8, 15, 45, 15, 6, 3))


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    fair = len(table.pack) / 2

    def says(who: str, seen: Sequence[int]) -> str:
        deals, falls, *_ = seen
        return (
            f"{who}: wherever it was cut, the pack lies in {falls / deals:.1f} rising sequences of"
            f" the order it was gathered in, over {deals} deals; a fair shuffle leaves {fair:.1f}"
        )

    def chance(seen: Sequence[int], lost: int) -> P:
        # The circle has 1 to n - 1 falls, as many as an order of one card less has sequences.
        size = len(table.pack)
        law = Law(name="falls", of=(size,), ways=(0, *riffles.eulerian(size - 1)))
        return of_sum(law, seen[0], seen[1], lost=lost, way="lower")

    return judged("riffles", "T09", "riffles", SHARES, says, chance, tallies, table)


DETECTOR = Detector(
    id="riffles",
    codes=("T09", "W43", "W85", "W98"),
    title="The pack is shuffled too little",
    tallies=("known_order",),
    judge=_judge,
)
