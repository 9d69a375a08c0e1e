"""A rank or a suit is dealt too often or too seldom, whoever gets it.

Warning: T06, the row of the battery behind packs with cards too many or too few of a kind.
Null: the cards dealt into hands are a uniform draw from the pack.
Statistic: how many cards of each rank and suit all hands of a deal hold together.
Evidence: equal mixture of likelihood ratios over ranks and suits and odds from a half to two;
only deals that show every hand as dealt, and the others charged as if they were left out at will.
Misses: a favour between hands; a rank that is too often in some deals and too seldom in others.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from audit.detect._counts import of_tilts
from audit.detect._orders import PARTS, detail, left_out
from audit.detect._tails import marked_cards, missing, of_sum
from audit.ends import DEALT_ODDS, makeup
from audit.finding import WEIGHTS, Hypothesis, P, Silent, Verdicts
from audit.stats.evalue import log_mean_exp
from audit.tally import Arrays, Detector, Table

SUBJECT = {"pack": "ranks and suits"}


def _p(got: Arrays, best: int, lost: int, table: Table) -> P:
    """Return the two-sided p of the group with the most evidence, times how many there are."""
    names, (deals, cards) = makeup(table.pack), got["seen"].tolist()
    law = marked_cards(len(table.pack), len(names[best][1]), cards // deals)
    held = int(got["held"][best])
    return of_sum(law, deals, held, lost=lost, way="both", kinds=len(names))


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, got = Verdicts(), tallies["makeup"]
    weight = WEIGHTS["order"] * PARTS["uneven_ranks"]
    why, untouched = "", True
    if table.holds.exposure in ("shown", "owner"):
        # Another input of the log may have been bet on before this one was put beside it.
        why, untouched = "somebody chose which hands the log shows", False
    elif not got["shown"][:, ::2].sum():
        why, untouched = "no deal shows every hand", not (got["shown"].any() or table.unheld)
        if table.law.changes and not untouched:
            why += " and, since hands may change in this game, the order of the pack"
    elif "bets" not in got:
        why = "the whole pack is dealt"
    if why:
        out.silent.append(Silent(code="T06", detector="uneven_ranks", why=why, untouched=untouched))
        out.unspoken("uneven_ranks", weight, SUBJECT, untouched=untouched)
        return out
    bets, (deals, cards), shown = got["bets"], got["seen"].tolist(), got["shown"].copy()
    # A row whose hands cannot be read was lost, it may be, for a card that stands in them.
    shown[0, 1] += table.unheld
    groups = makeup(table.pack)
    shares = (Fraction(1, bets.shape[1]),) * bets.shape[1]
    curve = log_mean_exp(bets.cumsum(axis=0), shares) + left_out(shown)
    best = int(bets.sum(axis=0).argmax()) * len(groups) // bets.shape[1]
    name, group = groups[best]
    fair = cards * len(group) / len(table.pack)
    out.hypotheses.append(
        Hypothesis(
            code="T06",
            detector="uneven_ranks",
            subject=SUBJECT,
            weight=weight,
            curve=curve,
            deals=deals,
            null="the cards dealt into hands are a uniform draw from the pack",
            message=f"{name} are dealt into hands {int(got['held'][best])} times in {deals} deals;"
            f" a fair pack deals them {fair:.1f} times",
            explains=(
                "a pack with a card too many or too few of a kind",
                "deals made or kept to meet a condition",
            ),
            counts=of_tilts(
                bets,
                DEALT_ODDS,
                [len(cards) for _, cards in groups],
                [cards // deals],
                shown,
                len(table.pack),
            ),
            more=partial(detail, curve, shown, weight),
            p=partial(_p, got, best, missing(shown), table),
        )
    )
    return out


DETECTOR = Detector(
    id="uneven_ranks",
    codes=("T06",),
    title="A rank or suit dealt too often or too seldom",
    tallies=("makeup",),
    judge=_judge,
)
