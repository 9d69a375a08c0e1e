"""Power at length: `python -m tests.long_power [CROOK ...]`.

Deals of the laboratory's crooks at four-handed Seven-Up with sensible players
go through every detector.  For the Jacks: the share of logs in which the
dealer who is the fourth to appear is named by his own 400th and 800th deal,
beside the exact chance.  For the half-stock and the missing Ten: the deals of
the table until the audit is flagged.  All rows are written to
`reports/power.json` and `reports/power.md`; rows of crooks not asked for stay.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.finding import THRESHOLD, WEIGHTS, Hypothesis, share_of_person
from audit.stats.binomial import clopper_pearson
from audit.stats.quantile import LEVEL, quantile
from audit.stats.recursion import boundary, crossing
from audit.tally import Looks
from tests._checks import band
from tests._logs import FAIR, PLACES, dealt, first_flag, jacks_evidence, judged, total

REPORTS = Path(__file__).resolve().parents[1] / "reports"
PLAYER = "sensible"

#: The dealer of place 3 is the fourth to appear, for the dealer of the first deal is place 4.
JACKS_SEAT, JACKS_ORDER = 3, 4
JACKS_LOGS, JACKS_DEALS, BY = 300, 3200, (400, 800)
JACKS_DIALS = (Fraction(1, 24), Fraction(1, 12), Fraction(1, 6))

CELL_LOGS = 200
#: What of the weight stands with E = 1 whatever the log shows.
RESERVE = WEIGHTS["reserve"]
#: For each crook, (dial, deals of each log).
CELLS = {
    "stacked_stock": (
        (Fraction(1), 256),
        (Fraction(1, 2), 1024),
        (Fraction(1, 4), 2048),
        (Fraction(1, 10), 8192),
    ),
    "missing_ten": (
        (Fraction(1), 256),
        (Fraction(1, 2), 512),
        (Fraction(1, 4), 2048),
        (Fraction(1, 10), 8192),
    ),
}
SUBJECTS = {"stacked_stock": {"dealer": "P4"}, "missing_ten": {"card": "TS"}}


def exact(rate: Fraction, own_deals: int, step: int, order: int) -> NDArray[np.float64]:
    """Return the chance of being named by each own deal, shape (own_deals + 1,).

    *rate* is that of a Jack, *order* the dealer's in order of appearance; the
    evidence is looked at after every *step* own deals.
    """
    weight = float(WEIGHTS["turned_honours"] * share_of_person(order))
    bounds = boundary(
        jacks_evidence,
        own_deals,
        math.log(THRESHOLD / weight),
    )
    unseen = np.arange(own_deals + 1) % step != 0
    return crossing(rate=float(rate), bounds=np.where(unseen, np.arange(own_deals + 1) + 1, bounds))


def others(found: Sequence[Hypothesis], subject: dict[str, str]) -> int:
    """Return how many hypotheses that are not about *subject* are named.

    A card that is out leaves its rank short as well, so that saying so names nobody else.
    """
    short = {"pack": "ranks and suits"} if "card" in subject else subject
    return sum(h.flagged and dict(h.subject) not in (subject, short) for h in found)


def jacks_logs(dial: Fraction, seeds: Sequence[int]) -> tuple[list[int], list[int], int]:
    """Return per log the deal of the table at which he is named and the audit flagged.

    The third value counts others who were named.
    """
    named, flagged, wrong = [], [], 0
    subject = {"dealer": f"P{JACKS_SEAT}"}
    for seed in seeds:
        t = dealt("turned_jacks", JACKS_DEALS, dial, seed, PLAYER, seat=JACKS_SEAT)
        found = judged(t)
        (his,) = (h for h in found if h.detector == "turned_honours" and dict(h.subject) == subject)
        named.append(first_flag(his.curve, JACKS_DEALS, his.weight))
        flagged.append(first_flag(total(found, JACKS_DEALS, RESERVE), JACKS_DEALS))
        wrong += others(found, subject)
    return named, flagged, wrong


def jacks_row(dial: Fraction, logs: int = JACKS_LOGS) -> list[dict[str, Any]]:
    """Return one row for each number of own deals in `BY`."""
    rate = FAIR + dial * (1 - FAIR)
    step = (1 << Looks(deals=JACKS_DEALS).shift) // PLACES
    every, sparse = (exact(rate, BY[-1], s, JACKS_ORDER) for s in (1, step))
    named, flagged, wrong = jacks_logs(dial, range(logs))
    rows = []
    for by in BY:
        hits = sum(deal <= by * PLACES for deal in named)
        low, high = clopper_pearson(logs, hits, level=LEVEL)
        least, most = band(logs, float(sparse[by]))
        rows.append(
            {
                "crook": "turned_jacks",
                "dial": str(dial),
                "multiple": str(rate / FAIR),
                "own_deals": by,
                "logs": logs,
                "exact_every_deal": round(float(every[by]), 4),
                "exact_at_looks": round(float(sparse[by]), 4),
                "own_deals_between_looks": step,
                "simulated": round(hits / logs, 4),
                "low": round(low, 4),
                "high": round(high, 4),
                "audit_flagged": round(sum(d <= by * PLACES for d in flagged) / logs, 4),
                "agree": least <= hits <= most,
                "others_named": wrong,
            }
        )
    return rows


def cell_logs(
    crook: str, dial: Fraction, deals: int, seeds: Sequence[int]
) -> tuple[list[int], int]:
    """Return per log the deal at which the audit is flagged, and how many others were named."""
    firsts, wrong = [], 0
    for seed in seeds:
        found = judged(dealt(crook, deals, dial, seed, PLAYER))
        firsts.append(first_flag(total(found, deals, RESERVE), deals))
        wrong += others(found, SUBJECTS[crook])
    return firsts, wrong


def cell_row(crook: str, dial: Fraction, deals: int, logs: int = CELL_LOGS) -> dict[str, Any]:
    """Return one row: deals of the table to power 1/2 and 9/10; more than *deals* is null."""
    firsts, wrong = cell_logs(crook, dial, deals, range(logs))
    row: dict[str, Any] = {
        "crook": crook,
        "dial": str(dial),
        "logs": logs,
        "deals": deals,
        "deals_between_looks": 1 << Looks(deals=deals).shift,
        "flagged": sum(f <= deals for f in firsts),
        "others_named": wrong,
    }
    for name, share in (("half", Fraction(1, 2)), ("nine_tenths", Fraction(9, 10))):
        value = quantile(firsts, share, deals + 1)
        row[name] = [v if v <= deals else None for v in value]
    return row


def _deals(value: int | None, most: int) -> str:
    return f"more than {most:,}" if value is None else f"{value:,}"


def _limits(value: Sequence[int | None], most: int) -> str:
    middle, low, high = (_deals(v, most) for v in value)
    return f"{middle} ({low} to {high})"


def text(rows: Sequence[dict[str, Any]]) -> str:
    """Return the rows as two tables in Markdown."""
    out = [
        "# What the audit finds, and how soon",
        "",
        "Made by `python -m tests.long_power`; the seeds are 0 and up, so the figures repeat.",
        "Four-handed Seven-Up, sensible players, every detector at work.",
        "",
        "## Jacks turned from the bottom by the fourth dealer to appear",
        "",
        f"He has 1/20 of the weight 1/8 and is named at 160,000. Simulated over {JACKS_LOGS} logs"
        f" of {JACKS_DEALS:,} deals; limits are exact at 99 %.",
        "",
        "| rate | dial | by his deal | exact, a look each deal | exact, the log's looks |"
        " simulated | limits | audit flagged |",
        "|---|---|---|---|---|---|---|---|",
    ]
    out += [
        f"| x{float(Fraction(r['multiple'])):g} | {r['dial']} | {r['own_deals']} |"
        f" {r['exact_every_deal']:.3f} | {r['exact_at_looks']:.3f} | {r['simulated']:.3f} |"
        f" {r['low']:.3f} to {r['high']:.3f} | {r['audit_flagged']:.3f} |"
        for r in rows
        if r["crook"] == "turned_jacks"
    ]
    out += [
        "",
        "## Half-stock set for the beg, and a Ten out of the pack",
        "",
        "Deals of the table until the audit is flagged. The half-stock is set in that share of one"
        " dealer's own deals, which are a quarter of the table's; the Ten is out in that share of"
        f" all deals. {CELL_LOGS} logs a row; in brackets exact order-statistic limits at 99 %.",
        "",
        "| crook | dial | power .5 | power .9 | a look each | flagged |",
        "|---|---|---|---|---|---|",
    ]
    for r in rows:
        if r["crook"] == "turned_jacks":
            continue
        half, nine = (_limits(r[name], r["deals"]) for name in ("half", "nine_tenths"))
        out.append(
            f"| {r['crook']} | {r['dial']} | {half} | {nine} | {r['deals_between_looks']} |"
            f" {r['flagged']} of {r['logs']} by {r['deals']:,} |"
        )
    wrong = sum({(r["crook"], r["dial"]): r["others_named"] for r in rows}.values())
    out += ["", f"Others named in all these logs: {wrong}.", ""]
    return "\n".join(out)


def figures(rows: Sequence[dict[str, Any]], crook: str) -> list[str]:
    """Return the lines of figures that the docstring of *crook* repeats."""
    mine = [r for r in rows if r["crook"] == crook]
    if crook == "turned_jacks":
        by = {(r["dial"], r["own_deals"]): r for r in mine}
        return [
            f"    dial {dial:5} x{float(Fraction(by[dial, BY[0]]['multiple'])):<4g}"
            + "".join(f" {by[dial, own]['exact_every_deal']:.3f}" for own in BY)
            for dial in dict.fromkeys(r["dial"] for r in mine)
        ]
    return [
        f"    dial {r['dial']:5}"
        + "".join(f" {_limits(r[name], r['deals'])}" for name in ("half", "nine_tenths"))
        for r in mine
    ]


def main(crooks: list[str]) -> int:
    """Compute the rows of *crooks*, all by default, and write both files; 1 where rows disagree."""
    path = REPORTS / "power.json"
    old = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.exists() else []
    wanted = crooks or ["turned_jacks", *CELLS]
    rows = [r for r in old if r["crook"] not in wanted]
    for crook in wanted:
        if crook == "turned_jacks":
            rows += [row for dial in JACKS_DIALS for row in jacks_row(dial)]
        else:
            rows += [cell_row(crook, dial, deals) for dial, deals in CELLS[crook]]
    order = ["turned_jacks", *CELLS]
    rows.sort(key=lambda r: (order.index(r["crook"]), -Fraction(r["dial"]), r.get("own_deals", 0)))
    made = {"made": "python -m tests.long_power", "rows": rows}
    for name, content in (
        ("power.json", json.dumps(made, indent=1) + "\n"),
        ("power.md", text(rows)),
    ):
        half = REPORTS / f"{name}.part"
        half.write_text(content, encoding="utf-8")
        half.replace(REPORTS / name)
    print(text(rows))
    return int(not all(r.get("agree", True) for r in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
