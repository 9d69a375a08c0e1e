"""The report of an audit, as the JSON of `render/report.schema.json` has it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from audit import __version__
from audit.errors import printable
from audit.finding import (
    THRESHOLD,
    WEIGHTS,
    Hypothesis,
    P,
    Statement,
    Verdicts,
    adjusted,
    also_named,
    shares,
    weighted_sum,
)
from audit.tally import Looks

#: Suspicions named with their share of the evidence.
SHARES = 5


def report(
    shown: list[dict[str, Any]],
    flaws: list[dict[str, Any]],
    verdicts: Verdicts,
    looks: Looks,
    total: int,
) -> dict[str, Any]:
    """Return the report on *verdicts*: verdict, findings, what was silent, and the flag.

    *shown* are the rows about the inputs and *flaws* what could not be read in them, of
    which the first 1,000 are told; *total* deals were counted, seen at *looks*.
    """
    standing = verdicts.standing if looks.count else Fraction(1)
    curve = weighted_sum(verdicts.hypotheses, max(1, looks.count), standing)
    top = float(curve.max())
    flagged = top >= math.log(THRESHOLD)
    contradictions = [s for s in verdicts.statements if s.kind == "contradiction"]
    if not total and not contradictions:
        verdict = "nothing to audit"
    elif flagged:
        verdict = "flagged"
    else:
        verdict = "contradiction" if contradictions else "clear"
    hypotheses = sorted(verdicts.hypotheses, key=lambda h: -h.highest - math.log(h.weight))
    also = (
        {id(hypotheses[i]) for i in also_named(hypotheses, verdicts.fallen)} if flagged else set()
    )
    named = [h for h in hypotheses if h.flagged or id(h) in also]
    kept = named + [h for h in hypotheses if not h.flagged and id(h) not in also][:40]
    chances = [h.shown_p() for h in hypotheses]
    joint = adjusted(chances, verdicts.fallen)
    by_id = {id(h): (p, q) for h, p, q in zip(hypotheses, chances, joint, strict=True)}
    unspent, held = shares(verdicts.hypotheses, standing)
    ends = looks.ends()
    if ends:
        verdicts.pictures.append(
            {
                "kind": "line",
                "title": "Evidence over time",
                "text": "log10 of the weighted evidence; at 3 the audit is flagged.",
                "columns": ["deal", "log10_sum"],
                "rows": [[d, float(c) / math.log(10)] for d, c in zip(ends, curve, strict=True)],
            }
        )
    return {
        "schema": "fairdeal-report/1",
        "verdict": verdict,
        "inputs": shown,
        "flaws": flaws[:1000],
        "findings": [_statement(s) for s in verdicts.statements]
        + [_evidence(h, *by_id[id(h)], also=id(h) in also) for h in kept],
        "silent": [
            {"code": s.code, "detector": s.detector, "why": s.why, "untouched": s.untouched}
            for s in verdicts.silent
        ],
        "pictures": verdicts.pictures,
        "flag": {
            "threshold": THRESHOLD,
            "sum_log10": top / math.log(10),
            "hypotheses": len(hypotheses),
            "fallen": verdicts.fallen,
            "standing": f"{standing.numerator}/{standing.denominator}",
            "unspent": unspent,
            "shares": [
                {
                    "detector": h.detector,
                    "subject": {k: printable(v) for k, v in h.subject.items()},
                    "share": share,
                }
                for h, share in held[:SHARES]
            ],
            "weights": {k: f"{v.numerator}/{v.denominator}" for k, v in WEIGHTS.items()},
        },
        "made": {"version": __version__, "command": ""},
    }


def _finite(value: float) -> float | None:
    return value / math.log(10) if math.isfinite(value) else None


def _looks_back(h: Hypothesis, p: P) -> dict[str, Any] | None:
    """Return what stands behind the last and the highest evidence of *h*, and behind its *p*."""
    out: dict[str, Any] = {}
    if h.counts is not None:
        out["last"] = h.counts(len(h.curve) - 1)
        out["highest"] = h.counts(int(h.curve.argmax()))
    if p.counts is not None:
        out["p"] = dict(p.counts)
    return out or None


def _evidence(h: Hypothesis, p: P, joint: float | None, *, also: bool) -> dict[str, Any]:
    detail = h.detail()
    return {
        "code": h.code,
        "detector": h.detector,
        "kind": "evidence",
        "subject": {k: printable(v) for k, v in h.subject.items()},
        "flagged": h.flagged,
        "deals": h.deals,
        "null": h.null,
        "message": printable_long(h.message),
        "log10_p": p.log10,
        "log10_p_holm": joint,
        "p_note": p.note,
        "log10_e": _finite(h.final),
        "log10_e_max": _finite(h.highest),
        "weight": f"{h.weight.numerator}/{h.weight.denominator}",
        "effect": dict(detail.effect) if detail.effect else None,
        "refutes": list(h.refutes) if h.flagged else [],
        "explains": list(h.explains),
        "share_explaining": detail.share_explaining,
        "detectable": detail.detectable,
        "cleared": dict(detail.cleared) if detail.cleared else None,
        "also": also,
        "recheck": _looks_back(h, p),
    }


def printable_long(text: str) -> str:
    """Return *text* with control characters replaced, of any length."""
    return "".join(printable(text[i : i + 100]) for i in range(0, len(text), 100))


def _statement(s: Statement) -> dict[str, Any]:
    return {
        "code": s.code,
        "detector": s.detector,
        "kind": s.kind,
        "subject": dict(s.subject),
        "flagged": False,
        "deals": s.deals,
        "null": "",
        "message": s.message,
        "log10_p": None,
        "log10_e": None,
        "weight": "0/1",
        "effect": None,
        "refutes": [],
        "explains": list(s.explains),
        "share_explaining": None,
        "detectable": None,
    }
