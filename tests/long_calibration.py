"""Fair tables at length: `python -m tests.long_calibration [PLAYER ...]`.

For each player of the laboratory 2,000 logs of 200 deals of four-handed
Seven-Up are judged by every detector.  Printed are, for each threshold, the
most crossings of any one hypothesis and those of the weighted sum, at any look,
with the budget at risk 1e-9, and the largest mean of min(E, 20) after the last
deal.  The command fails where a budget is broken.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from audit.finding import Hypothesis
from tests._checks import THRESHOLDS, alarms, budget, excesses, mean_limit, mean_of
from tests._logs import PLAYERS, dealt, judged, total

LOGS, DEALS = 2000, 200


@dataclass(kw_only=True)
class Lines:
    """The largest and the last ln E of each hypothesis over many logs, and of the whole audit."""

    highest: dict[str, list[float]] = field(default_factory=dict)
    final: dict[str, list[float]] = field(default_factory=dict)
    audit: list[float] = field(default_factory=list)

    def add(self, found: list[Hypothesis], deals: int) -> None:
        """Take in what the detectors said of one log of *deals* deals."""
        for h in found:
            key = f"{h.detector} {' '.join(h.subject.values())}"
            self.highest.setdefault(key, []).append(h.highest)
            self.final.setdefault(key, []).append(h.final)
        self.audit.append(float(total(found, deals).max()))

    def failures(self) -> list[str]:
        """Return every check at risk 1e-9 that these lines of evidence fail."""
        out = [f"audit: {text}" for text in excesses(self.audit)]
        for key, values in self.highest.items():
            out += [f"{key}: {text}" for text in excesses(values)]
            mean = mean_of(self.final[key])
            if mean > mean_limit(len(values)):
                out.append(f"{key}: mean of min(E, 20) is {mean:.3f}")
        return out


def fair(player: str, logs: int, deals: int = DEALS) -> Lines:
    """Return the lines of *logs* fair logs; no two players share a seed."""
    lines = Lines()
    first = 10_000 * PLAYERS.index(player)
    for seed in range(first, first + logs):
        lines.add(judged(dealt("fair", deals, Fraction(0), seed, player)), deals)
    return lines


def rows(player: str, lines: Lines) -> Iterator[str]:
    """Yield the printed lines of one player."""
    logs = len(lines.audit)
    for level in THRESHOLDS:
        worst = max(lines.highest, key=lambda key: alarms(lines.highest[key], level))
        yield (
            f"{player:14} {level:5} {budget(logs, Fraction(1, level)):7}"
            f" {alarms(lines.audit, level):6} {alarms(lines.highest[worst], level):6} {worst}"
        )
    top = max(lines.final, key=lambda key: mean_of(lines.final[key]))
    yield (
        f"{player:14} largest mean of min(E, 20) {mean_of(lines.final[top]):.3f} ({top}),"
        f" limit {mean_limit(logs):.3f}; {len(lines.final)} hypotheses, {logs} logs"
    )


def main(players: list[str]) -> int:
    """Print the table; return 1 where a budget is broken."""
    print(f"{'player':14} {'level':>5} {'budget':>7} {'audit':>6} {'most':>6} hypothesis")
    failures = []
    for player in players or PLAYERS:
        lines = fair(player, LOGS)
        print(*rows(player, lines), sep="\n", flush=True)
        failures += [f"{player} {text}" for text in lines.failures()]
    print(*failures, sep="\n")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
