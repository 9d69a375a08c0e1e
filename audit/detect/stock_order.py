"""High cards lie where the stock is used first.

Warning: T11, the row of the battery behind W02; the part of the pack that will be used when
the cards are run is set up.
Null: given which cards it holds, the stock is in a uniform order.
Statistic: how many of the ranks that count (ace to ten) lie in the part of the stock down to the
next turn-up, and in its upper half; whether a card that pays lies where the next turn-up is.
Evidence: equal mixture of likelihood ratios at odds 2 and 8, whether that part was used or not;
for all deals together, and for those of each dealer.
Misses: single suits; a log without the order of the pack, for which see `later_turnups`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from audit.cards import RANKS
from audit.detect._counts import of_bets
from audit.detect._orders import detail, left_out, others, silent, stored, subjects
from audit.detect._tails import marked_cards, missing, of_sum
from audit.finding import Hypothesis, P, Verdicts
from audit.plan import opening
from audit.stats.evalue import log_mean_exp
from audit.tally import Arrays, Detector, Table

WHOLE = "against a uniform order of the whole pack: which cards the stock holds counts too"


def _p(upper: int, deals: int, lost: int, table: Table) -> P:
    """Return the p of so many high cards in the upper halves of the stocks."""
    size, high = len(table.pack), table.law.strength or "AKQJT"
    zones = opening(table.law.plan, table.players, size).zones
    start = 1 + max((p for name, at in zones.items() if name != "stock" for p in at), default=-1)
    marked = sum(RANKS[c % 13] in high for c in table.pack)
    found = of_sum(marked_cards(size, marked, (size - start) // 2), deals, upper, lost=lost)
    return replace(found, note="; ".join(filter(None, (WHOLE, found.note))))


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, got = Verdicts(), tallies["stock_order"]
    why = stored(tallies["order_places"])
    if not why and "bets" not in got:
        why = "the deal leaves no stock to speak of"
    if why:
        silent(out, "stock_order", why, "T11", got["shown"], table)
        return out
    others(out, "stock_order", got["shown"], table)
    bets = got["bets"]
    shares = (Fraction(1, bets.shape[2]),) * bets.shape[2]
    for one in subjects("stock_order", table):
        deals, upper, all_, paid = (int(x) for x in got["seen"][one.at])
        shown = got["shown"][:, one.at]
        if not deals:
            out.unspoken("stock_order", one.weight, one.name, untouched=not shown.any())
            continue
        curve = log_mean_exp(bets[:, one.at].cumsum(axis=0), shares) + left_out(shown)
        turned = f", and a card that pays where the next turn-up is {paid} times" if paid else ""
        out.hypotheses.append(
            Hypothesis(
                code="T11",
                detector="stock_order",
                subject=one.name,
                weight=one.weight,
                curve=curve,
                deals=deals,
                null="given which cards it holds, the stock is in a uniform order",
                message=f"{one.words}: of {all_} high cards in the stock {upper} lie in its upper"
                f" half{turned}, over {deals} deals",
                explains=(
                    "a pack that was shuffled too little after high cards were gathered together",
                    "orders that were changed when they were stored",
                ),
                counts=of_bets(bets[:, one.at], shares, shown),
                more=partial(detail, curve, shown, one.weight),
                p=partial(_p, upper, deals, missing(shown), table),
            )
        )
    return out


DETECTOR = Detector(
    id="stock_order",
    codes=("T11", "W02"),
    title="High cards where the stock is used first",
    tallies=("stock_order", "order_places"),
    judge=_judge,
)
