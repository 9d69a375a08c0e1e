"""Cards of one rank, or aces and tens, lie together at an end of the pack.

Warning: W06, cards that are trimmed so that they can be drawn out of the pack and laid at its
top or bottom.
Null: the order after the cut is uniform.
Statistic: how many cards of a rank, or how many aces and tens, are among the first or last four
or eight of the pack.
Evidence: equal mixture of likelihood ratios over ranks, ends, and odds 3 and 20; for all
deals together, and for those of each of the first 16 dealers.
Misses: cards brought elsewhere than to an end; see `card_places`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from audit.detect._counts import of_tilts
from audit.detect._orders import Ints, detail, left_out, others, silent, stored, subjects
from audit.detect._tails import marked_cards, missing, of_sum
from audit.ends import ENDS, ODDS, groups
from audit.finding import Hypothesis, P, Verdicts
from audit.stats.evalue import log_mean_exp
from audit.tally import Arrays, Detector, Table


def _message(words: str, bets: Ints, held: Ints, deals: int, pack: tuple[int, ...]) -> str:
    """Return the fact for the group and end with the most evidence."""
    best = int(bets.sum(axis=0).argmax()) // len(ODDS)
    name, cards = groups(pack)[best // len(ENDS)]
    count, top = ENDS[best % len(ENDS)]
    count = min(count, len(pack))
    fair = deals * count * len(cards) / len(pack)
    where = "first" if top else "last"
    return (
        f"{words}: {name} are {int(held[best])} times among the {where} {count} of the pack, over"
        f" {deals} deals; a fair pack has {fair:.1f} there"
    )


def _p(bets: Ints, held: Ints, deals: int, lost: int, pack: tuple[int, ...]) -> P:
    """Return the p of the group and end with the most evidence, times how many there are."""
    best = int(bets.sum(axis=0).argmax()) // len(ODDS)
    cards = groups(pack)[best // len(ENDS)][1]
    count = min(ENDS[best % len(ENDS)][0], len(pack))
    law = marked_cards(len(pack), len(cards), count)
    return of_sum(law, deals, int(held[best]), lost=lost, kinds=len(held))


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, got = Verdicts(), tallies["order_places"]
    why = stored(got)
    if why:
        silent(out, "honour_packets", why, "W06", got["shown"], table)
        return out
    others(out, "honour_packets", got["shown"], table)
    for one in subjects("honour_packets", table):
        shown, late = got["shown"][:, one.at], one.at >= got["packets"].shape[1]
        deals = int(shown[:, ::2].sum())
        if late or not deals:
            # Who appears too late is never bet on.
            out.unspoken("honour_packets", one.weight, one.name, untouched=late or not shown.any())
            continue
        bets = got["packets"][:, one.at]
        shares = (Fraction(1, bets.shape[1]),) * bets.shape[1]
        curve = log_mean_exp(bets.cumsum(axis=0), shares) + left_out(shown)
        out.hypotheses.append(
            Hypothesis(
                code="W06",
                detector="honour_packets",
                subject=one.name,
                weight=one.weight,
                curve=curve,
                deals=deals,
                null="the order after the cut is uniform",
                message=_message(one.words, bets, got["held"][one.at], deals, table.pack),
                explains=(
                    "orders that were changed when they were stored",
                    "tricks of one rank gathered together and hardly shuffled",
                ),
                counts=of_tilts(
                    bets,
                    [Fraction(o) for o in ODDS],
                    [len(cards) for _, cards in groups(table.pack)],
                    [min(count, len(table.pack)) for count, _ in ENDS],
                    shown,
                    len(table.pack),
                ),
                more=partial(detail, curve, shown, one.weight),
                p=partial(_p, bets, got["held"][one.at], deals, missing(shown), table.pack),
            )
        )
    return out


DETECTOR = Detector(
    id="honour_packets",
    codes=("W06",),
    title="Cards of one rank at an end of the pack",
    tallies=("order_places",),
    judge=_judge,
)
