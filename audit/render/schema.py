"""The published schema of a report, and text of a report made safe to show."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

_UNSHOWN = (
    *range(0x20),
    *range(0x7F, 0xA0),
    0x61C,
    0x200B,
    0x200E,
    0x200F,
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    0xFEFF,
    *range(0xD800, 0xE000),
    *range(0xFDD0, 0xFDF0),
    0xFFFE,
    0xFFFF,
)
_SAFE = dict.fromkeys(_UNSHOWN, "\N{REPLACEMENT CHARACTER}")


def schema() -> dict[str, Any]:
    """Return the JSON Schema of `fairdeal-report/1`."""
    text = files("audit.render").joinpath("report.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def clean(value: Any, longest: int = 1000) -> Any:
    """Return *value* with every string in it, keys included, fit to show.

    Control, direction and invisible characters and lone surrogates become
    U+FFFD; strings are cut at *longest* characters; numbers that are not finite become None.
    """
    if isinstance(value, str):
        short = value if len(value) <= longest else value[: longest - 1] + "…"
        return short.translate(_SAFE)
    if isinstance(value, dict):
        return {clean(str(k), longest): clean(v, longest) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [clean(v, longest) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def number(value: Any) -> str:
    """Return *value* as a person reads it: thousands parted, four digits, None as a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.4g}"
    if isinstance(value, dict):
        return ", ".join(f"{k} {number(v)}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(number(v) for v in value)
    return str(value)


def power(log10: Any) -> str:
    """Return 10 to *log10*, written out while it is short; never 0."""
    if not isinstance(log10, int | float):
        return "–"
    return f"{10.0**log10:,.4g}" if -4 < log10 < 4 else f"10^{log10:.1f}"


#: Each verdict: its word, its sentence, the mark of it on a terminal.
VERDICTS: dict[str, tuple[str, str, str]] = {
    "clear": (
        "CLEAR",
        "nothing that these tests could see in the log is too strange for a fair deal;"
        " this does not show that the deal was fair.",
        "○",
    ),
    "flagged": (
        "FLAGGED",
        "the log is too strange for a fair deal: fewer than one fair log in a thousand"
        " ever reaches this much evidence.",
        "▲",
    ),
    "contradiction": (
        "CONTRADICTION",
        "the log holds records that cannot have happened as written.",
        "✕",
    ),
    "nothing to audit": (
        "NOTHING TO AUDIT",
        "the input holds no deal that a test could use, so there is no verdict.",
        "—",
    ),
}

#: What a reader does next, by verdict.
NEXT: Mapping[str, str] = {
    "flagged": "Next: keep the log as it is; ask how it was kept, whether deals were left out or"
    " sorted, and how the pack was shuffled; count the pack; let somebody else recompute this"
    " report; go on recording, for evidence carries on. Only then talk about people.",
    "contradiction": "Next: look up the deals named below in what the log was typed or copied"
    " from. A slip of the pen is the first explanation.",
    "clear": "Next: nothing. What was not tested stands under “silent”, with the reason; more"
    " deals see smaller faults.",
    "nothing to audit": "Next: look at the flaws below, if any, and at the format that was read.",
}
#: What the weight of a silent test counts, by whether nothing of it can have been lost.
SILENT_WEIGHT: Mapping[bool | None, str] = {True: "E = 1", False: "0", None: "not told"}
NO_ACCUSATION = "A finding is a fact about the log; it accuses nobody."


def ordered(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return *findings*, flagged first, then contradictions, evidence by strength, rulings."""
    kinds = {"contradiction": 0, "evidence": 1, "ruling": 2}

    def key(f: dict[str, Any]) -> tuple[bool, int, float]:
        e = f.get("log10_e_max", f.get("log10_e"))
        strength = float(e) if isinstance(e, int | float) else -math.inf
        return (not f.get("flagged"), kinds.get(str(f.get("kind")), 3), -strength)

    return sorted(findings, key=key)
