"""Compare the referee with the outsider's checkers at length.

    python -m tests.laws.outsider_long ID... [--deals N] [--seed N]

Each ID is a row of `outsider_rows.py`, or all.  Exits with 1 where the two differ anywhere.
"""

from __future__ import annotations

import argparse
from collections import Counter

from audit.cards import show
from tests.laws.outsider_compare import (
    Difference,
    allowed,
    bare,
    changed,
    gathered,
    played,
    sample,
    unchanged,
)
from tests.laws.outsider_rows import ROWS, Row


def compare(row: Row, *, count: int, seed: int) -> tuple[Counter[str], list[Difference]]:
    """Return how much was tried of each kind over *count* deals, and all differences."""
    tried: Counter[str] = Counter()
    found: list[Difference] = []
    for one in sample(row, count=count, seed=seed):
        found += unchanged(row, one, tried)
        if played(one.deal):
            deal = gathered(row, one.deal)
            found += changed(row, deal, tried)
            found += allowed(row, deal, tried)
            found += allowed(row, bare(deal), tried)
    return tried, found


def main() -> int:
    """Run the comparison of the rows that are named and print what it finds."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.outsider_long")
    parser.add_argument("rows", nargs="+", metavar="ID", choices=[*ROWS, "all"])
    parser.add_argument("--deals", type=int, default=150, metavar="N")
    parser.add_argument("--seed", type=int, default=61, metavar="N")
    given = parser.parse_args()
    worst = 0
    for name in ROWS if "all" in given.rows else given.rows:
        tried, found = compare(ROWS[name], count=given.deals, seed=given.seed)
        print(f"{name}: {len(found)} differences; tried {dict(sorted(tried.items()))}", flush=True)
        for one in found[:3]:
            hands = " | ".join(show(hand) for hand in one.deal.hands)
            print(f"  {one.what} at {one.event}: outsider {one.mine}, referee {one.theirs}")
            print(f"  hands {hands}; turned {show(one.deal.turnups)}; {one.deal.events}")
        worst = max(worst, bool(found))
    return worst


if __name__ == "__main__":
    raise SystemExit(main())
