"""What is asked of a service as a whole, from what each of its workers says.

Source: Prometheus, "Exposition formats" (text format 0.0.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from audit.service.asgi import Answer
from audit.service.metrics import Counts, added
from audit.wire import Health, Tables


def tables(found: Sequence[Answer]) -> msgspec.Struct:
    """Return the tables of all workers."""
    lists = [msgspec.json.decode(one.data, type=Tables).tables for one in found]
    return Tables(tables=tuple(sorted(name for one in lists for name in one)))


def health(found: Sequence[Answer]) -> msgspec.Struct:
    """Return the health of the whole: well only where every worker is."""
    each = [msgspec.json.decode(one.data, type=Health) for one in found]
    return Health(
        ok=all(one.ok for one in each),
        size=max(one.size for one in each),
        stopped=next((one.stopped for one in each if one.stopped), ""),
    )


def metrics(found: Iterable[bytes]) -> Counts:
    """Return the counts of all workers together."""
    return added([msgspec.msgpack.decode(one, type=Counts) for one in found])


#: By path, what is asked of all workers with GET.
WHOLE = {"/api/tables": tables, "/health": health}

__all__ = ["WHOLE", "health", "metrics", "tables"]
