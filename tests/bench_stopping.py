"""Write `reports/stopping.md`: `python -m tests.bench_stopping`.

A dealer whose Jacks come at a multiple of the fair rate, told by what the audit uses, by
the known-rate bettor, by `shrink_trunc` and by binomial tests that are repeated. What is a
function of deals and Jacks alone is worked out by recursion; `shrink_trunc` depends on the
path and is simulated with fixed seeds.

SHANGRLA is in no package index, so its estimator is written here: P. B. Stark, "ALPHA: Audit
that Learns from Previously Hand-Audited Ballots", Annals of Applied Statistics 17 (2023),
section 2.5.2, with replacement, upper bound 1, no weight on the upper bound, and the bound from
above and the default of c as its code has them.  Where `shangrla` can be imported (from a clone
of pbstark/SHANGRLA on PYTHONPATH), its own `alpha_mart` is run on the same deals, and the run
fails unless it says so at the same deals.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from audit.finding import THRESHOLD, WEIGHTS, share_of_person
from audit.lab._random import Words, falls_below, threshold
from audit.stats import prior
from audit.stats.evalue import SCALE, rate_atoms
from audit.stats.recursion import boundary, calibrated, crossing, mixture_log_e

REPORT = Path(__file__).resolve().parents[1] / "reports" / "stopping.md"
FAIR = Fraction(1, 13)
MULTIPLES = (Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(4))
#: Fair deals are watched for so long.
WATCH = (400, 1000, 5000)
#: No log is followed longer; a mean of which more than one log in a thousand is still open
#: then is stated as a bound from below.
HORIZON = {Fraction(5, 4): 40_000, Fraction(3, 2): 16_000}
SHORT = 6_000
LOGS = 4_000

HEAD = """# A dealer of too many Jacks, told by several ways to look

One dealer's own turn-ups at Seven-Up, looked at after each; a fair rate is 1/13. *Mean* is the
mean number of his deals until the way says so, *by .9* the number by which nine logs in ten
have said so, *ratio* the mean over that of the bettor who knows the rate. *Fair* is the share
of fair dealers of whom it is said too, within so many deals. Exact by recursion but for
`shrink_trunc`, which is simulated ({logs:,} logs a column, fixed seeds; two standard errors of
its means are about {good:.1%}, and one false alarm is {one:.5f}).
Made by `python -m tests.bench_stopping`.

`shrink_trunc` is the estimator of SHANGRLA, written anew, because the package is in no index;
where its own code is at hand, this command runs it on the same deals and wants the same
answers. *Naive* is an exact binomial test at .001 after every deal, which is
what a person with a calculator does; its speed is bought with false alarms that never end.
"""


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to look, as the chance to have said so by each deal at a true rate."""

    name: str
    note: str = ""
    bounds: NDArray[np.int64] | None = None
    tuned: tuple[float, float, float] | None = None


def horizon(multiple: Fraction) -> int:
    """Return how many deals a log of this rate is followed."""
    return HORIZON.get(multiple, SHORT)


def repeated_binomial(level: float, deals: int) -> NDArray[np.int64]:
    """Return the least count at each n whose upper binomial tail at 1/13 is at most *level*."""
    n = np.arange(deals + 1)
    found = np.asarray(binom.isf(level, n, float(FAIR))).astype(np.int64) + 1
    found[0] = 1
    return found


def shrink_trunc(
    hits: NDArray[np.bool_], eta: float, c: float, d: float, fair: float = float(FAIR)
) -> NDArray[np.float64]:
    """Return the log of the ALPHA martingale after each deal, shape (logs, deals).

    Each bet takes the rate from the deals before it: their mean drawn to *eta* with the
    weight of *d* deals, and at least c / sqrt(d + j - 1) from the fair rate and from 1.
    """
    j = np.arange(1, hits.shape[1] + 1)
    before = np.cumsum(hits, axis=1, dtype=np.int64) - hits
    off = c / np.sqrt(d + j - 1)
    guess = np.maximum((d * eta + before) / (d + j - 1), fair + off)
    guess = np.minimum(guess, 1 - np.finfo(float).eps - off)
    return np.cumsum(np.where(hits, np.log(guess / fair), np.log1p(-guess) - math.log1p(-fair)), 1)


