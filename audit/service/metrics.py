"""Counts and latencies in the text form of Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from audit.service.hall import Hall

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)
STATES = ("in play", "opened", "void", "unfinished")


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """Answers by method, route and status; their times in *buckets*, and *sums* in s, by route."""

    packs: dict[str, int]
    tables: int
    entries: int
    answers: dict[tuple[str, str, int], int]
    buckets: dict[str, list[int]]
    sums: dict[str, float]


def added(counts: Sequence[Counts]) -> Counts:
    """Return the counts of several processes over one ledger, together."""
    packs: Counter[str] = Counter()
    answers: Counter[tuple[str, str, int]] = Counter()
    sums: dict[str, float] = {}
    buckets: dict[str, list[int]] = {}
    for one in counts:
        packs.update(one.packs)
        answers.update(one.answers)
        for route, found in one.buckets.items():
            stood = buckets.setdefault(route, [0] * len(found))
            buckets[route] = [a + b for a, b in zip(stood, found, strict=True)]
            sums[route] = sums.get(route, 0.0) + one.sums[route]
    return Counts(
        packs=dict(packs),
        tables=sum(one.tables for one in counts),
        entries=max(one.entries for one in counts),
        answers=dict(answers),
        buckets=buckets,
        sums=sums,
    )


def text(counts: Counts) -> str:
    """Return the counters and what the tables stand at."""
    lines = ["# TYPE fairdeal_packs gauge"]
    lines += [f'fairdeal_packs{{state="{state}"}} {counts.packs.get(state, 0)}' for state in STATES]
    lines += ["# TYPE fairdeal_tables gauge", f"fairdeal_tables {counts.tables}"]
    lines += ["# TYPE fairdeal_ledger_entries gauge", f"fairdeal_ledger_entries {counts.entries}"]
    lines.append("# TYPE fairdeal_requests_total counter")
    lines += [
        f'fairdeal_requests_total{{method="{m}",route="{r}",status="{s}"}} {count}'
        for (m, r, s), count in sorted(counts.answers.items())
    ]
    lines.append("# TYPE fairdeal_request_seconds histogram")
    for route, found in sorted(counts.buckets.items()):
        total = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), found, strict=True):
            total += count
            lines.append(f'fairdeal_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}')
        lines.append(f'fairdeal_request_seconds_sum{{route="{route}"}} {counts.sums[route]:.6f}')
        lines.append(f'fairdeal_request_seconds_count{{route="{route}"}} {total}')
    return "\n".join(lines) + "\n"


class Metrics:
    """What this process has answered, by route and status."""

    def __init__(self) -> None:
        self._answers: Counter[tuple[str, str, int]] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._sums: dict[str, float] = {}

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answer."""
        self._answers[method, route, status] += 1
        counts = self._buckets.setdefault(route, [0] * (len(BOUNDS) + 1))
        at = next((n for n, bound in enumerate(BOUNDS) if seconds <= bound), len(BOUNDS))
        counts[at] += 1
        self._sums[route] = self._sums.get(route, 0.0) + seconds

    def counts(self, hall: Hall) -> Counts:
        """Return all counts up to now."""
        packs = [pack for room in hall.rooms.values() for pack in room.house.packs.values()]
        newest = hall.newest(0)
        return Counts(
            packs=dict(Counter(pack.ended or "in play" for pack in packs)),
            tables=len(hall.rooms),
            entries=0 if newest is None else newest.size,
            answers=dict(self._answers),
            buckets={route: list(found) for route, found in self._buckets.items()},
            sums=dict(self._sums),
        )
