"""Power of the detector of voids: `python -m tests.long_voids` (a minute).

Printed is the share of 60 clubs in which the party is named by the 400th, 800th and
1,600th pack of the log.  At a table of four the house appears first and k3 fourth,
and everybody comes late to two packs in a hundred.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from audit.tally import Looks
from tests._logs import first_flag
from tests.test_voids import Club, Habit, Leave, judged, late_for_one, never, sore, steady

LOGS, PACKS, SEEN = 60, 1600, (400, 800, 1600)


def named(habit: Habit, leave: Leave, subject: dict[str, str]) -> list[float]:
    """Return the share of clubs in which *subject* is named by each of `SEEN`."""
    when = []
    for seed in range(LOGS):
        deals = Club(seed=1000 + seed, habit=habit, leave=leave).play(PACKS)
        found = [h for h in judged(deals) if h.subject == subject]
        assert len(found[0].curve) == Looks(deals=PACKS).count
        when.append(min(first_flag(h.curve, PACKS, h.weight) for h in found))
    return [float((np.array(when) <= seen).mean()) for seen in SEEN]


def main() -> None:
    """Print a row for each way."""
    for rate in (0.4, 0.2, 0.1):
        row = named(partial(late_for_one, rate), never, {"party": "k3", "by": "role"})
        print(f"late to what two deal {rate}", *(f"{x:.2f}" for x in row))
    row = named(steady((0.02,) * 4), sore, {"party": "k1", "by": "turn-up"})
    print("leaves at a Jack        ", *(f"{x:.2f}" for x in row))


if __name__ == "__main__":
    main()
