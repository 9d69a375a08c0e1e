"""Judging the tally `known_order`: evidence against a fair shuffle, and against few riffles.

"Honest but badly shuffled" is a null of its own, one for each number k of riffles (Gilbert,
Shannon, Reeds; Bayer and Diaconis 1992) and any cut.  Evidence against it is the evidence
against a fair shuffle over the likelihood ratio of k riffles: both speak of the same circle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from audit.detect._counts import of_bets
from audit.detect._orders import Floats, Ints, detail, left_out, others, silent, subjects
from audit.detect._tails import missing
from audit.finding import Hypothesis, P, Verdicts, log_threshold
from audit.stats.cut_orders import RIFFLES
from audit.stats.evalue import SCALE, log_mean_exp
from audit.tally import Arrays, Table

NULL = "the order after a shuffle is uniform, whatever lay before it"
EXPLAINS = (
    "a pack that was shuffled too little, which says nothing of intent",
    "the order as gathered was written down from the pack as it was dealt next",
)
WHY = "no deal shows both the order as gathered and the order after the shuffle"


def refuted(curve: Floats, riffles: Ints, shown: Ints, weight: Fraction) -> tuple[int, ...]:
    """Return the numbers of riffles a deal, 0 to 10, that the evidence refutes as well.

    Args:
        curve: ln E against a fair shuffle after each look, shape (looks,).
        riffles: fixed-point ln ratio of 0 to 10 riffles in each look, shape (looks, 11).
        shown: as `_orders.left_out`.
        weight: that of the hypothesis.
    """
    deals = shown.cumsum(axis=0)[:, ::2].sum(axis=1)
    # Rounding took at most one unit a deal off each ratio, which would add evidence here.
    ratios = (riffles.cumsum(axis=0) + deals[:, None]) / SCALE
    highest = (curve[:, None] - ratios).max(axis=0)
    return tuple(k for k in RIFFLES if highest[k] >= log_threshold(weight))


def nulls(refuted: Sequence[int]) -> tuple[str, ...]:
    """Return what is refuted in words, numbers of riffles in a row as one."""
    out, left = ["fair"], sorted(refuted)
    while left:
        end = 1
        while end < len(left) and left[end] == left[0] + end:
            end += 1
        first, last, left = left[0], left[end - 1], left[end:]
        many = f"{first} to {last} riffles" if last > first else f"{first} riffles"
        out.append(f"badly shuffled with {many if (first, last) != (1, 1) else '1 riffle'}")
    return tuple(out)


def explained(refuted: Sequence[int]) -> str:
    """Return in words how many riffles a deal would explain the evidence."""
    left = [k for k in RIFFLES if k not in refuted]
    if not left:
        return f"no number of riffles up to {RIFFLES[-1]} would explain it"
    least = f"{left[0]} riffle{'' if left[0] == 1 else 's'} a deal would explain it"
    others = f"no other number up to {RIFFLES[-1]}" if len(left) == 1 else "no fewer"
    return f"{least}, {others}"


def judged(
    name: str,
    code: str,
    key: str,
    shares: Sequence[Fraction],
    says: Callable[[str, Sequence[int]], str],
    chance: Callable[[Sequence[int], int], P],
    tallies: Mapping[str, Arrays],
    table: Table,
) -> Verdicts:
    """Return the hypotheses of detector *name* from the bets *key* mixed with *shares*.

    *says* makes a message of who, and of `seen` of the tally, *chance* the p of `seen` and of
    how many deals the log leaves out.
    """
    out, got = Verdicts(), tallies["known_order"]
    if key not in got:
        silent(out, name, WHY, code, got["shown"], table)
        return out
    others(out, name, got["shown"], table)
    for one in subjects(name, table):
        seen = got["seen"][one.at].tolist()
        shown = got["shown"][:, one.at]
        if not seen[0]:
            out.unspoken(name, one.weight, one.name, untouched=not shown.any())
            continue
        curve = log_mean_exp(got[key][:, one.at].cumsum(axis=0), shares) + left_out(shown)
        message = says(one.words, seen)
        gone: tuple[int, ...] = ()
        if curve.max() >= log_threshold(one.weight):
            gone = refuted(curve, got["riffles"][:, one.at], shown, one.weight)
            message += f"; {explained(gone)}"
        out.hypotheses.append(
            Hypothesis(
                code=code,
                detector=name,
                subject=one.name,
                weight=one.weight,
                curve=curve,
                deals=seen[0],
                null=NULL,
                message=message,
                refutes=nulls(gone),
                explains=EXPLAINS,
                counts=of_bets(got[key][:, one.at], shares, shown),
                more=partial(detail, curve, shown, one.weight),
                p=partial(chance, seen, missing(shown)),
            )
        )
    return out
