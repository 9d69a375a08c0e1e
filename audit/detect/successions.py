"""Cards that lay together when they were gathered lie together after the shuffle.

Warning: T10, the row of the battery behind W04; also W85 and W98, where the shuffle is all
that parts one deal from the next.
Null: the order after a shuffle is uniform, whatever lay before it.
Statistic: which card follows which on the circle, so that a cut changes nothing.
Evidence: bets on each next card, that it is the one that followed before, or went before where
the pack was turned over: by fixed chances, higher beside a pair that stayed together, in all
deals or in a share of them; mixed by fixed shares.  The numbers of riffles that are refuted
as well are told.
Misses: cards kept together that did not lie side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from audit.detect._known_order import judged
from audit.detect._tails import Law, of_sum
from audit.finding import P, Verdicts
from audit.stats.cut_orders import KEPT, SOMETIMES, kept_law
from audit.tally import Arrays, Detector, Table

#: The shares of the bets ahead, of those backward, and of those that hold in some deals.
SHARES = (
    *(Fraction(1, 2) / len(KEPT),) * len(KEPT),
    *(Fraction(1, 6) / len(KEPT),) * len(KEPT),
    *(Fraction(1, 3) / len(SOMETIMES),) * len(SOMETIMES),
)


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    size = len(table.pack)

    def says(who: str, seen: Sequence[int]) -> str:
        deals, _, ahead, back = seen
        return (
            f"{who}: {ahead / deals:.2f} cards a deal lie on the card that they lay on when they"
            f" were gathered, and {back / deals:.2f} under it, over {deals} deals; a fair shuffle"
            f" leaves {size / (size - 1):.2f} of either"
        )

    def chance(seen: Sequence[int], lost: int) -> P:
        law = Law(name="kept", of=(size,), ways=kept_law(size))
        return of_sum(law, seen[0], max(seen[2:]), lost=lost, kinds=2)

    return judged("successions", "T10", "kept", SHARES, says, chance, tallies, table)


DETECTOR = Detector(
    id="successions",
    codes=("T10", "W04", "W85", "W98"),
    title="Cards stay together through the shuffle",
    tallies=("known_order",),
    judge=_judge,
)
