"""Makes `tests/vectors/sealed_set.json`; keys are fixed, public and for tests only.

Run: python -m tests.shuffle.make_vectors
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from audit.shuffle import derive, sampler
from audit.shuffle.canonical import encode
from audit.shuffle.framing import frame
from audit.shuffle.manifest import Entropy, file_value, new_manifest
from audit.shuffle.sealed import list_head, make_set, open_set, seal_hash
from audit.shuffle.secret import Draw

PATH = Path(__file__).parent.parent / "vectors" / "sealed_set.json"


def fixed_draw(tag: str) -> Draw:
    """Return a source of fixed bytes, for tests only: anybody can compute them."""
    count = 0

    def draw(length: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(f"TEST ONLY {tag} {count}".encode()).digest(length)

    return draw


def one_set(tag: str, entropy: Entropy | None, value: bytes | None) -> dict[str, Any]:
    draw = fixed_draw(tag)
    manifest = new_manifest(
        game="seven-up", law="1", players=4, pack=52, deals=3, min_cut=4, entropy=entropy, draw=draw
    )
    seal, secret = make_set(manifest, draw=draw)
    return {
        "manifest": encode(manifest).decode(),
        "keys": [key.reveal().hex() for key in secret.keys],
        "value": None if value is None else value.hex(),
        "seal": encode(seal).decode(),
        "seal_hash": seal_hash(seal).hex(),
        "list_head": list_head(seal).hex(),
        "opened": encode(open_set(seal, secret, value)).decode(),
    }


def vectors() -> dict[str, Any]:
    """Return all vectors of sealed sets."""
    key = derive.extract(b"TEST ONLY")
    rejected = [2**32 - 1, 2**32 - 2, 4, 3, 2**32 - 1, 1, 0]
    rule = file_value(r"\d{12}", moment=1_900_000_000, bits=32)
    return {
        "tag": "test only: these keys are public and must never order a real pack",
        "frame": frame("order", 1, b"ab").hex(),
        "extract": {"seed": b"TEST ONLY".hex(), "key": key.hex()},
        "order": {str(n): derive.pack_order(key, n) for n in (2, 32, 52, 78)},
        "salts": [salt.hex() for salt in derive.salts(key, 3)],
        "sampler": {"cards": 5, "words": rejected, "order": sampler.order(5, rejected)},
        "sets": [one_set("none", None, None), one_set("file", rule, b"448821300017")],
    }


if __name__ == "__main__":
    PATH.write_text(json.dumps(vectors(), indent=1) + "\n", encoding="ascii")
