"""Every suspicion of `suspect/` as hypotheses: its trials came out too often for a fair deal.

Warning: as each suspicion says.
Null: as each suspicion says; the chance of each trial given all that was fixed before it.
Statistic: trials that came out, each with its own chance.
Evidence: equal mixture of likelihood ratios over the odds of the suspicion, and over both ways
of looking where it has two.
Misses: what shows in no event that the books or this list name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from audit.detect._counts import of_bets
from audit.detect._shown import seen as seen_by
from audit.detect._tails import at_most, of_trials
from audit.finding import (
    WEIGHTS,
    Detail,
    Hypothesis,
    Idle,
    P,
    Silent,
    Verdicts,
    log_threshold,
    share_of_person,
    share_to_come,
)
from audit.stats.chances import BINS
from audit.stats.evalue import SCALE
from audit.stats.odds import Trials, least_left_out
from audit.stats.tilt import NEVER
from audit.suspect import SUSPECT
from audit.suspicion import LARGEST, UNIT, Suspicion
from audit.tally import Arrays, Detector, Table, people

Ints = NDArray[np.int64]
#: What suspicions have of the rows of the table of weights.
ROWS = {
    "decisions": WEIGHTS["decisions"],
    "events": WEIGHTS["events"],
    "order": WEIGHTS["order"] / 15,
}


def curve(log: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return ln E after each look from (looks, odds) fixed-point bets of each look."""
    rows = log.cumsum(axis=0).T / SCALE
    top = rows.max(axis=0)
    return np.asarray(top + np.log(np.exp(rows - top).sum(axis=0) / len(rows)))


def told(suspicion: Suspicion, expected: float) -> str:
    """Return the hits *expected* as `says` puts them: rounded up where they are a bound."""
    bounds = ("at most {expected}", "no more than {expected}")
    return at_most(expected, 3) if any(b in suspicion.says for b in bounds) else f"{expected:.3g}"


def _equal(count: int) -> list[Fraction]:
    return [Fraction(1, count)] * count


