"""How fast sealed sets are made, opened and verified: `python -m tests.shuffle.bench`.

CPU seconds of one core, best of three.  Beside them the bare hashing of this machine, so
that figures of other machines can be compared.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable

from audit.shuffle.manifest import new_manifest
from audit.shuffle.sealed import deal_orders, make_set, open_set
from audit.shuffle.verdict import verify_set


def best(work: Callable[[], object]) -> float:
    """Return the least CPU seconds of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main(count: int = 20_000) -> None:
    """Print deals a second for each step, for packs of 52."""
    manifest = new_manifest(game="seven_up_4", law="1", players=4, pack=52, deals=count, min_cut=4)
    block = bytes(128)

    def hashing() -> None:
        for _ in range(200_000):
            hashlib.sha512(block).digest()

    seal, secret = make_set(manifest)
    keys = [key.reveal() for key in secret.keys]
    opened = open_set(seal, secret)
    rows = {
        "sealed": lambda: make_set(manifest),
        "derived (full derivation of each pack)": lambda: deal_orders(
            seal, range(1, count + 1), keys, b""
        ),
        "opened": lambda: open_set(seal, secret),
        "verified, all of it": lambda: verify_set(opened, seal),
    }
    for name, work in rows.items():
        print(f"{name}: {count / best(work):,.0f} deals a CPU second")
    print(f"SHA-512 of 128 bytes: {200_000 / best(hashing):,.0f} a CPU second")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