def simulated(
    tuned: tuple[float, float, float], rate: Fraction, deals: int, seed: int, logs: int = LOGS
) -> NDArray[np.int64]:
    """Return at which deal each of *logs* logs reaches e = 1000; deals + 1 where none does."""
    words, out = Words(seed), []
    for _ in range(0, logs, 100):
        drawn = words.words(100 * deals).reshape(100, deals)
        over = shrink_trunc(falls_below(drawn, threshold(rate)), *tuned) >= math.log(THRESHOLD)
        out.append(np.where(over.any(axis=1), over.argmax(axis=1) + 1, deals + 1))
    return np.concatenate(out)


def default_c(eta: float) -> float:
    """Return SHANGRLA's own c for a first guess *eta*."""
    return (eta - float(FAIR)) / 2 - float(np.finfo(float).eps)


def beside_package(
    tuned: tuple[float, float, float], rate: Fraction, deals: int, seed: int, logs: int
) -> int | None:
    """Return in how many of *logs* SHANGRLA's own code reaches 1000 at another deal than ours.

    None where `shangrla` cannot be imported.  The deals are those of `simulated`.
    """
    try:
        means = importlib.import_module("shangrla.core.NonnegMean").NonnegMean
    except ImportError:
        return None
    eta, c, d = tuned
    test = means(means.alpha_mart, means.shrink_trunc, t=float(FAIR), eta=eta, c=c, d=d)
    ours, words, differ = simulated(tuned, rate, deals, seed, logs), Words(seed), 0
    for at in range(0, logs, 100):
        drawn = falls_below(words.words(100 * deals).reshape(100, deals), threshold(rate))
        for k, hits in enumerate(drawn):
            # The package takes what has vanished for 1 again and what overflows for certain,
            # so a log is shown to it only as far as the deal where ours says so.
            upto = min(deals, int(ours[at + k]))
            over = test.test(hits[:upto].astype(float))[1] <= 1 / THRESHOLD
            theirs = int(over.argmax()) + 1 if over.any() else deals + 1
            differ += theirs != ours[at + k]
    return differ


@cache
def ways() -> tuple[Way, ...]:
    """Return every way to look, the known rate apart."""
    rates = prior.rate_grid(FAIR)
    mixture = mixture_log_e(rate_atoms(FAIR, rates), prior.WEIGHTS, SCALE)
    deals, log = max(HORIZON.values()), math.log(THRESHOLD)
    back = calibrated(
        mixture, fair=float(FAIR), rates=rates, weights=prior.WEIGHTS, level=1e-3, horizon=8_000
    )
    twice, sure = 2 * float(FAIR), 1 - float(np.finfo(float).eps)
    found = [
        Way(name="fairdeal, alone", bounds=boundary(mixture, deals, log)),
        Way(
            name="fairdeal, alone, calibrated",
            note=f"threshold {math.exp(back):.1f}, crossed by a fair dealer at most once in 1000",
            bounds=boundary(mixture, deals, back),
        ),
    ]
    for m in (1, 4):
        weight = WEIGHTS["turned_honours"] * share_of_person(m)
        found.append(
            Way(
                name=f"fairdeal, in the family, dealer {m}",
                note=f"weight {weight}: the whole audit keeps 1 in 1000",
                bounds=boundary(mixture, deals, log - math.log(weight)),
            )
        )
    found += [
        Way(
            name=f"shrink_trunc, eta 2/13, d {d}",
            note="told the x2",
            tuned=(twice, default_c(twice), d),
        )
        for d in (10, 100, 1000)
    ]
    found += [
        Way(name=f"shrink_trunc, eta 4/13, d {d}", tuned=(2 * twice, default_c(2 * twice), d))
        for d in (10, 100)
    ]
    found.append(
        Way(
            name="shrink_trunc, its defaults",
            note="eta 1, c 6/13, d 100: made for ballots, with a fair mean of 1/2",
            tuned=(sure, default_c(sure), 100),
        )
    )
    found += [
        Way(name=f"naive, at {level}", bounds=repeated_binomial(level, deals))
        for level in (0.001, 0.01)
    ]
    return tuple(found)


def known(multiple: Fraction) -> NDArray[np.int64]:
    """Return the bounds of the bettor who knows the rate."""
    atoms = rate_atoms(FAIR, (multiple * FAIR,))
    return boundary(
        mixture_log_e(atoms, (Fraction(1),), SCALE), horizon(multiple), math.log(THRESHOLD)
    )


