"""How fast sealed sets are made, opened and verified: `python -m tests.shuffle.bench`.

CPU seconds of one core, best of three, for packs of 52. Beside them the bare hashing of this
machine, so that figures of other machines can be compared, and a plain program in Node, where
that is installed.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from audit.shuffle.bulk import SIDE_BY_SIDE, Session
from audit.shuffle.bulk_set import make_bulk, open_bulk, opened_bytes, read_bulk_opened
from audit.shuffle.bulk_verdict import verify_bulk
from audit.shuffle.canonical import encode
from audit.shuffle.manifest import BULK_AES, BULK_SHAKE, Manifest, in_bulk, new_manifest
from audit.shuffle.sealed import deal_orders, make_set, open_set
from audit.shuffle.verdict import verify_set

BULK = 50
"""So many times more deals for what is so much faster."""


def best(work: Callable[[], object]) -> float:
    """Return the least CPU seconds of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def show(name: str, deals: int, work: Callable[[], object]) -> None:
    """Print how many deals a CPU second *work* handles."""
    print(f"  {name}: {deals / best(work):,.0f} deals a CPU second", flush=True)


def main(count: int = 20_000) -> None:
    """Print deals a second for each step, *count* deals with a key each, 50 times that in bulk."""
    plain = new_manifest(game="seven_up_4", law="1", players=4, pack=52, deals=count, min_cut=4)
    one_by_one(count, plain)
    bulk(BULK * count, plain)
    node(count, plain)
    block = bytes(128)

    def hashing() -> None:
        for _ in range(200_000):
            hashlib.sha512(block).digest()

    print(f"SHA-512 of 128 bytes: {200_000 / best(hashing):,.0f} a CPU second")


def one_by_one(count: int, manifest: Manifest) -> None:
    """Print the steps of a set with one key a deal."""
    seal, secret = make_set(manifest)
    keys = [key.reveal() for key in secret.keys]
    raw = encode(open_set(seal, secret))
    numbers = range(1, count + 1)

    def both() -> None:
        deal_orders(seal, numbers, keys, b"")
        verify_set(raw, seal)

    print("one key a deal")
    show("sealed", count, lambda: make_set(manifest))
    show("orders alone", count, lambda: deal_orders(seal, numbers, keys, b""))
    show("opened, to the bytes of the log", count, lambda: encode(open_set(seal, secret)))
    show("verified, from the bytes of the log", count, lambda: verify_set(raw, seal))
    show("orders made, and the log verified", count, both)


def bulk(count: int, manifest: Manifest) -> None:
    """Print the steps of a set with one key for all its deals."""
    print("one key a session")
    for name, algorithm in (("AES-256-CTR", BULK_AES), ("SHAKE-256", BULK_SHAKE)):
        session = Session(bytes(64), 52, algorithm)

        def orders(session: Session = session) -> None:
            for first in range(0, count, SIDE_BY_SIDE):
                session.orders(first, min(SIDE_BY_SIDE, count - first))

        show(f"orders alone, {name}", count, orders)
    made = msgspec.structs.replace(manifest, deals=count)
    seal, secret = make_bulk(in_bulk(made, count))
    raw = b"".join(opened_bytes(open_bulk(seal, secret)))

    def opened() -> None:
        for _ in opened_bytes(open_bulk(seal, secret)):
            pass

    def verified() -> None:
        lines = io.BytesIO(raw)
        verify_bulk(read_bulk_opened(lines.readline()[:-1]), lines, seal)

    show("opened, to the bytes of the log", count, opened)
    show("verified, from the bytes of the log", count, verified)


def node(count: int, manifest: Manifest) -> None:
    """Print the orders alone in plain Node, and the whole check by the page's verifier in it."""
    program = shutil.which("node")
    if program is None:
        print("node: not here")
        return
    print("plain Node, its own crypto")
    script = Path(__file__).parent / "orders.js"
    command = [program, str(script), "rate", str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rates = json.loads(done.stdout)
    print(f"  orders alone, one key a deal: {1e6 / rates['each']:,.0f} deals a CPU second")
    print(f"  orders alone, AES-256-CTR: {1e6 / rates['bulk']:,.0f} deals a CPU second")
    print("the page's verifier in Node, on WebCrypto")
    few = min(count, 2_000)
    seal, secret = make_set(msgspec.structs.replace(manifest, deals=few))
    text = encode(open_set(seal, secret)).decode()
    print(f"  verified, one key a deal: {few / checked('set', text):,.0f} deals a CPU second")
    made = msgspec.structs.replace(manifest, deals=5 * count)
    bulk_seal, bulk_secret = make_bulk(in_bulk(made, 5 * count))
    text = b"".join(opened_bytes(open_bulk(bulk_seal, bulk_secret))).decode()
    print(f"  verified, AES-256-CTR: {5 * count / checked('bulk', text):,.0f} deals a CPU second")


def checked(kind: str, text: str) -> float:
    """Return the CPU seconds in which the page's verifier checks *text* in Node."""
    script = Path(__file__).parent / "page_rate.js"
    done = subprocess.run(
        ["node", str(script), kind], input=text, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
