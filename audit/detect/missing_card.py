"""A card of the pack is not there, always or in a share of the deals.

Warning: W11 (a Ten abstracted), W106 (check the pack count).
Null: the cards placed in a deal are a uniform choice of the pack.
Statistic: for each card, in how many deals it was shown of those that showed n cards.
Evidence: likelihood ratios of "out of the pack with share s", half the prior
on s = 1 and a sixth each on 1/2, 1/4 and 1/10.  Whoever decided how many cards
a deal shows saw only cards that the deal shows, so his choice cancels.  A turn-up may be
left out, or be typed so that nobody can read it, because of its card: in a log that shows
others, such a deal counts as one that showed every card; and so does one whose hands cannot be
read, for a joker that stands in for a lost card, or a Knave by another letter, lies in them.
Misses: logs in which each deal shows its whole pack (that is pack integrity).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.cards import NAMES
from audit.detect._counts import of_absent
from audit.detect._effect import COVERAGE, share
from audit.detect._shown import against
from audit.finding import (
    WEIGHTS,
    Detail,
    Hypothesis,
    Idle,
    P,
    Silent,
    Verdicts,
    log_threshold,
)
from audit.stats.detectable import least_hits, least_missing, smallest
from audit.stats.evalue import SCALE, log_fixed, log_mean_exp
from audit.stats.sequence import share_sequence
from audit.stats.tilt import NEVER
from audit.tally import Arrays, Detector, Table

NAME = "share of deals that showed the card"
PRESENT = "share of deals with the card in the pack, from how many cards each deal showed"
PRIOR = (
    (Fraction(1), Fraction(1, 2)),
    (Fraction(1, 2), Fraction(1, 6)),
    (Fraction(1, 4), Fraction(1, 6)),
    (Fraction(1, 10), Fraction(1, 6)),
)


def bet(share: Fraction, shown: int, size: int) -> tuple[int, int]:
    """Return the fixed-point ln LR of a card seen, and not, among *shown* of *size* cards."""
    miss = 1 - share + share * Fraction(size, size - shown)
    hit = NEVER if share == 1 else log_fixed(*(1 - share).as_integer_ratio())
    return hit, log_fixed(*miss.as_integer_ratio())


def _logs(deals: NDArray[np.int64], shown: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the fixed-point ln LR of each share after each look, shape (looks, shares)."""
    logs = np.zeros((len(deals), len(PRIOR)), np.int64)
    for n in np.flatnonzero(deals[:, :size].any(axis=0)):
        if not n:
            continue
        for j, (share_out, _) in enumerate(PRIOR):
            hit, miss = bet(share_out, int(n), size)
            logs[:, j] += shown[:, n] * hit + (deals[:, n] - shown[:, n]) * miss
    return logs.cumsum(axis=0)


