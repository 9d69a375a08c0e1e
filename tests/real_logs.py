"""Write `reports/real_logs.md`: every real log at hand, audited with the whole family.

Run `python -m tests.real_logs [FOLDER]`; the logs stand in `../shared/data`, beside the
checkout, and none of them is copied.  A flag counts as a false alarm unless its log is known
not to be fair or `EXPLAINED` says what its rows show.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from typing import Any

from audit.cards import NAMES, SUITS
from audit.readers import READERS
from audit.record import Counts, Deal
from audit.run.audit import audit
from tests._real_logs_words import EXPLAINED, HEAD, KINDS, NEAR, NOT_READ, UNFAIR
from tests.foreign_logs import FOREIGN

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
REPORT = ROOT / "reports" / "real_logs.md"
_STOCKS = "euchre-dealstock"


@dataclass(frozen=True, kw_only=True)
class Log:
    """One file: its folder and name, and its report."""

    folder: str
    name: str
    report: dict[str, Any]

    @property
    def row(self) -> dict[str, Any]:
        """What the report says of its only input."""
        found: dict[str, Any] = self.report["inputs"][0]
        return found

    @property
    def flags(self) -> list[dict[str, Any]]:
        """The findings that are flagged by name."""
        return [f for f in self.report["findings"] if f.get("flagged")]

    @property
    def false_alarms(self) -> list[dict[str, Any]]:
        """The flags that nothing known of the log explains; one with no name counts too."""
        if self.name in UNFAIR:
            return []
        if self.report["verdict"] == "flagged" and not self.flags:
            return [{"detector": "sum of all"}]
        return [f for f in self.flags if (self.name, f["detector"]) not in EXPLAINED]


def logs(data: Path) -> tuple[list[Log], list[Path]]:
    """Return the audit of each readable file of *data*, and the files that are not readable."""
    readers = (*(READERS[name] for name in READERS.names), *FOREIGN)
    done, left = [], []
    for path in sorted(data.glob("*/*")):
        head = path.read_bytes()[:65536]
        if any(reader.sniff(head, path.name) for reader in readers):
            report = audit([str(path)], form=None, game=None, more=FOREIGN)
            done.append(Log(folder=path.parent.name, name=path.name, report=report))
        else:
            left.append(path)
    return done, left


def _subject(finding: dict[str, Any]) -> str:
    return ", ".join(f"{kind} {value}" for kind, value in finding["subject"].items())


def _row(log: Log) -> str:
    row, evidence = log.row, [f for f in log.report["findings"] if f["kind"] == "evidence"]
    most = "none"
    if evidence:
        top = evidence[0]
        most = f"{top['detector']}, {_subject(top)}: {top['log10_e_max']:.1f}"
    aside = row["flaws"] + row["contradictions"] + row["other"]
    once = any("looked at once" in note for note in row["holds"].get("notes", ()))
    cells = [
        f"`{log.name}`",
        row["format"],
        row["records"],
        row["deals"],
        aside,
        log.report["verdict"],
        f"{log.report['flag']['sum_log10']:.2f}{' (once)' if once else ''}",
        most,
        len(log.report["silent"]),
    ]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def _silent(found: list[Log]) -> list[str]:
    """Return a line for each thing that was silent of some logs of one folder, and why."""
    with_deals = [log for log in found if log.row["deals"]]
    why = Counter(
        (s["detector"], s["code"], s["why"]) for log in with_deals for s in log.report["silent"]
    )
    grouped: dict[tuple[str, int], list[str]] = {}
    for (detector, code, reason), times in sorted(why.items()):
        grouped.setdefault((reason, times), []).append(f"`{detector}` ({code})")
    return [
        f"- {', '.join(names)}: {reason} ({times} of {len(with_deals)} logs)"
        for (reason, times), names in grouped.items()
    ]


def _statements(log: Log) -> list[str]:
    kinds = Counter(f["kind"] for f in log.report["findings"])
    out = [
        f"- `{log.name}`: contradiction: {f['message']}"
        for f in log.report["findings"]
        if f["kind"] == "contradiction"
    ]
    if kinds["ruling"]:
        out.append(
            f"- `{log.name}`: {kinds['ruling']} rulings, the first: "
            + next(f["message"] for f in log.report["findings"] if f["kind"] == "ruling")
        )
    return out


def _flag(log: Log, finding: dict[str, Any], *, told: bool) -> str:
    share = finding["share_explaining"]
    hidden = "" if share is None else f" Hidden deals that would explain it: {share:.3f} of all."
    known = UNFAIR.get(log.name) or EXPLAINED.get((log.name, finding["detector"]))
    if told and known:
        known = "As above."
    return (
        f"- `{log.name}`, {finding['detector']} ({finding['code']}), {_subject(finding)}:"
        f" log10 e = {finding['log10_e_max']:.1f} of weight {finding['weight']}."
        f" {finding['message']}.{hidden} "
        + (known or "**Nothing known explains it: counted as a false alarm.**")
    )


def lowest_of_kitty(cards: int = 24, kitty: int = 4) -> list[Fraction]:
    """Return the chance that each card of *cards*, in order, is the lowest of a fair kitty."""
    return [Fraction(comb(cards - 1 - i, kitty - 1), comb(cards, kitty)) for i in range(cards)]


def kept_pair(kitties: Sequence[bytes]) -> tuple[int, int, int, int, float]:
    """Return the two cards whose order in *kitties* is most one-sided, and how much.

    The first stands before the second in so many kitties and behind it in so many; the
    last number bounds the chance of a pair as one-sided, over all pairs and both orders.
    """
    before = Counter(pair for kitty in kitties for pair in combinations(kitty, 2))
    pairs = {(min(pair), max(pair)) for pair in before}

    def chance(pair: tuple[int, int]) -> float:
        one, other = before[pair], before[pair[::-1]]
        n = one + other
        tail = sum(comb(n, k) for k in range(max(one, other), n + 1))
        return min(1.0, float(Fraction(2 * len(pairs) * tail, 2**n)))

    found = min(sorted(pairs), key=chance)
    a, b = found if before[found] >= before[found[::-1]] else found[::-1]
    return a, b, before[a, b], before[b, a], chance(found)


def _stocks(data: Path) -> list[str]:
    """Return what the rows of the euchre stocks themselves say of their flags."""
    out = []
    law = lowest_of_kitty()
    table = data / _STOCKS / "turn_up_counts.csv"
    with table.open("rb") as file:
        counts = list(READERS["turnup_counts"].read(file, table.name))
    for one in counts:
        assert isinstance(one, Counts)
        turned = [one.turned[13 * SUITS.index(s) + r] for s in "SCHD" for r in range(7, 13)]
        units = [
            (n - one.deals * p) / sqrt(one.deals * p * (1 - p))
            for n, p in zip(turned, map(float, law), strict=True)
            if p
        ]
        out.append(
            f"- stock {one.stock}, {one.deals} deals: beside the lowest card of a kitty sorted S C"
            f" H D, nine to ace, the farthest of 21 counts lies {max(map(abs, units)):.1f} standard"
            " units off; by luck it would be 2 or 3."
        )
    for name in ("stock_2022_sample.txt", "stock_2024_sample_a.txt"):
        with (data / _STOCKS / name).open("rb") as file:
            deals = [d for d in READERS["dealstock"].read(file, name) if isinstance(d, Deal)]
        jacks = [sum(d.widow[k] % 13 == 9 for d in deals) for k in range(4)]
        held = Counter(c for d in deals for c in d.widow).values()
        a, b, yes, no, p = kept_pair([d.widow for d in deals])
        out.append(
            f"- `{name}`: {NAMES[a]} stands before {NAMES[b]} in {yes} and behind it in {no} of the"
            f" kitties that hold both, a pair so one-sided has a chance below {p:.0e}; a Jack is"
            f" card 21, 22, 23 and 24 {', '.join(str(n) for n in jacks)} times, a fair count being"
            f" {len(deals) / 6:.0f}; each card lies in the kitty {min(held)} to {max(held)} times,"
            f" a fair count being {len(deals) / 6:.0f} too."
        )
    return out


def page(data: Path) -> str:
    """Return the whole page."""
    done, left = logs(data)
    flagged = [log for log in done if log.flags]
    alarms = [f for log in done for f in log.false_alarms]
    fair = [log for log in done if log.name not in UNFAIR and log.row["deals"]]
    out = [HEAD, "## All together\n"]
    verdicts = Counter(log.report["verdict"] for log in done)
    ends = ", ".join(f"{times} {verdict}" for verdict, times in sorted(verdicts.items()))
    out.append(
        f"{len(done)} files read, {sum(log.row['records'] for log in done)} records, "
        f"{sum(log.row['deals'] for log in done)} distinct deals: {ends}. "
        f"{len(fair)} logs with a deal are not known to be unfair; "
        f"**false alarms: {len(alarms)}**. {len(left)} files are not read.\n"
    )
    out.append("## What is flagged, and why\n")
    for log in flagged:
        told: set[str] = set()
        for f in log.flags:
            out.append(_flag(log, f, told=f["detector"] in told))
            told.add(f["detector"])
    out.append("\nWhat the rows of the stocks say:\n")
    out += _stocks(data)
    near = [log for log in done if not log.flags and log.report["flag"]["sum_log10"] > 1]
    if near:
        out.append("\nNot flagged, but above 10:\n")
        out += [
            f"- `{log.name}`: log10 of the weighted sum {log.report['flag']['sum_log10']:.2f}."
            f" {NEAR.get(log.name, 'Nothing is known of it.')}"
            for log in near
        ]
    out.append("\n## Contradictions and rulings\n")
    out += [line for log in done for line in _statements(log)]
    for folder, (title, shows, cannot) in KINDS.items():
        found = [log for log in done if log.folder == folder]
        out.append(f"\n## {title}\n\nShows: {shows}\n\nCannot show: {cannot}\n")
        out.append(
            "| file | reader | records | deals | set aside | verdict | log10 of the weighted sum"
            " | strongest, log10 e at its highest | silent |"
        )
        out.append("|---|---|---|---|---|---|---|---|---|")
        out += [_row(log) for log in found]
        if any(log.row["deals"] for log in found):
            out.append("\nSilent, and why:\n")
            out += _silent(found)
    out.append("\n## Not read\n")
    for folder in sorted({path.parent.name for path in left}):
        names = ", ".join(f"`{p.name}`" for p in left if p.parent.name == folder)
        out.append(f"- {names}: {NOT_READ[folder]}")
    return "\n".join(out) + "\n"


def main() -> None:
    """Write the page."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    REPORT.write_text(page(data), encoding="utf-8")
    print(f"{REPORT.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()
