"""The long comparison: `python -m tests.laws.outsider_tables_long ID --deals N [--seed S]`.

It prints by kind of change how many both object to, neither, and one alone; ends with 1 on those.
"""

from __future__ import annotations

import argparse
import sys

from tests.laws.outsider_changes import READ, compare


def main() -> int:
    """Compare the referee with the outsider on every change of every event of N deals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("id", choices=sorted(READ))
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=71)
    args = parser.parse_args()
    found = compare(args.id, args.deals, seed=args.seed)
    kinds = sorted(found.both | found.neither | found.open | found.short)
    print(f"{'':30}{'both':>8}{'neither':>9}{'open':>7}{'short':>7}")
    for kind in kinds:
        counts = (found.both[kind], found.neither[kind], found.open[kind], found.short[kind])
        print(f"{kind:30}{counts[0]:8}{counts[1]:9}{counts[2]:7}{counts[3]:7}")
    for (who, kind), deal in {(who, kind): deal for who, kind, deal in found.alone}.items():
        print(f"alone: {who}; {kind}: {deal}")
    print(f"{sum(found.both.values())} by both, {len(found.alone)} by one alone")
    return int(bool(found.alone))


if __name__ == "__main__":
    sys.exit(main())
