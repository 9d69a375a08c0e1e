"""The rows and the page of `fairdeal lab power`, from what the logs of each cell showed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from audit.finding import THRESHOLD
from audit.games import GAMES
from audit.lab import LAB
from audit.law import Law
from audit.run.power import PLAYER, Outcome, Plan, Result, honest
from audit.stats.binomial import clopper_pearson
from audit.stats.quantile import LEVEL, quantile
from audit.tally import Looks

HALF, NINE_TENTHS = Fraction(1, 2), Fraction(9, 10)
Row = dict[str, Any]


def _turned_jacks(law: Law, dial: Fraction) -> tuple[Fraction, Fraction, int]:
    fair = Fraction(len(law.pack) // 13, len(law.pack))
    return fair, fair + dial * (1 - fair), law.players[1]


#: Cheats that change one rate: (fair rate, his rate, deals of the table for each trial).
RATES: Mapping[str, Callable[[Law, Fraction], tuple[Fraction, Fraction, int]]] = {
    "turned_jacks": _turned_jacks,
}


def least_mean(law: Law, crook: str, dial: Fraction) -> float | None:
    """Return the least mean number of the table's deals to 1000 to one, None if not closed.

    ln 1000 / KL(his rate, fair rate) trials: whoever knows his rate needs as many at least
    (Wald's bound, from optional stopping of the log likelihood ratio).
    """
    if crook not in RATES:
        return None
    fair, rate, each = RATES[crook](law, dial)
    p, q = float(rate), float(fair)
    nats = p * math.log(p / q) + ((1 - p) * math.log((1 - p) / (1 - q)) if p < 1 else 0.0)
    return each * math.log(THRESHOLD) / nats


def own_test(outcomes: Sequence[Outcome]) -> str | None:
    """Return the test, of those that speak of the dealer, that most logs bring to 1000 alone.

    Of several the soonest on average.  One test and subject for all logs of a cell, so that no
    log may choose the best of several.
    """
    found = Counter(name for o in outcomes for name in o["own"])
    times = {name: sum(o["alone"].get(name, 0) for o in outcomes) for name in found}
    return min(found, key=lambda name: (-found[name], times[name], name)) if found else None


def _spread(firsts: Sequence[int | None], deals: int, share: Fraction) -> list[int | None]:
    never = deals + 1
    found = quantile([never if f is None else f for f in firsts], share, never)
    return [f if f <= deals else None for f in found]


def _reached(firsts: Sequence[int | None], by: int) -> int:
    return sum(f is not None and f <= by for f in firsts)


def row(result: Result, game: str) -> Row:
    """Return one row of the table; deals are the table's, None is more than the log has."""
    cell, found, law = result.cell, result.outcomes, GAMES[game]
    logs, looks = len(found), Looks(deals=cell.deals)
    ends, own = looks.ends(), own_test(found)
    audit: list[int | None] = [o["audit"] for o in found]
    named = [o["named"].get(own) for o in found]
    alone = [o["alone"].get(own) for o in found]
    flagged = _reached(audit, cell.deals)
    low, high = clopper_pearson(logs, flagged, level=LEVEL)
    times = [cell.deals if a is None else a for a in alone]
    whole = all(a is not None for a in alone)
    mean = sum(times) / logs
    least = least_mean(law, cell.crook, cell.dial)
    crook_dealer = f"dealer P{law.players[1]}"
    grid = sorted({ends[(len(ends) * k) // 8 - 1] for k in (1, 2, 4, 8) if len(ends) * k >= 8})
    return {
        "crook": cell.crook,
        "dial": str(cell.dial),
        "answers": list(LAB[cell.crook].answers),
        "honest": honest(cell.crook),
        "logs": logs,
        "deals": cell.deals,
        "deals_between_looks": 1 << looks.shift,
        "own_test": own,
        "flagged": flagged,
        "low": round(low, 4),
        "high": round(high, 4),
        "named": _reached(named, cell.deals),
        "alone": _reached(alone, cell.deals),
        "power": [
            {
                "deals": by,
                "flagged": _reached(audit, by),
                "named": _reached(named, by),
                "alone": _reached(alone, by),
            }
            for by in grid
        ],
        "stated": sum(o["stated"] is not None for o in found),
        "stated_nine_tenths": _spread([o["stated"] for o in found], cell.deals, NINE_TENTHS),
        "half": _spread(audit, cell.deals, HALF),
        "nine_tenths": _spread(audit, cell.deals, NINE_TENTHS),
        "alone_mean": round(mean, 1) if own is not None else None,
        "alone_mean_whole": whole and own is not None,
        "alone_nine_tenths": _spread(alone, cell.deals, NINE_TENTHS),
        "least_mean": None if least is None else round(least, 1),
        "ratio": round(mean / least, 3) if least and whole else None,
        "other_dealers_named": sum(
            any(" dealer " in n and not n.endswith(crook_dealer) for n in o["named"]) for o in found
        ),
        # Who it is that most logs name, whatever the warnings of the dealer are.
        "named_most": [
            [name, n] for name, n in Counter(n for o in found for n in o["named"]).most_common(3)
        ],
    }


def report(
    results: Sequence[Result],
    plan: Plan,
    made: str,
    not_dealt: Mapping[str, str],
    kept: Sequence[Row] = (),
) -> dict[str, Any]:
    """Return the table as JSON has it.

    *not_dealt* are dealers whom the game has no room for, *kept* rows of earlier runs about
    others than the plan's.
    """
    fresh = [row(r, plan.game) for r in results]
    rows = [r for r in kept if r["crook"] not in plan.crooks] + fresh
    rows.sort(key=lambda r: (r["crook"], -Fraction(r["dial"])))
    return {
        "made": made,
        "game": plan.game,
        "players": PLAYER,
        "seed": plan.seed,
        "not_dealt": dict(not_dealt),
        "rows": rows,
    }


def _deals(value: int | None, most: int) -> str:
    return f"over {most:,}" if value is None else f"{value:,}"


def _limits(value: Sequence[int | None], most: int) -> str:
    middle, low, high = (_deals(v, most) for v in value)
    return middle if value[0] is None and value[1] is None else f"{middle} ({low} to {high})"


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    return [_line(head), "|" + "---|" * len(head), *map(_line, rows), ""]


def _named(r: Row) -> str:
    return "; ".join(f"{name} ({n})" for name, n in r["named_most"]) or "nobody"


def _stated(r: Row) -> str:
    if not r["stated"]:
        return "-"
    within = _limits(r["stated_nine_tenths"], r["deals"])
    return f"{r['stated']} of {r['logs']}, nine tenths by {within}"


def _mean(r: Row) -> str:
    if r["alone_mean"] is None:
        return f"over {r['deals']:,}"
    return f"{'' if r['alone_mean_whole'] else 'at least '}{r['alone_mean']:,}"


def page(made: Mapping[str, Any]) -> str:
    """Return the table as Markdown."""
    rows: list[Row] = made["rows"]
    crooked = [r for r in rows if not r["honest"]]
    by = [
        [r["crook"], r["dial"], f"{p['deals']:,}"]
        + [f"{p[k] / r['logs']:.3f}" for k in ("flagged", "named", "alone")]
        for r in crooked
        for p in r["power"]
    ]
    out = [
        "# What the laboratory's dealers are found by, and how soon",
        "",
        f"Made by `{made['made']}`; the seeds are fixed, so the figures repeat. Rows of dealers"
        " whom that does not name are of earlier runs.",
        f"Game {made['game']}, {made['players']}"
        " players; the crook is the first dealer. Every detector is at work with its shipped"
        " weight. Deals are the table's, all dealers' together. *Flagged*: the audit as a"
        " whole. *Named*: the own test's weighted evidence. *Alone*: the own test's e-process"
        " to 1000, without a weight. The own test is the one, among those whose codes the"
        " dealer answers to, that brings most logs there, and soonest. Brackets are exact"
        " limits at 99 % (Clopper-Pearson; order statistics). A log is looked at at most 256"
        " times, so that a number of deals may be too large by one look. The bound is ln 1000"
        " over the Kullback-Leibler divergence, for whoever knows the rate; only a cheat that"
        " changes one rate has it. *Stated* without any chance is a contradiction of the"
        " record, or a ruling that the dealer answers to; it is no flag.",
        "",
        "## Deals until a dealer is found",
        "",
        *_table(
            (
                "dealer",
                "dial",
                "flagged of logs",
                "by deal",
                "a look each",
                "flagged in half",
                "in nine tenths",
                "alone, mean",
                "alone, nine tenths",
                "bound",
                "ratio",
                "stated without chance",
                "own test",
                "named most",
                "other dealers named",
            ),
            [
                (
                    r["crook"],
                    r["dial"],
                    f"{r['flagged']} of {r['logs']} ({r['low']:.3f} to {r['high']:.3f})",
                    f"{r['deals']:,}",
                    r["deals_between_looks"],
                    _limits(r["half"], r["deals"]),
                    _limits(r["nine_tenths"], r["deals"]),
                    _mean(r),
                    _limits(r["alone_nine_tenths"], r["deals"]),
                    "-" if r["least_mean"] is None else f"{r['least_mean']:,}",
                    "-" if r["ratio"] is None else f"{r['ratio']:.3f}",
                    _stated(r),
                    r["own_test"] or "none reached 1000",
                    _named(r),
                    r["other_dealers_named"],
                )
                for r in crooked
            ],
        ),
        "## Power by deals of the table",
        "",
        *_table(("dealer", "dial", "deals", "flagged", "named", "alone"), by),
        "## False alarms: dealers who mean no harm",
        "",
        "A fair table is flagged at most once in a thousand logs. A poor shuffle refutes a fair"
        " deal, and is no cheat: what is named says so.",
        "",
        *_table(
            ("dealer", "logs", "deals", "flagged", "limits", "named most"),
            [
                (
                    r["crook"],
                    r["logs"],
                    f"{r['deals']:,}",
                    r["flagged"],
                    f"{r['low']:.4f} to {r['high']:.4f}",
                    _named(r),
                )
                for r in rows
                if r["honest"]
            ],
        ),
    ]
    if made["not_dealt"]:
        out += ["## Not dealt", "", *(f"- {k}: {why}" for k, why in made["not_dealt"].items())]
    return "\n".join(out).rstrip("\n") + "\n"