def _detail(
    suspicion: Suspicion,
    log: NDArray[np.int64],
    bins: NDArray[np.int64],
    bar: float,
    units: int,
    hidden: int = 0,
    high: float = 0.0,
) -> Detail:
    """Return the detail of one subject; *log* is of each look, *bins* trials by chance.

    *units* is the sum of their chances, each of which was rounded by less than one to be summed
    and by less than 1 / `LARGEST` to be stored.  A suspicion that looks twice has all its bets
    in *log*, and *bins* of the way that is shown; *high* is the largest chance of both.

    A trial left out lowers each bet by no more than the worst that a trial of the largest
    chance of the log can do: the share told is a bound from below.  What would be seen is not
    told where trials are *hidden*, which can show no hit.
    """
    used = np.flatnonzero(bins)
    below = np.append(BINS[0] / 2, BINS[:-1])
    total = int(bins.sum())
    of = Trials(
        low=below[used],
        high=np.minimum(BINS[used], 1 - 1e-9),
        number=bins[used],
        sums=(units / UNIT - total / LARGEST, (units + total) / UNIT),
    )
    weights = _equal(log.shape[1])
    largest = max(high, float(of.high.max()))
    # A hit lowers a bet on odds below 1, the more the rarer it is: at most by these odds.
    drops = [
        float(NEVER)
        if odds is None
        else SCALE * -math.log1p(largest * (float(odds) - 1))
        if odds > 1
        else SCALE * math.log(odds)
        for odds in suspicion.odds
    ] * (len(weights) // len(suspicion.odds))
    left_out = least_left_out(log.cumsum(axis=0), drops, weights, bar)
    return Detail(
        share_explaining=left_out / (total + left_out) if left_out else None,
        # Bets of the other way only add to those that are shown.
        detectable=None
        if hidden
        else seen_by(of, suspicion.odds, weights[: len(suspicion.odds)], bar, "trials"),
    )


def _p(suspicion: Suspicion, seen: tuple[int, int, int, int], bins: Ints, unnamed: int) -> P:
    """Return the p of one subject, doubled where one of two ways of looking was chosen."""
    p = of_trials(suspicion, seen, bins, unnamed)
    if suspicion.again is None or p.log10 is None:
        return p
    counts = None if p.counts is None else {**p.counts, "kinds": 2}
    return P(log10=min(0.0, p.log10 + math.log10(2)), note=p.note, counts=counts)


def _shown(counted: Arrays, name: str) -> tuple[Ints | None, Ints, float]:
    """Return `seen` and `bins` of suspicion *name*, and the largest chance of any trial of it.

    Of two ways that of which more trials show how they came out; E has the bets of both.
    """
    ways = [f"{name}{way}" for way in ("", ":again") if f"seen:{name}{way}" in counted]
    if not ways:
        return None, np.zeros((0, len(BINS)), np.int64), 0.0
    at = np.flatnonzero(sum(counted[f"bins:{way}"].sum(axis=0) for way in ways))
    high = min(float(BINS[at[-1]]), 1 - 1e-9) if len(at) else 0.0
    best = max(
        ways, key=lambda w: int((counted[f"seen:{w}"][:, 0] - counted[f"seen:{w}"][:, 2]).sum())
    )
    return counted[f"seen:{best}"], counted[f"bins:{best}"], high


def _subjects(suspicion: Suspicion, table: Table) -> list[tuple[dict[str, str], str, Fraction]]:
    """Return subject, name in words and share of the weight of each subject."""
    if suspicion.per == "table":
        return [({"table": "all"}, "the table", Fraction(1))]
    if suspicion.per == "dealer":
        names = people(table)
        return [
            (
                {table.who: n},
                f"{table.who} {n}",
                Fraction(1) if table.machine else share_of_person(m),
            )
            for m, n in enumerate(names, start=1)
        ]
    named = table.law.place_names
    places = named if len(named) == table.players else range(1, table.players + 1)
    return [({"place": str(p)}, f"place {p}", Fraction(1, table.players)) for p in places]


def _unnamed(tallies: Mapping[str, Arrays], table: Table) -> int:
    """Return how many deals do not say who dealt; 1, so that no p is shown, if nobody counted."""
    turnups = tallies.get("turnups")
    return 1 if turnups is None else int(turnups["blank"][-1]) + table.unread


def _judge(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    out, counted = Verdicts(), tallies["trials"]
    left = dict(ROWS)
    unnamed = 0 if table.machine else _unnamed(tallies, table)
    for name in SUSPECT.names:
        suspicion = SUSPECT[name]
        if not suspicion.games(table.law):
            continue
        whole = WEIGHTS[suspicion.weight] * suspicion.part
        left[suspicion.weight] -= whole
        (seen, bins, high), log = _shown(counted, name), counted.get(f"log:{name}")
        about = _subjects(suspicion, table)
        # A trial whose dealer is left out is laid on all of them, and on those to come.
        touched = log is not None and bool(log.any())
        if not touched and suspicion.per == "dealer" and not table.machine:
            rest = whole * share_to_come(len(about))
            out.idle.append(Idle(detector=name, weight=rest))
        if seen is None or log is None or (seen[:, 0] == seen[:, 2]).all():
            for subject, _, share in about:
                out.unspoken(name, whole * share, subject, untouched=not touched)
            shown = " and ".join(suspicion.fields)
            why = suspicion.mute(table.law) if suspicion.mute is not None else ""
            why = why or f"no deal of the log shows {shown}"
            silent = Silent(code=suspicion.codes[0], detector=name, why=why, untouched=not touched)
            out.silent.append(silent)
            continue
        for k, (subject, who, share) in enumerate(about):
            trials, hits, hidden, units = map(int, seen[k])
            weight = whole * share
            if not trials:
                out.unspoken(name, weight, subject, untouched=not log[:, k].any())
            else:
                expected = units / UNIT
                out.hypotheses.append(
                    Hypothesis(
                        code=suspicion.codes[0],
                        detector=name,
                        subject=subject,
                        weight=weight,
                        curve=curve(log[:, k]),
                        deals=trials,
                        p=partial(_p, suspicion, (trials, hits, hidden, units), bins[k], unnamed),
                        counts=of_bets(log[:, k], _equal(log.shape[2])),
                        null=suspicion.null,
                        message=suspicion.says.format(
                            who=who, hits=hits, trials=trials, expected=told(suspicion, expected)
                        )
                        + (f" ({hidden} do not show it and count against it)" if hidden else ""),
                        explains=suspicion.explains,
                        more=partial(
                            _detail,
                            suspicion,
                            log[:, k],
                            bins[k],
                            log_threshold(weight),
                            units,
                            hidden,
                            high,
                        ),
                    )
                )
    out.idle += [Idle(detector="suspects", weight=rest) for rest in left.values()]
    return out


DETECTOR = Detector(
    id="suspects",
    codes=(),
    title="Events whose chance is known come out too often",
    tallies=("trials", "turnups"),
    judge=_judge,
)
