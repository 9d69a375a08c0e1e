"""Makes `tests/vectors/bulk_set.json`; keys are fixed, public and for tests only.

Run: python -m tests.shuffle.make_bulk_vectors
"""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from audit.shuffle import derive, sampler
from audit.shuffle.bulk import AesStream, Session, block_bytes, orders_of
from audit.shuffle.bulk_set import make_bulk, open_bulk, opened_bytes
from audit.shuffle.canonical import encode
from audit.shuffle.manifest import Entropy, bulk_algorithm, file_value, in_bulk, new_manifest
from audit.shuffle.sealed import list_head, seal_hash
from tests.shuffle.make_vectors import fixed_draw

PATH = Path(__file__).parent.parent / "vectors" / "bulk_set.json"
#: Deals by size of pack. Of 52 cards deal 713,319 throws a word away and takes the spare one of
#: its block; those of 57 cards and of 77 have no spare word, and go on in `bulk-more`.
REDRAWN = {52: 713_319, 57: 5_098_069, 77: 171_120}
LAST = 9_999_999
#: The counter passes 2^128 between the deals 1 and 2.
START = b"\xff" * 15 + b"\xe7"


def one_session(size: int) -> dict[str, Any]:
    """Return the orders of some deals of a session, the numbers from 0."""
    key = derive.extract(f"TEST ONLY bulk {size}".encode())
    session = Session(key, size, bulk_algorithm(size))
    deals = sorted({0, 1, 31, 32, LAST, REDRAWN.get(size, 0)})
    return {
        "extract": key.hex(),
        "alg": bulk_algorithm(size),
        "cards": size,
        "orders": {str(deal): session.orders(deal, 1)[0].tolist() for deal in deals},
    }


def wrapped() -> dict[str, Any]:
    """Return the orders of four deals while the counter passes its end."""
    key = bytes(range(32))
    data = AesStream(key, START).blocks(0, 4, block_bytes(52))
    words = np.frombuffer(data, ">u4").reshape(4, -1)
    orders = orders_of(words, 52, lambda _: iter(()))
    return {"key": key.hex(), "start": START.hex(), "cards": 52, "orders": orders.tolist()}


def one_set(
    tag: str, pack: int, session: int, entropy: Entropy | None, value: bytes | None
) -> dict[str, Any]:
    """Return a set of ten deals, all of it opened, and its second session alone."""
    draw = fixed_draw(tag)
    manifest = in_bulk(
        new_manifest(
            game="seven-up",
            law="1",
            players=4,
            pack=pack,
            deals=10,
            min_cut=4,
            entropy=entropy,
            draw=draw,
        ),
        session,
    )
    seal, secret = make_bulk(manifest, draw=draw)
    second = range(session + 1, min(2 * session, 10) + 1)
    return {
        "manifest": encode(manifest).decode(),
        "keys": [key.reveal().hex() for key in secret.keys],
        "value": None if value is None else value.hex(),
        "seal": encode(seal).decode(),
        "seal_hash": seal_hash(seal).hex(),
        "list_head": list_head(seal).hex(),
        "opened": b"".join(opened_bytes(open_bulk(seal, secret, value))).decode(),
        "second": b"".join(opened_bytes(open_bulk(seal, secret, value, second))).decode()
        if second
        else None,
    }


def vectors() -> dict[str, Any]:
    """Return all vectors of sets in bulk."""
    rule = file_value(r"\d{12}", moment=1_900_000_000, bits=32)
    block, more = [2**32 - 1, 4, 2**32 - 2, 3], [2**32 - 1, 1, 0]
    return {
        "tag": "test only: these keys are public and must never order a real pack",
        "provenance": (
            "made by tests.shuffle.make_bulk_vectors; `nist` is SP 800-38A, F.5.5 (its output"
            " blocks); the orders were recomputed by openssl enc -aes-256-ctr, by node's crypto"
            " (SHAKE-256) and by the page's verifier on WebCrypto"
        ),
        "nist": {
            "key": "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
            "start": "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
            "output": "0bdf7df1591716335e9a8b15c860c5025a6e699d536119065433863c8f657b94"
            "1bc12c9c01610d5d0d8bd6a3378eca622956e1c8693536b1bee99c73a31576b6",
        },
        "sampler": {
            "cards": 5,
            "block": block,
            "more": more,
            "order": sampler.order(5, chain(block, more)),
        },
        "wrap": wrapped(),
        "sessions": [one_session(size) for size in (2, 5, 32, 52, 57, 58, 77, 78)],
        "sets": [
            one_set("bulk none", 52, 4, None, None),
            one_set("bulk file", 52, 10, rule, b"448821300017"),
            one_set("bulk large", 78, 4, rule, b"448821300017"),
        ],
    }


if __name__ == "__main__":
    PATH.write_text(json.dumps(vectors()) + "\n", encoding="ascii")
