"""Both verifiers over packs by lot: `python -m tests.browser.agree --packs 1000`.

Each pack is verified by both as it is, and once more with one byte changed. They have to agree
on verdict and dealt order, and both have to refuse the changed one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from audit.errors import NotVerified
from audit.shuffle.transcript import verify_transcript
from tests.browser.second import Given, Verifier, second
from tests.shuffle.make_table_vectors import chooser, random_table

AT_ONCE = 50


@dataclass(frozen=True, kw_only=True)
class Pack:
    """A transcript of `game`, the ledger head that somebody kept, and a changed copy."""

    game: str
    raw: bytes
    size: int
    root: bytes
    changed: bytes
    place: int


def packs(first: int, count: int) -> Iterator[Pack]:
    """Play packs by the seeds first, first + 1, .. and yield each with a changed byte."""
    for seed in range(first, first + count):
        name, room = random_table(seed)
        room.contribute(10)
        room.play(chooser(f"agree {seed}"))
        room.finish()
        raw = room.transcript(1)
        size, root = room.ledger.head()
        rng = random.Random(f"change {seed}")
        place = rng.randrange(len(raw))
        other = raw[place] ^ (1 << rng.randrange(8))
        changed = raw[:place] + bytes([other]) + raw[place + 1 :]
        yield Pack(game=name, raw=raw, size=size, root=root, changed=changed, place=place)


def first_verdict(raw: bytes, size: int, root: bytes) -> tuple[bool, list[int]]:
    """Return what the first verifier says of a transcript, with an anchor."""
    try:
        verdict = verify_transcript(raw, (size, root))
    except NotVerified:
        return False, []
    return verdict.verified, list(verdict.dealt)


def disagreements(verify: Verifier, given: list[Pack]) -> list[str]:
    """Return one line for each pack on which the verifiers differ or take a changed byte."""
    asked = [
        Given(text=raw.decode("latin-1"), anchor=f"{pack.size} {pack.root.hex()}")
        for pack in given
        for raw in (pack.raw, pack.changed)
    ]
    answers = verify(asked)
    found = []
    for i, pack in enumerate(given):
        good, bad = answers[2 * i], answers[2 * i + 1]
        holds, dealt = first_verdict(pack.raw, pack.size, pack.root)
        if not holds or good["state"] != "verified" or good["dealt"] != dealt:
            found.append(
                f"{pack.game}: first {holds}, second {good['state']} {good['where']} {good['what']}"
            )
        taken, _ = first_verdict(pack.changed, pack.size, pack.root)
        if taken or bad["state"] != "does not verify":
            found.append(
                f"{pack.game}: byte {pack.place} changed: first {'takes' if taken else 'refuses'}"
                f" it, second: {bad['state']} {bad['where']} {bad['what']}"
            )
    return found


def main() -> int:
    """Print the disagreements and how many packs of which games were held to both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    asked = parser.parse_args()
    games: dict[str, int] = {}
    found = []
    with second() as verify:
        for start in range(0, asked.packs, AT_ONCE):
            count = min(AT_ONCE, asked.packs - start)
            some = list(packs(asked.first + start, count))
            for pack in some:
                games[pack.game] = games.get(pack.game, 0) + 1
            for line in disagreements(verify, some):
                found.append(line)
                print(line, flush=True)
    print(f"{asked.packs} packs of {len(games)} games {games}: {len(found)} disagreements")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