def curve_of(deals: NDArray[np.int64], shown: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """Return ln E of one card: *deals* and *shown* are (looks, n), not cumulative."""
    return log_mean_exp(_logs(deals, shown, size), [prior for _, prior in PRIOR])


def _told(
    got: Arrays, table: Table, card: int, size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return deals and those that showed *card*, (looks, n); what is not told showed it."""
    deals, shown, untold = got["deals"], got["shown"][:, :, card], got["untold"]
    hidden = untold[1:53] if untold[53] else np.zeros(52, np.int64)
    bare = (int(untold[0]) if untold[53] else 0) + (table.unread if table.law.turnup else 0)
    bare += table.unheld
    if not (bare or hidden[: size - 1].any()):
        return deals, shown
    deals, shown = deals.copy(), shown.copy()
    # All count from the start, since nobody says when, but no deal twice: a hand may have shown it.
    most = deals[:, 1:53].cumsum(axis=0)
    told = np.minimum(shown[:, 1:53].cumsum(axis=0) + hidden, most)
    shown[:, 1:53] = np.diff(told, axis=0, prepend=0)
    # What a deal that showed the card counts does not depend on how many cards it shows.
    usual = 1 + int(deals[:, 1:size].sum(axis=0).argmax())
    deals[0, usual] += bare
    shown[0, usual] += bare
    return deals, shown


def _detail(
    deals: NDArray[np.int64], shown: NDArray[np.int64], size: int, weight: Fraction
) -> Detail:
    """Return the detail of one card; *deals* and *shown* are (looks, n), not cumulative."""
    bar, logs, prior = log_threshold(weight), _logs(deals, shown, size), [p for _, p in PRIOR]
    kills = np.array([bet(s, 1, size)[0] for s, _ in PRIOR], np.int64)

    def gone(m: int) -> bool:
        # A deal that shows the card counts the same whatever else it shows.
        return bool((log_mean_exp(logs + m * kills, prior) < bar).all())

    left_out = least_missing(gone)
    used = deals[:, 1:size]
    total = int(used.sum())
    seen = min(total, int(shown[:, 1:size].sum()))
    mean = Fraction(int((used.sum(axis=0) * np.arange(1, size)).sum()), total * size)
    groups = [
        (
            Fraction(n, size),
            min(int(shown[:, n].sum()), int(deals[:, n].sum())),
            int(deals[:, n].sum()),
        )
        for n in range(1, size)
        if deals[:, n].any()
    ]
    if len(groups) == 1:
        n = int(groups[0][0] * size)
        effect = share(NAME, seen, total, float(mean))
        detectable = _detectable(tuple(deals[:, n].cumsum().tolist()), n, size, weight)
    else:
        low, high = share_sequence(groups)
        effect = {
            "name": PRESENT,
            "value": min(1.0, seen / (total * float(mean))),
            "low": None,
            "high": None,
            "coverage": float(COVERAGE),
            "anytime_low": low,
            "anytime_high": high,
            "fair": 1.0,
        }
        detectable = _detectable_of_many(tuple((p, n) for p, _, n in groups), weight)
    return Detail(
        effect=effect,
        share_explaining=left_out / (total + left_out) if left_out else None,
        detectable=detectable,
        cleared=_cleared(groups),
    )


def _cleared(groups: Sequence[tuple[Fraction, int, int]]) -> dict[str, Any] | None:
    """Return the least shares of the deals without the card that (chance, hits, deals) refute.

    Under a share s or more at every deal, the likelihood ratio of a whole pack over s is a
    supermartingale, for the card raises it when it is not seen and lowers it when it is.
    """
    hits = sum(k for _, k, _ in groups)
    rows = [(float(p), n - k) for p, k, n in groups if n - k]

    def log_e(s: float) -> float:
        missed = math.fsum(m * math.log((1 - p) / (1 - (1 - s) * p)) for p, m in rows)
        return missed - hits * math.log(1 - s)

    name = "share of the deals with the card out of the pack"
    return against(name, log_e, 0.0, 1 - 1e-9)


@lru_cache(maxsize=64)
def _detectable(deals: tuple[int, ...], n: int, size: int, weight: Fraction) -> str | None:
    """Return the smallest share of deals without the card that *deals* of *n* cards would show.

    Cards of one weight share the answer, for it does not depend on what was seen.
    """
    at = np.array(deals, np.int64)
    pairs = np.array([bet(s, n, size) for s, _ in PRIOR], np.int64)

    def log_e(unseen: NDArray[np.int64], total: NDArray[np.int64]) -> NDArray[np.float64]:
        logs = np.multiply.outer(total - unseen, pairs[:, 0])
        return log_mean_exp(
            logs + np.multiply.outer(unseen, pairs[:, 1]), [prior for _, prior in PRIOR]
        )

    x = smallest(
        lambda x: 1 - Fraction(100 - x, 100) * Fraction(n, size),
        100,
        deals=at,
        least=least_hits(log_e, at, log_threshold(weight)),
    )
    return None if x is None else _in_words(x, deals[-1])


def _in_words(x: int, deals: int) -> str:
    return (
        f"a card out of the pack in {x / 100:.2f} of the deals would have been flagged with"
        f" probability 0.9 by these {deals:,} deals"
    )


@lru_cache(maxsize=64)
def _detectable_of_many(groups: tuple[tuple[Fraction, int], ...], weight: Fraction) -> str | None:
    """Return a share of deals without the card that deals of (chance to show it, number) show.

    By the last deal and by one bet of the mixture, with Chernoff's bound on the chance that its
    sum stays below the bar: the least share may be smaller.
    """
    bar, total = log_threshold(weight), sum(n for _, n in groups)
    chance = np.array([float(p) for p, _ in groups])
    number = np.array([n for _, n in groups], np.float64)

    def does(x: int) -> bool:
        miss = 1 - (1 - x / 100) * chance
        for out, prior in PRIOR:
            least = bar - math.log(prior) + total / SCALE + 1e-6
            lost = np.log((1 - (1 - float(out)) * chance) / (1 - chance))
            if out == 1:
                if x == 100 and float(number @ lost) >= least:
                    return True
                continue
            kept = math.log(1 - out)
            low = partial(_log_low, miss, kept, lost, number, least)
            if least_of(low, 0.0, 20.0) <= math.log(0.1):
                return True
        return False

    if not does(100):
        return None
    low, high = 0, 100
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if does(middle) else (middle, high)
    return _in_words(high, total)


def _log_low(
    miss: NDArray[np.float64],
    kept: float,
    lost: NDArray[np.float64],
    number: NDArray[np.float64],
    least: float,
    tilt: float,
) -> float:
    """Return Chernoff's bound on ln P(sum < *least*); a deal adds *lost* with chance *miss*."""
    each = np.log((1 - miss) * math.exp(-tilt * kept) + miss * np.exp(-tilt * lost))
    return float(number @ each) + tilt * least


def least_of(convex: Callable[[float], float], low: float, high: float) -> float:
    """Return the least value of *convex* on [low, high], or a little more."""
    for _ in range(60):
        third = (high - low) / 3
        if convex(low + third) > convex(high - third):
            low += third
        else:
            high -= third
    return convex((low + high) / 2)


def _no_p() -> P:
    return P(log10=None, note="none: told only of a card that no deal shows")


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, size = Verdicts(), len(table.pack)
    got = tallies["exposure"]
    deals, shown = got["deals"], got["shown"]
    use = deals[:, 1:size].sum()
    why, untouched = "", False
    short, bare = (int(x) for x in got["partial"])
    if bare < deals.sum():
        short += bare
    if short:
        why = f"hands were cut short in {short} deals: what was shown may"
        why += " have been chosen"
    elif table.holds.exposure in ("shown", "owner"):
        # Another input of the log may have been bet on before this one was put beside it.
        why = "somebody chose which hands the log shows"
    elif not use:
        why = "every deal shows its whole pack, or no card at all"
        # A whole pack bets on nothing; a deal that hides all of it may have hidden a card.
        untouched = not (deals[:, :size].any() or table.unread or table.unheld)
    tens = [c for c in table.pack if NAMES[c][0] == "T" and table.law.strength.get("T")]
    if why:
        out.silent.append(Silent(code="W11", detector="missing_card", why=why, untouched=untouched))
        if untouched:
            whole = WEIGHTS["missing_card"] + WEIGHTS["missing_ten"]
            out.idle.append(Idle(detector="missing_card", weight=whole))
        else:
            out.fallen += size
        return out
    if not tens:
        out.idle.append(Idle(detector="missing_card", weight=WEIGHTS["missing_ten"]))
    for card in table.pack:
        weight = WEIGHTS["missing_card"] / size
        if card in tens:
            weight += WEIGHTS["missing_ten"] / len(tens)
        seen, total = int(shown[:, :size, card].sum()), int(use)
        never = sum(int(deals[:, n].sum()) * math.log1p(-n / size) for n in range(1, size))
        text = f"the {NAMES[card]} was shown in {seen} of {total} deals"
        told, had = _told(got, table, card, size)
        if told is not deals:
            text += (
                "; deals whose turn-up is not shown, or that cannot be read, count as if they had"
            )
        elif not seen:
            text += f"; a fair pack would hide it so long with chance 10^{never / math.log(10):.2f}"
        out.hypotheses.append(
            Hypothesis(
                code="W11" if card in tens else "W106",
                detector="missing_card",
                subject={"card": NAMES[card]},
                weight=weight,
                curve=curve_of(told, had, size),
                deals=total,
                null="the cards shown in each deal are a uniform choice of the pack",
                message=text,
                more=partial(_detail, told, had, size, weight),
                counts=of_absent(told, had, size, PRIOR),
                log10_p=None if seen or told is not deals else never / math.log(10),
                p=None if not seen and told is deals else _no_p,
                explains=(
                    "the card was lost from the pack",
                    "deals that showed it were not kept",
                    "cells of the log filled in from the row before",
                ),
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
