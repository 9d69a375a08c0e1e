"""Count batches into tallies that add up, and let every detector judge them once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from audit.count import COUNT
from audit.detect import DETECT
from audit.finding import Verdicts
from audit.record import Batch
from audit.tally import Arrays, Table


def count_batches(
    batches: Iterable[Batch], table: Table
) -> dict[str, dict[str, NDArray[np.int64]]]:
    """Return each tally that a detector names, summed over *batches* in any order."""
    wanted = sorted({t for n in DETECT.names for t in DETECT[n].tallies})
    tallies: dict[str, dict[str, NDArray[np.int64]]] = {name: {} for name in wanted}
    for batch in batches:
        for name, mine in tallies.items():
            for key, value in COUNT[name].count(batch, table).items():
                mine[key] = mine[key] + value if key in mine else np.asarray(value)
    return tallies


def judge_all(tallies: Mapping[str, Arrays], table: Table) -> Verdicts:
    """Return what all detectors say of the *tallies*."""
    out = Verdicts()
    for name in DETECT.names:
        detector = DETECT[name]
        got = detector.judge({t: tallies[t] for t in detector.tallies}, table)
        out.hypotheses += got.hypotheses
        out.silent += got.silent
        out.pictures += got.pictures
    return out
