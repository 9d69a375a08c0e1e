"""Counts and latencies in the text form of Prometheus."""

from __future__ import annotations

from collections import Counter

from audit.service.hall import Hall

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)


class Metrics:
    """What was answered, by route and status."""

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

    def text(self, hall: Hall) -> str:
        """Return all counters and what the tables stand at."""
        packs = [pack for room in hall.rooms.values() for pack in room.house.packs.values()]
        ends = Counter(pack.ended or "in play" for pack in packs)
        newest = hall.newest(0)
        lines = ["# TYPE fairdeal_packs gauge"]
        lines += [
            f'fairdeal_packs{{state="{state}"}} {ends[state]}'
            for state in ("in play", "opened", "void", "unfinished")
        ]
        lines += ["# TYPE fairdeal_tables gauge", f"fairdeal_tables {len(hall.rooms)}"]
        size = 0 if newest is None else newest.size
        lines += ["# TYPE fairdeal_ledger_entries gauge", f"fairdeal_ledger_entries {size}"]
        lines.append("# TYPE fairdeal_requests_total counter")
        lines += [
            f'fairdeal_requests_total{{method="{m}",route="{r}",status="{s}"}} {count}'
            for (m, r, s), count in sorted(self._answers.items())
        ]
        lines.append("# TYPE fairdeal_request_seconds histogram")
        for route, counts in sorted(self._buckets.items()):
            total = 0
            for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
                total += count
                lines.append(
                    f'fairdeal_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}'
                )
            lines.append(f'fairdeal_request_seconds_sum{{route="{route}"}} {self._sums[route]:.6f}')
            lines.append(f'fairdeal_request_seconds_count{{route="{route}"}} {total}')
        return "\n".join(lines) + "\n"