def figures(way: Way, multiple: Fraction, seed: int) -> tuple[float, int]:
    """Return the mean and the 0.9 quantile of the deals until *way* says so.

    The quantile is beyond the horizon, and the mean a bound from below, where too many
    logs are still open at its end.
    """
    deals = horizon(multiple)
    if way.tuned:
        found = simulated(way.tuned, multiple * FAIR, deals, seed)
        late = int(np.sort(found)[math.ceil(0.9 * len(found)) - 1])
        many = float((found > deals).mean()) > 1e-3
        return float(found.mean()), deals + 1 if many else late
    assert way.bounds is not None
    return exact(way.bounds[: deals + 1], multiple)


def exact(bounds: NDArray[np.int64], multiple: Fraction) -> tuple[float, int]:
    """Return the mean and the 0.9 quantile of the first crossing of *bounds*."""
    by = crossing(rate=float(multiple * FAIR), bounds=bounds)
    return float(np.sum(1 - by[:-1])), int(np.argmax(by >= 0.9))


def alarms(way: Way, seed: int) -> list[float]:
    """Return the share of fair dealers of whom *way* says so within each of `WATCH`."""
    if way.tuned:
        found = simulated(way.tuned, FAIR, max(WATCH), seed)
        return [float((found <= n).mean()) for n in WATCH]
    assert way.bounds is not None
    by = crossing(rate=float(FAIR), bounds=way.bounds[: max(WATCH) + 1])
    return [float(by[n]) for n in WATCH]


def _rows() -> Iterator[str]:
    best = {m: exact(known(m), m)[0] for m in MULTIPLES}
    cells = " | ".join(f"{exact(known(m), m)[0]:.1f} | {exact(known(m), m)[1]}" for m in MULTIPLES)
    fair = " | ".join("at most .001" for _ in WATCH)
    yield f"| rate known | {cells} | 1.000 | {fair} |"
    for seed, way in enumerate(ways(), start=1):
        found = {m: figures(way, m, 10 * seed + k) for k, m in enumerate(MULTIPLES)}
        worst = max(found[m][0] / best[m] for m in MULTIPLES)
        beyond = {m: late > horizon(m) for m, (_, late) in found.items()}
        cells = " | ".join(
            f"over {mean:.0f} | over {horizon(m)}" if beyond[m] else f"{mean:.1f} | {late}"
            for m, (mean, late) in found.items()
        )
        fair = " | ".join(f"{share:.5f}" for share in alarms(way, 10 * seed + 9))
        least = "over " if any(beyond.values()) else ""
        yield f"| {way.name} | {cells} | {least}{worst:.3f} | {fair} |"


def page() -> str:
    """Return the whole page."""
    names = [f"x{float(m):g}" for m in MULTIPLES]
    heads = [f"{x} mean | {x} by .9" for x in names]
    out = [HEAD.format(logs=LOGS, good=0.55 / math.sqrt(LOGS) * 2, one=1 / LOGS)]
    out.append(
        f"| way | {' | '.join(heads)} | worst ratio | "
        + " | ".join(f"fair, {n} deals" for n in WATCH)
        + " |"
    )
    out.append("|---" * (2 + 2 * len(MULTIPLES) + len(WATCH)) + "|")
    out += _rows()
    out.append("")
    out += [f"- {way.name}: {way.note}." for way in ways() if way.note]
    return "\n".join(out) + "\n"


def main() -> None:
    """Write the page; run SHANGRLA's own code beside it where it is at hand."""
    REPORT.write_text(page(), encoding="utf-8")
    print(REPORT.read_text(encoding="utf-8"))
    twice = Fraction(2)
    for seed, way in enumerate(ways(), start=1):
        if way.tuned:
            seen = 10 * seed + MULTIPLES.index(twice)
            differ = beside_package(way.tuned, twice * FAIR, horizon(twice), seen, 400)
            if differ is None:
                print("shangrla cannot be imported: its own code was not run")
                return
            print(f"{way.name}, x2: SHANGRLA's own code differs in {differ} of 400 logs")
            if differ:
                sys.exit(1)


if __name__ == "__main__":
    main()
